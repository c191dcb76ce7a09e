#include "run/stepper_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/options.hpp>
#include <noslip/core/stopping.hpp>

#include "run/initial_states.hpp"
#include "run/start_order.hpp"

namespace noslip {

template <class T>
StepperData<T>::StepperData(Program<T> of, T step, const std::vector<T>& values)
    : program(std::move(of)),
      usual(program.shared()),
      system(program.system()),
      parameter_count(system.parameters().size()),
      input_count(system.inputs().size()),
      solver(program.data().continuous.template equations<T>()),
      check(program.data().start_functions),
      h(allowed(step)),
      q_count(system.q().size()),
      v_count(system.v().size()),
      z_count(system.z().size()),
      lanes(static_cast<std::size_t>(program.lanes())) {
  if (lanes > 1 && system.sampled() != nullptr) {
    throw InputError(fmt::format("system '{}' has a controller ([sampled]), and {} lanes", system.name(), lanes),
                     "give such a system one lane");
  }
  parameters.assign(lanes, values);
  for (std::vector<T>* buffer : {&state, &first_state, &shown}) buffer->resize(program.data().recipe.state.size());
  accelerations.resize(v_count);
  multipliers.resize(system.multiplier_names().size());
  jumps.resize(lanes, T(0));
  constants.reserve(values.size());
  controls.emplace(system, Control{}, T(0), std::span<const T>(parameters[0]));
  if (program.data().steps) make_engine();
}

template <class T>
void StepperData<T>::make_engine() {
  const MonitorFunctions<T>& monitored = data().monitored;
  engine = std::make_unique<LaneStepper<T>>(data().steps, data().problem(), data().key.options.tolerance,
                                            monitored.slots());
  engine->prepare_to_advance();
  scratch.resize(monitored.in_workspace.scratch_size());
  for (std::size_t l = 0; l < lanes; ++l) engine->set_parameters(static_cast<int>(l), parameters[l]);
  has_quick_inputs = !monitored.energy_has_inputs && !data().carries_multipliers();
  shows_workspace = lanes == 1 && !engine->has_angles();
  is_plain = lanes == 1 && controls->is_empty();
}

template <class T>
void StepperData<T>::use(const std::shared_ptr<const ProgramData<T>>& other) {
  if (program.shared() == other) return;
  if (program.shared() == usual) usual_engine = std::move(engine);
  program = Program<T>(other);
  if (other != usual || !usual_engine) return make_engine();
  engine = std::move(usual_engine);
  scratch.resize(data().monitored.in_workspace.scratch_size());
  engine->set_parameters(0, parameters[0]);
}

template <class T>
StepStart StepperData<T>::start_at(T time) const {
  Start<T> start{time, parameters[0], first_state};
  start.state.resize(q_count + v_count + z_count);
  std::vector<T> a, lambda;
  MotionSolver<T> own(data().continuous.template equations<T>());
  data().complete(start, own, a, lambda);
  return step_start(start, static_cast<double>(size_of(h)), a, lambda);
}

template <class T>
void StepperData<T>::refuse_lane(int lane) const {
  throw InputError(fmt::format("there is no lane {}", lane), fmt::format("lanes are 0 to {}", lanes - 1));
}

template <class T>
void StepperData<T>::require_state() const {
  if (!problem.empty()) throw InputError(problem);
  if (!has_state) throw InputError("the stepper has no state", "set it before the first step");
}

template <class T>
void StepperData<T>::set_state(T time, std::span<const T> q, std::span<const T> v, std::span<const T> z, int lane) {
  require_lane(lane);
  const auto l = static_cast<std::size_t>(lane);
  const bool follows = system.has_implicit_momenta() && z.empty();
  system.require_shape(q.size(), v.size(), follows ? z_count : z.size());
  auto end = state.begin();
  for (const std::span<const T>& values : {q, v, z}) end = std::copy(values.begin(), values.end(), end);
  std::fill(end, state.end(), T(0));
  solver.set_parameters(parameters[l]);
  const std::span<const T> here(state);
  if (!follows && check.is_certain(solver, time, here, parameters[l], projects, accelerations, multipliers)) {
    data().carry(multipliers, [&](std::size_t i, T value) { state[i] = value; });
  } else {
    set_with_all_checks(time, l, follows);
  }
  if (l == 0) controls->restart(time, parameters[0]);
  // Nothing is refused any more.
  t0 = time;
  count = steps_since_set = 0;
  grid.reset();
  has_divided = false;
  if (l == 0 || !engine) {
    std::copy(state.begin(), state.end(), first_state.begin());
    is_first = true;
  }
  if (lanes == 1 || !engine) use(usual->steps ? usual : ordered_at(start_at(time), *usual));
  engine->set_state(lane, state);
  for (int other = 0; !has_state && other < static_cast<int>(lanes); ++other) engine->set_state(other, state);
  jumps[l] = 0;
  stepped &= ~(1U << lane);
  has_state = true;
  what.clear();
  problem.clear();
}

template <class T>
void StepperData<T>::set_with_all_checks(T time, std::size_t lane, bool momenta_follow) {
  Start<T> start{time, parameters[lane], state};
  start.state.resize(q_count + v_count + (momenta_follow ? 0 : z_count));
  if (momenta_follow) add_momenta(system, start);
  const std::vector<double> values(parameters[lane].begin(), parameters[lane].end());
  make_consistent(system, data().continuous.with_parameters(values), projects, start, nullptr);
  std::vector<T> a, lambda;
  MotionSolver<T> own(data().continuous.template equations<T>());
  data().complete(start, own, a, lambda);
  std::copy(start.state.begin(), start.state.end(), state.begin());
}

template <class T>
T StepperData<T>::allowed(T step) const {
  const auto size = std::fabs(static_cast<double>(step));
  if (auto refused = problem_with(option_named("step"), size)) throw InputError({*refused});
  if (step < 0 && system.sampled() != nullptr) {
    throw InputError(fmt::format("the controller ([sampled]) of system '{}' cannot go back in time", system.name()),
                     "give a positive step");
  }
  return step;
}

template <class T>
void StepperData<T>::set_step(T step) {
  allowed(step);
  if (has_state) {
    t0 = time();
    grid.reset();
    if (lanes == 1) engine->try_again();
  }
  count = steps_since_set = 0;
  has_divided = false;
  h = step;
}

template <class T>
T StepperData<T>::energy_in(std::size_t lane) {
  if (!data().monitored.has_energy) return std::numeric_limits<double>::quiet_NaN();
  evaluate();
  return value(0, lane);
}

template <class T>
void StepperData<T>::evaluate() {
  T* const workspace = engine->workspace();
  const T now = time();
  for (std::size_t l = 0; l < lanes; ++l) workspace[static_cast<std::size_t>(layout().t) * lanes + l] = now;
  data().monitored.in_workspace(workspace, scratch.data());
}

template <class T>
void StepperData<T>::set_parameters(std::span<const T> values, std::size_t lane) {
  constants = parameters[lane];
  std::copy(values.begin(), values.end(), constants.begin());
  if (lane == 0) controls->follow(constants);
  if (has_state) {
    engine->copy_state(static_cast<int>(lane), state);
    const std::span<const T> own = std::span<const T>(state).first(q_count + v_count + z_count);
    if (!check.still_holds(time(), own, parameters[lane], constants)) {
      problem.assign(1, {"the state is not possible with the parameters that were set: it violates constraints, or the mass "
                         "matrix is singular",
                         {},
                         "set a state"});
      has_state = false;
    }
  }
  change(lane, [&](std::span<T> all) { std::copy(values.begin(), values.end(), all.begin()); });
}

template <class T>
void StepperData<T>::use_constants(std::size_t lane) {
  engine->set_parameters(static_cast<int>(lane), parameters[lane]);
  if (!has_state) return;
  stepped &= ~(1U << lane);
  solver.set_parameters(parameters[lane]);
  data().renew_multipliers(*engine, static_cast<int>(lane), time(), solver, state, accelerations, multipliers);
}

template <class T>
void StepperData<T>::has_changed(std::size_t lane, T energy_before) {
  use_constants(lane);
  if (!has_state) return;
  const T jump = energy_in(lane) - energy_before;
  if (jump != 0 && is_finite(jump)) jumps[lane] += jump;
}

template <class T>
std::span<const T> StepperData<T>::copied_part(int lane, std::size_t first, std::size_t size) {
  require_state();
  engine->copy_state(lane, shown);
  return std::span<const T>(shown).subspan(first, size);
}

template <class T>
std::span<const T> StepperData<T>::multipliers_in(int lane) {
  if (multipliers.empty()) return {};
  const auto l = static_cast<std::size_t>(lane);
  engine->copy_folded_state(lane, state);
  if (system.offers().given_multipliers) return std::span<const T>(state).subspan(q_count + v_count, z_count);
  solver.set_parameters(parameters[l]);
  if (system.offers().multiplier_variables) {
    std::copy_n(state.begin() + static_cast<std::ptrdiff_t>(q_count + v_count), z_count, multipliers.begin());
  }
  const StopShield shield;
  if (!solver.solve(time(), std::span<const T>(state), accelerations, multipliers)) {
    std::fill(multipliers.begin(), multipliers.end(), T(std::numeric_limits<double>::quiet_NaN()));
  }
  if (!has_own_multipliers(l)) return multipliers;
  const std::vector<bool>& own = data().has_end_multiplier;
  for (std::size_t r = 0; r < own.size(); ++r) {
    if (!own[r]) continue;
    multipliers[r] = engine->workspace()[(static_cast<std::size_t>(layout().end_multipliers) + r) * lanes + l];
  }
  return multipliers;
}

template <class T>
std::string StepperData<T>::identity() const {
  return fmt::format("'{}' with {} ({}, {} lanes, tolerance {})", system.name(), data().key.options.method,
                     to_text(precision_of<T>), lanes, to_text(data().key.options.tolerance));
}

/// What is due before a step; false if an input is not finite.
template <class T>
bool StepperData<T>::control() {
  const T now = time();
  const T energy = energy_in(0);
  engine->copy_state(0, state);
  if (controls->act(now, std::span<const T>(state), parameters[0])) has_changed(0, energy);
  what = controls->what_is_not_finite(parameters[0]);
  if (!what.empty()) return false;
  t0 = now;
  count = 0;
  grid.emplace(now, controls->next(now), h);
  has_divided = has_divided || grid->is_divided;
  return true;
}

template <class T>
bool StepperData<T>::first_step() {
  is_first = false;
  engine->copy_state(0, first_state);  // multipliers in it follow parameters and inputs that were set since
  if (lanes > 1 || data().key.order_at || !data().may_need_pivots()) return one_step();
  bool is_good = false;
  const auto here = [&] { return start_at(t0); };
  const auto pivots = [&](const std::shared_ptr<const ProgramData<T>>& tried) {
    if (tried != usual) {
      use(tried);
      engine->set_state(0, first_state);
    }
    is_good = engine->step(t0, h);  // before a controller has done anything
    return engine->has_pivoted(0);
  };
  const auto suited = suited_program<T>(usual, here, pivots);
  if (program.shared() == suited && controls->is_empty()) return count_step(is_good, h);
  use(suited);
  engine->set_state(0, first_state);
  return one_step();
}

template <class T>
bool StepperData<T>::one_step() {
  if (!controls->is_empty() && (!grid || count == grid->count) && !control()) return false;
  const T size = next_step();
  return count_step(engine->step(time(), size), size);
}

/// A step has been made, or has failed.
template <class T>
bool StepperData<T>::count_step(bool is_good, T size) {
  if (!is_good && engine->all_have_failed()) return false;
  ++count, ++steps_since_set, ++steps_made;
  iterations += engine->iterations();
  // As integrate does: multipliers of short steps are rounding errors, divided by the step.
  stepped = size_of(size) < size_of(h) / 2 ? 0U : ~0U;
  return is_good;
}

template <class T>
long long StepperData<T>::advance(long long steps) {
  long long done = 0;
  const bool goes_one_by_one = !controls->is_empty();
  while (done < steps && (is_first || goes_one_by_one)) {
    if (!step() && (lanes == 1 || engine->all_have_failed())) return done;
    ++done;
  }
  if (done >= steps) return done;
  const long long before = engine->total_iterations(), more = engine->advance(t0, h, count, steps - done);
  count += more, steps_since_set += more, steps_made += more;
  iterations += engine->total_iterations() - before;
  if (done + more < steps) iterations -= engine->iterations();  // of the step that has failed
  if (more > 0) stepped = ~0U;
  return done + more;
}

template struct StepperData<double>;
template struct StepperData<long double>;
template struct StepperData<quad>;

}  // namespace noslip
