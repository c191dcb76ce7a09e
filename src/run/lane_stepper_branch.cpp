// Solutions in doubt, sought along the branch that begins with the trivial one for h = 0. When a solution is in doubt:
// lane_stepper_solve.cpp.
#include <algorithm>
#include <bit>

#include <noslip/run/lane_stepper.hpp>

namespace noslip {

namespace {

constexpr double first_part = 0.125, smallest_part = 1.0 / 1024;  // of the step, along the branch

}  // namespace

template <class T>
unsigned LaneStepper<T>::confirm(const StepPlan<T>& plan, unsigned who, T t) {
  const unsigned doubtful = doubtful_ & who;
  const int effort = effort_;
  int most_effort = 0;
  const T h = at(layout().h, 0);
  for (int l = 0; l < lanes_; ++l) {
    if ((doubtful >> l & 1U) == 0) continue;
    for (int i = 0; i < layout().iterated_count(); ++i) found(i, l) = at(layout().unknowns + i, l);
  }
  const auto follow = [&](unsigned lanes) {
    const bool is_found = follow_branch(plan, lanes, t, h);
    most_effort = std::max(most_effort, effort_);
    for (int l = 0; l < lanes_; ++l) at(layout().h, l) = h;
    return is_found;
  };
  // Together where they can; what a lane finds does not depend on the others.
  const bool all_are_found = std::popcount(doubtful) > 1 && follow(doubtful);
  for (int l = 0; l < lanes_ && !all_are_found; ++l) {
    if ((doubtful >> l & 1U) == 0 || follow(1U << l)) continue;
    // Where the equations have jumps, so may the branch, and it begins nowhere if the state is off the constraints: a
    // solution is what can be had.
    const bool is_smooth =
        std::all_of(plan.solves.begin(), plan.solves.end(), [](const auto& s) { return s.is_smooth; });
    if (!is_smooth || !program_->starts_on_constraints) {
      restore(plan, l);
      continue;
    }
    has_lost_branch_ = true;
    who &= ~(1U << l);
  }
  effort_ = effort + most_effort;
  return who;
}

template <class T>
void LaneStepper<T>::restore(const StepPlan<T>& plan, int lane) {
  for (const SolveProgram<T>& solve : plan.solves) {
    for (int i = 0; i < layout().iterated_count(); ++i) at(layout().unknowns + i, lane) = found(i, lane);
    if (solve.has_prepare) run_for(solve.prepare, 1U << lane, 0, layout().size);  // may guess unknowns
  }
  for (int i = 0; i < layout().iterated_count(); ++i) at(layout().unknowns + i, lane) = found(i, lane);
}

template <class T>
bool LaneStepper<T>::follow_branch(const StepPlan<T>& plan, unsigned who, T t, T h) {
  const auto for_each_lane = [&](const auto& action) {
    for (int l = 0; l < lanes_; ++l) {
      if ((who >> l & 1U) != 0) action(l);
    }
  };
  const auto number_of = [&](int slot, int l) {
    return static_cast<std::size_t>(slot - layout().unknowns) * lanes_ + static_cast<std::size_t>(l);
  };
  // How far the solution was from the guess, where it was found last and the time before; the guess is as good as the
  // part of the step is small.
  std::vector<T>&guess = branch_[0], &last = branch_[1], &earlier = branch_[2];
  for (std::vector<T>* values : {&guess, &last, &earlier}) {
    values->assign(static_cast<std::size_t>(layout().unknown_count) * lanes_, T(0));
  }
  T done = 0, before = 0, part = first_part;
  bool is_reversed = false;
  int effort = 0;  // the parts of the way are together one solve that was hard
  for_each_lane([&](int l) {
    forget_sides(l);
    forget_factors(l);
    guess_from_continuous_problem(l, t);
  });
  while (done < 1) {
    const T next = std::min(T(1), done + part);
    const T growth = before > 0 ? (next - done) / (done - before) : T(0);
    for_each_lane([&](int l) { at(layout().h, l) = next * h; });
    run_for(program_->first_guess, who, 0, layout().size);
    doubtful_ = 0;
    bool are_found = true;
    for (std::size_t number = 0; are_found && number < plan.solves.size(); ++number) {
      const SolveProgram<T>& equations = plan.solves[number];
      if (equations.has_prepare) run_for(equations.prepare, who, 0, layout().size);
      for (const int slot : equations.slots) {
        for_each_lane([&](int l) {
          const std::size_t i = number_of(slot, l);
          guess[i] = at(slot, l);
          at(slot, l) += last[i] + growth * (last[i] - earlier[i]);
        });
      }
      effort_ = 0;
      are_found = solve(plan, number, who, t) == who;
      for_each_lane([&](int l) { forget_factors(l); });  // another part of the step has other ones
      effort += effort_;
    }
    effort_ = effort;
    // A gradient that is reversed from one part to the next has jumped, unless the parts are small enough to follow it.
    const bool reverses = are_found && program_->has_branch_sides && on_other_branch(plan, who) != 0;
    const bool is_good =
        are_found && (doubtful_ & who) == 0 && (reverses == is_reversed || part <= 4 * T(smallest_part));
    settle_sides(is_good);
    if (is_good) {
      is_reversed = reverses;
      earlier.swap(last);
      for (const SolveProgram<T>& equations : plan.solves) {
        for (const int slot : equations.slots) {
          for_each_lane([&](int l) { last[number_of(slot, l)] = at(slot, l) - guess[number_of(slot, l)]; });
        }
      }
      before = done;
      done = next;
      part *= 2;
    } else {
      part /= 4;
      if (part < T(smallest_part) || std::popcount(who) > 1) return false;
    }
  }
  return true;
}

#define NOSLIP_INSTANTIATE(T)                                                 \
  template unsigned LaneStepper<T>::confirm(const StepPlan<T>&, unsigned, T); \
  template void LaneStepper<T>::restore(const StepPlan<T>&, int);             \
  template bool LaneStepper<T>::follow_branch(const StepPlan<T>&, unsigned, T, T);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
