#include <noslip/io/check.hpp>

#include <algorithm>
#include <utility>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/run/control.hpp>
#include <noslip/run/watched.hpp>

namespace noslip {
namespace {

void add_new_problems(std::vector<Problem>& problems, const std::vector<Problem>& more) {
  for (const Problem& problem : more) {
    const bool known =
        std::any_of(problems.begin(), problems.end(), [&](const Problem& other) { return other.what == problem.what; });
    if (!known) problems.push_back(problem);
  }
}

}  // namespace

CheckReport check_system(const System& system, const Settings& set, std::vector<double> parameters, const InitialState& initial,
                         bool project) {
  const DefaultArithmetic arithmetic;
  CheckReport report{system, std::move(parameters), initial, {}, 0, {}, {}, {}};
  if (report.system.sampled()) {
    report.sampled = sampled_times(report.system, report.system.parameter_values_quad(set));
  }
  const Continuous continuous(report.system, report.parameters);
  try {
    if (project) report.initial = continuous.project(report.initial);
    continuous.require_consistent(report.initial);
  } catch (const InputError& error) {
    add_new_problems(report.problems, error.problems());
  }
  std::vector<Problem> found;
  report.continuous = continuous.evaluate(report.initial, found);
  add_new_problems(report.problems, found);
  report.rank = report.continuous.constraint_rank;
  watched_values(system, report.parameters, report.initial, report.continuous.multipliers, report.outputs, report.margins);
  if (report.problems.empty()) {
    if (auto warning = condition_warning(report.continuous, report.initial.t)) {
      report.warnings.push_back(std::move(*warning));
    }
  }
  return report;
}

CheckReport check_system(const System& system, const CheckOptions& options) {
  const DefaultArithmetic arithmetic;
  Control control;
  control.inputs = options.inputs;
  control.check(system);
  const std::vector<quad> exact = system.parameter_values_quad(options.set);
  const InitialState initial = to_double(system.with_initial(system.initial_state_quad(exact), options.init, exact));
  std::vector<double> parameters(exact.begin(), exact.end());
  for (std::size_t i = 0; i < system.inputs().size(); ++i) {
    const auto given = options.inputs.find(system.inputs()[i].name);
    if (given != options.inputs.end()) parameters[system.parameters().size() + i] = static_cast<double>(given->second);
  }
  return check_system(system, options.set, std::move(parameters), initial, options.project);
}

}  // namespace noslip
