// Long lists as a person can read them: some entries, and how many there are beside them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace noslip {

/// A line of a list: one of its entries, or the number of those that are left out here.
struct ListLine {
  std::size_t entry = 0;
  std::size_t left_out = 0;  ///< 0: the entry
};

/// All lines of a short list. In a long one, entries of an array are the first three and the last one, and if that does
/// not make it short, the list ends early, but for its last entry.
std::vector<ListLine> lines_of_list(std::span<const std::string> names);

/// "... 97 more"
std::string left_out_text(std::size_t count);

/// "q[0], q[1], q[2], ... (97 more), q[100], y"; `text_of` has the text of an entry.
std::string short_list(std::span<const std::string> names, const std::function<std::string(std::size_t)>& text_of);
std::string short_list(std::span<const std::string> names);

}  // namespace noslip
