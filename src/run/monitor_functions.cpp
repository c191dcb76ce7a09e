#include "run/monitor_functions.hpp"

#include <algorithm>

#include <noslip/expr/rounding.hpp>

#include "model/state_blocks.hpp"
#include "run/state_functions.hpp"
#include "run/state_sizes.hpp"

namespace noslip {

namespace {

/// What has to stay zero: velocity constraints, position constraints, derivatives of the latter, and what tells numbers
/// from elements of a group.
std::vector<Expr> residuals_of(const System& system) {
  std::vector<Expr> residuals;
  for (const Constraint& constraint : system.constraints()) residuals.push_back(constraint.k);
  for (const HolonomicConstraint& constraint : system.holonomic()) residuals.push_back(constraint.g);
  for (std::size_t r = system.constraints().size(); r < system.velocity_level().size(); ++r) {
    residuals.push_back(system.velocity_level()[r].k);
  }
  residuals.insert(residuals.end(), system.group_defect().begin(), system.group_defect().end());
  return residuals;
}

std::vector<std::string> names_of_residuals(const System& system) {
  std::vector<std::string> names;
  for (const Constraint& constraint : system.constraints()) names.push_back(constraint.text);
  for (const HolonomicConstraint& constraint : system.holonomic()) names.push_back(constraint.text);
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    names.push_back("the derivative of " + constraint.text);
  }
  names.resize(names.size() + system.group_defect().size(), "a rotation");
  return names;
}

}  // namespace

std::vector<PlacedBlock> inputs_of(const System& system, const StepLayout& layout) {
  const auto slot = [](int index) { return static_cast<std::size_t>(index); };
  return {{{system.t()}, slot(layout.t)},
          {parameter_symbols(system), slot(layout.parameters)},
          {entries_of({system.q(), system.v(), system.z()}), slot(layout.state)}};
}

template <class T>
MonitorFunctions<T>::MonitorFunctions(const System& system, const StepLayout& layout, Backend backend, int lanes)
    : has_energy(system.has_energy()), residual_names(names_of_residuals(system)) {
  const std::vector<Expr> residuals = residuals_of(system);
  constraint_count = residuals.size() - system.group_defect().size();
  std::vector<Expr> outputs, closed_forms;
  if (has_energy) {
    names.push_back("energy");
    outputs.push_back(system.energy());
    for (const Parameter& input : system.inputs()) {
      energy_has_inputs = energy_has_inputs || depends_on(system.energy(), input.symbol);
    }
    energy = StateFunctions<T>::function(system, {system.energy()}, backend);
  }
  for (const auto& [name, expression] : system.invariants()) {
    names.push_back(name);
    outputs.push_back(expression);
  }
  outputs.insert(outputs.end(), residuals.begin(), residuals.end());
  const std::vector<PlacedBlock> inputs = inputs_of(system, layout);
  const std::vector<PlacedBlock> results{{outputs, static_cast<std::size_t>(layout.size)}};
  in_workspace = Function<T>(inputs, results, backend, lanes);
  momenta = StateFunctions<T>::function(system, system.momenta());

  for (const auto& [name, expression] : system.exact()) {
    const auto place = std::find(system.coordinates().begin(), system.coordinates().end(), name);
    if (place == system.coordinates().end()) continue;  // a multiplier
    exact_coordinates.push_back(static_cast<int>(place - system.coordinates().begin()));
    closed_forms.push_back(expression);
  }
  const ExprMatrix symbols{inputs[0].block, inputs[1].block, inputs[2].block};
  exact = Function<T>(symbols, {closed_forms});

  Graph graph;
  Substitution copy(graph);
  std::vector<Expr> constraints = copy(residuals);
  constraints.resize(constraint_count);
  const Expr h = graph.symbol("step size");
  const auto of_state = constraints.empty() ? std::vector<std::pair<Expr, Expr>>{}
                                            : sizes_of_state(system, copy, h, static_cast<quad>(epsilon<T>()));
  ExprMatrix given = copied(copy, symbols);
  given.push_back({h});
  sizes = Function<T>(given, {rounding_sizes(constraints, of_state)});
}

template struct MonitorFunctions<double>;
template struct MonitorFunctions<long double>;
template struct MonitorFunctions<quad>;

}  // namespace noslip
