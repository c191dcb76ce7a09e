// Names in messages: "did you mean", lists and numbers of things.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace noslip {

/// The candidate with the smallest edit distance (insertions, deletions, replacements, swaps of neighbours; case
/// counts half), if it is close enough to be a slip of the finger; empty otherwise.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "did you mean 'theta'?" or an empty string.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// "a, b and c"
std::string list_of(std::span<const std::string> names);

/// "1 row", "3 rows"; `many` where it is not the singular with an s.
std::string counted(std::size_t n, const std::string& one, const std::string& many = "");

}  // namespace noslip
