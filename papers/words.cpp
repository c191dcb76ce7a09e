// Few words for each kind of run; as many digits as it takes.
#include "words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/scalar.hpp>

#include "adaptive.hpp"

namespace noslip::papers {

namespace {

constexpr int few_digits = 4, most_digits = 9;

/// Half its width, relative to its middle.
double room_of(const Range& range) { return std::fabs((range.most - range.least) / (range.most + range.least)); }

/// As many digits as it takes to see whether a number lies in the range.
int digits_of(const Range& range) {
  const double room = room_of(range);
  if (!(room > 0 && room < 1)) return few_digits;
  return std::clamp(static_cast<int>(std::ceil(-std::log10(room))) + 1, few_digits, most_digits);
}

std::string number_text(double x, int digits) { return std::isnan(x) ? "-" : to_short_text(x, digits); }

struct RunWords {
  std::string setting(const Setting& setting) const {
    std::string text = setting.toml.empty() ? "`" + setting.system + "`" : setting.system;
    for (const auto& [name, value] : setting.set) text += fmt::format(", {} = {}", name, to_short_text(value));
    std::string from;
    for (const auto& [name, value] : setting.init) {
      from += fmt::format("{}{} = {}", from.empty() ? " from " : ", ", name, to_short_text(value));
    }
    return text + from;
  }
  std::string methods(const std::vector<std::string>& names) const {
    return "`" + fmt::format("{}", fmt::join(names, "`, `")) + "`";
  }

  std::string operator()(const TimeRun& run) const {
    return fmt::format("{}; {}; step {}, until t = {}{}", setting(run.setting), methods(run.methods),
                       to_short_text(run.step), to_short_text(until(run.until, run.quick_until)),
                       run.tolerance > 0 ? fmt::format(", tolerance {}", to_short_text(run.tolerance)) : "");
  }
  std::string operator()(const OrderRun& run) const {
    std::vector<std::string> steps;
    for (const double h : quick && !run.quick_steps.empty() ? run.quick_steps : run.steps)
      steps.push_back(to_short_text(h));
    return fmt::format("{}; {}; errors at t = {} with the steps {}", setting(run.setting), methods(run.methods),
                       to_short_text(run.until), fmt::join(steps, ", "));
  }
  std::string operator()(const EnsembleRun& run) const {
    return fmt::format("{}; {}; {} initial states, step {}, until t = {}", setting(run.setting), methods(run.methods),
                       quick && run.quick_members > 0 ? run.quick_members : run.members, to_short_text(run.step),
                       to_short_text(until(run.until, run.quick_until)));
  }
  std::string operator()(const RivalRun& run) const {
    const bool is_explicit = run.solver == RivalRun::Solver::dormand_prince;
    return fmt::format("{}; {}, index {}; tolerances {} and {}, until t = {}", setting(run.setting),
                       is_explicit ? "Dormand-Prince 5(4)" : backward_differences_name(), is_explicit ? 0 : 1,
                       to_short_text(run.relative), to_short_text(run.absolute), to_short_text(run.until));
  }
  std::string operator()(const SectionRun& run) const {
    return fmt::format("{}; {}; {} orbits by {}, step {}, {} iterations of {} steps{}", setting(run.setting),
                       methods(run.methods), run.values.size(), run.parameter, to_short_text(run.step),
                       quick && run.quick_iterations > 0 ? run.quick_iterations : run.iterations,
                       run.steps_per_iteration,
                       run.tolerance > 0 ? fmt::format(", tolerance {}", to_short_text(run.tolerance)) : "");
  }
  double until(double full, double shorter) const { return quick && shorter > 0 ? shorter : full; }

  bool quick;
};

}  // namespace

std::string words_of(const Run& run, bool quick) { return std::visit(RunWords{quick}, run); }

std::string number_text(const CheckResult& result) {
  int digits = few_digits;
  for (const auto& range : {result.bounds->paper, result.bounds->truth}) {
    if (range) digits = std::max(digits, digits_of(*range));
  }
  return number_text(result.measured, digits);
}

std::string range_text(const std::optional<Range>& range) {
  if (!range) return "-";
  const bool has_least = std::isfinite(range->least), has_most = std::isfinite(range->most);
  if (!has_least) return has_most ? "at most " + number_text(range->most, few_digits) : "any";
  if (!has_most) return "at least " + number_text(range->least, few_digits);
  // A known number with little room is easier to read as that.
  if (const double room = room_of(*range); room < 0.02) {
    return fmt::format("{} within {} %", number_text((range->least + range->most) / 2, digits_of(*range)),
                       to_short_text(100 * room, 1));
  }
  return fmt::format("{} to {}", number_text(range->least, few_digits), number_text(range->most, few_digits));
}

}  // namespace noslip::papers
