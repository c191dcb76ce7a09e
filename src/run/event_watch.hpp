// Finds the events of a run, step by step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/run.hpp>

#include "run/inside_step.hpp"

namespace noslip {

template <class T>
class EventWatch {
 public:
  /// A place where an event happens in the step that was looked at last.
  struct Found {
    int event = 0;
    long long number = 0;  ///< of this event, from 1 on
    Crossing direction = Crossing::up;
    T t = 0;
    std::vector<T> state;
    bool stops = false;     ///< the run ends here
    bool acts = false;      ///< the step ends here: Event::act is called, if there is one
    T rate = 0, value = 0;  ///< of the function before this place, and at it, if some event acts
    bool is_jump = false;   ///< from one side to the other, without being zero
    void carry(Archive& archive) {
      archive(event, number, direction, t, state, stops, acts, rate, value, is_jump);
    }
  };

  /// InputError for texts that are no functions of the state.
  EventWatch(const System& system, const RunSetup<T>& setup, const RunOptions& options);

  bool has_something() const { return !events_.empty(); }
  /// Is it a guard of the system? They are behind the events of the run, and happen where they fail first.
  bool is_guard(const Found& found) const { return static_cast<std::size_t>(found.event) >= first_guard_; }
  const std::vector<GuardResult>& guards() const { return guards_; }
  /// The run starts here. That is not an event, and neither is a crossing within rounding error of this time if it
  /// would act: a run that has ended here has acted already.
  void start(T t, std::span<const T> state, std::span<const T> parameters);
  /// An event has acted: the motion goes on from here. A function that is zero to rounding error after its crossing is
  /// on the side that it came from, as after an impact, unless it goes on to the other side. If the action has moved it
  /// away from zero, its sign tells the side.
  void restart(T t, std::span<const T> state, std::span<const T> parameters);
  /// Inputs have changed at the end of the step that was looked at. A function that contains one may jump to the other
  /// side: that is an event.
  void jump(T t, std::span<const T> state, std::span<const T> parameters);
  /// Looks at a step in as many parts as RunOptions::looks_per_step says: a change of sign from one look to the next is
  /// located to the last digit of the time within the step. What is found is in the order of time, and ends with the
  /// time of the first one that stops or acts. False if the place of an event could not be found.
  ///
  /// A zero at a look is an event if the signs around it differ; if it lasts, its last look counts. At the end of a run
  /// `finish` takes it for one. Where the function has no value, or a state inside the step cannot be found, nothing is
  /// known of its sign; a pole is not an event.
  ///
  /// An event that acts at the end of the step is found there, not in the next step: the motion is followed beyond it.
  /// With `is_break` (the run ends there, or something changes) so is one that follows within rounding error of the
  /// time.
  bool look(const StepView<T>& step, InsideStep<T>& inside, bool is_break);
  /// Other events that act at this moment, the end of a step of no length, after some have acted: found() has them.
  void look_again(const StepView<T>& step, InsideStep<T>& inside);
  /// The run ends here, at the end of the step that was looked at last or inside of it.
  void finish(T t);
  std::span<const Found> found() const { return found_; }
  const Found* stop() const;  ///< what stops the run, among found(); none: nullptr
  /// The first that stops the run or acts. Others may do so at the same time.
  const Found* end() const;
  bool acts() const;  ///< one of found() does
  const std::vector<Warning>& warnings() const { return warnings_; }
  /// All that it remembers. `parameters`: those that are in force, if it loads.
  void carry(Archive& archive, std::span<const T> parameters);

 private:
  struct Watched {
    Event event;
    T value = 0;                // at the look before
    T at = 0;                   // where that was, in units of this step
    int side = 0;               // sign of the last value that was not zero; 0: not known
    long long count = 0;        // of events so far
    std::optional<Found> zero;  // a look at which the value vanished, until the other side is known
    bool has_crossed = false;   // where an event has just acted, and is zero there to rounding error
    bool is_moved = false;      // by that action
    T rate = 0;                 // with which it has crossed; zero: not known
    T there = 0, rounding = 0;  // its value there, and what counts as zero
    bool is_open = false;       // the motion beyond a zero at the end of the last step was not found
    bool has_warned = false;
    bool ends_step = false;     // it acts, or the run lands on it
    bool is_guard = false, is_strict = false;  // Guard::is_strict
    void carry(Archive& archive) {
      archive(value, at, side, count, zero, has_crossed, is_moved, rate, there, rounding, is_open, has_warned);
    }
  };
  /// A crossing in either direction, in the step that was looked at last.
  struct Passed {
    std::size_t event;
    T t;
    int from;       // the side before
    T rate, value;  // as in Found
    void carry(Archive& archive) { archive(event, t, from, rate, value); }
  };
  /// All functions at a state. Multipliers in them are those of the equations of motion there, whatever a method has.
  std::span<const T> evaluate(T t, std::span<const T> state);
  std::span<const T> evaluate_texts(T t, std::span<const T> state);  // both in event_watch_values.cpp
  // guards: event_watch_guards.cpp
  /// Where the motion begins, or goes on with other values.
  void check_guards(T t, std::span<const T> state);
  /// A look at a guard that has a side of its own: false if it is like an event here.
  bool examine_guard(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside);
  /// Guards among found() are noted; only what stops the run stays there.
  void settle_guards();
  void note_unknown(std::size_t number, T t);
  /// A look at one event at `theta`.
  bool examine(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside);
  bool locate(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside);
  /// Events that act at the end of the step. With `is_break` those that follow within rounding error, too.
  void look_beyond(const StepView<T>& step, InsideStep<T>& inside, bool is_break);
  void look_beyond(std::size_t number, const StepView<T>& step, InsideStep<T>& inside, bool is_break);
  void take_sides(T t, std::span<const T> state);
  void set_parameters(std::span<const T> parameters);
  /// What rounding errors of the state and the time may change the function by.
  T rounding(std::size_t number, T t, std::span<const T> state);
  T moment_at(T t) const;  ///< times that differ by no more are one
  /// The rate of a function that changes its sign within rounding error after t; otherwise zero.
  T rate_if_soon(std::size_t number, T t, std::span<const T> state, InsideStep<T>& inside);
  /// At the first step of a run.
  void leave_start(const StepView<T>& step, InsideStep<T>& inside);
  /// Events after the first that acts have not happened, unless they are at the same time to rounding error.
  void end_early();
  /// Of a function at a zero, just before `theta`; zero where it is not known.
  T rate_before(std::size_t number, T theta, const StepView<T>& step, InsideStep<T>& inside);
  /// The function has crossed where an event has acted: it may go on to the other side.
  void choose_side(std::size_t number, const StepView<T>& step, InsideStep<T>& inside);
  void add(std::size_t number, Found found, int side);
  void warn(Watched& watched, T t, const char* what);
  void forget_after(T t);  ///< zeros in a part of a step that does not happen

  std::vector<Watched> events_;
  std::vector<GuardResult> guards_;
  std::size_t first_guard_;  // among events_
  bool stops_at_guards_;
  bool has_reactions_ = false;  // events contain multipliers that are not part of the state
  StateFunctions<T> functions_;
  std::optional<StateFunctions<T>> margins_;  // of the guards
  MotionSolver<T>* multipliers_ = nullptr;    // where functions use them
  bool are_state_;                            // multipliers, by the kind of the system
  std::size_t first_multiplier_;
  int looks_;
  std::size_t q_count_, v_count_;
  std::vector<T> state_, values_, all_, seen_, accelerations_, lambda_;
  std::vector<double> q_, v_;  // for functions in C++
  std::vector<Found> found_;
  std::vector<Passed> passed_;
  bool is_start_ = false;  // the next step is the first of the run
  bool has_actions_ = false;
  T step_;  // size of steps, where nothing divides them
  std::vector<Warning> warnings_;
};

extern template class EventWatch<double>;
extern template class EventWatch<long double>;
extern template class EventWatch<quad>;

}  // namespace noslip
