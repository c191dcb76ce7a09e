// What drives the kernels of a step: one state, or a few in lanes, step by step from given times. Users have
// run/stepper.hpp; this is for the engine, and for those who look inside of steps. Nothing is allocated once it is
// made.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/bytes.hpp>
#include <noslip/run/step_program.hpp>
#include <noslip/run/turns.hpp>
#include <noslip/solve/linear.hpp>

namespace noslip {

/// Accelerations and multipliers of the equations of motion at a state; they start the first step of a mechanical
/// system.
template <class T>
using ContinuousProblem = std::function<void(T t, std::span<const T> state, std::span<const T> parameters,
                                             std::span<T> accelerations, std::span<T> multipliers)>;

template <class T>
class LanePair;

template <class T>
class LaneStepper {
 public:
  /// `tolerance`: corrections of the nonlinear solve at which it stops, relative to the velocities; 0: to rounding.
  /// Factors serve several steps, while the iteration contracts, with a tolerance and one plan, and where they are not recorded.
  /// `extra_slots`: of the workspace, behind those of the layout, for kernels of the caller.
  LaneStepper(std::shared_ptr<const StepProgram<T>> program, ContinuousProblem<T> continuous, double tolerance = 0,
              std::size_t extra_slots = 0);

  int lanes() const { return program_->lanes; }
  void set_parameters(std::span<const T> values);  ///< of all lanes
  void set_parameters(int lane, std::span<const T> values);
  void set_parameter(int lane, int index, T value) {
    at(layout().parameters + index, lane) = value;
    forget_factors(lane);
  }
  /// Counts from here on.
  void restart() { total_iterations_ = pivoted_iterations_ = most_iterations_ = 0; }
  /// Forgets what earlier steps left, for guesses and in which order they eliminated, and the turns that angles have
  /// made: what follows does not depend on it.
  void set_state(int lane, std::span<const T> state);
  /// Replaces one number of the state, which is no angle; guesses for the next step stay.
  void put(int lane, int index, T value) {
    at(layout().state + index, lane) = value;
    at(layout().compensation + index, lane) = T(0);
  }
  /// One of the state, or all of it. Angles are continuous, however many turns they have made.
  T state(int lane, int index) const;
  void copy_state(int lane, std::span<T> state) const;
  /// The state as steps see it: angles near zero, where functions of them have all digits.
  void copy_folded_state(int lane, std::span<T> state) const;
  bool has_angles() const { return !turns_.empty(); }
  /// What the continuous problem gives at a state as steps see it, from somebody who has solved it there: a first step
  /// from there need not solve it again.
  void know(T t, std::span<const T> state, std::span<const T> parameters, std::span<const T> accelerations,
            std::span<const T> multipliers);
  /// The method's own multipliers at the end of the last step; none where it has no value there.
  std::span<const T> end_multipliers() const {
    return {workspace_.get() + layout().end_multipliers, static_cast<std::size_t>(layout().end_multiplier_count)};
  }

  /// One step of size h from time t, for every lane that has not failed. Returns false when any lane has failed: its
  /// state stays the last good one.
  bool step(T t, T h) {
    if (!can_advance_explicitly()) return step_by_plans(t, h);
    return (lanes_ == 1 ? step_alone(t, h) : step_together(t, h)) || step_by_plans(t, h);
  }
  /// Makes advance() as fast as it can be: explicit steps run in a loop of their own, which the first stepper of a
  /// program compiles. Not worth it for a few steps.
  void prepare_to_advance();
  /// Many steps of size h from time t0 + first * h on. Returns the steps done by the lane that got furthest.
  long long advance(T t0, T h, long long first, long long count);

  /// Everything that the next step depends on, workspace and bookkeeping: a stepper of the same program that has loaded
  /// it goes on with the same bits. InputError where bytes are missing.
  void save(ByteWriter& to) const;
  void load(ByteReader& from);

  /// The last step failed because its solutions were not connected with the state before it.
  bool has_lost_branch() const { return has_lost_branch_; }
  /// The last step ends on another branch of solutions than it began on, or its gradients turn by more than a right
  /// angle (StepRecipe::branch_sides).
  bool has_reversed() const { return has_reversed_; }
  bool all_have_failed() const { return failed_ == everyone_; }
  bool failed(int lane) const { return (failed_ >> lane & 1U) != 0; }
  /// Lanes that have failed take part in steps again, from their last good states.
  void try_again() { failed_ = 0; }
  /// A step since the state was set had to be solved with pivoting.
  bool has_pivoted(int lane) const { return (pivoted_ >> lane & 1U) != 0; }
  int iterations() const { return iterations_; }  ///< of the last step, all solves and attempts (the lane with most)
  long long total_iterations() const { return total_iterations_; }
  int most_iterations() const { return most_iterations_; }
  /// Of the last step, the solve with most: iterations with corrections that were more than rounding errors, all
  /// attempts counted, and the search along a branch.
  int effort() const { return effort_; }
  long long pivoted_iterations() const { return pivoted_iterations_; }  ///< those with a dense solve and pivoting
  /// Of the last step: the last correction where rounding errors, amplified by the condition of the equations, made the
  /// iteration end above rounding, relative to what it is compared with or to the state; 0 otherwise.
  T noise() const { return noise_; }

  /// For kernels over the same slots (monitoring): the workspace as StepLayout numbers it. Angles in it are near zero.
  T* workspace() { return workspace_.get(); }
  const T* workspace() const { return workspace_.get(); }

 private:
  friend class LanePair<T>;

  enum class Mode { factorise, reuse, pivoted, pivoted_reuse };
  static constexpr int most_steps_with_factors = 20;
  /// Explicit steps between two looks at what they have done: more and more as long as they are good.
  static constexpr long long fewest_at_once = 64, most_at_once = 1024;
  static constexpr double largest_growth = 1e6;  ///< of an inverse pivot, beside the state where the order was chosen
  /// How one nonlinear solve goes.
  struct SolveState {
    Mode mode = Mode::factorise;
    T previous = 0;       ///< norm of the last correction
    T contraction = 0;    ///< the worst one of this solve
    T size_at_first = 0;  ///< of velocities and of the first correction; 0: not known
    T way = 0;            ///< sum of the norms of the corrections
    T bend = 0;           ///< the worst contraction among corrections that count beside the way
    T last_noise = 0;     ///< the last correction where rounding errors ended the iteration early
    int iterations = 0;
    int effort = 0;   ///< iterations with corrections that were more than rounding errors
    int slow = 0;     ///< iterations that hardly contracted
    int attempt = 0;  ///< 0: from the extrapolated guess, 1: from the continuous problem, 2: the same with pivoting
    bool done = false, stuck = false;
    bool began_with_old_factors = false, has_new_factors = false;
    bool is_doubtful = false;  ///< the solution may be another one than the step's

    void note(T norm, T scale);  ///< a correction, and what it is compared with
  };
  /// What one lane takes from solve to solve.
  struct Lane : SolveState {
    bool has_pivoted = false;  ///< recorded factors were not good enough at some time
    int factors_age = 0;       ///< steps since the factors in the workspace were made; 0: there are none
    T noise = 0;               ///< size of corrections that have turned out to be rounding errors

    void restart(Mode first) {
      static_cast<SolveState&>(*this) = SolveState{};
      this->mode = first;
    }
  };
  /// How well the factors of a dense solve serve one lane: as long as the iterations that they cost, beside new ones, are
  /// together cheaper than those. Iterations are counted, not timed: runs are repeatable.
  struct Lasting {
    int are_good = 0;  ///< for the next step
    int usual = 0;     ///< iterations of the step in which they were new
    int excess = 0;    ///< all that later steps have needed above that
  };
  struct AlignedDelete {
    void operator()(T* p) const;
  };

  const StepLayout& layout() const { return program_->layout; }
  int index_of(const Lane& lane) const { return static_cast<int>(&lane - lane_.data()); }
  T& at(int slot, int lane) { return workspace_[static_cast<std::size_t>(slot) * lanes_ + lane]; }
  const T& at(int slot, int lane) const { return workspace_[static_cast<std::size_t>(slot) * lanes_ + lane]; }

  /// Steps of an explicit plan without a look between them, as many as `count` or until an angle has made a turn.
  /// Returns how many; 0 if one of them was not good: nothing has happened then.
  long long advance_explicitly(T t0, T h, long long first, long long count);
  /// All but the last of them in one loop, if there is one; how many it has made.
  long long repeat(T t0, T h, long long first, long long count);
  /// What the loop begins with besides the state.
  void set_loop(T t0, T h, long long first);
  /// Their parts: what comes before them, one of them, and what comes behind them; false if one was not good: nothing
  /// has happened then.
  void begin_explicitly();
  void step_explicitly(T t, T h);
  bool end_explicitly();
  bool are_angles_due() const { return turns_.are_due(&at(layout().state, 0)); }
  /// One step of an explicit plan, for one lane or several. False if it was not good: nothing has happened then.
  bool step_alone(T t, T h) {
    T* const workspace = workspace_.get();
    workspace[explicit_.t] = t;
    workspace[explicit_.h] = h;
    begin_counts();
    (*explicit_.finish)(workspace, scratch_.data());
    if (!(workspace[explicit_.verdict] == 0 && workspace[explicit_.watch] <= T(largest_growth))) return take_back();
    if (!turns_.empty()) fold_angles();
    last_h_ = h;
    return true;
  }
  bool step_together(T t, T h);
  /// The state is as it was before an explicit step. Returns false.
  bool take_back();
  /// A step by plans in turn, iterated or not.
  bool step_by_plans(T t, T h);
  /// Of the step under way.
  void begin_counts() {
    iterations_ = effort_ = 0;
    noise_ = 0;
    has_lost_branch_ = has_reversed_ = false;
  }
  bool can_advance_explicitly() const { return explicit_.finish != nullptr && failed_ == 0; }
  void set_time(T t, T h) {
    for (int l = 0; l < lanes_; ++l) {
      at(layout().t, l) = t;
      at(layout().h, l) = h;
    }
  }
  void fold_angles() { turns_.fold(&at(layout().state, 0), &at(layout().compensation, 0)); }

  /// Makes a step by one plan for the lanes of the mask `who`; returns those that have moved on.
  unsigned attempt(const StepPlan<T>& plan, unsigned who, T t);
  unsigned finish(const StepPlan<T>& plan, unsigned who);
  /// Returns the lanes that have converged; marks those whose solution is in doubt.
  unsigned solve(const StepPlan<T>& plan, std::size_t number, unsigned who, T t);
  /// The lanes whose solution is on another branch than the start.
  unsigned on_other_branch(const StepPlan<T>& plan, unsigned who);
  /// Seeks the solutions that are in doubt along the branch from h = 0; returns the lanes that have one.
  unsigned confirm(const StepPlan<T>& plan, unsigned who, T t);
  /// Several lanes are given up as soon as one of them has to go slower.
  bool follow_branch(const StepPlan<T>& plan, unsigned who, T t, T h);
  void restore(const StepPlan<T>& plan, int lane);  ///< the solution in found_
  T& found(int i, int lane) { return found_[static_cast<std::size_t>(i) * lanes_ + lane]; }
  T& guess(int slot, int lane) { return guess_[static_cast<std::size_t>(slot - layout().unknowns) * lanes_ + lane]; }
  /// Of a solve: with old factors where there are some that may be used.
  Mode first_mode(const SolveProgram<T>& solve, const Lane& lane) const {
    if (can_last(solve)) return lasting(solve, index_of(lane)).are_good != 0 ? Mode::pivoted_reuse : Mode::pivoted;
    const bool has_factors = lane.factors_age > 0 && lane.factors_age < most_steps_with_factors && !solve.renews;
    if (solve.fused) return has_factors && !lane.has_pivoted ? Mode::reuse : Mode::factorise;
    return has_factors ? Mode::pivoted_reuse : Mode::pivoted;
  }
  /// One list of what is saved and loaded besides the workspace, in this order.
  template <class Self, class Visit>
  static void visit_all(Self& self, const Visit& visit);
  bool keeps_factors() const { return !to_rounding_ && program_->plans.size() == 1; }
  /// Whether the next step needs the factors of a solver, by its place in linear_. Where factors last, there is one plan.
  bool are_kept(std::size_t number) const {
    return keeps_factors() || (!lasting_.empty() && lasting_[number].are_good != 0);
  }
  /// Of a sparse matrix the next one needs the order, if not the factors.
  bool is_saved(std::size_t number) const { return are_kept(number) || linear_[number].is_sparse(); }
  bool can_last(const SolveProgram<T>& solve) const { return !lasting_.empty() && solve.renewal > 0; }
  std::size_t index_of(const SolveProgram<T>& solve, int lane) const {
    return static_cast<std::size_t>(solve.number) * lanes_ + static_cast<std::size_t>(lane);
  }
  const Lasting& lasting(const SolveProgram<T>& solve, int lane) const { return lasting_[index_of(solve, lane)]; }
  void forget_factors(int lane);
  /// What a solve that has succeeded tells of its factors.
  void note_factors(const SolveProgram<T>& solve, int lane);
  /// From the guess of this step, with new factors.
  void renew(const SolveProgram<T>& solve, int lane);
  /// While all lanes contract they iterate without being looked at one by one. True if all converged in the same round;
  /// otherwise there is a verdict on each.
  template <int lane_count>
  bool move_together(const SolveProgram<T>& solve);
  void iterate(const SolveProgram<T>& solve, std::size_t number, Mode mode, unsigned who, unsigned waiting);
  void judge(Lane& lane, const SolveProgram<T>& solve, T norm, T scale, T watch) const;
  bool is_doubtful(const Lane& lane, T motion) const;
  /// Whether the matrix of a solve has turned singular since the solve was accepted last: the solution may be another
  /// one. What is seen counts for the next time when it is accepted.
  bool has_changed_side(const SolveProgram<T>& solve, int lane);
  void settle_sides(bool are_accepted) {
    if (has_seen_sides_) settle_seen_sides(are_accepted);
  }
  void settle_seen_sides(bool are_accepted);
  void forget_sides(int lane);
  bool may_be_noise(const Lane& lane, T norm, T motion) const;
  T largest_of_state(const Lane& lane) const;
  void start_again(const StepPlan<T>& plan, std::size_t number, int lane, T t);
  void guess_from_continuous_problem(int lane, T t);
  /// The point of a lane, into point_; true if it is, bit for bit, the one that was there.
  bool is_at_known_point(int lane, T t);
  void pivoted_correction(const SolveProgram<T>& solve, std::size_t number, int lane, bool new_jacobian);
  /// Runs a kernel for the lanes of the mask `who`; in the others the slots from `first_kept` on stay as they are.
  void run_for(const Kernel<T>& kernel, unsigned who, int first_kept, int kept_count) {
    if (who == everyone_) {
      kernel(workspace_.get(), scratch_.data());
    } else {
      run_for_some(kernel, who, first_kept, kept_count);
    }
  }
  void run_for_some(const Kernel<T>& kernel, unsigned who, int first_kept, int kept_count);

  /// Steps of an explicit first plan, if nobody looks inside of them: the kernel, and slots of the layout.
  struct ExplicitStep {
    const Kernel<T>* finish = nullptr;
    int t = 0, h = 0, verdict = 0;
    int watch = 0;  ///< of a plan that is not watched, the verdict again
  };

  std::shared_ptr<const StepProgram<T>> program_;
  ExplicitStep explicit_;
  ContinuousProblem<T> continuous_;
  T stop_;  ///< relative correction below which a further one would not matter
  bool to_rounding_;
  int lanes_;
  unsigned everyone_;     ///< masks have one bit per lane
  unsigned failed_ = 0;   ///< lanes for which no plan could make a step
  unsigned pivoted_ = 0;  ///< lanes that had to pivot since their state was set
  unsigned guessed_ = 0;  ///< lanes to which the step before has left a guess
  std::unique_ptr<T[], AlignedDelete> workspace_;
  std::vector<T> scratch_, saved_, moving_, correction_, found_;
  /// Where the continuous problem was solved last (t, state, parameters), and what it gave there.
  std::vector<T> point_, acceleration_buffer_, multiplier_buffer_;
  bool knows_point_ = false;
  std::array<std::vector<T>, 3> branch_;  ///< for follow_branch
  std::vector<LinearSolver<T>> linear_;   ///< per solve of the last plan and lane
  std::vector<Lane> lane_;
  /// StepLayout::side of each solve, by solve and lane: when it was accepted last (0: not known), and what was seen
  /// since.
  std::vector<T> side_, seen_side_;
  bool has_seen_sides_ = false;
  std::vector<Lasting> lasting_;  ///< by solve and lane; empty where no factors last
  std::vector<T> guess_;          ///< of unknowns where iterations began with old factors
  Turns<T> turns_;
  const LoopKernel<T>* loop_ = nullptr;  ///< of the first plan, once advance() is prepared
  T last_h_ = 0;
  bool has_constants_ = false;  ///< StepPlan::constants of the first plan are those of this step and these parameters
  unsigned doubtful_ = 0;  ///< lanes of the step under way
  T noise_ = 0;
  int iterations_ = 0, most_iterations_ = 0, effort_ = 0;
  bool has_lost_branch_ = false, has_reversed_ = false;
  long long total_iterations_ = 0, pivoted_iterations_ = 0;
};

extern template class LaneStepper<double>;
extern template class LaneStepper<long double>;
extern template class LaneStepper<quad>;

}  // namespace noslip
