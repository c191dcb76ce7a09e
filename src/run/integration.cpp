// The loop of a run: steps between moments at which something happens.
#include "run/integration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "run/domain.hpp"

namespace noslip {

namespace {

/// So many events may act within the time of one step; more are a motion that comes to rest in ever shorter times.
constexpr long long most_actions_per_step = 1000;

/// Empty where every step has to keep the constraints to rounding error.
std::string why_constraints_may_fail(const MethodTraits& traits, const RunOptions& options) {
  if (options.tolerance > 0) return "a tolerance was asked for";
  return traits.keeps_constraints ? "" : fmt::format("{} does not satisfy them at the end of a step", traits.name);
}

/// Checks of a state are written for the start of a run. Here an event has left it.
InputError in_words_of_events(const InputError& error, const EventChange& change, const Event& event) {
  static constexpr std::pair<const char*, const char*> words[] = {
      {"at the initial state", "there"}, {"the initial ", "the "}};
  std::vector<Problem> problems = error.problems();
  for (Problem& problem : problems) {
    for (const auto& [of_start, here] : words) {
      for (std::size_t at = 0; (at = problem.what.find(of_start, at)) != std::string::npos;) {
        problem.what.replace(at, std::string_view(of_start).size(), here);
      }
    }
    problem.what = fmt::format("event '{}' at t = {} leaves a state from which the run cannot continue: {}", event.when,
                               to_short_text(change.t), problem.what);
    problem.remedy = change.projects ? "leave another state in EventChange"
                                     : "leave a consistent state in EventChange, or set EventChange::projects";
  }
  return InputError(std::move(problems));
}

template <class T>
RunSetup<T> setup_of(const System& system, const InitialState* initial, const RunOptions& options) {
  const bool looks_inside = BetweenSteps<T>::looks_inside(options) && !BetweenSteps<T>::needs_steps(options);
  return RunSetup<T>(system, initial, options, 1, 0, looks_inside);
}

}  // namespace

template <class T>
Integration<T>::Integration(const System& system, const InitialState* initial, const RunOptions& options)
    : system_(system),
      options_(options),
      setup_(setup_of<T>(system, initial, options)),
      monitor_(setup_.program->monitored, setup_.layout(),
               why_constraints_may_fail(setup_.program->method->traits(), options)),
      scrutiny_(system, setup_, options),
      plan_(count_steps(setup_.start.t, options)),
      controls_(system, options.control, setup_.start.t, std::span<const T>(setup_.start.parameters)) {
  if (BetweenSteps<T>::is_wanted(system, options)) {
    between_.emplace(system, setup_, options, end_time(), controls_.inputs(), trajectory_);
  }
  if (setup_.recipe().has_corners) {
    const MethodTraits& traits = setup_.program->method->traits();
    switches_.emplace(system, std::span<const T>(parameters_), traits.name, traits.order_on(system));
    if (!switches_->is_needed()) switches_.reset();
  }
  if (!options.from.empty()) load(options.from);
}

template <class T>
T Integration<T>::end_time() const {
  return options_.steps > 0 ? setup_.start.t + T(options_.steps) * T(options_.step) : T(options_.until);
}

template <class T>
Trajectory Integration<T>::run() {
  const bool goes_on = !options_.progress || options_.progress(trajectory_.steps, all_steps());
  const bool can_start = !options_.from.empty() || start();
  begin_ = last_report_ = Clock::now();
  if (can_start && options_.checkpoint) checkpoint();
  if (!goes_on) {
    interrupt(trajectory_.steps);
  } else if (can_start) {
    march();
    const Status status = trajectory_.outcome.status;
    if (options_.checkpoint && (status == Status::stopped || status == Status::failed)) checkpoint();
  }
  if (between_) finish_between();
  if (options_.every > 0 && stored_ != t_) store(t_);
  trajectory_.wall_seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  describe();
  return std::move(trajectory_);
}

template <class T>
bool Integration<T>::start() {
  const bool is_controlled = !controls_.is_empty(), can_start = !is_controlled || begin_control();
  monitor_.start(stepper().workspace(), setup_.start.t);
  scrutiny_.start(monitor_.energy());
  stepper().copy_folded_state(0, folded_);
  starts_on_exact_ = !system_.exact().empty() && is_on_exact();
  if (between_) between_->start(setup_.start.t, state_, parameters_);
  if (is_controlled) scrutiny_.restart(parameters_, monitor_.energy());
  if (options_.every > 0) store(setup_.start.t);
  course_.follows_plan = !is_controlled;
  if (!can_start || !between_ || between_->stop() == nullptr) return can_start;
  tell_stop(*between_->stop());  // a guard fails here
  return false;
}

/// A known solution says nothing about a motion that starts elsewhere.
template <class T>
bool Integration<T>::is_on_exact() {
  double largest = 1;
  for (const T& x : state_) largest = std::max(largest, std::fabs(static_cast<double>(x)));
  return static_cast<double>(monitor_.error(last_workspace().data(), t_)) <= 1e-10 * largest;
}

/// Beyond double, 0.1 means a tenth: a whole number of steps ends exactly at the end time.
template <class T>
T Integration<T>::step_size() const {
  if (std::is_same_v<T, double> || options_.steps > 0 || plan_.parts > 0 || plan_.whole == 0) return T(options_.step);
  return (T(options_.until) - setup_.start.t) / T(plan_.whole);
}

template <class T>
typename Integration<T>::Next Integration<T>::step(T h, T t_next, bool is_short, bool ends_in_change) {
  const T t = t_;
  bool is_cut = false;
  if (!stepper().step(t, h)) {
    const Reason reason = why_not_solved(t, h);
    const T shorter = shorter_step(h);
    if (!(shorter > 0)) {
      fail(t, h, reason);
      return Next::ends;
    }
    is_cut = true;
    ends_in_change = false;
    h = shorter;
    t_next = t + h;
  }
  if (is_short) settle_multipliers(t_next);
  after_.resize(state_.size());
  stepper().copy_state(0, after_);
  Next next = Next::goes_on;
  if (between_) {
    next = look_inside(t, h, t_next, ends_in_change);
    if (next == Next::ends) return next;
    if (next == Next::restarts) {
      t_next = between_->end()->t;
      after_ = between_->end()->state;
      stepper().set_state(0, after_);
    }
  }
  if (!accept(t, next == Next::restarts ? t_next - t : h, t_next)) return Next::ends;
  const std::span<const T> own = stepper().end_multipliers();
  own_multipliers_.assign(own.begin(), own.end());
  if (is_short || next == Next::restarts) own_multipliers_.clear();
  if (options_.observe) {
    shown_.assign(state_.begin(), state_.end());
    const std::span<const double> numbers(shown_);
    options_.observe(static_cast<double>(t_next), numbers.first(system_.q().size()),
                     numbers.subspan(system_.q().size(), system_.v().size()));
  }
  if (ends_in_change && next == Next::goes_on && !control()) next = Next::ends;
  if (next == Next::restarts) next = act_at_events(t_next);
  if (next == Next::restarts && !control()) next = Next::ends;  // what is due at the time of the event
  if (is_cut && next == Next::goes_on) next = Next::restarts;
  // With everything that has changed here: the last sample is the state in which the run ends.
  if (options_.every > 0 && trajectory_.steps % options_.every == 0) store(t_next);
  return next;
}

/// Across a jump a step may have no solution: its stages would have to be on both sides. In a run that lands on such
/// places one that ends earlier, or beyond with other stages, serves as well: what follows is laid out anew. Zero if
/// there is none.
template <class T>
T Integration<T>::shorter_step(T h) {
  if (!options_.land || !setup_.recipe().has_corners) return 0;
  for (const double part : {0.75, 0.5, 0.25, 0.125}) {
    stepper().set_state(0, state_);
    use_parameters();
    if (stepper().step(t_, T(part) * h)) return T(part) * h;
  }
  return 0;
}

template <class T>
bool Integration<T>::accept(T t, T h, T t_next) {
  T* const workspace = stepper().workspace();
  if (!monitor_.look(workspace, t_next)) {
    std::string function = function_to_blame(t, h);
    if (function.empty()) function = function_to_blame(t_next, 0);
    fail(t_next, h, {function.empty() ? monitor_.what() : function});
    return false;
  }
  const auto fits = [](const T& value) { return std::isfinite(static_cast<double>(value)); };
  if (!std::is_same_v<T, double> && !std::all_of(after_.begin(), after_.end(), fits)) {
    fail(t_next, h, {"a value is beyond 1e308, the largest that results can have"});
    return false;
  }
  const std::string reason = scrutiny_.look(t, h, state_, after_, monitor_.balance(workspace));
  if (!reason.empty()) {
    fail(t, h, {reason});
    return false;
  }
  monitor_.record(workspace, t_next);
  if (switches_) switches_->look(t, h, state_, after_);
  t_ = t_next;
  ++trajectory_.steps;
  state_.swap(after_);
  if (stepper().has_angles()) stepper().copy_folded_state(0, folded_);
  return true;
}

template <class T>
bool Integration<T>::inputs_are_finite() {
  const std::string what = controls_.what_is_not_finite(parameters_);
  if (what.empty()) return true;
  trajectory_.outcome = {Status::failed, fmt::format("{} at t = {}", what, to_short_text(static_cast<double>(t_)))};
  return false;
}

template <class T>
bool Integration<T>::begin_control() {
  if (controls_.act(t_, std::span<const T>(state_), parameters_)) use_parameters();
  return inputs_are_finite();
}

template <class T>
bool Integration<T>::control() {
  const bool has_changed = controls_.act(t_, std::span<const T>(state_), parameters_);
  if (has_changed && !(inputs_are_finite() && go_on_with(state_, t_))) return false;
  if (!between_) return true;
  if (has_changed) between_->change_inputs(t_, state_, parameters_, monitor_.jumps());
  between_->visit(t_, state_);
  if (!has_changed || between_->end() == nullptr) return true;
  if (between_->acts()) return act_at_event(t_) != Next::ends;
  stop_at_event();
  return false;
}

template <class T>
void Integration<T>::use_parameters() {
  setup_.solver->set_parameters(parameters_);
  stepper().set_parameters(parameters_);
  if (switches_) switches_->restart(parameters_);
  std::vector<T> buffer(state_.size()), accelerations(system_.v().size()),
      multipliers(system_.multiplier_names().size());
  if (setup_.program->renew_multipliers(stepper(), 0, t_, *setup_.solver, buffer, accelerations, multipliers)) {
    stepper().copy_state(0, state_);
  }
}

template <class T>
bool Integration<T>::go_on_with(std::vector<T> state, T t) {
  own_multipliers_.clear();
  if (state != state_) {
    stepper().set_state(0, state);
    state_ = std::move(state);
  }
  use_parameters();
  if (stepper().has_angles()) stepper().copy_folded_state(0, folded_);
  if (!monitor_.jump(stepper().workspace(), t)) {
    fail(t, T(options_.step), {monitor_.what()});
    return false;
  }
  scrutiny_.restart(parameters_, monitor_.balance(stepper().workspace()));
  return true;
}

template <class T>
typename Integration<T>::Next Integration<T>::act_at_events(T t) {
  Next next = act_at_event(t);
  while (next == Next::restarts && is_break(t) && between_->acts_again(t, state_)) next = act_at_event(t);
  return next;
}

template <class T>
typename Integration<T>::Next Integration<T>::act_at_event(T t) {
  const auto is_soon = size_of(t - first_action_) <= T(options_.step);
  if (!is_soon) first_action_ = t;
  actions_ = is_soon ? actions_ + 1 : 1;
  if (actions_ > most_actions_per_step) {
    trajectory_.outcome = {
        Status::failed,
        fmt::format("events have acted {} times from t = {} to t = {}; a motion that comes to rest so has to be "
                    "stopped: set EventChange::stops",
                    most_actions_per_step, to_short_text(static_cast<double>(first_action_)),
                    to_short_text(static_cast<double>(t)))};
    return Next::ends;
  }
  const Event* stopping = nullptr;
  const std::vector<typename EventWatch<T>::Found> found(between_->found().begin(), between_->found().end());
  for (const auto& event : found) {
    if (!event.acts) continue;
    EventChange before;
    before.t = static_cast<double>(t);
    before.number = event.number;
    const auto q = state_.begin(), v = q + position_count();
    before.q.assign(q, v);
    before.v.assign(v, v + static_cast<std::ptrdiff_t>(system_.v().size()));
    before.parameters.assign(parameters_.begin(),
                             parameters_.begin() + static_cast<std::ptrdiff_t>(system_.parameters().size()));
    controls_.inputs().read(t, std::span<const T>(parameters_), before.inputs);
    EventChange change = before;
    const Event& acting = options_.events[static_cast<std::size_t>(event.event)];
    if (acting.act) acting.act(change);
    apply(change, before, t, acting);
    if (change.stops) stopping = &acting;
    if (trajectory_.outcome.status != Status::done) return Next::ends;
  }
  if (const auto* const last = between_->stop()) {
    tell_stop(*last);
    return Next::ends;
  }
  if (stopping == nullptr) return Next::restarts;
  trajectory_.outcome = {Status::stopped,
                         fmt::format("event '{}' at t = {}", stopping->when, to_short_text(static_cast<double>(t)))};
  return Next::ends;
}

/// Numbers that were not changed, or in their sign alone, keep the digits that a double has not.
template <class T>
void Integration<T>::apply(const EventChange& change, const EventChange& before, T t, const Event& event) {
  const auto require_count = [](std::size_t given, std::size_t wanted, const char* what) {
    if (given == wanted) return;
    throw InputError(fmt::format("an event leaves {} {}", given, what), fmt::format("the system has {}", wanted));
  };
  require_count(change.parameters.size(), before.parameters.size(), "parameters");
  require_count(change.inputs.size(), before.inputs.size(), "inputs");
  require_count(change.q.size(), before.q.size(), "positions");
  require_count(change.v.size(), before.v.size(), "velocities");
  bool has_moved = false;
  const auto put = [](const std::vector<double>& now, const std::vector<double>& then, auto to) {
    bool has_changed = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] == then[i]) continue;
      T& value = to[static_cast<std::ptrdiff_t>(i)];
      value = now[i] == -then[i] ? -value : T(now[i]);
      has_changed = true;
    }
    return has_changed;
  };
  if (put(change.parameters, before.parameters, parameters_.begin())) controls_.follow(parameters_);
  for (std::size_t i = 0; i < change.inputs.size(); ++i) {
    if (change.inputs[i] != before.inputs[i]) controls_.inputs().hold(i, T(change.inputs[i]), std::span(parameters_));
  }
  Start<T> start{t, parameters_, state_};
  has_moved |= put(change.q, before.q, start.state.begin());
  has_moved |= put(change.v, before.v, start.state.begin() + position_count());
  if (has_moved || change.parameters != before.parameters) {
    const T work = setup_.layout().work_count > 0 ? state_.back() : T(0);
    start.state.resize(system_.q().size() + system_.v().size() + system_.z().size());
    try {
      if (system_.has_implicit_momenta()) add_momenta(system_, start);
      make_consistent(system_, continuous(), change.projects, start, nullptr);
      std::vector<T> accelerations, lambda;
      setup_.program->complete(start, *setup_.solver, accelerations, lambda);
    } catch (const InputError& error) {
      throw in_words_of_events(error, change, event);
    }
    if (setup_.layout().work_count > 0) start.state.back() = work;
  }
  const bool goes_on = go_on_with(std::move(start.state), t);
  if (goes_on && between_) between_->restart(t, state_, parameters_, monitor_.jumps(), has_moved);
}

/// A step divides rounding errors of velocities by its size to get multipliers, and those of positions by its square:
/// after a short last step the method's own mean little. Those of the equations of motion at the end take their
/// place, which are as exact as the state; where multipliers are part of it, they are found from the ones before.
template <class T>
void Integration<T>::settle_multipliers(T end) {
  if (!system_.offers().multiplier_variables) return;
  const auto first = position_count() + static_cast<std::ptrdiff_t>(system_.v().size());
  std::vector<T> here(state_.size()), rates(system_.v().size()), z(state_.begin() + first, state_.end());
  z.resize(system_.z().size());
  stepper().copy_folded_state(0, here);
  if (!setup_.solver->solve(end, here, rates, z)) return;
  std::copy(z.begin(), z.end(), stepper().workspace() + setup_.layout().state + first);
}

template <class T>
typename Integration<T>::Next Integration<T>::look_inside(T t, T h, T end, bool ends_in_change) {
  using Verdict = typename BetweenSteps<T>::Verdict;
  const StepLayout& layout = setup_.layout();
  const std::span<const T> observed{stepper().workspace() + layout.observed,
                                    static_cast<std::size_t>(layout.observed_count)};
  switch (between_->take({t, h, end, state_, after_, observed}, ends_in_change, is_break(end))) {
    case Verdict::goes_on: return Next::goes_on;
    case Verdict::acts: return Next::restarts;
    case Verdict::stops:
      ends_inside_ = true;
      stop_at_event();
      return Next::ends;
    case Verdict::fails: break;
  }
  fail(t, h, {"the state at a time asked for, or at an event, was not found"});
  return Next::ends;
}

template <class T>
void Integration<T>::finish_between() {
  between_->finish(t_);
  const bool ends_at_event = trajectory_.outcome.status == Status::done && between_->stop() != nullptr;
  if (ends_at_event) stop_at_event();
}

template <class T>
void Integration<T>::stop_at_event() {
  const auto& event = *between_->stop();
  t_ = event.t;
  state_ = folded_ = event.state;
  own_multipliers_.clear();
  stopped_at_ = between_->sample(t_, state_);
  tell_stop(event);
}

template <class T>
void Integration<T>::tell_stop(const typename EventWatch<T>::Found& event) {
  if (static_cast<std::size_t>(event.event) >= options_.events.size()) {
    const std::string& guard = system_.guards()[static_cast<std::size_t>(event.event) - options_.events.size()].text;
    trajectory_.stops_at_guard = true;
    trajectory_.outcome = {Status::stopped, fmt::format("guard '{}' fails at t = {}", guard,
                                                        to_short_text(static_cast<double>(t_)))};
    return;
  }
  trajectory_.outcome = {Status::stopped,
                         fmt::format("event '{}' at t = {} ({}, number {})", options_.events[event.event].when,
                                     to_short_text(static_cast<double>(t_)), to_text(event.direction), event.number)};
}

/// The function that has no value in the step from t, if there is one.
template <class T>
std::string Integration<T>::function_to_blame(T t, T h) const {
  return function_without_value<T>(system_, parameters_, t, h, seen());
}

template <class T>
typename Integration<T>::Reason Integration<T>::why_not_solved(T t, T h) const {
  std::string function = function_to_blame(t, h);
  if (function.empty()) {
    function = function_without_value<T>(setup_.recipe(), setup_.layout(), stepper().workspace());
  }
  if (!function.empty()) return {function};
  if (stepper().has_lost_branch()) return {"the step has no solution that is connected with the state before it"};
  if (!setup_.recipe().has_corners) return {"Newton did not converge"};
  return {"Newton did not converge (the equations have corners or jumps: sign, abs, min, max)",
          "try another step size (or the motion ends there); in the place of sign(x') take tanh(x'/0.01)"};
}

template <class T>
void Integration<T>::fail(T t, T h, const Reason& reason) {
  trajectory_.outcome = {
      Status::failed, fmt::format("{} at t = {} with step {}; {}", reason.what, to_short_text(static_cast<double>(t)),
                                  to_short_text(static_cast<double>(h)), reason.remedy)};
}

template class Integration<double>;
template class Integration<long double>;
template class Integration<quad>;

}  // namespace noslip
