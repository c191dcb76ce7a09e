// From the user's words to a stepper.
#include "run/setup.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/core/option_name.hpp>

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
  for (const auto& values : {given.q, given.v, given.z}) {
    start.state.insert(start.state.end(), values.begin(), values.end());
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

template <class T>
Start<T> find_start(const System& system, const InitialState* initial, const Settings& set, const Settings& init) {
  auto start = in_one_piece<T>(given_start(system, initial, set, init));
  start.parameters = converted<T>(system.parameter_values_quad(set));
  return start;
}

}  // namespace

InitialStateQuad given_start(const System& system, const InitialState* initial, const Settings& set,
                             const Settings& init) {
  const std::vector<quad> parameters = system.parameter_values_quad(set);
  InitialStateQuad start =
      initial != nullptr ? with_momenta(system, to_quad(*initial), parameters) : system.initial_state_quad(parameters);
  system.require_shape(start.q.size(), start.v.size(), start.z.size());
  return init.empty() ? start : system.with_initial(std::move(start), init, parameters);
}

template <class T>
void RunSetup<T>::make_consistent(Start<T>& where, std::vector<Warning>* announced) const {
  const std::vector<double> given = converted<double>(where.state);
  InitialState state_in_double = in_pieces(system_, static_cast<double>(where.t), given);
  if (project_) {
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

template <class T>
std::vector<T> RunSetup<T>::state_at(const InitialState& initial, std::vector<Warning>* announced) const {
  Start<T> where = find_start<T>(system_, &initial, set_, init_);
  make_consistent(where, announced);
  std::vector<T> accelerations, multipliers;
  program->complete(where, program->problem(), accelerations, multipliers);
  return where.state;
}

template <class T>
std::unique_ptr<LaneStepper<T>> RunSetup<T>::new_stepper() const {
  auto made = std::make_unique<LaneStepper<T>>(program->steps, program->problem(), program->key.options.tolerance,
                                               program->monitored.slots() + extra_slots_);
  made->set_parameters(start.parameters);
  return made;
}

/// The order of elimination that is good at the state of reference may be a bad one here: the first step tells.
template <class T>
void RunSetup<T>::make_stepper(const StepStart& numbers, double h) {
  const auto begin = [&] {
    stepper = new_stepper();
    for (int l = 0; l < stepper->lanes(); ++l) stepper->set_state(l, start.state);
  };
  const auto pivots = [&] {
    stepper->step(start.t, T(h));
    return stepper->pivoted_iterations() > 0;
  };
  const std::shared_ptr<const ProgramData<T>> usual = program;
  const auto order_here = [&] {
    ProgramKey key = usual->key;
    key.order_at = numbers;
    program = find_program<T>(key);
    begin();
  };
  if (!usual->steps) return order_here();
  begin();
  if (!program->is_fused()) return;
  if (pivots()) {
    order_here();
    if (pivots()) program = usual;
  }
  begin();
}

template <class T>
RunSetup<T>::RunSetup(const System& system, const InitialState* initial, const RunOptions& options, int lanes,
                      std::size_t extra_slots, bool looks_inside)
    : program(find_program<T>({system,
                               {options.method, options.backend, lanes, options.tolerance},
                               looks_inside && options.between == Between::polynomial})),
      start(find_start<T>(system, initial, options.set, options.init)),
      continuous(program->continuous.with_parameters(converted<double>(start.parameters))),
      system_(system),
      set_(options.set),
      init_(options.init),
      project_(options.project),
      extra_slots_(extra_slots) {
  make_consistent(start, &warnings);
  solver = std::make_shared<MotionSolver<T>>(continuous.template equations<T>(), start.parameters);
  std::vector<T> accelerations, multipliers;
  program->complete(start, program->problem(), accelerations, multipliers);
  const auto h = static_cast<double>(options.step);
  make_stepper({static_cast<double>(start.t), h, converted<double>(start.parameters), converted<double>(start.state),
                converted<double>(accelerations), converted<double>(multipliers)},
               h);
}

template struct RunSetup<double>;
template struct RunSetup<long double>;
template struct RunSetup<quad>;

}  // namespace noslip
