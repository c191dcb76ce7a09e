// Newton's iteration, lane by lane: factorise once, reuse while it contracts, factorise again or pivot where it does
// not.
#include <noslip/run/stepper.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <type_traits>

namespace noslip {

namespace {

constexpr int most_iterations_allowed = 60;
constexpr double poor_contraction = 0.125;
constexpr double largest_change = 1e4;     // of velocities in one solve, beside where it began
constexpr double best_contraction = 1e-4;  // that is relied on
constexpr int slow_before_pivoting = 2;
constexpr int largest_lane_count = 8;
constexpr double largest_growth = 1e6;  // of an inverse pivot, against the state where the order was chosen
constexpr long long explicit_steps_at_once = 64;

/// Corrections up to this size, relative to the velocities, may be rounding errors, amplified by the condition.
template <class T>
constexpr T largest_noise() {
  return std::is_same_v<T, double> ? T(1e-8) : std::is_same_v<T, quad> ? T(1e-17) : T(1e-9);
}
/// So may be corrections of so many units in the last place of the state, divided by the step: where velocities are
/// small, rounding errors of forces that balance each other are not.
constexpr double most_units = 1e4;

template <class T>
bool is_finite(T x) {
  return x - x == 0;
}

template <class T>
T size_of(T x) {
  return x < 0 ? -x : x;
}

}  // namespace

template <class T>
void Stepper<T>::AlignedDelete::operator()(T* p) const {
  ::operator delete[](p, std::align_val_t(64));
}

template <class T>
Stepper<T>::Stepper(std::shared_ptr<const StepProgram<T>> program, ContinuousProblem<T> continuous, double tolerance)
    : program_(std::move(program)),
      continuous_(std::move(continuous)),
      stop_(tolerance > 0 ? T(tolerance) : epsilon<T>() / 256),
      to_rounding_(!(tolerance > 0)),
      lanes_(program_->lanes),
      everyone_((1U << lanes_) - 1U),
      scratch_(program_->scratch_size),
      state_buffer_(layout().state_count),
      acceleration_buffer_(layout().acceleration_count),
      multiplier_buffer_(layout().multiplier_count),
      correction_(layout().unknown_count),
      lane_(lanes_),
      turns_(program_->angles, lanes_) {
  const std::size_t size = static_cast<std::size_t>(layout().size) * lanes_;
  workspace_.reset(static_cast<T*>(::operator new[](std::max<std::size_t>(size, 1) * sizeof(T), std::align_val_t(64))));
  std::fill_n(workspace_.get(), size, T(0));
  saved_.resize(size);
  moving_.resize(static_cast<std::size_t>(layout().moving_count()) * lanes_);
  watched_.resize(lanes_);
  for (const SolveProgram<T>& solve : program_->plans.back().solves) {
    for (int l = 0; l < lanes_; ++l) dense_.emplace_back(static_cast<int>(solve.slots.size()));
  }
}

template <class T>
void Stepper<T>::set_parameters(std::span<const T> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (int l = 0; l < lanes_; ++l) at(layout().parameters + static_cast<int>(i), l) = values[i];
  }
}

template <class T>
void Stepper<T>::set_state(int lane, std::span<const T> state) {
  for (int i = 0; i < layout().state_count; ++i) {
    at(layout().state + i, lane) = state[i];
    at(layout().compensation + i, lane) = T(0);
  }
  lane_[lane] = Lane{};
  turns_.reset(lane);
  fold_angles();
}

template <class T>
T Stepper<T>::state(int lane, int index) const {
  return turns_.unfolded(index, lane, at(layout().state + index, lane), at(layout().compensation + index, lane));
}

template <class T>
void Stepper<T>::copy_state(int lane, std::span<T> state) const {
  copy_folded_state(lane, state);
  for (const int i : program_->angles) state[i] = this->state(lane, i);
}

template <class T>
void Stepper<T>::copy_folded_state(int lane, std::span<T> state) const {
  for (int i = 0; i < layout().state_count; ++i) state[i] = at(layout().state + i, lane);
}

template <class T>
void Stepper<T>::run_for(const Kernel<T>& kernel, unsigned who, int first_kept, int kept_count) {
  const unsigned others = everyone_ & ~who;
  if (others == 0) return kernel(workspace_.get(), scratch_.data());
  const std::size_t first = static_cast<std::size_t>(first_kept) * lanes_;
  const std::size_t count = static_cast<std::size_t>(kept_count) * lanes_;
  std::copy_n(workspace_.get() + first, count, saved_.begin());
  kernel(workspace_.get(), scratch_.data());
  for (int l = 0; l < lanes_; ++l) {
    if ((others >> l & 1U) == 0) continue;
    for (std::size_t i = l; i < count; i += lanes_) workspace_[first + i] = saved_[i];
  }
}

template <class T>
void Stepper<T>::guess_from_continuous_problem(int lane, T t) {
  copy_folded_state(lane, state_buffer_);
  continuous_(t, state_buffer_, acceleration_buffer_, multiplier_buffer_);
  for (int i = 0; i < layout().acceleration_count; ++i) at(layout().accelerations + i, lane) = acceleration_buffer_[i];
  for (int i = 0; i < layout().multiplier_count; ++i) at(layout().multipliers + i, lane) = multiplier_buffer_[i];
  run_for(program_->first_guess, 1U << lane, 0, layout().size);
  lane_[lane].has_guess = true;
}

template <class T>
void Stepper<T>::judge(Lane& lane, const SolveProgram<T>& solve, T norm, T scale, T watch) const {
  const T previous = lane.previous;
  const bool first = lane.iterations == 0;
  lane.previous = norm;
  ++lane.iterations;
  if (first) lane.size_at_first = scale + norm;
  // Corrections are small beside velocities that have run away, too: there is no solution where they have got to.
  const bool has_run_away = lane.size_at_first > 0 && scale > T(largest_change) * lane.size_at_first;
  // The correction after this one is about norm * contraction. One good contraction may be luck: the worst one counts.
  if (!first && previous > 0) lane.contraction = std::max({lane.contraction, norm / previous, T(best_contraction)});
  const bool next_is_small = to_rounding_ && !first && norm <= previous && norm * lane.contraction <= stop_ * scale;
  const bool stagnates = !first && norm > T(0.25) * previous && norm <= std::max(64 * epsilon<T>() * scale, lane.noise);
  const bool pivots = lane.mode == Mode::pivoted || lane.mode == Mode::pivoted_reuse;
  const bool pivots_are_small = !pivots && !(watch <= T(largest_growth));
  if (!pivots_are_small && !has_run_away && (norm <= stop_ * scale || next_is_small || stagnates)) {
    lane.done = true;
    return;
  }
  const bool poor = !first && norm > T(poor_contraction) * previous;
  if (poor && norm > T(0.25) * previous) ++lane.slow;
  // Where exact Jacobians with pivoting do not help any more and corrections are small, they are rounding errors,
  // amplified by the condition of the equations. The next steps need not find this out again.
  if (!has_run_away && pivots && lane.slow > slow_before_pivoting + 2 && may_be_noise(lane, norm, scale)) {
    lane.noise = 4 * norm;
    lane.done = true;
    return;
  }
  const bool wants_pivots = pivots || pivots_are_small || lane.slow > slow_before_pivoting;
  if (!is_finite(norm) || !is_finite(scale) || has_run_away || lane.iterations >= most_iterations_allowed ||
      lane.slow > 12 || (wants_pivots && !solve.can_pivot)) {
    lane.stuck = true;
    return;
  }
  if (wants_pivots) {
    lane.has_pivoted = true;
    lane.mode = pivots && !poor ? Mode::pivoted_reuse : Mode::pivoted;
  } else {
    lane.mode = poor || solve.renews ? Mode::factorise : Mode::reuse;
  }
}

template <class T>
bool Stepper<T>::may_be_noise(const Lane& lane, T norm, T scale) const {
  if (norm <= largest_noise<T>() * scale) return true;
  const int l = static_cast<int>(&lane - lane_.data());
  T largest = 0;
  for (int i = 0; i < layout().solved_count(); ++i) largest = std::max(largest, size_of(at(layout().state + i, l)));
  return norm <= T(most_units) * epsilon<T>() * largest * (1 + 1 / size_of(at(layout().h, l)));
}

template <class T>
void Stepper<T>::pivoted_correction(const SolveProgram<T>& solve, std::size_t number, int lane, bool new_jacobian) {
  DenseSolver<T>& dense = dense_[number * lanes_ + lane];
  ++pivoted_iterations_;
  if (new_jacobian) {
    dense.clear();
    for (std::size_t e = 0; e < solve.pattern.size(); ++e) {
      const auto [row, column] = solve.pattern[e];
      dense.entry(row, column) = at(solve.jacobian_slot + static_cast<int>(e), lane);
    }
    dense.factorise();
  }
  const std::span<T> correction(correction_.data(), solve.slots.size());
  for (std::size_t i = 0; i < correction.size(); ++i) {
    correction[i] = -at(solve.residual_slot + static_cast<int>(i), lane);
  }
  dense.solve(correction);
  for (std::size_t i = 0; i < correction.size(); ++i) at(solve.slots[i], lane) += correction[i];
  T norm = 0;
  for (const int i : solve.deciding) norm += size_of(correction[i]);
  at(layout().norm, lane) = norm;
  at(layout().watch, lane) = T(0);
}

template <class T>
void Stepper<T>::iterate(const SolveProgram<T>& solve, std::size_t number, Mode mode, unsigned who, unsigned waiting) {
  // Of a lane that is done only what the last iteration has left matters any more; one that waits for its turn needs
  // its factors too, as does one that will take them into the next step.
  const bool keeps_all = waiting != 0 || keeps_factors();
  const int first_kept = keeps_all ? 0 : layout().unknowns;
  const int kept_count = keeps_all ? layout().size : layout().iterated_count();
  const auto run = [&](const Kernel<T>& kernel) { run_for(kernel, who, first_kept, kept_count); };
  switch (mode) {
    case Mode::factorise: return run(solve.factorise);
    case Mode::reuse: return run(solve.reuse);
    case Mode::pivoted: run(solve.linearise); break;
    case Mode::pivoted_reuse: run(solve.residual); break;
  }
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) != 0) pivoted_correction(solve, number, l, mode == Mode::pivoted);
  }
}

template <class T>
void Stepper<T>::start_again(const StepPlan<T>& plan, std::size_t number, int lane, T t) {
  const SolveProgram<T>& solve = plan.solves[number];
  Lane& state = lane_[lane];
  const int attempt = state.attempt + 1;
  iterations_ += state.iterations;
  state.restart(attempt == 1 && solve.fused ? Mode::factorise : Mode::pivoted);
  state.attempt = attempt;
  if (attempt > (solve.can_pivot ? 2 : 1)) {
    state.stuck = true;
    return;
  }
  // What earlier solves of this step have found stays.
  std::size_t found = 0;
  for (std::size_t k = 0; k < number; ++k) {
    for (const int slot : plan.solves[k].slots) correction_[found++] = at(slot, lane);
  }
  guess_from_continuous_problem(lane, t);
  found = 0;
  for (std::size_t k = 0; k < number; ++k) {
    for (const int slot : plan.solves[k].slots) at(slot, lane) = correction_[found++];
  }
  if (solve.has_prepare) run_for(solve.prepare, 1U << lane, 0, layout().size);
}

template <class T>
bool Stepper<T>::solve_alone(const StepPlan<T>& plan, std::size_t number, T t) {
  const SolveProgram<T>& solve = plan.solves[number];
  T* const workspace = workspace_.get();
  T* const scratch = scratch_.data();
  Lane& lane = lane_[0];
  lane.restart(first_mode(solve, lane));
  while (!lane.done) {
    switch (lane.mode) {
      case Mode::factorise: solve.factorise(workspace, scratch); break;
      case Mode::reuse: solve.reuse(workspace, scratch); break;
      case Mode::pivoted:
        solve.linearise(workspace, scratch);
        pivoted_correction(solve, number, 0, true);
        break;
      case Mode::pivoted_reuse:
        solve.residual(workspace, scratch);
        pivoted_correction(solve, number, 0, false);
        break;
    }
    judge(lane, solve, workspace[layout().norm], workspace[layout().scale], workspace[layout().watch]);
    if (lane.stuck) start_again(plan, number, 0, t);
    if (lane.stuck) return false;
  }
  iterations_ += lane.iterations;
  return true;
}

template <class T>
bool Stepper<T>::move_together(const SolveProgram<T>& solve) {
  const T* const norm = &at(layout().norm, 0);
  const T* const scale = &at(layout().scale, 0);
  const T* const watch = &at(layout().watch, 0);
  T previous[largest_lane_count] = {}, contraction[largest_lane_count] = {};
  for (int round = 1;; ++round) {
    (round == 1 || solve.renews ? solve.factorise : solve.reuse)(workspace_.get(), scratch_.data());
    // The conditions of judge(), for all lanes at once and without branches.
    bool all_small = to_rounding_, all_contract = to_rounding_ && round < most_iterations_allowed;
    for (int l = 0; l < lanes_; ++l) {
      const T limit = stop_ * scale[l];
      const T ratio = round > 1 && previous[l] > 0 ? std::max(norm[l] / previous[l], T(best_contraction)) : T(0);
      const T worst = ratio > contraction[l] ? ratio : contraction[l];
      const bool small = (norm[l] <= limit) | ((norm[l] <= previous[l]) & (norm[l] * worst <= limit));
      const bool contracts = round == 1 ? norm[l] - norm[l] == 0 : norm[l] <= T(poor_contraction) * previous[l];
      const bool pivots_are_good = watch[l] <= T(largest_growth);
      all_small = all_small & small & pivots_are_good;
      all_contract = all_contract & contracts & !small & pivots_are_good;
    }
    if (all_small) {
      iterations_ += round;
      return true;
    }
    if (!all_contract) {
      for (int l = 0; l < lanes_; ++l) {
        Lane& lane = lane_[l];
        lane.restart(round == 1 || solve.renews ? Mode::factorise : Mode::reuse);
        lane.iterations = round - 1;
        lane.previous = previous[l];
        lane.contraction = contraction[l];
        judge(lane, solve, norm[l], scale[l], watch[l]);
      }
      return false;
    }
    for (int l = 0; l < lanes_; ++l) {
      if (round > 1 && previous[l] > 0) {
        contraction[l] = std::max({contraction[l], norm[l] / previous[l], T(best_contraction)});
      }
      previous[l] = norm[l];
    }
  }
}

template <class T>
unsigned Stepper<T>::solve_lanes(const StepPlan<T>& plan, std::size_t number, unsigned who, T t) {
  const SolveProgram<T>& solve = plan.solves[number];
  unsigned active = who, good = 0;
  const auto sort_out = [&](int l) {
    Lane& lane = lane_[l];
    if (lane.stuck) start_again(plan, number, l, t);
    if (lane.done) good |= 1U << l;
    if (lane.done || lane.stuck) active &= ~(1U << l);
  };
  if (solve.fused && who == everyone_ && to_rounding_) {
    if (move_together(solve)) return who;
    for (int l = 0; l < lanes_; ++l) sort_out(l);
  } else {
    for (int l = 0; l < lanes_; ++l) {
      if ((who >> l & 1U) != 0) lane_[l].restart(first_mode(solve, lane_[l]));
    }
  }
  while (active != 0) {
    // A lane moves once per round: its verdict, and with it the mode of its next iteration, comes after all have moved.
    unsigned in_mode[4] = {};
    for (int l = 0; l < lanes_; ++l) {
      if ((active >> l & 1U) != 0) in_mode[static_cast<int>(lane_[l].mode)] |= 1U << l;
    }
    for (const Mode mode : {Mode::factorise, Mode::reuse, Mode::pivoted, Mode::pivoted_reuse}) {
      const unsigned these = in_mode[static_cast<int>(mode)];
      if (these != 0) iterate(solve, number, mode, these, active & ~these);
    }
    for (int l = 0; l < lanes_; ++l) {
      if ((active >> l & 1U) == 0) continue;
      judge(lane_[l], solve, at(layout().norm, l), at(layout().scale, l), at(layout().watch, l));
      sort_out(l);
    }
  }
  int most = 0;
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) != 0) most = std::max(most, lane_[l].iterations);
  }
  iterations_ += most;
  return good;
}

template <class T>
unsigned Stepper<T>::finish(const StepPlan<T>& plan, unsigned who) {
  if (layout().observed_count > 0) run_for(plan.observe, who, 0, layout().size);
  if (!plan.is_watched) {
    run_for(plan.finish, who, 0, layout().size);
    return who;
  }
  T* const moving = &at(layout().state, 0);
  std::copy_n(moving, moving_.size(), moving_.begin());
  run_for(plan.finish, who, 0, layout().size);
  unsigned good = who;
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) == 0) continue;
    bool is_good = at(layout().watch, l) <= T(largest_growth);
    for (int i = 0; i < layout().solved_count(); ++i) is_good = is_good && is_finite(at(layout().state + i, l));
    if (is_good) continue;
    good &= ~(1U << l);
    for (std::size_t i = l; i < moving_.size(); i += lanes_) moving[i] = moving_[i];
  }
  return good;
}

template <class T>
unsigned Stepper<T>::attempt(const StepPlan<T>& plan, unsigned who, T t) {
  for (std::size_t number = 0; number < plan.solves.size(); ++number) {
    if (plan.solves[number].has_prepare) run_for(plan.solves[number].prepare, who, 0, layout().size);
    who = lanes_ == 1 ? (solve_alone(plan, number, t) ? who : 0U) : solve_lanes(plan, number, who, t);
    if (who == 0) return 0;
  }
  return finish(plan, who);
}

template <class T>
void Stepper<T>::set_time(T t, T h) {
  for (int l = 0; l < lanes_; ++l) {
    at(layout().t, l) = t;
    at(layout().h, l) = h;
  }
}

template <class T>
bool Stepper<T>::step(T t, T h) {
  set_time(t, h);
  iterations_ = 0;
  unsigned waiting = 0;
  for (int l = 0; l < lanes_; ++l) {
    if (lane_[l].failed) continue;
    waiting |= 1U << l;
    const bool has_guess = lane_[l].has_guess && h == last_h_;
    if (!has_guess && !program_->is_explicit()) guess_from_continuous_problem(l, t);
    if (h != last_h_) lane_[l].factors_age = 0;
  }
  last_h_ = h;
  for (const StepPlan<T>& plan : program_->plans) {
    if (&plan != &program_->plans.front()) {
      // The plan before has not kept up all guesses.
      for (int l = 0; l < lanes_; ++l) {
        if ((waiting >> l & 1U) != 0) guess_from_continuous_problem(l, t);
      }
    }
    waiting &= ~attempt(plan, waiting, t);
    if (waiting == 0) break;
  }
  fold_angles();
  bool good = true;
  for (int l = 0; l < lanes_; ++l) {
    if ((waiting >> l & 1U) != 0) lane_[l].failed = true;
    if (keeps_factors()) lane_[l].factors_age = lane_[l].factors_age % most_steps_with_factors + 1;
    good = good && !lane_[l].failed;
  }
  total_iterations_ += iterations_;
  most_iterations_ = std::max(most_iterations_, iterations_);
  return good;
}

template <class T>
bool Stepper<T>::advance_explicitly(T t0, T h, long long first, long long count) {
  const StepPlan<T>& plan = program_->plans.front();
  T* const moving = &at(layout().state, 0);
  T* const watch = &at(layout().watch, 0);
  std::copy_n(moving, moving_.size(), moving_.begin());
  std::fill(watched_.begin(), watched_.end(), T(0));
  for (long long i = 0; i < count; ++i) {
    set_time(t0 + T(first + i) * h, h);
    plan.finish(workspace_.get(), scratch_.data());
    for (int l = 0; l < lanes_; ++l) watched_[l] += watch[l];
  }
  bool good = true;
  for (int l = 0; l < lanes_; ++l) good = good && (!plan.is_watched || watched_[l] <= T(largest_growth));
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout().solved_count()) * lanes_; ++i) {
    good = good && is_finite(moving[i]);
  }
  if (!good) std::copy(moving_.begin(), moving_.end(), moving);
  fold_angles();
  return good;
}

template <class T>
long long Stepper<T>::advance(T t0, T h, long long first, long long count) {
  const auto has_failed = [](const Lane& lane) { return lane.failed; };
  long long done = 0;
  while (done < count) {
    if (program_->is_explicit() && layout().observed_count == 0 &&
        std::none_of(lane_.begin(), lane_.end(), has_failed)) {
      const long long some = std::min(explicit_steps_at_once, count - done);
      if (advance_explicitly(t0, h, first + done, some)) {
        done += some;
        continue;
      }
    }
    // One by one: a step may be none of the good ones.
    for (long long i = std::min(explicit_steps_at_once, count - done); i > 0; --i) {
      const bool good = step(t0 + T(first + done) * h, h);
      if (!good && std::all_of(lane_.begin(), lane_.end(), has_failed)) return done;
      ++done;
    }
  }
  return count;
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace noslip
