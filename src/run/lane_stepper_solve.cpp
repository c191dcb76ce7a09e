// Newton's iteration, lane by lane: factorise once, reuse while it contracts, factorise again or pivot where it does
// not. And which of several solutions is meant.
//
// The equations of a step may have several solutions. The one that belongs to the method is connected with the state at
// the start: it is what the trivial solution for h = 0 becomes when h grows to the step. Newton's iteration finds it
// from a good guess, with corrections that are small and shrink fast. Where they were not, the solution is in doubt,
// and it is sought again along that branch (lane_stepper_branch.cpp). Where the branch ends, the step is refused.
// Branches meet and end where Newton's matrix is singular: a determinant that has changed its sign is a doubt, too.
// Factors of earlier steps do not tell it. But where the iteration contracts well with them, the matrix is not far from
// the one that they belong to; where it does not, there are new factors and the determinant is looked at.
#include <algorithm>
#include <limits>
#include <optional>
#include <type_traits>

#include <noslip/core/stopping.hpp>
#include <noslip/run/lane_stepper.hpp>

namespace noslip {

namespace {

constexpr int most_iterations_allowed = 60;
constexpr double poor_contraction = 0.125;
constexpr double largest_change = 1e4;     // of velocities in one solve, beside where it began
constexpr double best_contraction = 1e-4;  // that is relied on
constexpr int slow_before_pivoting = 2;
constexpr int easy = 8;  // iterations with corrections that are more than rounding errors

// A solution is in doubt if the corrections together were so large beside the velocities and did not shrink at once, or
// if one of them that mattered hardly shrank.
constexpr double long_way = 1.0, at_once = 0.1, hardly = 0.4;
constexpr double matters = 1e-3, counts = 1e-6;  // beside the velocities and the way; beside the way
constexpr double loose = 1e-6;                   // beside the velocities, of multipliers

/// Corrections up to this size, relative to the velocities, may be rounding errors, amplified by the condition.
template <class T>
constexpr T largest_noise() {
  return std::is_same_v<T, double> ? T(1e-8) : std::is_same_v<T, quad> ? T(1e-17) : T(1e-9);
}
/// So may be corrections of so many units in the last place of the state, divided by the step: where velocities are
/// small, rounding errors of forces that balance each other are not.
constexpr double most_units = 1e4;

}  // namespace

template <class T>
void LaneStepper<T>::SolveState::note(T norm, T scale) {
  if (iterations == 0) size_at_first = scale + norm;
  way += norm;
  if (norm > largest_noise<T>() * scale) ++effort;
  if (iterations > 0 && previous > 0) {
    const T ratio = norm / previous;
    contraction = std::max({contraction, ratio, T(best_contraction)});
    if (norm > T(counts) * way) bend = std::max(bend, ratio);
  }
  previous = norm;
  ++iterations;
}

template <class T>
void LaneStepper<T>::judge(Lane& lane, const SolveProgram<T>& solve, T norm, T scale, T watch) const {
  const T previous = lane.previous;
  const bool first = lane.iterations == 0;
  lane.note(norm, scale);
  // Corrections are small beside velocities that have run away, too: there is no solution where they have got to.
  const bool has_run_away = lane.size_at_first > 0 && scale > T(largest_change) * lane.size_at_first;
  // The correction after this one is about norm * contraction. One good contraction may be luck: the worst one counts.
  // Equations with corners or jumps promise nothing of the kind: there only what was evaluated counts.
  const bool next_is_small =
      to_rounding_ && solve.is_smooth && !first && norm <= previous && norm * lane.contraction <= stop_ * scale;
  const T noise = solve.is_smooth ? lane.noise : T(0);
  const bool stagnates = !first && norm > T(0.25) * previous && norm <= std::max(64 * epsilon<T>() * scale, noise);
  const auto motion = [&] { return at(solve.motion_slot, index_of(lane)); };
  if (!first && norm > T(hardly) * previous && norm > T(matters) * (motion() + lane.way) &&
      !may_be_noise(lane, norm, motion())) {
    lane.is_doubtful = true;
  }
  const bool pivots = lane.mode == Mode::pivoted || lane.mode == Mode::pivoted_reuse;
  const bool pivots_are_small = !pivots && !(watch <= T(largest_growth));
  const bool is_loose = !solve.followers.empty() && !(at(layout().looseness, index_of(lane)) <=
                                                      T(loose) * motion() + T(most_units) * epsilon<T>() * scale);
  if (!pivots_are_small && !has_run_away && !is_loose && (norm <= stop_ * scale || next_is_small || stagnates)) {
    if (!(norm <= stop_ * scale) && !next_is_small && norm > 64 * epsilon<T>() * scale) {
      lane.last_noise = norm / std::max(scale, largest_of_state(lane));
    }
    lane.done = true;
    lane.is_doubtful = lane.is_doubtful || is_doubtful(lane, motion());
    return;
  }
  const bool poor = !first && norm > T(poor_contraction) * previous;
  if (poor && norm > T(0.25) * previous) ++lane.slow;
  // Where exact Jacobians with pivoting do not help any more and corrections are small, they are rounding errors,
  // amplified by the condition of the equations. The next steps need not find this out again.
  const bool may_be_noisy = solve.is_smooth && pivots && lane.slow > slow_before_pivoting + 2;
  if (!has_run_away && !is_loose && may_be_noisy && may_be_noise(lane, norm, motion())) {
    lane.noise = 4 * norm;
    lane.last_noise = norm / std::max(scale, largest_of_state(lane));
    lane.done = true;
    lane.is_doubtful = lane.is_doubtful || is_doubtful(lane, motion());
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

/// Of a solution that was found. Where everything comes to rest, all ways are long beside the velocities.
template <class T>
bool LaneStepper<T>::is_doubtful(const Lane& lane, T motion) const {
  return lane.bend > T(at_once) && lane.way > T(long_way) * motion && !may_be_noise(lane, lane.way, motion);
}

template <class T>
void LaneStepper<T>::forget_sides(int lane) {
  for (std::size_t i = lane; i < side_.size(); i += lanes_) side_[i] = seen_side_[i] = T(0);
}

template <class T>
bool LaneStepper<T>::has_changed_side(const SolveProgram<T>& solve, int lane) {
  const std::size_t i = index_of(solve, lane);
  seen_side_[i] = at(layout().side, lane);
  has_seen_sides_ = true;
  return seen_side_[i] * side_[i] < 0;
}

template <class T>
void LaneStepper<T>::settle_seen_sides(bool are_accepted) {
  for (std::size_t i = 0; i < side_.size(); ++i) {
    if (are_accepted && seen_side_[i] != 0) side_[i] = seen_side_[i];
    seen_side_[i] = T(0);
  }
  has_seen_sides_ = false;
}

template <class T>
bool LaneStepper<T>::may_be_noise(const Lane& lane, T norm, T motion) const {
  if (norm <= largest_noise<T>() * motion) return true;
  const int l = index_of(lane);
  return norm <= T(most_units) * epsilon<T>() * largest_of_state(lane) * (1 + 1 / size_of(at(layout().h, l)));
}

template <class T>
T LaneStepper<T>::largest_of_state(const Lane& lane) const {
  const int l = index_of(lane);
  T largest = 0;
  for (int i = 0; i < layout().solved_count(); ++i) largest = std::max(largest, size_of(at(layout().state + i, l)));
  return largest;
}

template <class T>
void LaneStepper<T>::pivoted_correction(const SolveProgram<T>& solve, std::size_t number, int lane, bool new_jacobian) {
  LinearSolver<T>& linear = linear_[number * lanes_ + lane];
  ++pivoted_iterations_;
  pivoted_ |= 1U << lane;
  if (new_jacobian) {
    lane_[lane].has_new_factors = true;
    std::optional<StopShield> shield;  // orders are chosen as in preparations, but a step is none
    if (linear.is_sparse()) shield.emplace();
    linear.factorise(&at(solve.jacobian_slot, lane), static_cast<std::size_t>(lanes_));
    at(layout().side, lane) = T(solve.fused ? 0 : linear.sign());  // recorded factors have signs of their own
  }
  const std::span<T> correction(correction_.data(), solve.slots.size());
  bool has_value = true;
  for (std::size_t i = 0; i < correction.size(); ++i) {
    correction[i] = -at(solve.residual_slot + static_cast<int>(i), lane);
    has_value = has_value && is_finite(correction[i]);
  }
  if (!has_value) {  // the unknowns stay where they are, for a diagnosis
    at(layout().norm, lane) = std::numeric_limits<T>::quiet_NaN();
    at(layout().watch, lane) = T(0);
    return;
  }
  linear.solve_roughly(correction);
  for (std::size_t i = 0; i < correction.size(); ++i) at(solve.slots[i], lane) += correction[i];
  T norm = 0;
  for (const int i : solve.deciding) norm += size_of(correction[i]);
  at(layout().norm, lane) = norm;
  at(layout().watch, lane) = T(0);
  T looseness = 0;
  for (const int i : solve.followers) {
    looseness += size_of(correction[i]) - T(SolveProgram<T>::loose_part) * size_of(at(solve.slots[i], lane));
  }
  at(layout().looseness, lane) = looseness;
}

template <class T>
void LaneStepper<T>::iterate(const SolveProgram<T>& solve, std::size_t number, Mode mode, unsigned who,
                             unsigned waiting) {
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
void LaneStepper<T>::forget_factors(int lane) {
  has_constants_ = false;
  for (std::size_t i = static_cast<std::size_t>(lane); i < lasting_.size(); i += lanes_) lasting_[i] = Lasting{};
}

template <class T>
void LaneStepper<T>::note_factors(const SolveProgram<T>& solve, int lane) {
  const Lane& state = lane_[lane];
  Lasting& factors = lasting_[index_of(solve, lane)];
  if (state.has_new_factors) {
    factors = {1, state.began_with_old_factors ? factors.usual : state.iterations, 0};
  } else {
    factors.excess += std::max(state.iterations - factors.usual, 0);
  }
  factors.are_good = state.is_doubtful || factors.excess >= solve.renewal ? 0 : 1;
}

template <class T>
void LaneStepper<T>::renew(const SolveProgram<T>& solve, int lane) {
  Lane& state = lane_[lane];
  iterations_ += state.iterations;
  state.restart(Mode::pivoted);
  for (const int slot : solve.slots) at(slot, lane) = guess(slot, lane);
}

template <class T>
void LaneStepper<T>::start_again(const StepPlan<T>& plan, std::size_t number, int lane, T t) {
  const SolveProgram<T>& solve = plan.solves[number];
  Lane& state = lane_[lane];
  const int attempt = state.attempt + 1;
  const int effort = state.effort;
  const bool was_doubtful = state.is_doubtful;
  iterations_ += state.iterations;
  state.restart(attempt == 1 && solve.fused ? Mode::factorise : Mode::pivoted);
  state.attempt = attempt;
  state.effort = effort;
  // An attempt that ended in rounding errors was on its way.
  state.is_doubtful = was_doubtful || effort > easy;
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
template <int lane_count>
bool LaneStepper<T>::move_together(const SolveProgram<T>& solve) {
  const auto all_of = [&](int slot) { return workspace_.get() + static_cast<std::size_t>(slot) * lane_count; };
  const T* const norm = all_of(layout().norm);
  const T* const scale = all_of(layout().scale);
  const T* const watch = all_of(layout().watch);
  T norms[most_iterations_allowed][lane_count];  // of the rounds
  T contraction[lane_count], worst[lane_count];  // up to the round before, and up to this one
  for (int l = 0; l < lane_count; ++l) contraction[l] = T(0);
  // What judge() would know of a lane by now. While all contract, the scales hardly change.
  const auto look_back = [&](int l, int rounds) -> Lane& {
    lane_[l].restart(rounds == 0 || solve.renews ? Mode::factorise : Mode::reuse);
    for (int k = 0; k < rounds; ++k) lane_[l].note(norms[k][l], scale[l]);
    return lane_[l];
  };
  for (int round = 0;; ++round) {
    (round == 0 || solve.renews ? solve.factorise : solve.reuse)(workspace_.get(), scratch_.data());
    // The conditions of judge(), for all lanes at once and without branches.
    bool all_small = true, all_contract = round + 1 < most_iterations_allowed;
    for (int l = 0; l < lane_count; ++l) {
      const T previous = round == 0 ? T(0) : norms[round - 1][l];
      const T limit = stop_ * scale[l];
      const T ratio = previous > 0 ? std::max(norm[l] / previous, T(best_contraction)) : T(0);
      worst[l] = ratio > contraction[l] ? ratio : contraction[l];
      const bool next_is_small = solve.is_smooth & (norm[l] <= previous) & (norm[l] * worst[l] <= limit);
      const bool small = (norm[l] <= limit) | next_is_small;
      const bool contracts = round == 0 ? norm[l] - norm[l] == 0 : norm[l] <= T(poor_contraction) * previous;
      const bool pivots_are_good = watch[l] <= T(largest_growth);
      all_small = all_small & small & pivots_are_good;
      all_contract = all_contract & contracts & !small & pivots_are_good;
    }
    if (all_small) {
      iterations_ += round + 1;
      const T* const side = all_of(layout().side);
      const T* const side_before = &side_[static_cast<std::size_t>(solve.number) * lane_count];
      bool all_are_easy = round < easy;
      for (int l = 0; l < lane_count; ++l) {
        all_are_easy = all_are_easy & (worst[l] <= T(at_once)) & (side[l] * side_before[l] > 0);
      }
      if (all_are_easy) {
        effort_ = std::max(effort_, round + 1);
        return true;
      }
      for (int l = 0; l < lane_count; ++l) {
        norms[round][l] = norm[l];
        const Lane& lane = look_back(l, round + 1);
        effort_ = std::max(effort_, lane.effort);
        if (has_changed_side(solve, l) || is_doubtful(lane, at(solve.motion_slot, l))) doubtful_ |= 1U << l;
      }
      return true;
    }
    if (!all_contract) {
      for (int l = 0; l < lane_count; ++l) judge(look_back(l, round), solve, norm[l], scale[l], watch[l]);
      return false;
    }
    for (int l = 0; l < lane_count; ++l) {
      contraction[l] = worst[l];
      norms[round][l] = norm[l];
    }
  }
}

template <class T>
unsigned LaneStepper<T>::solve(const StepPlan<T>& plan, std::size_t number, unsigned who, T t) {
  const SolveProgram<T>& solve = plan.solves[number];
  unsigned active = who, good = 0;
  const auto sort_out = [&](int l) {
    Lane& lane = lane_[l];
    if (lane.began_with_old_factors && (lane.stuck || lane.is_doubtful)) return renew(solve, l);
    if (lane.stuck) start_again(plan, number, l, t);
    if (lane.done) {
      good |= 1U << l;
      if (can_last(solve)) note_factors(solve, l);
      if (has_changed_side(solve, l)) doubtful_ |= 1U << l;  // now: other lanes will write over it
    }
    if (lane.done || lane.stuck) active &= ~(1U << l);
  };
  if (solve.fused && who == everyone_ && to_rounding_ && solve.followers.empty()) {
    if (lanes_ == 1 ? move_together<1>(solve) : lanes_ == 4 ? move_together<4>(solve) : move_together<8>(solve)) {
      return who;
    }
    for (int l = 0; l < lanes_; ++l) sort_out(l);
  } else {
    for (int l = 0; l < lanes_; ++l) {
      if ((who >> l & 1U) == 0) continue;
      lane_[l].restart(first_mode(solve, lane_[l]));
      if (can_last(solve) && lane_[l].mode == Mode::pivoted_reuse) {
        lane_[l].began_with_old_factors = true;
        for (const int slot : solve.slots) guess(slot, l) = at(slot, l);
      }
      at(layout().side, l) = T(0);  // not known where factors are used again
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
    if ((who >> l & 1U) == 0) continue;
    most = std::max(most, lane_[l].iterations);
    effort_ = std::max(effort_, lane_[l].effort);
    if (lane_[l].is_doubtful) doubtful_ |= 1U << l;
    noise_ = std::max(noise_, lane_[l].last_noise);
  }
  iterations_ += most;
  return good;
}

#define NOSLIP_INSTANTIATE(T)                                                                           \
  template void LaneStepper<T>::SolveState::note(T, T);                                                 \
  template void LaneStepper<T>::judge(Lane&, const SolveProgram<T>&, T, T, T) const;                    \
  template bool LaneStepper<T>::is_doubtful(const Lane&, T) const;                                      \
  template void LaneStepper<T>::forget_sides(int);                                                      \
  template void LaneStepper<T>::settle_seen_sides(bool);                                                \
  template bool LaneStepper<T>::has_changed_side(const SolveProgram<T>&, int);                          \
  template bool LaneStepper<T>::may_be_noise(const Lane&, T, T) const;                                  \
  template T LaneStepper<T>::largest_of_state(const Lane&) const;                                       \
  template void LaneStepper<T>::pivoted_correction(const SolveProgram<T>&, std::size_t, int, bool);     \
  template void LaneStepper<T>::iterate(const SolveProgram<T>&, std::size_t, Mode, unsigned, unsigned); \
  template void LaneStepper<T>::forget_factors(int);                                                    \
  template void LaneStepper<T>::note_factors(const SolveProgram<T>&, int);                              \
  template void LaneStepper<T>::renew(const SolveProgram<T>&, int);                                     \
  template void LaneStepper<T>::start_again(const StepPlan<T>&, std::size_t, int, T);                   \
  template unsigned LaneStepper<T>::solve(const StepPlan<T>&, std::size_t, unsigned, T);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
