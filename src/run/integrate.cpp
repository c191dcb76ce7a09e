// The verb `integrate`.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include <fmt/format.h>

#include <noslip/run/run.hpp>

#include "run/between_steps.hpp"
#include "run/domain.hpp"
#include "run/monitor.hpp"
#include "run/scrutiny.hpp"
#include "run/setup.hpp"
#include "run/state_functions.hpp"
#include "run/step_count.hpp"

namespace noslip {

namespace {

using Clock = std::chrono::steady_clock;

/// Why a step was not made.
struct Reason {
  std::string what, remedy = "try a smaller step (or the motion ends there)";
};

std::string failure(const Reason& reason, double t, double h) {
  return fmt::format("{} at t = {} with step {}; {}", reason.what, to_short_text(t), to_short_text(h), reason.remedy);
}

/// Empty where every step has to keep the constraints to rounding error.
std::string why_constraints_may_fail(const MethodTraits& traits, const RunOptions& options) {
  if (options.tolerance > 0) return "a tolerance was asked for";
  return traits.keeps_constraints ? "" : fmt::format("{} does not satisfy them at the end of a step", traits.name);
}

template <class T>
class Integration {
 public:
  Integration(const System& system, const InitialState* initial, const RunOptions& options)
      : system_(system),
        options_(options),
        setup_(system, initial, options, 1, 0, BetweenSteps<T>::is_wanted(options)),
        monitor_(setup_.program->monitored, setup_.layout(),
                 why_constraints_may_fail(setup_.program->method->traits(), options)),
        scrutiny_(system, setup_, options),
        plan_(count_steps(setup_.start.t, options)) {
    if (!BetweenSteps<T>::is_wanted(options)) return;
    const T end = options.steps > 0 ? setup_.start.t + T(options.steps) * T(options.step) : T(options.until);
    between_.emplace(system, setup_, options, end, trajectory_);
  }

  Trajectory run() {
    LaneStepper<T>& stepper = *setup_.stepper;
    monitor_.start(stepper.workspace(), setup_.start.t);
    scrutiny_.start(monitor_.energy());
    stepper.copy_folded_state(0, folded_);
    // A known solution says nothing about a motion that starts elsewhere.
    double largest = 1;
    for (const T& x : state_) largest = std::max(largest, std::fabs(static_cast<double>(x)));
    starts_on_exact_ = static_cast<double>(monitor_.error(last_workspace().data(), setup_.start.t)) <= 1e-10 * largest;
    const bool goes_on = !options_.progress || options_.progress(0, all_steps());
    if (options_.every > 0) store(setup_.start.t);
    if (between_) between_->start(setup_.start.t, state_);
    begin_ = last_report_ = Clock::now();
    goes_on ? march() : interrupt(0, all_steps());
    if (between_) finish_between();
    if (options_.every > 0 && stored_ != t_) store(t_);
    trajectory_.wall_seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    describe();
    return std::move(trajectory_);
  }

 private:
  long long all_steps() const { return plan_.all(); }

  /// Beyond double, 0.1 means a tenth: a whole number of steps ends exactly at the end time.
  T step_size() const {
    if (std::is_same_v<T, double> || options_.steps > 0 || plan_.parts > 0 || plan_.whole == 0) return T(options_.step);
    return (T(options_.until) - setup_.start.t) / T(plan_.whole);
  }

  void march() {
    const T h = step_size();
    const long long all = all_steps();
    for (long long i = 0; i < all; ++i) {
      const bool is_short = i >= plan_.whole;
      const T t = plan_.time(i, setup_.start.t, h, T(options_.until));
      const bool ends_at_until = options_.steps == 0 && i + 1 == all;
      const T t_next = ends_at_until ? T(options_.until) : plan_.time(i + 1, setup_.start.t, h, T(options_.until));
      const T step = is_short ? t_next - t : h;
      if (!setup_.stepper->step(t, step)) {
        return fail(t, step, why_not_solved(t, step));
      }
      if (is_short) settle_multipliers(t_next);
      if (between_ && !look_inside(t, step, t_next)) return;
      if (!monitor_.look(setup_.stepper->workspace(), t_next)) {
        std::string function = function_to_blame(t, step);
        if (function.empty()) function = function_to_blame(t_next, 0);
        return fail(t_next, step, {function.empty() ? monitor_.what() : function});
      }
      after_.resize(state_.size());
      setup_.stepper->copy_state(0, after_);
      const std::string reason = scrutiny_.look(t, step, state_, after_, monitor_.balance(setup_.stepper->workspace()));
      if (!reason.empty()) return fail(t, step, {reason});
      monitor_.record(setup_.stepper->workspace(), t_next);
      t_ = t_next;
      ++trajectory_.steps;
      state_.swap(after_);
      if (setup_.stepper->has_angles()) setup_.stepper->copy_folded_state(0, folded_);
      const std::span<const T> own = setup_.stepper->end_multipliers();
      own_multipliers_.assign(own.begin(), own.end());
      if (is_short) own_multipliers_.clear();
      if (options_.every > 0 && (i + 1) % options_.every == 0) store(t_next);
      if (!report(i + 1, all)) return;
    }
  }

  /// A step divides rounding errors of velocities by its size to get multipliers, and those of positions by its square:
  /// after a short last step the method's own mean little. Those of the equations of motion at the end take their
  /// place, which are as exact as the state; where multipliers are part of it, they are found from the ones before.
  void settle_multipliers(T end) {
    if (!system_.offers().multiplier_variables) return;
    const auto first = position_count() + static_cast<std::ptrdiff_t>(system_.v().size());
    std::vector<T> here(state_.size()), rates(system_.v().size()), z(state_.begin() + first, state_.end());
    z.resize(system_.z().size());
    setup_.stepper->copy_folded_state(0, here);
    if (!setup_.solver->solve(end, here, rates, z)) return;
    std::copy(z.begin(), z.end(), setup_.stepper->workspace() + setup_.layout().state + first);
  }

  /// Looks into the step that has just been made; false if the run ends in it.
  bool look_inside(T t, T h, T end) {
    using Verdict = typename BetweenSteps<T>::Verdict;
    const StepLayout& layout = setup_.layout();
    after_.resize(state_.size());
    setup_.stepper->copy_state(0, after_);
    const std::span<const T> observed{setup_.stepper->workspace() + layout.observed,
                                      static_cast<std::size_t>(layout.observed_count)};
    const Verdict verdict = between_->take({t, h, end, state_, after_, observed});
    if (verdict == Verdict::fails) fail(t, h, {"the state at a time asked for, or at an event, was not found"});
    ends_inside_ = verdict == Verdict::stops;
    if (ends_inside_) stop_at_event();
    return verdict == Verdict::goes_on;
  }

  void finish_between() {
    between_->finish();
    const bool ends_at_event = trajectory_.outcome.status == Status::done && between_->stop() != nullptr;
    if (ends_at_event) stop_at_event();
  }

  void stop_at_event() {
    const auto& event = *between_->stop();
    t_ = event.t;
    state_ = folded_ = event.state;
    own_multipliers_.clear();
    stopped_at_ = between_->sample(t_, state_);
    trajectory_.outcome = {Status::stopped,
                           fmt::format("event '{}' at t = {} ({}, number {})", options_.events[event.event].when,
                                       to_short_text(static_cast<double>(t_)), to_text(event.direction), event.number)};
  }

  /// The function that has no value in the step from t, if there is one.
  std::string function_to_blame(T t, T h) const {
    return function_without_value<T>(system_, setup_.start.parameters, t, h, seen());
  }

  Reason why_not_solved(T t, T h) const {
    const LaneStepper<T>& stepper = *setup_.stepper;
    std::string function = function_to_blame(t, h);
    if (function.empty()) {
      function = function_without_value<T>(setup_.recipe(), setup_.layout(), stepper.workspace());
    }
    if (!function.empty()) return {function};
    if (stepper.has_lost_branch()) return {"the step has no solution that is connected with the state before it"};
    if (!setup_.recipe().has_corners) return {"Newton did not converge"};
    return {"Newton did not converge (the equations have corners or jumps: sign, abs, min, max)",
            "try another step size (or the motion ends there); in the place of sign(x') take tanh(x'/0.01)"};
  }

  void fail(T t, T h, const Reason& reason) {
    trajectory_.outcome = {Status::failed, failure(reason, static_cast<double>(t), static_cast<double>(h))};
  }

  bool report(long long done, long long all) {
    // A look at the clock costs as much as a small step: it is taken often only when steps are slow.
    if (!options_.progress || done < next_look_) return true;
    const Clock::time_point now = Clock::now();
    const double seconds_per_step = std::chrono::duration<double>(now - begin_).count() / static_cast<double>(done);
    next_look_ = done + std::clamp(static_cast<long long>(0.02 / std::max(seconds_per_step, 1e-9)), 1LL, 100'000LL);
    if (now - last_report_ < std::chrono::milliseconds(100)) return true;
    last_report_ = now;
    if (options_.progress(done, all)) return true;
    interrupt(done, all);
    return false;
  }

  void interrupt(long long done, long long all) {
    trajectory_.outcome = {Status::interrupted, fmt::format("interrupted after {} of {} steps", done, all)};
  }

  Sample sample(T t) const {
    if (stopped_at_) return *stopped_at_;
    Sample sample;
    sample.t = static_cast<double>(t);
    const auto q = state_.begin(), v = q + position_count();
    sample.q.assign(q, v);
    sample.v.assign(v, v + static_cast<std::ptrdiff_t>(system_.v().size()));
    sample.multipliers = multipliers(sample);
    sample.energy = monitor_.energy();
    sample.work = monitor_.work();
    sample.max_constraint = monitor_.constraint_now();
    return sample;
  }

  /// Does the last step have all multipliers?
  bool all_are_own() const {
    const std::vector<bool>& own = setup_.program->has_end_multiplier;
    return !own_multipliers_.empty() && std::find(own.begin(), own.end(), false) == own.end();
  }

  std::ptrdiff_t position_count() const { return static_cast<std::ptrdiff_t>(system_.q().size()); }

  /// The last state with angles near zero, for functions of it.
  const std::vector<T>& seen() const { return setup_.stepper->has_angles() ? folded_ : state_; }

  /// Puts the method's own multipliers, where it has them, in the place of those of the continuous problem.
  template <class Value>
  void put_own(std::vector<Value>& values) const {
    for (std::size_t r = 0; r < own_multipliers_.size(); ++r) {
      if (setup_.program->has_end_multiplier[r]) values[r] = static_cast<Value>(own_multipliers_[r]);
    }
  }

  /// The method's own, or where it has none (and at the start) those of the continuous problem.
  std::vector<double> multipliers(const Sample& sample) const {
    if (system_.multiplier_names().empty()) return {};
    if (all_are_own()) return {own_multipliers_.begin(), own_multipliers_.end()};
    if (system_.offers().given_multipliers) {
      const auto z = state_.begin() + position_count();
      return {z, z + static_cast<std::ptrdiff_t>(system_.z().size())};
    }
    std::vector<Problem> ignored;
    const auto q = seen().begin(), v = q + position_count();
    const auto z = v + static_cast<std::ptrdiff_t>(system_.v().size());
    const InitialState here{sample.t, {q, v}, {v, z}, {z, z + static_cast<std::ptrdiff_t>(system_.z().size())}};
    std::vector<double> values = setup_.continuous.evaluate(here, ignored).multipliers;
    values.resize(system_.multiplier_names().size(), std::numeric_limits<double>::quiet_NaN());
    put_own(values);
    return values;
  }

  /// The same, not rounded to double.
  std::vector<quad> multipliers_in_full(const std::vector<double>& rounded) {
    if (all_are_own()) return {own_multipliers_.begin(), own_multipliers_.end()};
    if (std::is_same_v<T, double>) return {rounded.begin(), rounded.end()};
    std::vector<T> accelerations(system_.v().size()), values(rounded.begin(), rounded.end());
    if (!setup_.solver->solve(t_, seen(), accelerations, values)) return {rounded.begin(), rounded.end()};
    put_own(values);
    return {values.begin(), values.end()};
  }

  void store(T t) {
    stored_ = t;
    if (options_.sink) {
      options_.sink(sample(t));
    } else {
      trajectory_.samples.push_back(sample(t));
    }
  }

  void describe() {
    const LaneStepper<T>& stepper = *setup_.stepper;
    trajectory_.system = system_.name();
    trajectory_.method = setup_.program->method->traits().name;
    trajectory_.columns = row_columns(system_);
    trajectory_.factors = system_.factors();
    trajectory_.order = setup_.program->method->traits().order_on(system_);
    trajectory_.step = static_cast<double>(options_.step);
    trajectory_.events = options_.events;
    trajectory_.backend = setup_.program->steps->is_machine_code ? "jit" : "interpreter";
    trajectory_.precision = options_.precision == Precision::quadruple     ? "quad"
                            : options_.precision == Precision::long_double ? "long"
                                                                           : "double";
    trajectory_.last = sample(t_);
    trajectory_.last_text.push_back(to_text(t_));
    const std::size_t shown = system_.q().size() + system_.v().size();
    for (std::size_t i = 0; i < shown; ++i) trajectory_.last_text.push_back(to_text(state_[i]));
    const auto v = state_.begin() + position_count();
    trajectory_.last_quad = {quad(t_),
                             {state_.begin(), v},
                             {v, state_.begin() + static_cast<std::ptrdiff_t>(shown)},
                             multipliers_in_full(trajectory_.last.multipliers)};
    monitor_.fill(trajectory_, system_);
    trajectory_.momenta = momenta();
    if (stopped_at_) end_at_event();
    trajectory_.has_exact = !system_.exact().empty();
    trajectory_.error_at_end = trajectory_.has_exact && starts_on_exact_
                                   ? static_cast<double>(monitor_.error(last_workspace().data(), t_))
                                   : std::numeric_limits<double>::quiet_NaN();
    const double steps = static_cast<double>(std::max(trajectory_.steps + (ends_inside_ ? 1 : 0), 1LL));
    trajectory_.iterations_mean = static_cast<double>(stepper.total_iterations()) / steps;
    trajectory_.iterations_max = stepper.most_iterations();
    trajectory_.warnings = setup_.warnings;
    for (const std::vector<Warning>& some : {monitor_.warnings(), scrutiny_.conclude(trajectory_.balance)}) {
      trajectory_.warnings.insert(trajectory_.warnings.end(), some.begin(), some.end());
    }
    std::stable_sort(trajectory_.warnings.begin(), trajectory_.warnings.end(),
                     [](const Warning& a, const Warning& b) { return a.t < b.t; });
  }

  /// Final values are those of the last state, which may be no step.
  void end_at_event() {
    trajectory_.energy.final = stopped_at_->energy;
    trajectory_.balance.final = stopped_at_->energy - stopped_at_->work;
    std::vector<Expr> invariants;
    for (const auto& [name, expression] : system_.invariants()) invariants.push_back(expression);
    const StateFunctions<T> functions(system_, invariants, setup_.start.parameters);
    const std::span<const T> values = functions(t_, state_);
    for (std::size_t i = 0; i < values.size(); ++i) trajectory_.invariants[i].final = static_cast<double>(values[i]);
  }

  std::vector<double> momenta() const {
    const StateFunctions<T> functions(setup_.program->monitored.momenta, setup_.start.parameters);
    const std::span<const T> p = functions(t_, seen());
    return {p.begin(), p.end()};
  }

  /// A workspace with the last good state, angles continuous (after a failure the stepper's own may hold a later one).
  std::vector<T> last_workspace() {
    const StepLayout& layout = setup_.layout();
    std::vector<T> workspace(setup_.stepper->workspace(), setup_.stepper->workspace() + layout.size);
    std::copy(state_.begin(), state_.end(), workspace.begin() + layout.state);
    return workspace;
  }

  const System& system_;
  const RunOptions& options_;
  RunSetup<T> setup_;
  Monitor<T> monitor_;
  Scrutiny<T> scrutiny_;
  StepCount plan_;
  Trajectory trajectory_;
  std::vector<T> state_ = setup_.start.state, folded_ = state_;
  std::optional<BetweenSteps<T>> between_;
  std::vector<T> after_;              // the state at the end of the step under way
  bool ends_inside_ = false;          // the last step is not complete
  std::optional<Sample> stopped_at_;  // inside a step
  std::vector<T> own_multipliers_;    // of the last step; empty where the method has none
  bool starts_on_exact_ = false;
  T t_ = setup_.start.t;
  T stored_ = setup_.start.t;  // time of the last stored state
  Clock::time_point begin_, last_report_;
  long long next_look_ = 1;
};

Trajectory integrate_any(const System& system, const InitialState* initial, const RunOptions& options) {
  options.check();
  switch (options.precision) {
    case Precision::long_double: return Integration<long double>(system, initial, options).run();
    case Precision::quadruple: return Integration<quad>(system, initial, options).run();
    case Precision::double_precision: break;
  }
  return Integration<double>(system, initial, options).run();
}

}  // namespace

Trajectory integrate(const System& system, const InitialState& initial, const RunOptions& options) {
  return integrate_any(system, &initial, options);
}

Trajectory integrate(const System& system, const RunOptions& options) {
  return integrate_any(system, nullptr, options);
}

}  // namespace noslip
