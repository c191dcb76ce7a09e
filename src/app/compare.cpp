// noslip compare: several methods on one problem.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/printable.hpp>
#include <noslip/io/json.hpp>
#include <noslip/io/study_plot.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/over_time.hpp>

#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "study.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* compare_examples = R"(Examples:
  noslip compare sleigh --method gauss:1,gauss:2,gauss:3 --step 0.1 --until 100
  noslip compare skate --method gauss:1,gauss:2 --step 1/10 --until 10 --plot skate.svg
  noslip compare chaotic --method gauss:2,gauss:3 --step 0.05 --until 100 --set j=3 --json
  noslip compare gearbox --method mp,nh-lobatto:2,gonzalez --step 0.1 --until 1000 --against time --plot gearbox.svg

The cheapest method stands first. NS PER STEP is measured as bench does it (minimum of several runs, nothing stored or
monitored), which takes about half a second per method. ERROR is the largest difference of a coordinate at the end,
known where the system has an [exact] table; the other columns are largest absolute errors over all steps, DRIFT the
slope of the energy error. Where something does work (forces, time, constraints that are not linear in the velocities),
BALANCE is the energy without that work. The picture shows the error (without an exact solution: of the energy) against
the cost.

With --against time no cost is measured, and the methods stand in the order that they are given in. The picture shows
the errors of energy (or balance) and of the constraints over time: the largest ones in each of 240 spans.
)";

void declare_compare(Arguments& arguments) {
  arguments.usage("SYSTEM --method M,M,... --step H --until T [options]");
  declare_system(arguments);
  arguments.epilogue(compare_examples);
}

enum class Against { cost, time };

/// A column of numbers; left out where no method has one.
struct TableColumn {
  std::string name;
  std::vector<double> values;
  const char* format;
};

std::vector<TableColumn> columns_of(const Comparison& comparison) {
  std::vector<TableColumn> columns;
  const auto add = [&](const std::string& name, const char* format, const auto& value_of) {
    TableColumn column{name, {}, format};
    for (const CompareResult& result : comparison.results) column.values.push_back(value_of(result));
    if (std::any_of(column.values.begin(), column.values.end(), [](double x) { return !std::isnan(x); })) {
      columns.push_back(std::move(column));
    }
  };
  add("NS PER STEP", "{:.1f}", [](const CompareResult& one) { return one.nanoseconds_per_step; });
  add("ERROR", "{:.2e}", [](const CompareResult& one) { return one.error.q; });
  const bool has_work = !comparison.results.empty() && comparison.results.front().run.balance.has_work;
  add(has_work ? "BALANCE" : "ENERGY", "{:.2e}",
      [](const CompareResult& one) { return one.run.balance.max_abs_error; });
  add("DRIFT", "{:.1e}", [](const CompareResult& one) { return one.run.balance.drift_per_time; });
  add("CONSTRAINTS", "{:.1e}", [](const CompareResult& one) {
    const ConstraintResiduals& constraints = one.run.constraints;
    return constraints.by_name.empty() ? std::nan("") : constraints.max_abs;
  });
  const std::size_t invariants = comparison.results.empty() ? 0 : comparison.results.front().run.invariants.size();
  for (std::size_t i = 0; i < invariants; ++i) {
    add(comparison.results.front().run.invariants[i].name, "{:.2e}",
        [&](const CompareResult& one) { return one.run.invariants[i].max_abs_error; });
  }
  add("ITERATIONS", "{:.2f}", [](const CompareResult& one) { return one.run.solver.iterations_mean; });
  return columns;
}

std::string compare_text(const Comparison& comparison) {
  const std::vector<TableColumn> columns = columns_of(comparison);
  std::vector<std::string> header{"METHOD", ">ORDER"};
  for (const TableColumn& column : columns) header.push_back(">" + column.name);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < comparison.results.size(); ++i) {
    const Trajectory& run = comparison.results[i].run;
    std::vector<std::string> cells{run.about.method, fmt::format("{}", run.about.order)};
    for (const TableColumn& column : columns) {
      cells.push_back(number_text(column.format, column.values[i]));
    }
    rows.push_back(std::move(cells));
  }
  return fmt::format("{}: step {}, until t = {}\n\n{}", one_line(comparison.system), to_short_text(comparison.step),
                     to_short_text(comparison.until), table(header, rows));
}

/// Warnings, too. True if a run has failed.
bool tell_failures_of_compare(const Comparison& comparison) {
  bool has_failures = false;
  for (const CompareResult& result : comparison.results) {
    tell(result.run.warnings, result.run.about.method);
    if (result.run.outcome.status != Status::failed) continue;
    tell(fmt::format("{}: {}", result.run.about.method, result.run.outcome.message));
    has_failures = true;
  }
  if (comparison.outcome.status != Status::done) tell(comparison.outcome.message);
  return has_failures;
}

void tell_notes_of_compare(const Comparison& comparison) {
  for (const std::string& note : comparison.notes) tell(fmt::format("note: {}", note));
}

}  // namespace

int compare_verb(const Words& words) {
  Arguments arguments("compare", "Compares methods on one problem: errors, what they keep, what they cost.");
  declare_compare(arguments);
  if (!arguments.parse(words)) return exit_done;
  CompareOptions options;
  if (!arguments.required_text("--method").empty()) options.methods = chosen_methods(arguments, {});
  options.step = chosen_step(arguments);
  options.until = chosen_end(arguments);
  options.backend = chosen_backend(arguments);
  options.precision = chosen_precision(arguments, options.backend).value_or(Precision::double_precision);
  const bool is_over_time = arguments.choice("--against", Against::cost) == Against::time;
  ComparisonOverTime over_time;
  const auto run = [&](const System& system, const CompareOptions& chosen) {
    if (!is_over_time) return compare(system, chosen);
    over_time = compare_over_time(system, chosen);
    return over_time.comparison;
  };
  const auto draw = [&](const Comparison& study) { return is_over_time ? plot_of(over_time) : plot_of(study); };
  return carry_out_study(arguments, options, run, compare_text, tell_notes_of_compare, tell_failures_of_compare, draw);
}

}  // namespace noslip::app
