// The words of a text that could be names.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/model/system_text.hpp>

namespace noslip {

/// Of a text the words, of an expression the names of its symbols. Entries of arrays are words, x[4]; where the index
/// is that of a sum, x[].
std::vector<std::string> words_of(const Text& text, const std::function<std::optional<Number>(std::string_view)>& size);

/// With the values of its indices: q[i]' = 0 (i = 3).
std::string shown_text(const Text& text);

/// The word of the text that the byte belongs to.
std::string_view word_at(std::string_view text, std::size_t offset);

/// Where the name (x, x', p(x)) stands in the text, not as part of a longer word; 0 where it does not.
std::size_t find_word(std::string_view text, std::string_view name);

/// What is wrong with the name of a symbol that may be x, x', p(x), psi(1) or t; empty if nothing.
std::string why_not_a_symbol(std::string_view name);

}  // namespace noslip
