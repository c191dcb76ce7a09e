// Numbers that a caller writes as texts: `0.1`, `1/10`, `pi/2`, `sqrt(2)*R`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <noslip/core/given.hpp>

namespace noslip {

/// A finite number, or why the text is not one.
struct Value {
  std::optional<quad> number;
  std::string what, remedy;
};

/// Evaluated in quadruple precision, as the values of a system file are. `names` are the symbols that the text may use.
Value evaluate(const std::string& text, const Settings& names = {});

/// `name=value`, split at the first `=`; nothing if there is none or a side is empty. Blanks around both are dropped.
std::optional<std::pair<std::string, std::string>> split_assignment(const std::string& text);

/// Pieces between separators that are not inside brackets, without blanks around them.
std::vector<std::string> split_outside_brackets(const std::string& text, char separator);

/// Pieces between commas. A piece with `=` belongs to the one before it: `nh-lobatto:3,map=cay,gauss:2` has two.
std::vector<std::string> split_list(const std::string& text);

}  // namespace noslip
