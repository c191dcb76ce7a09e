// Some entries of a long list.
#include <noslip/expr/short_list.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <noslip/expr/parse.hpp>

namespace noslip {
namespace {

constexpr std::size_t longest_list = 24;
constexpr std::size_t longest_run = 6;  // of entries of an array, in a long list

/// How many entries of one array stand side by side from here on, in order.
std::size_t run_length(std::span<const std::string> names) {
  const auto first = element_of(names.front());
  std::size_t count = 1;
  for (; first && count < names.size(); ++count) {
    const auto next = element_of(names[count]);
    if (!next || next->array != first->array || next->index != first->index + static_cast<std::int64_t>(count)) break;
  }
  return count;
}

}  // namespace

std::vector<ListLine> lines_of_list(std::span<const std::string> names) {
  std::vector<ListLine> lines;
  for (std::size_t i = 0; i < names.size();) {
    const std::size_t run = names.size() <= longest_list ? 1 : run_length(names.subspan(i));
    if (run <= longest_run) {
      for (std::size_t k = 0; k < run; ++k) lines.push_back({i + k, 0});
    } else {
      for (std::size_t k = 0; k < 3; ++k) lines.push_back({i + k, 0});
      lines.push_back({0, run - 4});
      lines.push_back({i + run - 1, 0});
    }
    i += run;
  }
  if (lines.size() <= longest_list) return lines;
  const ListLine last = lines.back();
  lines.resize(longest_list - 2);
  while (lines.back().left_out > 0) lines.pop_back();
  lines.push_back({0, last.entry - lines.back().entry - 1});
  lines.push_back(last);
  return lines;
}

std::string left_out_text(std::size_t count) { return fmt::format("... {} more", count); }

std::string short_list(std::span<const std::string> names, const std::function<std::string(std::size_t)>& text_of) {
  std::string text;
  for (const auto& [entry, left_out] : lines_of_list(names)) {
    if (!text.empty()) text += ", ";
    text += left_out > 0 ? fmt::format("... ({} more)", left_out) : text_of(entry);
  }
  return text;
}

std::string short_list(std::span<const std::string> names) {
  return short_list(names, [&](std::size_t i) { return names[i]; });
}

}  // namespace noslip
