#include "run/initial_states.hpp"

#include <cmath>
#include <span>

#include "run/input_names.hpp"

namespace noslip {

namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& values) {
  return {values.begin(), values.end()};
}

/// The state in pieces: q, v and z, as many as the system has of each.
InitialState in_pieces(const System& system, double t, const std::vector<double>& state) {
  const auto count = [](const std::vector<Expr>& symbols) { return static_cast<std::ptrdiff_t>(symbols.size()); };
  const auto q = state.begin(), v = q + count(system.q()), z = v + count(system.v());
  return {t, {q, v}, {v, z}, {z, z + count(system.z())}};
}

template <class T, class Given>
Start<T> in_one_piece(const Given& given) {
  Start<T> start;
  start.t = T(given.t);
  start.state.reserve(given.q.size() + given.v.size() + given.z.size());
  for (const auto* values : {&given.q, &given.v, &given.z}) {
    start.state.insert(start.state.end(), values->begin(), values->end());
  }
  return start;
}

/// Momenta that are part of the state may be left out where velocities are given.
InitialStateQuad with_momenta(const System& system, InitialStateQuad initial, const std::vector<quad>& parameters) {
  if (!system.has_implicit_momenta() || !initial.z.empty() || initial.v.size() != system.v().size()) return initial;
  initial.z.resize(system.z().size());
  Settings velocities;
  for (std::size_t i = 0; i < initial.v.size(); ++i) velocities[system.v()[i].name()] = initial.v[i];
  return system.with_initial(std::move(initial), velocities, parameters);
}

/// Values that differ from the defaults.
template <class T>
void put_inputs(const System& system, const Settings& given, std::span<T> values) {
  std::vector<Problem> problems;
  for (const auto& [name, value] : given) {
    const std::size_t input = find_input(system, name, problems);
    if (input == values.size()) continue;
    if (!std::isfinite(static_cast<double>(value))) {
      problems.push_back(
          {"input '" + name + "' cannot be " + to_text(static_cast<double>(value)), {}, "give a finite number"});
    } else {
      values[input] = T(value);
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

InitialStateQuad given_start_with(const System& system, const InitialState* initial,
                                  const std::vector<quad>& parameters, const Settings& init) {
  InitialStateQuad start =
      initial != nullptr ? with_momenta(system, to_quad(*initial), parameters) : system.initial_state_quad(parameters);
  system.require_shape(start.q.size(), start.v.size(), start.z.size());
  return init.empty() ? start : system.with_initial(std::move(start), init, parameters);
}

}  // namespace

InitialStateQuad given_start(const System& system, const InitialState* initial, const Settings& set,
                             const Settings& init) {
  return given_start_with(system, initial, system.parameter_values_quad(set), init);
}

template <class T>
Start<T> find_start(const System& system, const InitialState* initial, const Settings& set, const Settings& init,
                    const Settings& inputs) {
  const std::vector<quad> parameters = system.parameter_values_quad(set);
  auto start = in_one_piece<T>(given_start_with(system, initial, parameters, init));
  start.parameters = converted<T>(parameters);
  put_inputs(system, inputs, std::span(start.parameters).last(system.inputs().size()));
  return start;
}

template <class T>
void add_momenta(const System& system, Start<T>& where) {
  const std::vector<quad> parameters(where.parameters.begin(), where.parameters.end());
  const auto q = where.state.begin(), v = q + static_cast<std::ptrdiff_t>(system.q().size());
  InitialStateQuad given{quad(where.t), {q, v}, {v, v + static_cast<std::ptrdiff_t>(system.v().size())}, {}};
  const InitialStateQuad found = with_momenta(system, std::move(given), parameters);
  where.state.resize(system.q().size() + system.v().size());
  where.state.insert(where.state.end(), found.z.begin(), found.z.end());
}

template <class T>
void make_consistent(const System& system, const Continuous& continuous, bool projects, Start<T>& where,
                     std::vector<Warning>* announced) {
  const std::vector<double> given = converted<double>(where.state);
  InitialState state_in_double = in_pieces(system, static_cast<double>(where.t), given);
  if (projects) {
    state_in_double = continuous.project(state_in_double);
    const std::vector<double> moved = in_one_piece<double>(state_in_double).state;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      // What did not have to move keeps the digits that a double has not.
      if (std::fabs(moved[i] - given[i]) > 4e-16 * std::fabs(moved[i])) where.state[i] = T(moved[i]);
    }
  }
  const ContinuousState at_start = continuous.require_consistent(state_in_double);
  if (announced == nullptr) return;
  if (auto warning = condition_warning(at_start, state_in_double.t, static_cast<double>(epsilon<T>()))) {
    announced->push_back(std::move(*warning));
  }
}

#define NOSLIP_INSTANTIATE(T)                                                                           \
  template Start<T> find_start<T>(const System&, const InitialState*, const Settings&, const Settings&, \
                                  const Settings&);                                                     \
  template void add_momenta<T>(const System&, Start<T>&);                                               \
  template void make_consistent<T>(const System&, const Continuous&, bool, Start<T>&, std::vector<Warning>*);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
