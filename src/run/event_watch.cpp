// Changes of sign along a step, and their places.
#include "run/event_watch.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <noslip/solve/root.hpp>

#include "run/step_grid.hpp"

namespace noslip {

namespace {

/// Of the events; `has_reactions` if they contain multipliers that are not part of the state.
template <class T>
StateFunctions<T> functions_of(const System& system, const std::vector<Event>& events, std::span<const T> parameters,
                               Backend backend, bool& has_reactions) {
  if (events.empty()) return {system, {}, parameters, backend};
  Graph graph(system.graph());
  const std::vector<Expr> multipliers = system.multipliers(graph);
  std::vector<Expr> functions;
  for (const Event& event : events) {
    if (event.function) {
      functions.push_back(graph.constant(0));
      continue;
    }
    const Expr g = system.expression(graph, event.when, fmt::format("event '{}'", event.when));
    const std::vector<Expr> state = symbols_of(std::span(&g, 1));
    const auto is_parameter = [&](Expr symbol) {
      return std::any_of(system.parameters().begin(), system.parameters().end(),
                         [&](const Parameter& parameter) { return parameter.symbol.id == symbol.id; });
    };
    if (std::all_of(state.begin(), state.end(), is_parameter)) {
      throw InputError(fmt::format("event '{}' never happens: nothing in it changes along a motion", event.when),
                       "use coordinates, velocities or t in it");
    }
    functions.push_back(g);
  }
  has_reactions = have_reactions(system, graph, functions);
  return {StateFunctions<T>::function(system, functions, backend, multipliers), parameters};
}

/// Rates are found over this part of a step.
constexpr double short_part = 1.0 / (1 << 20);
/// What is left of the rate when a motion goes on to the other side of an event; with less, it has come to rest there.
constexpr double least_rate_left = 1e-3;

constexpr double growth_of_a_line = 3;     // from a time to twice that time: less than this; at rest it is 4
constexpr double growth_of_a_pole = 1000;  // from the looks beside it to the last digit of its place

template <class T>
int sign_of(T x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

Crossing direction_to(int side) { return side > 0 ? Crossing::up : Crossing::down; }

bool is_wanted(const Event& event, int side) {
  return event.direction == Crossing::both || event.direction == direction_to(side);
}

}  // namespace

template <class T>
EventWatch<T>::EventWatch(const System& system, const RunSetup<T>& setup, const RunOptions& options)
    : first_guard_(options.events.size()),
      stops_at_guards_(options.strict),
      functions_(functions_of<T>(system, options.events, setup.start.parameters,
                                 setup.program->steps->is_machine_code ? Backend::automatic : Backend::interpreter,
                                 has_reactions_)),
      are_state_(system.offers().multiplier_variables),
      first_multiplier_(system.q().size() + system.v().size()),
      looks_(options.events.empty() ? 1 : options.looks_per_step),
      q_count_(system.q().size()),
      v_count_(system.v().size()),
      state_(setup.start.state.size()),
      accelerations_(system.v().size()),
      lambda_(system.multiplier_names().size()),
      step_(T(options.step)) {
  for (const Event& event : options.events) {
    Watched& watched = events_.emplace_back();
    watched.event = event;
    watched.ends_step = options.land || event.act;
    has_actions_ = has_actions_ || watched.ends_step;
  }
  for (const Guard& guard : system.guards()) {
    Watched& watched = events_.emplace_back();
    watched.event.when = guard.text;
    watched.event.direction = Crossing::down;
    watched.is_guard = true;
    watched.is_strict = guard.is_strict;
    guards_.push_back({guard.text});
  }
  const WatchedFunctions<T>& compiled = setup.program->watched;
  if (!guards_.empty()) margins_.emplace(compiled.margins, setup.start.parameters);
  if (are_state_ || has_reactions_ || compiled.guards_have_reactions) multipliers_ = setup.solver;
}

template <class T>
T EventWatch<T>::moment_at(T t) const {
  return moment(std::max(size_of(t), step_));
}

template <class T>
void EventWatch<T>::start(T t, std::span<const T> state, std::span<const T> parameters) {
  set_parameters(parameters);
  take_sides(t, state);
  found_.clear();
  check_guards(t, state);
  is_start_ = true;
}

template <class T>
void EventWatch<T>::take_sides(T t, std::span<const T> state) {
  const std::span<const T> values = evaluate(t, state);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    watched.value = values[i];
    watched.at = 1;
    if (values[i] != 0 || !watched.zero) watched.side = sign_of(values[i]);
  }
}

template <class T>
void EventWatch<T>::restart(T t, std::span<const T> state, std::span<const T> parameters) {
  set_parameters(parameters);
  forget_after(t);
  take_sides(t, state);
  check_guards(t, state);
  for (const Passed& passed : passed_) {
    if (size_of(passed.t - t) > moment_at(t)) continue;
    Watched& watched = events_[passed.event];
    const T value = watched.value;
    watched.there = value;
    watched.rounding = rounding(passed.event, t, state) + size_of(passed.rate) * moment_at(t);
    watched.has_crossed = value == passed.value || size_of(value) <= watched.rounding;
    if (!watched.has_crossed) continue;
    watched.is_moved = value != passed.value && sign_of(value) == passed.from;
    watched.rate = passed.rate;
    watched.side = passed.from;
    watched.value = T(watched.side) * std::numeric_limits<double>::min();
    watched.zero.reset();
  }
}

template <class T>
void EventWatch<T>::jump(T t, std::span<const T> state, std::span<const T> parameters) {
  found_.clear();
  set_parameters(parameters);
  const std::span<const T> values = evaluate(t, state);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    if (watched.is_guard) continue;
    const bool is_there = values[i] == watched.there || size_of(values[i]) <= watched.rounding;
    if (watched.has_crossed && is_there) continue;  // it has not jumped
    watched.has_crossed = false;
    const bool is_known = is_finite(values[i]);
    const int side = is_known ? sign_of(values[i]) : 0;
    Found here;
    here.t = t;
    here.is_jump = true;
    here.state.assign(state.begin(), state.end());
    if (is_known && side == 0) {
      if (watched.side != 0 && !watched.zero) watched.zero = std::move(here);
    } else {
      const bool changes = watched.side != 0 && side != 0 && side != watched.side;
      if (changes) add(i, std::move(watched.zero ? *watched.zero : here), side);
      watched.zero.reset();
      watched.side = side;
    }
    watched.value = values[i];
  }
  check_guards(t, state);
}

template <class T>
bool EventWatch<T>::look(const StepView<T>& step, InsideStep<T>& inside, bool is_break) {
  found_.clear();
  passed_.clear();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    events_[i].at = 0;
    if (events_[i].has_crossed) choose_side(i, step, inside);
  }
  if (is_start_) leave_start(step, inside);
  for (int k = 1; k <= looks_; ++k) {
    const T theta = T(k) / T(looks_);
    if (!inside.find(step, theta, state_)) continue;
    const std::span<const T> values = evaluate(step.time(theta), state_);
    values_.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      // In a step that is very short it has not left the place of the action yet.
      if (events_[i].has_crossed && size_of(values_[i]) <= events_[i].rounding) continue;
      events_[i].has_crossed = false;
      if (!examine(i, values_[i], theta, step, inside)) return false;
    }
  }
  is_start_ = false;
  look_beyond(step, inside, is_break);
  std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.t < b.t; });
  end_early();
  settle_guards();
  return true;
}

template <class T>
void EventWatch<T>::look_again(const StepView<T>& step, InsideStep<T>& inside) {
  found_.clear();
  look_beyond(step, inside, true);
}

template <class T>
void EventWatch<T>::look_beyond(const StepView<T>& step, InsideStep<T>& inside, bool is_break) {
  const T same = moment_at(step.end);
  const auto ends_before = [&](const Found& one) { return (one.acts || one.stops) && one.t < step.end - same; };
  if (!has_actions_ || std::any_of(found_.begin(), found_.end(), ends_before)) return;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].ends_step) look_beyond(i, step, inside, is_break);
  }
  // If one acts, others that are zero here have to be found now: their functions may be elsewhere afterwards.
  for (std::size_t i = 0; i < events_.size() && acts(); ++i) {
    if (!events_[i].ends_step) look_beyond(i, step, inside, false);
  }
}

template <class T>
void EventWatch<T>::look_beyond(std::size_t number, const StepView<T>& step, InsideStep<T>& inside, bool is_break) {
  Watched& watched = events_[number];
  if (watched.has_crossed || watched.at != 1 || watched.side == 0) return;
  if (!is_wanted(watched.event, -watched.side)) return;
  if (watched.zero && watched.zero->t == step.end) {
    const T time = step_ / T(looks_);
    watched.is_open = !inside.after(step.end, step.after, time, state_);
    if (watched.is_open || sign_of(evaluate(step.end + time, state_)[number]) != -watched.side) return;
    add(number, std::move(*watched.zero), -watched.side);
    watched.zero.reset();
  } else {
    if (!is_break || watched.zero) return;
    Found here;
    here.rate = rate_if_soon(number, step.end, step.after, inside);
    if (here.rate == 0) return;
    here.t = step.end;
    here.state.assign(step.after.begin(), step.after.end());
    here.value = watched.value;
    add(number, std::move(here), -watched.side);
  }
  watched.side = -watched.side;
}

template <class T>
T EventWatch<T>::rate_if_soon(std::size_t number, T t, std::span<const T> state, InsideStep<T>& inside) {
  const T time = step_ * T(short_part), before = events_[number].value;
  if (!inside.after(t, state, time, state_)) return 0;
  const T value = evaluate(t + time, state_)[number];
  if (sign_of(before) * sign_of(value) >= 0) return 0;  // or not a number
  return time * (before / (before - value)) <= moment_at(t) ? (value - before) / time : T(0);
}

template <class T>
void EventWatch<T>::leave_start(const StepView<T>& step, InsideStep<T>& inside) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    if (!watched.ends_step || watched.side == 0) continue;
    const T rate = rate_if_soon(i, step.t, step.before, inside);
    if (rate == 0) continue;
    watched.side = -watched.side;
    watched.value = T(watched.side) * std::numeric_limits<double>::min();
    if (!is_wanted(watched.event, watched.side)) continue;
    warn(watched, step.t, "is zero to rounding error at the start of the run, which is not a crossing");
  }
}

template <class T>
void EventWatch<T>::end_early() {
  const Found* const last = end();
  if (last == nullptr) return;
  const T until = last->t, same = last->acts ? until + moment_at(until) : until;
  for (Found& one : found_) {
    if (!(one.t > until && one.t <= same)) continue;
    one.t = until;
    one.state = last->state;
  }
  for (GuardResult& guard : guards_) {
    if (T(guard.unknown_from) > until) guard.unknown_from = std::numeric_limits<double>::quiet_NaN();
  }
  std::erase_if(found_, [&](const Found& one) {
    if (one.t > until) --events_[static_cast<std::size_t>(one.event)].count;
    return one.t > until;
  });
}

template <class T>
const typename EventWatch<T>::Found* EventWatch<T>::stop() const {
  const auto found = std::find_if(found_.begin(), found_.end(), [](const Found& one) { return one.stops; });
  return found == found_.end() ? nullptr : &*found;
}

template <class T>
const typename EventWatch<T>::Found* EventWatch<T>::end() const {
  const auto found = std::find_if(found_.begin(), found_.end(), [](const Found& one) { return one.stops || one.acts; });
  return found == found_.end() ? nullptr : &*found;
}

template <class T>
bool EventWatch<T>::acts() const {
  return std::any_of(found_.begin(), found_.end(), [](const Found& one) { return one.acts; });
}

template <class T>
bool EventWatch<T>::examine(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside) {
  Watched& watched = events_[number];
  if (watched.is_guard && examine_guard(number, value, theta, step, inside)) return true;
  const bool is_known = value - value == 0;
  const int side = is_known ? sign_of(value) : 0;
  if (!is_known) {
    watched.zero.reset();
    watched.side = 0;
  } else if (side == 0) {
    if (watched.side != 0) {
      watched.zero.emplace();
      watched.zero->t = step.time(theta);
      watched.zero->state.resize(state_.size());
      if (!inside.at(step, theta, watched.zero->state)) return false;
      if (has_actions_) watched.zero->rate = rate_before(number, theta, step, inside);
    }
  } else {
    const bool changes = watched.side != 0 && side != watched.side;
    const Event& event = watched.event;
    if (is_start_ && watched.at == 0 && watched.value == 0 && watched.ends_step && event.direction == direction_to(side)) {
      warn(watched, step.t, "is zero at the start of the run, which is not a crossing");
    }
    if (changes && watched.zero) add(number, std::move(*watched.zero), side);
    if (changes && !watched.zero && !locate(number, value, theta, step, inside)) return false;
    watched.zero.reset();
    watched.side = side;
  }
  watched.value = value;
  watched.at = theta;
  return true;
}

template <class T>
bool EventWatch<T>::locate(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside) {
  const Watched& watched = events_[number];
  bool is_found = true;
  const auto g = [&](T at) {
    is_found = is_found && inside.find(step, at, state_);
    return is_found ? evaluate(step.time(at), state_)[number] : T(0);
  };
  const T at = find_root(g, watched.at, watched.value, theta, value, epsilon<T>() / 2);
  const T there = g(at);
  if (!is_found) return false;
  const auto size = [](T x) { return x < 0 ? -x : x; };
  // Values that grow towards the change of sign have a pole there. A pole is not an event, and neither is a value that
  // is not a number.
  if (!(size(there) <= T(growth_of_a_pole) * std::max(size(watched.value), size(value)))) return true;
  if (!inside.at(step, at, state_)) return false;
  Found found;
  found.t = std::min(step.time(at), step.end);
  found.state = state_;
  found.value = there;
  if (has_actions_) found.rate = rate_before(number, at, step, inside);
  add(number, std::move(found), sign_of(value));
  return true;
}

template <class T>
T EventWatch<T>::rate_before(std::size_t number, T theta, const StepView<T>& step, InsideStep<T>& inside) {
  const T part = std::min(theta, T(short_part));
  if (!(part > 0) || !inside.find(step, theta - part, state_)) return 0;
  const T value = evaluate(step.time(theta - part), state_)[number];
  return is_finite(value) ? -value / (part * step.h) : T(0);
}

template <class T>
void EventWatch<T>::choose_side(std::size_t number, const StepView<T>& step, InsideStep<T>& inside) {
  Watched& watched = events_[number];
  // Over a time that does not depend on this step, which may be very short.
  const T time = T(short_part) * step_, rate = watched.rate;
  if (rate == 0 || !inside.after(step.t, step.before, time, state_)) return;
  const T value = evaluate(step.t + time, state_)[number];
  if (!(value / time / rate > T(least_rate_left))) return;
  // Where it grows like the square of the time it has not gone through: something that bounces comes to rest.
  if (!inside.after(step.t, step.before, time / 2, state_)) return;
  const T half = evaluate(step.t + time / 2, state_)[number];
  if (sign_of(half) != sign_of(value) || !(size_of(value) < T(growth_of_a_line) * size_of(half))) return;
  watched.side = sign_of(value);
  watched.value = value;
  watched.at = std::min(time / step.h, T(1));
  if (watched.is_moved && watched.ends_step && is_wanted(watched.event, watched.side)) {
    warn(watched, step.t, "is zero to rounding error where an action has moved it; going on is not another crossing");
  }
}

template <class T>
void EventWatch<T>::add(std::size_t number, Found found, int side) {
  Watched& watched = events_[number];
  found.event = static_cast<int>(number);
  found.direction = direction_to(side);
  if (has_actions_ && !found.is_jump) passed_.push_back({number, found.t, -side, found.rate, found.value});
  if (!is_wanted(watched.event, side)) return;
  found.number = ++watched.count;
  found.acts = watched.ends_step;
  found.stops = watched.is_guard ? stops_at_guards_
                                 : watched.event.stop_after > 0 && watched.count == watched.event.stop_after;
  found_.push_back(std::move(found));
}

template <class T>
void EventWatch<T>::warn(Watched& watched, T t, const char* what) {
  if (!watched.event.act || std::exchange(watched.has_warned, true)) return;
  warnings_.push_back({"events",
                       fmt::format("event '{}' {} (t = {}): nothing acts there; choose a state that is clearly on one "
                                   "side, or change it without an event",
                                   watched.event.when, what, to_short_text(static_cast<double>(t))),
                       static_cast<double>(t)});
}

template <class T>
void EventWatch<T>::forget_after(T t) {
  for (Watched& watched : events_) {
    if (watched.zero && watched.zero->t > t) watched.zero.reset();
  }
}

template <class T>
void EventWatch<T>::finish(T t) {
  found_.clear();
  forget_after(t);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    if (watched.zero && !watched.ends_step && !watched.is_guard) add(i, std::move(*watched.zero), -watched.side);
    if (watched.zero && watched.ends_step && watched.is_open) {
      warn(watched, t, "is zero at the end of the run; whether it crosses is not known, because no step follows");
    }
    watched.zero.reset();
  }
}

template <class T>
void EventWatch<T>::carry(Archive& archive, std::span<const T> parameters) {
  archive.fixed(events_);
  archive(found_, passed_, is_start_, warnings_);
  for (GuardResult& guard : guards_) archive(guard.failed_at, guard.unknown_from);
  if (archive.loads()) set_parameters(parameters);
}

template class EventWatch<double>;
template class EventWatch<long double>;
template class EventWatch<quad>;

}  // namespace noslip
