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

constexpr char map_option[] = "map";  // of every method

/// "alpha=1,map=exp", what stands behind the first comma.
MethodOptions options_of(const Family& family, std::string_view name, std::string_view text) {
  const std::string own = family.option.substr(0, family.option.find(' '));
  MethodOptions options;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view one = text.substr(0, comma);
    const std::size_t equal = one.find('=');
    const std::string option(one.substr(0, equal));
    if (option != map_option && (own.empty() || option != own)) {
      throw InputError(fmt::format("method '{}': '{}' is not an option of {}", name, one, family.name),
                       fmt::format("{} map, the retraction on Lie groups, cay (the default) or exp",
                                   own.empty() ? "its option is"
                                               : fmt::format("its options are {} (the default is {}) and", own,
                                                             family.option.substr(family.option.rfind(' ') + 1))));
    }
    if (equal == std::string_view::npos) {
      throw InputError(fmt::format("method '{}': option '{}' has no value", name, option),
                       fmt::format("write {}=...", option));
    }
    if (!options.try_emplace(option, one.substr(equal + 1)).second) {
      throw InputError(fmt::format("method '{}': option '{}' is given twice", name, option), "give it once");
    }
    if (comma == std::string_view::npos) return options;
    text.remove_prefix(comma + 1);
  }
}

Retraction map_of(std::string_view name, const MethodOptions& options) {
  const auto given = options.find(map_option);
  if (given == options.end()) return Retraction::cay;
  for (const Retraction map : {Retraction::cay, Retraction::exp}) {
    if (given->second == to_text(map)) return map;
  }
  throw InputError(fmt::format("method '{}': map cannot be '{}'", name, given->second),
                   "retractions are cay (the default) and exp");
}

/// A method with its retraction.
class WithRetraction final : public Method {
 public:
  WithRetraction(std::shared_ptr<const Method> method, Retraction map)
      : method_(std::move(method)), traits_(method_->traits()), map_(map) {
    if (map != Retraction::cay) traits_.name += fmt::format(",{}={}", map_option, to_text(map));
  }
  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override { return method_->why_not(system); }
  StepRecipe record(const System& system) const override {
    return system.is_on_group() ? method_->record_on_group(system, map_) : method_->record(system);
  }
  StepRecipe record_on_group(const System& system, Retraction map) const override {
    return method_->record_on_group(system, map);
  }
  const SparkCoefficients* spark() const override { return method_->spark(); }

 private:
  std::shared_ptr<const Method> method_;
  MethodTraits traits_;
  Retraction map_;
};

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
    return std::make_shared<WithRetraction>(colon == std::string_view::npos
                                                ? family.make(family.typical, options)
                                                : member(family, name, plain.substr(colon + 1), options),
                                            map_of(name, options));
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
