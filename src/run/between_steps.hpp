// What a run wants to know of its motion between the steps: states at given times, events, or everything.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

#include "run/event_watch.hpp"
#include "run/kept_steps.hpp"

namespace noslip {

template <class T>
class BetweenSteps {
 public:
  static bool is_wanted(const RunOptions& options) {
    return options.dense || !options.at.empty() || !options.events.empty();
  }
  /// Events that act end steps, with the order of the method: polynomials are not good enough.
  static bool needs_steps(const RunOptions& options) {
    return std::any_of(options.events.begin(), options.events.end(), [](const Event& event) { return !!event.act; });
  }

  /// InputError for events that cannot be understood, and for times that are not between the start and `end`. What is
  /// found goes into the trajectory.
  /// `inputs_at`: inputs of the system that act at a time of the step under way.
  BetweenSteps(const System& system, const RunSetup<T>& setup, const RunOptions& options, T end,
               std::function<std::vector<double>(T)> inputs_at, Trajectory& trajectory);

  void start(T t, std::span<const T> state);

  enum class Verdict { goes_on, stops, acts, fails };
  /// Looks at a step that the stepper has just made.
  Verdict take(const StepView<T>& step);
  /// A state with energy, constraints and multipliers of the continuous problem there.
  Sample sample(T t, std::span<const T> state) const;
  /// The motion goes on from here with other values or another state.
  void restart(T t, std::span<const T> state, std::span<const T> parameters);
  /// Where the last step ends early; nullptr if it does not.
  const typename EventWatch<T>::Found* end() const { return watch_.end(); }
  std::span<const typename EventWatch<T>::Found> found() const { return watch_.found(); }
  /// The event that has stopped the run, nullptr if there is none.
  const typename EventWatch<T>::Found* stop() const { return watch_.stop(); }
  /// No step follows. There may be one more event, at the last state.
  void finish();

 private:
  void tell_events();
  /// Asked for; rounding may have put it behind the end.
  T time(std::size_t i) const { return std::min(T(options_.at[i]), end_); }
  bool visit_times(const StepView<T>& step, T end);

  System system_;
  Continuous continuous_;
  const RunOptions& options_;
  std::function<std::vector<double>(T)> inputs_at_;
  Trajectory& trajectory_;
  InsideStep<T> inside_;
  EventWatch<T> watch_;
  std::shared_ptr<KeptSteps<T>> kept_;
  std::vector<std::size_t> order_;  // of the times, ascending
  std::size_t next_ = 0;            // the first of them that has not been reached
  T end_;
  std::vector<T> state_;
};

extern template class BetweenSteps<double>;
extern template class BetweenSteps<long double>;
extern template class BetweenSteps<quad>;

}  // namespace noslip
