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
  std::string option = family.option.empty() ? "" : fmt::format("[,{}]", family.option);
  std::erase(option, ' ');  // as it is to be written
  if (family.numbers.empty()) return family.name + option;
  return fmt::format("{}:{}{} ({} = {})", family.name, family.number, option, family.number, which(family));
}

/// "alpha=1" behind the first comma.
MethodOptions options_of(const Family& family, std::string_view name, std::string_view text) {
  const std::size_t equal = text.find('=');
  const std::string option(text.substr(0, equal));
  const std::string known = family.option.substr(0, family.option.find(' '));
  if (equal == std::string_view::npos || option != known) {
    throw InputError(fmt::format("method '{}': '{}' is not an option of {}", name, text, family.name),
                     known.empty() ? fmt::format("{} has no options", family.name)
                                   : fmt::format("its option is {}, with the default in {}", known, family.option));
  }
  return {{option, std::string(text.substr(equal + 1))}};
}

std::shared_ptr<const Method> member(const Family& family, std::string_view name, std::string_view number,
                                     const MethodOptions& options) {
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
  return family.make(value, options);
}

}  // namespace

int MethodTraits::order_on(const System& system) const {
  return system.multiplier_names().empty() ? std::max(order, order_when_free) : order;
}

bool MethodTraits::is_symmetric_on(const System& system) const {
  return symmetric && !(chooses_basis && system.basis().empty() && !system.constraints().empty());
}

int MethodTraits::multiplier_order_on(const System& system) const {
  if (system.holonomic().empty()) return multiplier_order;
  return system.constraints().empty() ? position_multiplier_order
                                      : std::min(multiplier_order, position_multiplier_order);
}

std::shared_ptr<const Method> find_method(std::string_view name) {
  const std::size_t comma = name.find(',');
  const std::string_view plain = name.substr(0, comma);
  const std::size_t colon = plain.find(':');
  const std::string family_name(plain.substr(0, colon));
  std::vector<std::string> known;
  for (const Family& family : families()) {
    known.push_back(family.name);
    if (family.name != family_name) continue;
    const MethodOptions options =
        comma == std::string_view::npos ? MethodOptions{} : options_of(family, name, name.substr(comma + 1));
    if (colon == std::string_view::npos) return family.make(family.typical, options);
    return member(family, name, plain.substr(colon + 1), options);
  }
  std::string remedy = did_you_mean(family_name, known);
  if (remedy.empty()) remedy = fmt::format("known methods: {} ('noslip methods' tells more)", list_of(known));
  throw InputError(fmt::format("unknown method '{}'", name), remedy);
}

std::vector<MethodFamily> method_families() {
  std::vector<MethodFamily> list;
  for (const Family& family : families()) {
    list.push_back(
        {family.name, pattern(family), family.order, family.numbers, family.make(family.typical, {})->traits()});
  }
  return list;
}

}  // namespace noslip
