#include "run/reference_start.hpp"

#include <algorithm>
#include <cmath>

namespace noslip {

namespace {

constexpr double largest_condition = 1e8;  // of a state that shows which pivots are large
constexpr int most_general_states = 16;

/// Numbers between 1/4 and 5/4, all different, with changing signs: multiples of the golden section.
double general_number(int i) {
  const double fraction = 0.6180339887498949 * (i + 1);
  const double size = 0.25 + (fraction - std::floor(fraction));
  return i % 3 == 2 ? -size : size;
}

bool is_regular(const Continuous& continuous, const InitialState& state) {
  std::vector<Problem> problems;
  const ContinuousState there = continuous.evaluate(state, problems);
  return problems.empty() && !(there.condition > largest_condition);
}

std::optional<InitialState> initial_state(const System& system, const std::vector<double>& parameters) {
  try {
    return system.as_written().initial_state(parameters);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// A state with other numbers in all places.
std::optional<InitialState> general_state(const System& system, const std::vector<double>& parameters, int number) {
  InitialState state;
  state.q.resize(system.q().size());
  state.v.resize(system.v().size());
  state.z.resize(system.z().size());
  for (const Factor& factor : system.factors()) {  // a matrix has to be a rotation before its vector is replaced
    for (std::size_t i = 0; factor.is_matrix() && i < 3; ++i) state.q[factor.first + i * factor.columns() + i] = 1;
  }
  Settings values;
  int next = 7 * number;
  for (const Block& block : system.blocks()) {
    if (block.role == Role::momentum) continue;
    for (const std::string& name : block.given) values[name] = general_number(next++);
  }
  try {
    return system.with_initial(state, values, parameters);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<double> usual_parameters(const System& system) {
  try {
    return system.parameter_values();
  } catch (const InputError&) {
    return std::vector<double>(system.step_constants().size(), 1.0);
  }
}

std::optional<ReferenceStart> reference_start(const System& system, const Continuous& at_usual_parameters,
                                              const std::function<bool(const ReferenceStart&)>& is_certain) {
  const std::vector<double> parameters = usual_parameters(system);
  for (int number = 0; number <= most_general_states; ++number) {
    const std::optional<InitialState> state =
        number == 0 ? initial_state(system, parameters) : general_state(system, parameters, number);
    if (!state) continue;
    ReferenceStart found{state->t, parameters, state->q};
    found.state.insert(found.state.end(), state->v.begin(), state->v.end());
    found.state.insert(found.state.end(), state->z.begin(), state->z.end());
    if (is_certain(found) || is_regular(at_usual_parameters, *state)) return found;
  }
  return std::nullopt;
}

}  // namespace noslip
