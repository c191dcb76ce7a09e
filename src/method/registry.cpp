// Method names to methods.
#include <noslip/method/method.hpp>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "method/families.hpp"

namespace noslip {

namespace {

/// "1 to 64", "2, 4, 6, 8"
std::string which(const Family& family) {
  const int first = family.numbers.front(), last = family.numbers.back();
  const bool is_range = last - first + 1 == static_cast<int>(family.numbers.size());
  return is_range ? fmt::format("{} to {}", first, last) : fmt::format("{}", fmt::join(family.numbers, ", "));
}

std::string pattern(const Family& family) {
  if (family.numbers.empty()) return family.name;
  return fmt::format("{}:{} ({} = {})", family.name, family.number, family.number, which(family));
}

std::shared_ptr<const Method> member(const Family& family, std::string_view name, std::string_view number) {
  if (family.numbers.empty()) {
    throw InputError(fmt::format("method '{}': '{}' takes no number", name, family.name),
                     fmt::format("use {}", family.name));
  }
  int value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_known = std::find(family.numbers.begin(), family.numbers.end(), value) != family.numbers.end();
  if (error != std::errc() || end != number.data() + number.size() || !is_known) {
    const char* const noun = family.number == "s" ? "a number of stages" : "an order";
    throw InputError(fmt::format("method '{}': '{}' is not {} ({})", name, number, noun, which(family)),
                     fmt::format("use {}, for example {}:{}", pattern(family), family.name, family.numbers[1]));
  }
  return family.make(value);
}

}  // namespace

std::shared_ptr<const Method> find_method(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string family_name(name.substr(0, colon));
  std::vector<std::string> known;
  for (const Family& family : families()) {
    known.push_back(family.name);
    if (family.name != family_name) continue;
    if (colon == std::string_view::npos) return family.make(family.typical);
    return member(family, name, name.substr(colon + 1));
  }
  std::string remedy = did_you_mean(family_name, known);
  if (remedy.empty()) remedy = fmt::format("known methods: {} ('noslip methods' tells more)", list_of(known));
  throw InputError(fmt::format("unknown method '{}'", name), remedy);
}

std::vector<MethodFamily> method_families() {
  std::vector<MethodFamily> list;
  for (const Family& family : families()) {
    list.push_back({family.name, pattern(family), family.order, family.numbers, family.make(family.typical)->traits()});
  }
  return list;
}

}  // namespace noslip
