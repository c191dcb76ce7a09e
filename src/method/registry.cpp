// Method names to methods.
#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <iterator>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/method/method.hpp>

#include "method/branch_sides.hpp"
#include "method/closed_momenta.hpp"
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

// Options of every method: how sums are rounded, and for systems on Lie groups the coordinates.
constexpr char sums_option[] = "sums", map_option[] = "map", chart_option[] = "chart";
constexpr const char* common_options[] = {sums_option, map_option, chart_option};

/// "alpha=1,map=exp", what stands behind the first comma.
MethodOptions options_of(const Family& family, std::string_view name, std::string_view text) {
  const std::string own = family.option.substr(0, family.option.find(' '));
  MethodOptions options;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.empty()) {
      throw InputError(fmt::format("method '{}': nothing stands behind a comma", name),
                       "options are written ,name=value: remove the comma");
    }
    const std::size_t equal = one.find('=');
    const std::string option(one.substr(0, equal));
    const bool is_common = std::any_of(std::begin(common_options), std::end(common_options),
                                       [&](const char* common) { return option == common; });
    const bool is_known = is_common || (!own.empty() && option == own);
    if (!is_known) {
      throw InputError(
          fmt::format("method '{}': '{}' is not an option of {}", name, one, family.name),
          fmt::format("{}every method has sums=compensated or plain and, on Lie groups, map=cay or exp and "
                      "chart=start or middle",
                      own.empty() ? "" : fmt::format("its option is {}; ", family.option)));
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

enum class Sums { compensated, plain };
const char* to_text(Sums sums) { return sums == Sums::compensated ? "compensated" : "plain"; }

/// The value of an option that is one of some words; `usual` where it is not given.
template <class Value>
Value choice(std::string_view name, const MethodOptions& options, const char* option, std::initializer_list<Value> all,
             Value usual, const char* remedy) {
  const auto given = options.find(option);
  if (given == options.end()) return usual;
  for (const Value value : all) {
    if (given->second == to_text(value)) return value;
  }
  throw InputError(fmt::format("method '{}': {} cannot be '{}'", name, option, given->second), remedy);
}

Chart chart_of(std::string_view name, const Method& method, const MethodOptions& options) {
  using Centre = Chart::Centre;
  Chart chart;
  chart.map = choice(name, options, map_option, {Retraction::cay, Retraction::exp}, Retraction::cay,
                     "retractions are cay (the default) and exp");
  chart.centre = choice(name, options, chart_option, {Centre::start, Centre::middle}, method.usual_centre(),
                        "coordinates of a group are around the start or the middle of a step");
  if (!method.can_be_centred() && chart.centre == Centre::middle) {
    throw InputError(fmt::format("method '{}': chart cannot be 'middle'", name),
                     "its coordinates are around the start of a step; take gauss or lobatto-ab");
  }
  return chart;
}

Sums sums_of(std::string_view name, const MethodOptions& options) {
  return choice(name, options, sums_option, {Sums::compensated, Sums::plain}, Sums::compensated,
                "sums are compensated (the default) or plain");
}

/// A method with the options that every method has.
class WithOptions final : public Method {
 public:
  WithOptions(std::shared_ptr<const Method> method, const Chart& chart, Sums sums)
      : method_(std::move(method)), traits_(method_->traits()), chart_(chart), sums_(sums) {
    if (chart.map != Retraction::cay) traits_.name += fmt::format(",{}={}", map_option, to_text(chart.map));
    if (chart.centre != method_->usual_centre()) {
      traits_.name += fmt::format(",{}={}", chart_option, to_text(chart.centre));
    }
    if (sums != Sums::compensated) traits_.name += fmt::format(",{}={}", sums_option, to_text(sums));
    traits_.symmetric_on_groups = traits_.symmetric && chart.centre == Chart::Centre::middle;
  }
  const MethodTraits& traits() const override { return traits_; }
  std::string why_not(const System& system) const override {
    if (system.is_on_group() && system.has_implicit_momenta() && !method_->has_group_form()) {
      return "on Lie groups it needs momenta in closed form: " + why_no_closed_momenta(system) +
             "; take nh-lobatto, gauss or lobatto-ab";
    }
    return method_->why_not(system);
  }
  StepRecipe record(const System& system) const override {
    StepRecipe recipe = system.is_on_group() ? method_->record_on_group(system, chart_) : method_->record(system);
    recipe.starts_on_constraints = traits_.keeps_constraints;
    if (sums_ == Sums::plain) recipe.drop_compensation();
    add_branch_sides(system, recipe);
    return recipe;
  }
  StepRecipe record_on_group(const System& system, const Chart& chart) const override {
    return method_->record_on_group(system, chart);
  }
  bool has_group_form() const override { return method_->has_group_form(); }
  Chart::Centre usual_centre() const override { return method_->usual_centre(); }
  bool can_be_centred() const override { return method_->can_be_centred(); }
  const SparkCoefficients* spark() const override { return method_->spark(); }

 private:
  std::shared_ptr<const Method> method_;
  MethodTraits traits_;
  Chart chart_;
  Sums sums_;
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

std::vector<Family> all_families() {
  std::vector<Family> all = families();
  std::vector<Family> registered = registered_families();
  std::move(registered.begin(), registered.end(), std::back_inserter(all));
  return all;
}

}  // namespace

const char* to_text(Chart::Centre centre) { return centre == Chart::Centre::start ? "start" : "middle"; }

int MethodTraits::order_on(const System& system) const {
  return system.multiplier_names().empty() ? std::max(order, order_when_free) : order;
}

bool MethodTraits::is_symmetric_on(const System& system) const {
  if (system.is_on_group() && !symmetric_on_groups) return false;
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
  for (const Family& family : all_families()) {
    known.push_back(family.name);
    if (family.name != family_name) continue;
    const MethodOptions options =
        comma == std::string_view::npos ? MethodOptions{} : options_of(family, name, name.substr(comma + 1));
    const std::shared_ptr<const Method> method = colon == std::string_view::npos
                                                     ? family.make(family.typical, options)
                                                     : member(family, name, plain.substr(colon + 1), options);
    return std::make_shared<WithOptions>(method, chart_of(name, *method, options), sums_of(name, options));
  }
  std::string remedy = did_you_mean(family_name, known);
  if (remedy.empty()) remedy = fmt::format("known methods: {} ('noslip methods' tells more)", list_of(known));
  throw InputError(fmt::format("unknown method '{}'", name), remedy);
}

std::vector<MethodFamily> method_families() {
  std::vector<MethodFamily> list;
  for (const Family& family : all_families()) {
    list.push_back(
        {family.name, pattern(family), family.order, family.numbers, family.make(family.typical, {})->traits()});
  }
  return list;
}

}  // namespace noslip
