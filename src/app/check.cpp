// noslip check: reads, differentiates and validates a system.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/core/printable.hpp>
#include <noslip/io/check.hpp>
#include <noslip/io/json.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/model/shown.hpp>

#include "options.hpp"
#include "output.hpp"
#include "shorten.hpp"
#include "values.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

constexpr const char* check_examples = R"(Examples:
  noslip check sleigh
  noslip check my-robot.toml --set m=2 --init "x'=1" --json

  noslip check spherical-pendulum --method gauss:2,rattle --step 0.1

With --method and --step it also measures what the methods claim to keep. Defects: symmetric (a step and a step back),
symplectic (change of the form dq ^ dp on the constraint manifold), both in quadruple precision; variational (discrete
Euler-Lagrange equations along a run). Brackets stand around what the method does not claim.

Exit codes: 0 a run can start here, 2 the file or the options are wrong, 3 the file cannot be read,
4 the initial data violate the constraints, the equations of motion are singular there (constraints that depend on each
other, a motion without inertia), or a claim does not hold.
)";

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string short_number(const std::vector<double>& values, std::size_t i) {
  return i < values.size() && std::isfinite(values[i]) ? to_short_text(values[i], 10) : "-";
}

std::string structure_text(const Shown& shown) {
  std::string text = "\nStructure\n";
  for (const Shown::Fact& fact : shown.facts) {
    if (fact.label.empty()) continue;
    const auto* names = std::get_if<std::vector<std::string>>(&fact.value);
    const std::string value = !fact.text.empty()    ? fact.text
                              : !names              ? yes_or_no(std::get<bool>(fact.value))
                              : names->empty()      ? "none"
                              : names->size() <= 24 ? list_of(*names)
                                                    : short_list(*names);
    text += two_columns(fact.label, value, 36);
  }
  return text;
}

/// How many digits the equations of motion leave.
std::string condition_text(const ContinuousState& state, std::size_t width) {
  if (!std::isfinite(state.condition)) return two_columns("condition", "-", width);
  const int left = digits_left(state.condition), all = digits_left(1) + 1;
  return two_columns("condition",
                     fmt::format("{:.2g} (at least {} of {} digits are right)", state.condition, left, all), width);
}

/// One row per name, where the list is short.
template <class Row>
void add_rows(std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& names, const Row& row_of) {
  for (const auto& [entry, left_out] : lines_of_list(names)) {
    std::vector<std::string> row = row_of(entry);
    if (left_out > 0) {
      row.assign(row.size(), "");
      row.front() = "  " + left_out_text(left_out);
    }
    rows.push_back(std::move(row));
  }
}

std::vector<std::vector<std::string>> short_rows(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& row : rows) names.push_back(row.front().substr(2));
  std::vector<std::vector<std::string>> result;
  add_rows(result, names, [&](std::size_t i) { return rows[i]; });
  return result;
}

/// The variables of a general system, with their rates where these follow from the state.
std::string variables_text(const CheckReport& report) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const Block& block, const std::vector<double>& values, const std::vector<double>& rates) {
    add_rows(rows, block.names, [&](std::size_t i) {
      return std::vector{"  " + block.names[i], short_number(values, i), short_number(rates, i)};
    });
  };
  const ContinuousState& state = report.continuous;
  for (const Block& block : report.system.blocks()) {
    if (block.role == Role::position) add(block, report.initial.q, state.rates);
    if (block.role == Role::velocity) add(block, report.initial.v, state.accelerations);
    if (block.role == Role::multiplier && report.system.offers().given_multipliers) {
      add(block, report.initial.z, state.multiplier_rates);
    }
  }
  return table({"  ", ">value", ">rate"}, rows);
}

/// Positions and velocities side by side, where they belong together.
std::string coordinates_text(const CheckReport& report) {
  std::vector<std::vector<std::string>> rows;
  const std::vector<std::string> names = configuration_names(report.system);
  add_rows(rows, names, [&](std::size_t i) {
    return std::vector{"  " + names[i], short_number(report.initial.q, i), short_number(report.initial.v, i),
                       short_number(report.continuous.accelerations, i)};
  });
  return table({"  ", ">value", ">velocity", ">acceleration"}, rows);
}

/// On a group: coordinates and matrices, then velocities.
std::string positions_and_velocities_text(const CheckReport& report) {
  const System& system = report.system;
  std::vector<std::vector<std::string>> coordinates, velocities;
  std::string text;
  for (const Factor& factor : system.factors()) {
    std::vector<std::vector<std::string>> matrix;
    for (std::size_t i = factor.first; i < factor.first + factor.size; ++i) {
      if (!factor.is_matrix()) {
        coordinates.push_back({"  " + system.coordinates()[i], short_number(report.initial.q, i)});
      } else {
        const bool is_first = i == factor.first;
        if ((i - factor.first) % factor.columns() == 0) matrix.push_back({is_first ? "  " + factor.name : "  "});
        matrix.back().push_back(short_number(report.initial.q, i));
      }
    }
    if (matrix.empty()) continue;
    std::vector<std::string> header(matrix.front().size(), ">");
    header.front() = "  ";
    const std::string with_header = table(header, matrix);
    text += with_header.substr(with_header.find('\n') + 1);
  }
  for (std::size_t i = 0; i < system.v().size(); ++i) {
    velocities.push_back({"  " + system.v()[i].name(), short_number(report.initial.v, i),
                          short_number(report.continuous.accelerations, i)});
  }
  if (!coordinates.empty()) text += table({"  ", ">value"}, short_rows(coordinates));
  return text + table({"  ", ">velocity", ">rate"}, short_rows(velocities));
}

/// States and their rates.
std::string states_text(const CheckReport& report) {
  const std::vector<std::string> names = state_names(report.system);
  if (names.empty()) return {};
  const std::size_t first = report.system.configuration().size();
  std::vector<std::vector<std::string>> rows;
  add_rows(rows, names, [&](std::size_t i) {
    return std::vector{"  " + names[i], short_number(report.initial.q, first + i),
                       short_number(report.continuous.state_rates, i)};
  });
  return table({"  ", ">value", ">rate"}, rows);
}

std::string initial_text(const CheckReport& report, const Shown& shown) {
  const System& system = report.system;
  const ContinuousState& state = report.continuous;
  std::string text = fmt::format("\nInitial state at t = {}\n", to_short_text(report.initial.t, 10));
  text += system.is_on_group()         ? positions_and_velocities_text(report)
          : system.offers().lagrangian ? coordinates_text(report)
                                       : variables_text(report);
  text += states_text(report);
  const std::size_t width = std::max<std::size_t>(18, shown.residual_label.size() + 4);
  const std::vector<std::string> multipliers =
      system.offers().given_multipliers ? std::vector<std::string>() : system.multiplier_names();
  for (const auto& [entry, left_out] : lines_of_list(multipliers)) {
    text += left_out > 0 ? fmt::format("  {}\n", left_out_text(left_out))
                         : two_columns(multipliers[entry], short_number(state.multipliers, entry), width);
  }
  if (system.has_energy()) text += two_columns("energy", short_number({state.energy}, 0), width);
  if (shown.residual_label.empty()) return text;
  return text + two_columns(shown.residual_label, short_number({state.max_constraint}, 0), width) +
         condition_text(state, width);
}

std::string verdict(const StructureReport& method) {
  if (method.outcome.status != Status::done) return method.outcome.message;
  return method.holds() ? "claims hold" : "a claim fails";
}

std::string methods_text(const System& system, const std::vector<StructureReport>& methods) {
  std::vector<std::vector<std::string>> rows;
  const auto defect = [](const std::optional<Defect>& of) {
    if (!of) return std::string("-");
    return of->is_claimed ? fmt::format("{:.1e} ", of->value) : fmt::format("({:.1e})", of->value);
  };
  for (const StructureReport& method : methods) {
    const bool is_measured = method.outcome.status == Status::done;
    rows.push_back({"  " + method.method, is_measured ? defect(method.symmetry) : "-", defect(method.symplecticity),
                    defect(method.variational), verdict(method)});
  }
  return fmt::format("\nWhat methods keep, measured with step {}\n", to_short_text(methods.front().step)) +
         table({"  METHOD", ">SYMMETRIC", ">SYMPLECTIC", ">VARIATIONAL", ""}, rows) +
         (system.is_on_group() ? "  The variational principle is not measured on groups.\n" : "");
}

/// x = 1, y = 2; values from `first` on.
std::string values_text(const std::vector<Parameter>& constants, const std::vector<double>& values, std::size_t first) {
  std::vector<std::string> names;
  for (const Parameter& constant : constants) names.push_back(constant.name);
  return short_list(names,
                    [&](std::size_t i) { return fmt::format("{} = {}", names[i], short_number(values, first + i)); });
}

/// Each with its name, or its number, counted from `first` on.
std::string constraints_text(const std::vector<std::string>& texts, const std::vector<std::string>& names,
                             std::size_t first) {
  std::string text;
  for (const auto& [entry, left_out] : lines_of_list(texts)) {
    text += left_out > 0 ? fmt::format("  {}\n", left_out_text(left_out))
                         : fmt::format("  ({}) {}\n", names[entry].empty() ? fmt::format("{}", first + entry) : names[entry],
                                       short_expression(texts[entry]));
  }
  return text;
}

/// Outputs and guards with their values at the initial state.
std::string watched_text(const CheckReport& report) {
  std::string text;
  const System& system = report.system;
  if (!system.outputs().empty()) text += "\nOutputs\n";
  for (std::size_t i = 0; i < system.outputs().size(); ++i) {
    text += two_columns(system.outputs()[i].first, short_number(report.outputs, i), 18);
  }
  if (!system.guards().empty()) text += "\nGuards\n";
  for (std::size_t i = 0; i < system.guards().size(); ++i) {
    const Guard& guard = system.guards()[i];
    const double margin = report.margins[i];
    const char* const state = !std::isfinite(margin) ? "has no value" : guard.holds(margin) ? "holds" : "fails";
    text += fmt::format("  {}    {}\n", one_line(guard.text), state);
  }
  return text;
}

std::string report_text(const CheckReport& report) {
  const System& system = report.system;
  std::string text = one_line(system.name()) + "\n";
  if (!system.description().empty()) text += paragraph(system.description());
  text += '\n';
  const Shown shown = outline(system);
  const std::size_t first_input = system.parameters().size();
  for (const Shown::Variables& list : shown.variables) {
    if (list.names.empty()) continue;
    const bool has_values = list.label == "inputs";  // in the place of defaults
    const std::string names =
        has_values ? values_text(system.inputs(), report.parameters, first_input) : short_list(list.names);
    text += two_columns(list.label, names, 22);
  }
  const std::string parameters = values_text(system.parameters(), report.parameters, 0);
  text += two_columns("parameters", parameters.empty() ? "none" : parameters, 22);
  if (!system.sizes().empty()) text += two_columns("sizes", list_of(system.sizes()), 22);
  const auto count = static_cast<int>(system.v().empty() ? system.q().size() : system.v().size());
  text += shown.moving_one.empty()
              ? two_columns("dimension", std::to_string(count), 22)
              : two_columns("degrees of freedom",
                            fmt::format("{} ({} and constraints of rank {})", count - report.rank,
                                        counted(count, shown.moving_one, shown.moving_many), report.rank),
                            22);

  std::vector<std::string> constraints, holonomic, names, position_names;
  for (const Constraint& constraint : system.constraints()) {
    constraints.push_back(fmt::format("{}    {}{}", constraint.text, to_text(constraint.kind),
                                      constraint.kind == ConstraintKind::algebraic ? "" : " in the velocities"));
    names.push_back(constraint.name);
  }
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    holonomic.push_back(constraint.text);
    position_names.push_back(constraint.name);
  }
  if (!constraints.empty()) text += "\nConstraints\n" + constraints_text(constraints, names, 1);
  if (!holonomic.empty()) {
    text += "\nPosition constraints\n" + constraints_text(holonomic, position_names, constraints.size() + 1);
  }
  text += watched_text(report);
  text += structure_text(shown) + initial_text(report, shown);
  if (!report.methods.empty()) text += methods_text(system, report.methods);
  text += report.problems.empty()
              ? (report.warnings.empty() ? "\nNothing is wrong: a run can start here.\n"
                                         : "\nA run can start here, with a warning.\n")
              : fmt::format("\n{}: a run cannot start here.\n",
                            counted(static_cast<long long>(report.problems.size()), "problem", "problems"));
  return text;
}

}  // namespace

int check_verb(const Words& words) {
  Arguments arguments("check", "Reads, differentiates and validates a system, and evaluates it at its initial state.");
  arguments.usage("SYSTEM [options]");
  declare_system(arguments);
  arguments.epilogue(check_examples);
  if (!arguments.parse(words)) return exit_done;

  const bool measures = arguments.has("--method") || arguments.has("--step");
  const quad step = measures ? chosen_step(arguments) : 0;
  const std::vector<std::string> methods = measures ? chosen_methods(arguments, "gauss:2") : std::vector<std::string>{};
  const SystemChoice choice = choose_system(arguments);
  CheckReport report =
      check_system(choice.system, choice.set, choice.parameters, choice.initial, arguments.has("--project"));
  int exit_code = report.problems.empty() ? exit_done : exit_disagreement;
  std::vector<Problem> claims;
  if (report.problems.empty()) {
    for (const std::string& method : methods) {
      RunOptions options;
      options.method = method;
      options.step = step;
      options.set = choice.set;
      options.control = choice.control;
      report.methods.push_back(measure_structure(report.system, report.initial, options));
      const StructureReport& measured = report.methods.back();
      if (measured.holds()) continue;
      const bool has_failed = measured.outcome.status != Status::done;
      claims.push_back({fmt::format("method '{}': {}", measured.method, verdict(measured)), {}, {}});
      if (has_failed && exit_code == exit_done) exit_code = exit_numerical_failure;
      if (!has_failed) exit_code = exit_disagreement;
    }
  }
  print(arguments.has("--json") ? to_json_text(report) : report_text(report));
  tell(report.problems);
  tell(report.warnings);
  tell(claims);
  return exit_code;
}

}  // namespace noslip::app
