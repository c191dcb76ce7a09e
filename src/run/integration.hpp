// One run: steps, what is looked at after each of them, and what is told of it in the end.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/run.hpp>

#include "run/between_steps.hpp"
#include "run/controls.hpp"
#include "run/monitor.hpp"
#include "run/scrutiny.hpp"
#include "run/setup.hpp"
#include "run/step_count.hpp"
#include "run/step_grid.hpp"
#include "run/switch_watch.hpp"

namespace noslip {

template <class T>
class Integration {
 public:
  Integration(const System& system, const InitialState* initial, const RunOptions& options);

  Trajectory run();

 private:
  using Clock = std::chrono::steady_clock;

  /// Why a step was not made.
  struct Reason {
    std::string what, remedy = "try a smaller step (or the motion ends there)";
  };
  /// What follows after a step.
  enum class Next { goes_on, restarts, ends };
  /// Where the loop is: which step comes next.
  struct Course {
    bool follows_plan = true;     ///< steps of the plan; later those of grids
    bool has_grid = false;        ///< steps of this grid come next
    bool ends_in_change = false;  ///< the grid: controls are due at its end
    bool follows_event = false;   ///< the grid: an event has acted at its begin
    long long index = 0;          ///< of the next step in the plan or in the grid
    Next next = Next::goes_on;    ///< what the last step has left
    StepGrid<T> grid;
    void carry(Archive& archive) { archive(follows_plan, has_grid, ends_in_change, follows_event, index, next, grid); }
  };

  LaneStepper<T>& stepper() const { return *setup_.stepper; }
  std::ptrdiff_t position_count() const { return static_cast<std::ptrdiff_t>(system_.q().size()); }
  /// The last state with angles near zero, for functions of it.
  const std::vector<T>& seen() const { return stepper().has_angles() ? folded_ : state_; }
  /// With the parameters as they are now.
  Continuous continuous() const {
    return setup_.program->continuous.with_parameters({parameters_.begin(), parameters_.end()});
  }
  T end_time() const;
  T step_size() const;
  long long all_steps() const { return plan_.all(); }

  // the loop: integration.cpp and integration_march.cpp
  bool is_on_exact();
  /// What happens at the start; false if the run ends there.
  bool start();
  void march();
  /// Steps from where the run is (an event has just acted there, perhaps) to the next moment at which controls are due,
  /// or to the end, of this size if that fits. False if nothing is left to be done.
  bool lay_grid(T h);
  void march_along_grid(T h);
  /// A step, and what follows from it, in course_.
  void go(T h, T t_next, bool is_short, bool ends_in_change);
  /// A step of size h, or shorter than the others, to t_next, and what controls do there.
  Next step(T h, T t_next, bool is_short, bool ends_in_change);
  /// What is due at the start, and later; false if the run ends.
  bool begin_control();
  bool control();
  bool inputs_are_finite();
  void use_parameters();
  /// Looks into the step that has just been made.
  Next look_inside(T t, T h, T end, bool ends_in_change);
  /// Checks the state in the stepper and enters it into the history; false if it cannot be believed.
  bool accept(T t, T h, T t_next);
  /// The run ends at this time, or something is due.
  bool is_break(T t) const { return end_time() - t <= moment(end_time()) || controls_.is_due(t); }
  /// A step ends at events that change something: these, and at a break all others at this moment.
  Next act_at_events(T t);
  Next act_at_event(T t);
  void apply(const EventChange& change, const EventChange& before, T t, const Event& event);
  T shorter_step(T h);
  /// The parameters or the state have changed here, between two steps.
  bool go_on_with(std::vector<T> state, T t);
  void settle_multipliers(T end);
  void finish_between();
  void stop_at_event();
  void tell_stop(const typename EventWatch<T>::Found& event);
  std::string function_to_blame(T t, T h) const;
  Reason why_not_solved(T t, T h) const;
  void fail(T t, T h, const Reason& reason);
  bool report(long long done);
  void interrupt(long long done);

  // what is saved: integration_checkpoint.cpp
  void checkpoint();
  bool is_bound_to_end() const;
  std::string save();
  void load(std::string_view saved);
  void carry(Archive& archive);
  /// The run goes on to another end than it had.
  void change_end(bool was_bound);

  // what is told: integration_report.cpp
  Sample sample(T t) const;
  bool all_are_own() const;
  template <class Value>
  void put_own(std::vector<Value>& values) const;
  std::vector<double> multipliers(const Sample& sample) const;
  std::vector<quad> multipliers_in_full(const std::vector<double>& rounded);
  void store(T t);
  void describe_guards();
  void describe();
  void end_at_event();
  std::vector<double> momenta() const;
  std::vector<T> last_workspace();

  const System& system_;
  const RunOptions& options_;
  RunSetup<T> setup_;
  Monitor<T> monitor_;
  Scrutiny<T> scrutiny_;
  StepCount plan_;
  std::vector<T> parameters_ = setup_.start.parameters;  // and inputs, as they are now
  Controls<T> controls_;
  mutable WatchedOutputs<T> outputs_{system_, setup_.program->watched};
  Trajectory trajectory_;
  std::vector<T> state_ = setup_.start.state, folded_ = state_;
  std::optional<BetweenSteps<T>> between_;
  std::vector<T> after_;              // the state at the end of the step under way
  std::vector<double> shown_;         // for RunOptions::observe
  bool ends_inside_ = false;          // the last step is not complete
  std::optional<Sample> stopped_at_;  // inside a step
  std::vector<T> own_multipliers_;    // of the last step; empty where the method has none
  std::optional<SwitchWatch<T>> switches_;  // if the equations have corners
  bool starts_on_exact_ = false;
  T t_ = setup_.start.t;
  T stored_ = setup_.start.t;  // time of the last stored state
  long long actions_ = 0;      // of events in a row, within a step size
  T first_action_ = setup_.start.t;
  bool has_divided_ = false;  // steps are smaller than asked for
  Course course_;
  Clock::time_point begin_, last_report_, last_checkpoint_;
  long long next_look_ = 1;
  long long steps_before_ = 0;  // that an earlier run has made, of which this one is the rest
  double seconds_before_ = 0;   // that it took
};

extern template class Integration<double>;
extern template class Integration<long double>;
extern template class Integration<quad>;

}  // namespace noslip
