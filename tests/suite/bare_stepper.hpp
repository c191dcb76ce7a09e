// A stepper without the run around it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/method/method.hpp>
#include <noslip/model/continuous.hpp>
#include <noslip/run/lane_stepper.hpp>

namespace noslip::testing {

/// At the initial state of the system, which it leaves in `state`.
/// `observed`: expressions of the recipe whose values every step leaves in the workspace.
inline LaneStepper<double> bare_stepper(const System& system, const StepRecipe& recipe, double h,
                                    std::vector<double>& state, std::span<const Expr> observed,
                                    StepLayout* layout = nullptr) {
  const std::vector<double> parameters = system.parameter_values();
  const InitialState initial = system.initial_state(parameters);
  std::vector<Problem> none;
  auto continuous = std::make_shared<Continuous>(system, parameters);
  const ContinuousState at = continuous->evaluate(initial, none);
  state = initial.q;
  state.insert(state.end(), initial.v.begin(), initial.v.end());
  while (recipe.state.size() > state.size() + (recipe.has_work ? 1 : 0)) {
    state.insert(state.end(), at.multipliers.begin(), at.multipliers.end());
  }
  state.resize(recipe.state.size(), 0.0);
  const auto guess = [continuous, n = system.q().size(), nv = system.v().size()](
                         double t, std::span<const double> s, std::span<const double>, std::span<double> accelerations,
                         std::span<double> multipliers) {
    if (nv == 0) return;
    std::vector<Problem> ignored;
    const InitialState here{t, {s.begin(), s.begin() + n}, {s.begin() + n, s.begin() + n + nv}, {}};
    const ContinuousState now = continuous->evaluate(here, ignored);
    std::copy(now.accelerations.begin(), now.accelerations.end(), accelerations.begin());
    std::copy(now.multipliers.begin(), now.multipliers.end(), multipliers.begin());
  };
  const StepStart start{initial.t, h, parameters, state, at.accelerations, at.multipliers};
  const auto program =
      std::make_shared<StepProgram<double>>(recipe, start, Backend::automatic, 1, StepExtras{false, observed});
  if (layout != nullptr) *layout = program->layout;
  LaneStepper<double> stepper(program, guess);
  stepper.set_parameters(parameters);
  stepper.set_state(0, state);
  return stepper;
}

inline LaneStepper<double> bare_stepper(const System& system, const std::string& method, double h,
                                    std::vector<double>& state) {
  return bare_stepper(system, find_method(method)->record(system), h, state, {});
}

}  // namespace noslip::testing
