// Finds the events of a run, step by step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

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
    bool stops = false;    ///< the run ends here
    bool acts = false;     ///< the step ends here: Event::act is called
    T rate = 0;            ///< of the function towards this place, where an event acts
    bool is_jump = false;  ///< from one side to the other, without being zero
  };

  /// InputError for texts that are no functions of the state.
  EventWatch(const System& system, const RunSetup<T>& setup, const RunOptions& options);

  bool has_events() const { return !events_.empty(); }
  void start(T t, std::span<const T> state);
  /// An event has acted: the motion goes on from here. Those that have acted are on the side that they came from, as
  /// after an impact, unless they go on to the other side.
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
  bool look(const StepView<T>& step, InsideStep<T>& inside);
  /// The run ends here, at the end of the step that was looked at last or inside of it.
  void finish(T t);
  std::span<const Found> found() const { return found_; }
  const Found* stop() const;  ///< what stops the run, among found(); none: nullptr
  /// The first that stops the run or acts. Others may do so at the same time.
  const Found* end() const;
  bool acts() const;  ///< one of found() does

 private:
  struct Watched {
    Event event;
    T value = 0;                // at the look before
    T at = 0;                   // where that was, in units of this step
    int side = 0;               // sign of the last value that was not zero; 0: not known
    long long count = 0;        // of events so far
    std::optional<Found> zero;  // a look at which the value vanished, until the other side is known
    T rate = 0;                 // with which it has come to the event that has just acted; zero: none has
  };
  /// All functions at a state. Multipliers in them are those of the continuous problem, whatever a method carries on.
  std::span<const T> evaluate(T t, std::span<const T> state);
  std::span<const T> evaluate_texts(T t, std::span<const T> state);
  /// A look at one event at `theta`.
  bool examine(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside);
  bool locate(std::size_t number, T value, T theta, const StepView<T>& step, InsideStep<T>& inside);
  /// Of a function at a zero, just before `theta`; zero where it is not known.
  T rate_before(std::size_t number, T theta, const StepView<T>& step, InsideStep<T>& inside);
  /// An event has acted to which the function came at this rate: it may go on to the other side.
  void choose_side(std::size_t number, T rate, const StepView<T>& step, InsideStep<T>& inside);
  void add(std::size_t number, Found found, int side);
  void forget_after(T t);  ///< zeros in a part of a step that does not happen

  std::vector<Watched> events_;
  StateFunctions<T> functions_;
  MotionSolver<T>* multipliers_ = nullptr;  // where functions may use them
  std::size_t first_multiplier_;
  int looks_;
  std::size_t q_count_, v_count_;
  std::vector<T> state_, values_, all_, seen_, accelerations_, lambda_;
  std::vector<double> q_, v_;  // for functions in C++
  std::vector<Found> found_;
};

extern template class EventWatch<double>;
extern template class EventWatch<long double>;
extern template class EventWatch<quad>;

}  // namespace noslip
