// noslip converge: the measured order of methods.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/study_plot.hpp>
#include <noslip/run/converge.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "study.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* converge_examples = R"(Examples:
  noslip converge skate --method gauss:2 --steps-list 0.4,0.2,0.1,0.05 --until 2
  noslip converge sleigh --method gauss:1,gauss:2,gauss:3 --steps-list 1/5,1/10,1/20 --until 2 --plot sleigh.svg
  noslip converge skate --method gauss:4 --steps-list 0.4,0.2,0.1 --until 2 --precision quad --json

Errors are the largest absolute differences over the components of q, of v and of the multipliers at the end time:
against the [exact] table of the system where it has all coordinates, otherwise against a reference that is computed
with a method of higher order and smaller steps until it is a thousand times more exact than the smallest error. The
measured order is the least-squares slope over the errors above rounding; * marks the others.

Without --precision a row is computed in double, and again with more digits where its error comes near rounding. The
end time should be a multiple of every step. With some methods of an even number of stages the errors of the
multipliers change sign with every step: then take steps whose numbers up to the end time are all even or all odd.
)";

using Part = double StateNumbers::*;
constexpr std::array<Part, 3> parts{&StateNumbers::q, &StateNumbers::v, &StateNumbers::multipliers};
constexpr std::array<const char*, 3> part_names{"Q", "V", "MULTIPLIERS"};
constexpr std::size_t multiplier_part = 2;

void declare_converge(Arguments& arguments) {
  arguments.usage("SYSTEM --method M[,M...] --steps-list H,H,... --until T [options]");
  declare_system(arguments);
  arguments.epilogue(converge_examples);
}

NumberList chosen_steps(Arguments& arguments) {
  NumberList steps;
  const std::string list = arguments.required_text("--steps-list");
  if (list.empty()) return steps;
  for (const std::string& text : split_list(list)) {
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      arguments.problem(fmt::format("--steps-list: step '{}': {}", shortened(text), what), remedy);
    };
    const Value value = evaluate(text);
    if (!value.number) {
      refuse(value.what, value.remedy);
    } else if (!(*value.number > 0)) {
      refuse("the value has to be greater than zero", "for example --steps-list 0.1,0.05,0.025");
    } else if (std::find(steps.begin(), steps.end(), *value.number) != steps.end()) {
      refuse("this step is given twice", "give it once");
    } else {
      steps.push_back(*value.number);
    }
  }
  return steps;
}

/// q, and v and multipliers where there are any.
std::vector<std::size_t> parts_of(const Convergence& study) {
  std::vector<std::size_t> result{0};
  for (const std::size_t i : {1, 2}) {
    const auto has_error = [&](const ConvergeRow& row) { return !std::isnan(row.error.*parts[i]); };
    if (std::any_of(study.results.begin(), study.results.end(), [&](const ConvergeResult& method) {
          return std::any_of(method.rows.begin(), method.rows.end(), has_error);
        })) {
      result.push_back(i);
    }
  }
  return result;
}

std::string slope_text(double slope) { return number_text("{:.2f}", slope); }

/// Between two rows that both count.
std::string local_slope(const ConvergeRow* before, const ConvergeRow& row, Part part) {
  const auto counts = [&](const ConvergeRow& one) { return is_above_floor(one.error.*part, one.floor.*part); };
  if (before == nullptr || !counts(*before) || !counts(row)) return "-";
  return slope_text(std::log(before->error.*part / (row.error.*part)) / std::log(before->step / row.step));
}

std::string rows_text(const ConvergeResult& method, const std::vector<std::size_t>& shown) {
  std::vector<std::string> header{">STEP", ">STEPS", "PRECISION"};
  for (const std::size_t i : shown) {
    header.push_back(fmt::format(">ERROR OF {} ", part_names[i]));
    header.emplace_back(">SLOPE");
  }
  std::vector<std::vector<std::string>> rows;
  const ConvergeRow* before = nullptr;
  for (const ConvergeRow& row : method.rows) {
    std::vector<std::string> cells{fmt::format("{:.6g}", row.step), fmt::format("{}", row.steps),
                                   to_text(row.precision)};
    for (const std::size_t i : shown) {
      const double error = row.error.*parts[i];
      const bool is_rounding = !std::isnan(error) && !is_above_floor(error, row.floor.*parts[i]);
      cells.push_back(error_text(error) + (is_rounding ? "*" : " "));
      cells.push_back(local_slope(before, row, parts[i]));
    }
    rows.push_back(std::move(cells));
    before = &row;
  }
  return table(header, rows);
}

std::string converge_text(const Convergence& study) {
  const std::vector<std::size_t> shown = parts_of(study);
  std::string text = fmt::format("{}: errors at t = {} against {}\n", one_line(study.system), to_short_text(study.until),
                                 study.reference.text());
  std::vector<std::string> header{"METHOD", ">CLAIMED"};
  for (const std::size_t i : shown) header.push_back(fmt::format(">ORDER OF {}", part_names[i]));
  std::vector<std::vector<std::string>> rows;
  for (const ConvergeResult& method : study.results) {
    text += fmt::format("\n{}, order {}\n{}", method.method, method.order_claimed, rows_text(method, shown));
    const bool is_one = method.multiplier_order_claimed == method.order_claimed ||
                        std::find(shown.begin(), shown.end(), multiplier_part) == shown.end();
    std::vector<std::string> cells{method.method, is_one ? fmt::format("{}", method.order_claimed)
                                                         : fmt::format("{}, multipliers {}", method.order_claimed,
                                                                       method.multiplier_order_claimed)};
    for (const std::size_t i : shown) cells.push_back(slope_text(method.order.*parts[i]));
    rows.push_back(std::move(cells));
  }
  return text + "\n" + table(header, rows);
}

bool tell_failures_of_converge(const Convergence& study) {
  bool has_failures = false;
  for (const ConvergeResult& method : study.results) {
    for (const ConvergeRow& row : method.rows) {
      if (row.outcome.status != Status::failed) continue;
      tell(fmt::format("{} with step {}: {}", method.method, row.step, row.outcome.message));
      has_failures = true;
    }
  }
  if (study.outcome.status != Status::done) tell(study.outcome.message);
  return has_failures;
}

void tell_notes_of_converge(const Convergence& study) {
  for (const std::string& note : study.notes) tell(fmt::format("note: {}", note));
  for (const ConvergeResult& method : study.results) {
    for (const std::string& note : method.notes) tell(fmt::format("{}: {}", method.method, note));
  }
}

}  // namespace

int converge_verb(const Words& words) {
  Arguments arguments("converge", "Measures the order of methods: errors at one time for several steps.");
  declare_converge(arguments);
  if (!arguments.parse(words)) return exit_done;
  ConvergeOptions options;
  options.methods = chosen_methods(arguments, "gauss:2");
  options.steps = chosen_steps(arguments);
  options.until = chosen_end(arguments);
  options.backend = chosen_backend(arguments);
  options.precision = chosen_precision(arguments, options.backend);
  const auto run = [](const System& system, const ConvergeOptions& chosen) { return converge(system, chosen); };
  const auto draw = [](const Convergence& study) { return plot_of(study); };
  return carry_out_study(arguments, options, run, converge_text, tell_notes_of_converge, tell_failures_of_converge,
                         draw);
}

}  // namespace noslip::app
