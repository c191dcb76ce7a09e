// What a run wants to know of its motion between the steps: states at given times, events, or everything.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

#include "run/controls.hpp"
#include "run/event_watch.hpp"
#include "run/kept_steps.hpp"

namespace noslip {

template <class T>
class BetweenSteps {
 public:
  static bool is_wanted(const System& system, const RunOptions& options) {
    return looks_inside(options) || !system.guards().empty();
  }
  /// Guards alone are looked at where steps end.
  static bool looks_inside(const RunOptions& options) {
    return options.dense || !options.at.empty() || !options.events.empty();
  }
  /// Events that act or are landed on end steps, with the order of the method: polynomials are not good enough.
  static bool needs_steps(const RunOptions& options) {
    if (options.land && !options.events.empty()) return true;
    return std::any_of(options.events.begin(), options.events.end(), [](const Event& event) { return !!event.act; });
  }

  /// InputError for events that cannot be understood, and for times that are not between the start and `end`. What is
  /// found goes into the trajectory.
  BetweenSteps(const System& system, const RunSetup<T>& setup, const RunOptions& options, T end, InputPlaces inputs,
               Trajectory& trajectory);

  /// `parameters`: and inputs, as they are from here on.
  void start(T t, std::span<const T> state, std::span<const T> parameters);

  enum class Verdict { goes_on, stops, acts, fails };
  /// Looks at a step that the stepper has just made. With `waits`, something may change at its end: states that are
  /// wanted there are those that visit() sees. With `is_break`, something is due or the run ends there.
  Verdict take(const StepView<T>& step, bool waits, bool is_break);
  /// After an action at a break: do more events act there?
  bool acts_again(T t, std::span<const T> state);
  void visit(T t, std::span<const T> state);
  /// A state with energy, constraints and multipliers of the continuous problem there.
  Sample sample(T t, std::span<const T> state) const;
  /// The motion goes on from here with other values, and after an event perhaps with another state. Events that a
  /// change of inputs makes happen are found and told. `jumps` is the work of all such changes so far.
  void restart(T t, std::span<const T> state, std::span<const T> parameters, T jumps, bool has_moved);
  void change_inputs(T t, std::span<const T> state, std::span<const T> parameters, T jumps);
  /// Where the last step ends early; nullptr if it does not.
  const typename EventWatch<T>::Found* end() const { return watch_.end(); }
  std::span<const typename EventWatch<T>::Found> found() const { return watch_.found(); }
  /// The event that has stopped the run, nullptr if there is none.
  const typename EventWatch<T>::Found* stop() const { return watch_.stop(); }
  bool acts() const { return watch_.acts(); }  ///< one of found() changes something
  const std::vector<Warning>& warnings() const { return watch_.warnings(); }
  const std::vector<GuardResult>& guards() const { return watch_.guards(); }
  /// No step follows: the run ends at t. There may be one more event, at the last state.
  void finish(T t);
  /// All that it remembers, and the states that are in the trajectory so far.
  void carry(Archive& archive);

 private:
  void tell_events();
  void use(std::span<const T> parameters, T jumps);
  /// Asked for; rounding may have put it behind the end.
  T time(std::size_t i) const { return std::min(T(options_.at[i]), end_); }
  bool visit_times(const StepView<T>& step, T end, bool waits);

  System system_;
  Continuous continuous_;
  mutable WatchedOutputs<T> outputs_;
  const RunOptions& options_;
  InputPlaces inputs_;
  std::vector<T> parameters_;
  T jumps_ = 0;
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
