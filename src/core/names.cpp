#include <noslip/core/names.hpp>

#include <algorithm>
#include <vector>

#include <noslip/core/characters.hpp>

namespace noslip {
namespace {

// Distances are counted in halves, so that they stay integers: a wrong case costs 1, any other slip 2.
int replacement(char a, char b) { return a == b ? 0 : lower(a) == lower(b) ? 1 : 2; }

int half_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= n; ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replacement(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[n];
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

/// How many halves still look like a slip of the finger: none but the case for one letter, a third of a long name.
int tolerance(std::size_t length) {
  if (length <= 1) return 1;
  if (length <= 4) return 2;
  return static_cast<int>(std::min<std::size_t>(length / 3 + 1, 4)) * 2;
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  const int limit = tolerance(name.size());
  int best = limit + 1;
  std::string_view nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (2 * (longer - std::min(name.size(), candidate.size())) > static_cast<std::size_t>(limit)) continue;
    int distance = half_distance(name, candidate);
    if (same_but_for_case(name, candidate)) distance = std::min(distance, limit);
    // Names with nothing in common are not a slip, however short the names are.
    if (distance < best && distance < static_cast<int>(2 * longer)) {
      best = distance;
      nearest = candidate;
    }
  }
  return std::string(nearest);
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : "did you mean '" + nearest + "'?";
}

std::string list_of(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace noslip
