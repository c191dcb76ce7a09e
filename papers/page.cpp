// Markdown: one table of verdicts, then paper by paper its experiments and its errata.
#include "page.hpp"

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

/// Text in a cell of a table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '|' ? std::string("\\|") : std::string(1, c);
  return result;
}

/// Formulas keep their stars and underscores.
std::string as_code(const std::string& text) { return "`" + cell(text) + "`"; }

std::string anchor_of(const std::string& id) {
  std::string result;
  for (const char c : id) {
    if (c != '.') result += c;
  }
  return result;
}

/// A method or parameter of a run in words, as the command line would have it.
struct RunWords {
  std::string setting(const Setting& setting) const {
    std::string text = setting.toml.empty() ? "`" + setting.system + "`" : setting.system;
    for (const auto& [name, value] : setting.set) text += fmt::format(", {} = {}", name, to_short_text(value));
    for (const auto& [name, value] : setting.init)
      text += fmt::format(", {} = {} at first", name, to_short_text(value));
    return text;
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

/// "Figure 8.1" of 000-fig-8.1, "Section 4.3" of 003-sec-4.3.
std::string place_of(const std::string& id) {
  const std::string place = id.substr(id.find('-') + 1);
  const std::size_t dash = place.find('-');
  const std::string kind = place.substr(0, dash), rest = dash == std::string::npos ? "" : place.substr(dash + 1);
  if (kind == "fig") return "Figure " + rest;
  if (kind == "sec") return "Section " + rest;
  return kind == "table" ? "Table " + rest : place;
}

std::string section_of(const Reproduction& one, bool quick, const std::string& picture) {
  const Experiment& experiment = *one.experiment;
  std::string text = fmt::format("### {}\n\n{}: {}.\n\n**Paper.** {}\n\n", experiment.id, place_of(experiment.id),
                                 experiment.what, experiment.claim);
  if (!experiment.corrected.empty()) text += fmt::format("**Corrected.** {}\n\n", experiment.corrected);
  text += "**Runs.**\n\n";
  for (const Run& run : experiment.runs) text += fmt::format("- {}\n", std::visit(RunWords{quick}, run));
  text += "\n| measured | | paper | true | verdict |\n|---|---:|---|---|---|\n";
  for (const CheckResult& check : one.checks) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(check.check->what), number_text(check),
                        range_text(check.bounds->paper), range_text(check.bounds->truth), to_text(check.verdict));
  }
  if (!picture.empty()) text += fmt::format("\n![{}]({})\n", experiment.what, picture);
  return text + "\n";
}

std::string verdict_table(const std::vector<Reproduction>& all) {
  std::string text = "| figure or table | what | verdict |\n|---|---|---|\n";
  for (const Reproduction& one : all) {
    text += fmt::format("| [{}](#{}) | {} | {} |\n", one.experiment->id, anchor_of(one.experiment->id),
                        cell(one.experiment->what), to_text(one.verdict));
  }
  return text + "\n";
}

}  // namespace

std::string number_text(double x, int digits) { return std::isnan(x) ? "-" : to_short_text(x, digits); }

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

std::string page_of(const std::vector<Reproduction>& all, bool quick,
                    const std::function<std::string(const Experiment&)>& picture_of) {
  std::string text = "# The papers, reproduced\n\n";
  text += fmt::format(
      "Every figure and table of the papers that noslip is made from, computed anew by `noslip reproduce{}`. A check "
      "compares one number with the range that the paper's claim gives it, where the claim can be tested, and with the "
      "range in which it truly lies. The verdict is *agrees* inside the paper's range, *paper corrected* outside of it "
      "but inside the true one, and *differs* otherwise.\n\n",
      quick ? " --quick" : "");
  text += verdict_table(all);
  for (const Paper& paper : all_papers()) {
    std::string sections;
    for (const Reproduction& one : all) {
      if (one.experiment->id.starts_with(paper.number + "-"))
        sections += section_of(one, quick, picture_of(*one.experiment));
    }
    if (sections.empty()) continue;
    text += fmt::format("## {} ({})\n\n{}.\n\n", paper.name, paper.number, paper.citation) + sections;
    if (paper.errata.empty()) continue;
    text += fmt::format("### Errata of {}\n\n| where | printed | correct |\n|---|---|---|\n", paper.name);
    for (const Erratum& erratum : paper.errata) {
      text +=
          fmt::format("| {} | {} | {} |\n", cell(erratum.where), as_code(erratum.printed), as_code(erratum.correct));
    }
    text += "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace noslip::papers
