// Guards are events of another kind: one that fails at the start, or by a jump, has failed, and a value that is zero
// holds or not.
#include <algorithm>
#include <limits>
#include <utility>

#include "run/event_watch.hpp"

namespace noslip {

template <class T>
void EventWatch<T>::note_unknown(std::size_t number, T t) {
  double& from = guards_[number - first_guard_].unknown_from;
  if (from != from) from = static_cast<double>(t);
}

template <class T>
void EventWatch<T>::check_guards(T t, std::span<const T> state) {
  if (guards_.empty()) return;
  const std::span<const T> values = evaluate(t, state);
  for (std::size_t i = first_guard_; i < events_.size(); ++i) {
    Watched& watched = events_[i];
    const T value = values[i];
    watched.zero.reset();
    watched.has_crossed = false;
    watched.value = value;
    watched.side = 1;
    if (watched.count > 0) continue;
    if (!(value - value == 0)) {
      note_unknown(i, t);
      watched.side = 0;
    } else if (value < 0 || (value == 0 && watched.is_strict)) {
      Found here;
      here.t = t;
      here.is_jump = true;
      here.state.assign(state.begin(), state.end());
      add(i, std::move(here), -1);
    }
  }
  settle_guards();
}

template <class T>
bool EventWatch<T>::examine_guard(std::size_t number, T value, T theta, const StepView<T>& step,
                                  InsideStep<T>& inside) {
  Watched& watched = events_[number];
  const bool is_known = value - value == 0, fails = value < 0 || (value == 0 && watched.is_strict);
  if (!is_known && watched.count == 0) note_unknown(number, step.time(theta));
  if (is_known && fails && watched.count == 0) {
    // Before, it held; or nothing was known of it.
    if (watched.side > 0 && value < 0) return false;
    Found here;
    here.t = step.time(theta);
    here.state.resize(state_.size());
    if (!inside.at(step, theta, here.state)) here.state.assign(step.after.begin(), step.after.end());
    add(number, std::move(here), -1);
  }
  watched.side = is_known ? 1 : 0;
  watched.value = value;
  watched.at = theta;
  return true;
}

template <class T>
void EventWatch<T>::settle_guards() {
  if (guards_.empty()) return;
  for (const Found& one : found_) {
    if (!is_guard(one)) continue;
    double& at = guards_[static_cast<std::size_t>(one.event) - first_guard_].failed_at;
    if (at != at) at = static_cast<double>(one.t);
  }
  std::erase_if(found_, [&](const Found& one) { return is_guard(one) && !one.stops; });
}

#define NOSLIP_INSTANTIATE(T)                                                                        \
  template void EventWatch<T>::check_guards(T, std::span<const T>);                                  \
  template bool EventWatch<T>::examine_guard(std::size_t, T, T, const StepView<T>&, InsideStep<T>&); \
  template void EventWatch<T>::settle_guards();                                                      \
  template void EventWatch<T>::note_unknown(std::size_t, T);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
