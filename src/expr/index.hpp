// Numbers that are known when a text is read: indices of arrays and bounds of sums.
#pragma once

#include <functional>

#include "expr/lexer.hpp"

namespace noslip {

/// Reads the longest number that begins at the next token: literals and names with + - * / and parentheses. `value_of`
/// gives the value of a name, or throws a SyntaxError as this function does. `what` is what the number is: "an index".
Number read_number(Tokens& in, const std::string& what, const std::function<Number(const Token& name)>& value_of);

/// The number, if it is whole; otherwise a SyntaxError.
std::int64_t whole(const Number& number, const std::string& what, std::size_t offset);

/// For a name that has no value there.
inline constexpr std::string_view index_remedy =
    "whole numbers, indices, and parameters whose default is a whole number may be used here";

}  // namespace noslip
