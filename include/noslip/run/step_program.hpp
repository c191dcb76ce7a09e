// A recipe made ready to run: kernels over one workspace.
//
// A step is: a guess of the unknowns; for every solve, Newton iterations; the new state and the guess for the next
// step. There are up to two plans for it. The first has less to iterate, because whatever is linear has been eliminated
// when it was recorded; where nothing is left, the step is explicit and `finish` is all of it. Its pivots are fixed, so
// that it may refuse a step (they are watched); then, and where nothing could be eliminated, the recipe is solved as it
// is.
//
// In a solve `factorise` makes one Newton iteration and keeps the factors of its Jacobian in the workspace, `reuse`
// makes one with the factors that are there: guesses are extrapolated and good, so that one factorisation usually lasts
// for a step. Where the recorded elimination would be too long, or its fixed pivots have turned small, `linearise` and
// `residual` evaluate the equations only, and a solver with pivoting does the rest. Such equations are solved in
// blocks, one after the other, and the factors serve several steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <noslip/core/lazy.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/exec/loop_kernel.hpp>
#include <noslip/method/recipe.hpp>

namespace noslip {

/// Slots of the workspace, in units of one value per lane.
struct StepLayout {
  int parameters = 0, t = 0, h = 0, state = 0, compensation = 0, end_multipliers = 0;
  int accelerations = 0, multipliers = 0;
  int unknowns = 0;
  int settled = 0;    ///< behind the unknowns: increments of the state that the last iteration has seen
  int held = 0;       ///< behind these: values that are renewed in every iteration
  int norm = 0;       ///< sum of the sizes of the last corrections of the deciding unknowns
  int scale = 0;      ///< what it is compared with, to see whether it is small
  int motion = 0;     ///< what it is compared with, to see whether it is large, where that is something else
  int looseness = 0;  ///< by how much the last corrections of followers (SolveProgram) exceed a part of their sizes
  int watch = 0;      ///< sum of |pivot at the build / pivot now|
  int side = 0;       ///< product of these quotients with their signs: on which side of singular the matrix is
  int branch = 0;     ///< the least of StepRecipe::branch_sides, negative where the step has changed to another branch
  int start = 0;      ///< of many explicit steps at once: where time begins,
  int number = 0;     ///< the number of the step from there,
  int watched = 0;    ///< and the sum of `watch`
  int before = 0;     ///< of explicit steps: what the last one has replaced (moving_count),
  int verdict = 0;    ///< and 0 if what has replaced it is finite
  int observed = 0;   ///< what the caller wants to know of the inside of a step
  int size = 0;       ///< of everything; a caller may have slots of its own behind
  int parameter_count = 0, state_count = 0, end_multiplier_count = 0, acceleration_count = 0, multiplier_count = 0,
      unknown_count = 0, settled_count = 0, held_count = 0, observed_count = 0;
  int work_count = 0;  ///< 1 where the last of the state is the work

  /// How much of the state the equations of a step see: all but the work, whose size and failures are its own.
  int solved_count() const { return state_count - work_count; }
  int work() const { return state + solved_count(); }
  /// What an iteration leaves behind for the next one and for the end of the step.
  int iterated_count() const { return unknown_count + settled_count + held_count; }
  /// State, compensation and end multipliers are one block: what a step replaces.
  int moving_count() const { return 2 * state_count + end_multiplier_count; }
};

/// Where the order of elimination is chosen.
struct StepStart {
  double t = 0, h = 0;
  std::vector<double> parameters, state, accelerations, multipliers;

  friend bool operator==(const StepStart&, const StepStart&) = default;
};

template <class T>
struct SolveProgram {
  int number = 0;          ///< among all solves of all plans
  std::vector<int> slots;  ///< of its unknowns
  int motion_slot = 0;     ///< StepLayout::scale or StepLayout::motion
  bool has_prepare = false;
  Kernel<T> prepare;  ///< what the iterations need and no unknown of this solve changes
  bool fused = false;
  Kernel<T> factorise, reuse;  ///< only if fused
  bool renews = false;         ///< a factorisation costs hardly more than its reuse
  bool is_smooth = true;       ///< the equations have neither corners nor jumps in the unknowns
  bool can_pivot = false;
  Kernel<T> linearise, residual;             ///< only if it can pivot
  std::vector<std::pair<int, int>> pattern;  ///< row and column of the Jacobian's entries
  int residual_slot = 0, jacobian_slot = 0;
  /// Of a solve that is not fused: what new factors cost, in iterations with old ones. Zero where every step makes its own.
  double renewal = 0;
  std::vector<int> deciding;  ///< unknowns of this solve that decide convergence
  /// Unknowns that do not decide, but that the equations are not linear in: they may be lost where the others are
  /// found.
  std::vector<int> followers;
  static constexpr double loose_part = 1e-3;  ///< of their sizes, that their last corrections must not exceed
};

template <class T>
struct StepPlan {
  std::vector<SolveProgram<T>> solves;
  Kernel<T> finish;         ///< where there are no solves with a backup (tape/backup.hpp) in StepLayout::before
  Kernel<T> observe;        ///< runs before `finish`, where anything is observed
  Kernel<T> tell_branch;    ///< runs when the solves are done, where there are several branches
  /// Of long explicit steps: what parameters and step size alone decide, as factors of linear equations. It runs when one
  /// of them has changed; `finish` has no backup then.
  bool has_constants = false;
  Kernel<T> constants;
  bool is_watched = false;  ///< `finish` tells by `watch` whether its new state is good
  /// Of an explicit plan whose steps are short: as much of `finish` as the next step needs, to be run many times in a
  /// row.
  bool can_loop = false;
  Tape loop;
};

/// What a caller wants besides the step itself.
struct StepExtras {
  /// Nothing is eliminated beforehand: the equations of the recipe are iterated all together.
  bool as_stated = false;
  /// Expressions of the recipe, unknowns included: every step leaves their values in the workspace and is otherwise the
  /// same.
  std::span<const Expr> observed = {};
};

template <class T>
struct StepProgram {
  StepProgram(const StepRecipe& recipe, const StepStart& start, Backend backend, int lanes,
              const StepExtras& extras = {});

  StepLayout layout;
  int lanes;
  bool has_branch_sides = false;      ///< plans tell the branch
  bool starts_on_constraints = true;  ///< as StepRecipe has it
  std::vector<int> angles;            ///< of the recipe: which of the state may be moved by full turns between steps
  Kernel<T> first_guess;
  std::vector<StepPlan<T>> plans;  ///< in the order in which they are tried
  int solve_count = 0;             ///< of all plans together
  bool is_explicit() const { return plans.front().solves.empty(); }
  bool is_machine_code = false;
  Backend backend() const { return is_machine_code ? Backend::jit : Backend::interpreter; }
  std::size_t scratch_size = 0;
  /// Many steps of an explicit first plan in one call; it ends behind a step that lets an angle make more than a turn.
  /// Compiled by the first who asks for it; null where there is none.
  const LoopKernel<T>* loop() const;
  /// The same for two workspaces, one behind the other: a short step waits for its own results most of the time, and two
  /// fit into the registers. Null where that does not pay.
  const LoopKernel<T>* loop_of_two() const;
  std::uint64_t fingerprint = 0;  ///< of all tapes: programs with equal ones do the same to the last bit

 private:
  mutable Lazy<LoopKernel<T>> loop_, loop_of_two_;
};

extern template struct StepProgram<double>;
extern template struct StepProgram<long double>;
extern template struct StepProgram<quad>;

}  // namespace noslip
