// Changes of sign along a step, and their places.
#include "run/event_watch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/solve/root.hpp>

namespace noslip {

namespace {

std::vector<Expr> functions_of(const System& system, const std::vector<Event>& events) {
  std::vector<Expr> functions;
  for (const Event& event : events) {
    const Expr g = system.expression(event.when, fmt::format("event '{}'", event.when));
    const std::vector<Expr> state = symbols_of(std::span(&g, 1));
    const auto is_parameter = [&](Expr symbol) {
      return std::any_of(system.parameters().begin(), system.parameters().end(),
                         [&](const Parameter& parameter) { return parameter.symbol == symbol; });
    };
    if (std::all_of(state.begin(), state.end(), is_parameter)) {
      throw InputError(fmt::format("event '{}' never happens: nothing in it changes along a motion", event.when),
                       "use coordinates, velocities or t in it");
    }
    functions.push_back(g);
  }
  return functions;
}

template <class T>
int sign_of(T x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

}  // namespace

template <class T>
EventWatch<T>::EventWatch(const System& system, const RunSetup<T>& setup, const RunOptions& options)
    : functions_(system, functions_of(system, options.events), setup.start.parameters,
                 setup.program->is_machine_code ? Backend::automatic : Backend::interpreter),
      looks_(options.looks_per_step),
      state_(setup.start.state.size()) {
  for (const Event& event : options.events) events_.push_back({event, 0, 0, 0, {}});
}

template <class T>
void EventWatch<T>::start(T t, std::span<const T> state) {
  const std::span<const T> values = functions_(t, state);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    events_[i].value = values[i];
    events_[i].side = sign_of(values[i]);
  }
}

template <class T>
bool EventWatch<T>::look(const StepView<T>& step, InsideStep<T>& inside) {
  found_.clear();
  for (int k = 1; k <= looks_; ++k) {
    const T before = T(k - 1) / T(looks_), theta = T(k) / T(looks_);
    if (!inside.at(step, theta, state_)) return false;
    const std::span<const T> values = functions_(step.time(theta), state_);
    values_.assign(values.begin(), values.end());
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!examine(i, values_[i], before, theta, step, inside)) return false;
    }
  }
  std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) { return a.t < b.t; });
  const auto stop = std::find_if(found_.begin(), found_.end(), [](const Found& one) { return one.stops; });
  if (stop != found_.end()) found_.erase(stop + 1, found_.end());
  return true;
}

template <class T>
bool EventWatch<T>::examine(std::size_t number, T value, T before, T theta, const StepView<T>& step,
                            InsideStep<T>& inside) {
  Watched& watched = events_[number];
  if (!(value - value == 0)) return true;
  const int side = sign_of(value);
  if (side == 0) {
    if (watched.side != 0 && !watched.zero) {
      watched.zero.emplace();
      watched.zero->t = step.time(theta);
      watched.zero->state.resize(state_.size());
      if (!inside.at(step, theta, watched.zero->state)) return false;
    }
  } else {
    const bool changes = watched.side != 0 && side != watched.side;
    if (changes && watched.zero) add(number, std::move(*watched.zero), side);
    if (changes && !watched.zero && !locate(number, value, before, theta, step, inside)) return false;
    watched.zero.reset();
    watched.side = side;
  }
  watched.value = value;
  return true;
}

template <class T>
bool EventWatch<T>::locate(std::size_t number, T value, T before, T theta, const StepView<T>& step,
                           InsideStep<T>& inside) {
  bool is_known = true;
  const auto g = [&](T at) {
    if (!inside.at(step, at, state_)) is_known = false;
    return is_known ? functions_(step.time(at), state_)[number] : T(0);
  };
  const T at = find_root(g, before, events_[number].value, theta, value, epsilon<T>() / 2);
  if (!is_known || !inside.at(step, at, state_)) return false;
  Found found;
  found.t = step.time(at);
  found.state = state_;
  add(number, std::move(found), sign_of(value));
  return true;
}

template <class T>
void EventWatch<T>::add(std::size_t number, Found found, int side) {
  Watched& watched = events_[number];
  found.event = static_cast<int>(number);
  found.direction = side > 0 ? Crossing::up : Crossing::down;
  if (watched.event.direction != Crossing::both && watched.event.direction != found.direction) return;
  found.number = ++watched.count;
  found.stops = watched.event.stop_after > 0 && watched.count == watched.event.stop_after;
  found_.push_back(std::move(found));
}

template <class T>
void EventWatch<T>::finish() {
  found_.clear();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    if (watched.zero) add(i, std::move(*watched.zero), -watched.side);
    watched.zero.reset();
  }
}

template class EventWatch<double>;
template class EventWatch<long double>;
template class EventWatch<quad>;

}  // namespace noslip
