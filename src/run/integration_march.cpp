// The order of the steps of a run: those of the plan, or of grids between moments at which something happens; and what
// the clock asks for between them.
#include <algorithm>

#include <fmt/format.h>

#include "run/integration.hpp"

namespace noslip {

template <class T>
void Integration<T>::march() {
  const T h = step_size();
  if (course_.follows_plan) {  // unless an event acts
    const long long all = all_steps(), first_for_end = options_.checkpoint ? plan_.first_for_end() : all;
    while (course_.index < all && course_.next == Next::goes_on) {
      const long long i = course_.index;
      if (i == first_for_end) checkpoint();
      const bool ends_at_until = options_.steps == 0 && i + 1 == all;
      const T t_next = ends_at_until ? T(options_.until) : plan_.time(i + 1, setup_.start.t, h, T(options_.until));
      const bool is_short = i >= plan_.whole;
      go(is_short ? t_next - t_ : h, t_next, is_short, false);
    }
    if (course_.next != Next::restarts) return;
    course_.follows_plan = false;
  }
  while (course_.next != Next::ends && (course_.has_grid || lay_grid(h))) march_along_grid(h);
}

template <class T>
bool Integration<T>::lay_grid(T h) {
  T end = end_time();
  if (!(t_ < end)) return false;
  const bool follows_event = course_.next == Next::restarts || course_.follows_event;
  const T change = controls_.next(t_);
  const bool ends_in_change = controls_.is_before(change, end);
  if (ends_in_change) end = change;
  course_.next = Next::goes_on;
  course_.follows_event = false;
  if (!ends_in_change && end - t_ <= moment(end)) {  // of an event at the very end rounding is left
    t_ = end;
    return false;
  }
  const StepGrid<T> grid(t_, end, h);
  if (grid.is_divided && !has_divided_ && ends_in_change && !follows_event) {
    has_divided_ = true;
    setup_.warnings.push_back(
        {"inputs",
         fmt::format("steps are {} in place of {} from t = {} on, so that one begins whenever an input changes; choose "
                     "a step that divides the time between two changes",
                     to_short_text(static_cast<double>(grid.h)), to_short_text(static_cast<double>(options_.step)),
                     to_short_text(static_cast<double>(t_))),
         static_cast<double>(t_)});
  }
  course_ = {false, true, ends_in_change, follows_event, 0, Next::goes_on, grid};
  // The steps to the end of the run depend on where that is; those to a change do not.
  if (options_.checkpoint && !ends_in_change && !follows_event) checkpoint();
  return true;
}

template <class T>
void Integration<T>::march_along_grid(T h) {
  const StepGrid<T> grid = course_.grid;
  const bool is_short = size_of(grid.h) < h / 2;
  while (course_.index < grid.count && course_.next == Next::goes_on) {
    const bool is_last = course_.index + 1 == grid.count;
    if (is_last && options_.checkpoint && !course_.ends_in_change && grid.count > 1) checkpoint();
    go(grid.h, grid.time(course_.index + 1), is_short, course_.ends_in_change && is_last);
  }
  if (course_.next != Next::ends) course_.has_grid = course_.follows_event = false;
}

template <class T>
void Integration<T>::go(T h, T t_next, bool is_short, bool ends_in_change) {
  course_.next = step(h, t_next, is_short, ends_in_change);
  ++course_.index;
  if (course_.next != Next::ends && !report(trajectory_.steps)) course_.next = Next::ends;
}

template <class T>
bool Integration<T>::report(long long done) {
  if (options_.stop.stop_requested()) {
    if (options_.checkpoint) checkpoint();
    interrupt(done);
    return false;
  }
  // A look at the clock costs as much as a small step: it is taken often only when steps are slow.
  if (done < next_look_ || !(options_.progress || options_.checkpoint)) return true;
  const Clock::time_point now = Clock::now();
  const double seconds_per_step =
      std::chrono::duration<double>(now - begin_).count() / static_cast<double>(done - steps_before_);
  next_look_ = done + std::clamp(static_cast<long long>(0.02 / std::max(seconds_per_step, 1e-9)), 1LL, 100'000LL);
  const bool is_due = std::chrono::duration<double>(now - last_checkpoint_).count() >= options_.checkpoint_every;
  if (options_.checkpoint && is_due) checkpoint();
  if (!options_.progress || now - last_report_ < std::chrono::milliseconds(50)) return true;
  last_report_ = now;
  if (options_.progress(done, std::max(done, all_steps()))) return true;
  if (options_.checkpoint) checkpoint();
  interrupt(done);
  return false;
}

template <class T>
void Integration<T>::interrupt(long long done) {
  trajectory_.outcome = {Status::interrupted, fmt::format("interrupted after {} of {} steps", done, all_steps())};
}

#define NOSLIP_INSTANTIATE(T)                                  \
  template void Integration<T>::march();                       \
  template bool Integration<T>::lay_grid(T);                   \
  template void Integration<T>::march_along_grid(T);           \
  template void Integration<T>::go(T, T, bool, bool);          \
  template bool Integration<T>::report(long long);             \
  template void Integration<T>::interrupt(long long);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
