// From the user's words to a stepper.
#include "run/setup.hpp"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

namespace noslip {

namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}

InitialState to_initial_state(double t, const std::vector<double>& state, int n) {
  return {t, {state.begin(), state.begin() + n}, {state.begin() + n, state.end()}};
}

template <class T>
Start<T> find_start(const System& system, const InitialState* initial, const RunOptions& options) {
  Start<T> start;
  const std::vector<quad> parameters = system.parameter_values_quad(options.set);
  start.parameters = converted<T>(parameters);
  if (initial != nullptr) {
    const auto n = static_cast<std::size_t>(system.dimension());
    if (initial->q.size() != n || initial->v.size() != n) {
      throw InputError(fmt::format("the initial state has {} positions and {} velocities", initial->q.size(),
                                   initial->v.size()),
                       fmt::format("system '{}' has {} coordinates: give {} of each", system.name(), n, n));
    }
    start.t = T(initial->t);
    start.state = converted<T>(initial->q);
    start.state.insert(start.state.end(), initial->v.begin(), initial->v.end());
  } else {
    const InitialStateQuad exact = system.initial_state_quad(parameters);
    start.t = T(exact.t);
    start.state = converted<T>(exact.q);
    start.state.insert(start.state.end(), exact.v.begin(), exact.v.end());
  }
  return start;
}

/// The continuous problem as a guess: zero where it has no solution.
template <class T>
ContinuousProblem<T> as_guess(std::shared_ptr<ContinuousSolver<T>> continuous) {
  return [continuous = std::move(continuous)](T t, std::span<const T> state, std::span<T> rates,
                                              std::span<T> multipliers) {
    continuous->solve(t, state, rates, multipliers);
    for (std::span<T> values : {rates, multipliers}) {
      for (T& value : values) {
        if (!(value - value == 0)) value = T(0);
      }
    }
  };
}

}  // namespace

template <class T>
RunSetup<T>::RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
                int extra_slots) {
  method = find_method(options.method);
  if (const std::string reason = method->why_not(system); !reason.empty()) {
    throw InputError(fmt::format("method '{}' cannot integrate system '{}': {}", options.method, system.name(), reason));
  }
  const int n = system.dimension();
  start = find_start<T>(system, initial, options);
  continuous = std::make_shared<Continuous>(system, converted<double>(start.parameters));
  std::vector<double> state = converted<double>(start.state);
  InitialState state_in_double = to_initial_state(static_cast<double>(start.t), state, n);
  if (options.project) {
    state_in_double = continuous->project(state_in_double);
    for (int i = 0; i < n; ++i) {
      // A velocity that did not have to move keeps the digits that a double has not.
      const double moved = state_in_double.v[i];
      if (std::fabs(moved - state[n + i]) > 4e-16 * std::fabs(moved)) start.state[n + i] = T(moved);
    }
  }
  continuous->require_consistent(state_in_double);

  solver = std::make_shared<ContinuousSolver<T>>(system, start.parameters);
  std::vector<T> rates(n), multipliers(system.constraints().size());
  solver->solve(start.t, start.state, rates, multipliers);
  const StepRecipe recipe = method->record(system);
  const bool carries_multipliers = recipe.state.size() > start.state.size();
  if (carries_multipliers) start.state.insert(start.state.end(), multipliers.begin(), multipliers.end());
  const StepStart numbers{static_cast<double>(start.t),   options.step,
                          converted<double>(start.parameters), converted<double>(start.state),
                          converted<double>(rates),       converted<double>(multipliers)};
  Backend backend = options.backend;
  if constexpr (!std::is_same_v<T, double>) {
    if (backend == Backend::jit) {
      throw InputError("machine code computes in double precision only",
                       "use --backend auto, or --precision double");
    }
    backend = Backend::interpreter;
  }
  program = std::make_shared<StepProgram<T>>(recipe, numbers, backend, lanes, extra_slots);
  stepper = std::make_unique<Stepper<T>>(program, as_guess<T>(solver), options.tolerance);
  stepper->set_parameters(start.parameters);
  for (int l = 0; l < lanes; ++l) stepper->set_state(l, start.state);
}

template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
