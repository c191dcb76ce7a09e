// Steps: guesses, plans in turn, the new state. The solves themselves are in lane_stepper_solve.cpp.
#include <noslip/run/lane_stepper.hpp>

#include <algorithm>
#include <new>
#include <type_traits>

#include <noslip/core/stopping.hpp>

namespace noslip {

template <class T>
void LaneStepper<T>::AlignedDelete::operator()(T* p) const {
  ::operator delete[](p, std::align_val_t(64));
}

template <class T>
LaneStepper<T>::LaneStepper(std::shared_ptr<const StepProgram<T>> program, ContinuousProblem<T> continuous,
                            double tolerance, std::size_t extra_slots)
    : program_(std::move(program)),
      continuous_(std::move(continuous)),
      stop_(tolerance > 0 ? T(tolerance) : epsilon<T>() / 256),
      to_rounding_(!(tolerance > 0)),
      lanes_(program_->lanes),
      everyone_((1U << lanes_) - 1U),
      scratch_(program_->scratch_size),
      correction_(layout().unknown_count),
      found_(static_cast<std::size_t>(layout().iterated_count()) * lanes_),
      point_(1 + layout().state_count + layout().parameter_count),
      acceleration_buffer_(layout().acceleration_count),
      multiplier_buffer_(layout().multiplier_count),
      lane_(lanes_),
      side_(static_cast<std::size_t>(program_->solve_count) * lanes_),
      seen_side_(side_.size()),
      turns_(program_->angles, lanes_) {
  if (program_->is_explicit() && layout().observed_count == 0 && !program_->plans.front().has_constants) {
    const StepPlan<T>& plan = program_->plans.front();
    const int watch = plan.is_watched ? layout().watch : layout().verdict;
    explicit_ = {&plan.finish, layout().t, layout().h, layout().verdict, watch};
  }
  const std::size_t size = static_cast<std::size_t>(layout().size) * lanes_, all = size + extra_slots * lanes_;
  workspace_.reset(static_cast<T*>(::operator new[](std::max<std::size_t>(all, 1) * sizeof(T), std::align_val_t(64))));
  std::fill_n(workspace_.get(), all, T(0));
  saved_.resize(size);
  moving_.resize(static_cast<std::size_t>(layout().moving_count()) * lanes_);
  for (std::vector<T>& values : branch_) values.reserve(correction_.size() * lanes_);
  const auto& solves = program_->plans.back().solves;
  if (to_rounding_ && program_->plans.size() == 1 &&
      std::any_of(solves.begin(), solves.end(), [](const SolveProgram<T>& solve) { return solve.renewal > 0; })) {
    lasting_.resize(side_.size());
    guess_.resize(correction_.size() * lanes_);
  }
  for (const SolveProgram<T>& solve : solves) {
    for (int l = 0; l < lanes_; ++l) linear_.emplace_back(static_cast<int>(solve.slots.size()), solve.pattern);
  }
}

template <class T>
void LaneStepper<T>::set_parameters(std::span<const T> values) {
  for (int l = 0; l < lanes_; ++l) set_parameters(l, values);
}

template <class T>
void LaneStepper<T>::set_parameters(int lane, std::span<const T> values) {
  for (std::size_t i = 0; i < values.size(); ++i) at(layout().parameters + static_cast<int>(i), lane) = values[i];
  forget_factors(lane);
}

template <class T>
void LaneStepper<T>::set_state(int lane, std::span<const T> state) {
  for (int i = 0; i < layout().state_count; ++i) {
    at(layout().state + i, lane) = state[i];
    at(layout().compensation + i, lane) = T(0);
  }
  lane_[lane] = Lane{};
  for (unsigned* lanes : {&failed_, &pivoted_, &guessed_}) *lanes &= ~(1U << lane);
  forget_sides(lane);
  forget_factors(lane);
  for (std::size_t i = static_cast<std::size_t>(lane); i < linear_.size(); i += lanes_) linear_[i].forget_order();
  if (turns_.empty()) return;
  turns_.reset(lane);
  fold_angles();
}

template <class T>
T LaneStepper<T>::state(int lane, int index) const {
  return turns_.unfolded(index, lane, at(layout().state + index, lane), at(layout().compensation + index, lane));
}

template <class T>
void LaneStepper<T>::copy_state(int lane, std::span<T> state) const {
  copy_folded_state(lane, state);
  for (const int i : program_->angles) state[i] = this->state(lane, i);
}

template <class T>
void LaneStepper<T>::copy_folded_state(int lane, std::span<T> state) const {
  if (lanes_ == 1) {
    std::copy_n(&at(layout().state, 0), layout().state_count, state.begin());
    return;
  }
  for (int i = 0; i < layout().state_count; ++i) state[i] = at(layout().state + i, lane);
}

template <class T>
void LaneStepper<T>::run_for_some(const Kernel<T>& kernel, unsigned who, int first_kept, int kept_count) {
  const unsigned others = everyone_ & ~who;
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
void LaneStepper<T>::know(T t, std::span<const T> state, std::span<const T> parameters,
                          std::span<const T> accelerations, std::span<const T> multipliers) {
  point_[0] = t;
  std::copy(parameters.begin(), parameters.end(), std::copy(state.begin(), state.end(), point_.begin() + 1));
  std::copy(accelerations.begin(), accelerations.end(), acceleration_buffer_.begin());
  std::copy(multipliers.begin(), multipliers.end(), multiplier_buffer_.begin());
  knows_point_ = true;
}

template <class T>
bool LaneStepper<T>::is_at_known_point(int lane, T t) {
  bool is_same = knows_point_;
  T* place = point_.data();
  const auto put = [&](T value) {  // zeros have signs, which division tells apart
    if (*place == value && (value != 0 || 1 / *place == 1 / value)) {
      ++place;
      return;
    }
    is_same = false;
    *place++ = value;
  };
  const auto put_all = [&](int slot, int count) {
    const T* value = &at(slot, lane);
    for (int i = 0; i < count; ++i, value += lanes_) put(*value);
  };
  put(t);
  put_all(layout().state, layout().state_count);
  put_all(layout().parameters, layout().parameter_count);
  return is_same;
}

template <class T>
void LaneStepper<T>::guess_from_continuous_problem(int lane, T t) {
  if (!is_at_known_point(lane, t)) {
    const std::span<const T> all(point_);
    const StopShield shield;  // a step is no preparation
    knows_point_ = false;
    continuous_(t, all.subspan(1, layout().state_count), all.last(layout().parameter_count), acceleration_buffer_,
                multiplier_buffer_);
    knows_point_ = true;
  }
  for (int i = 0; i < layout().acceleration_count; ++i) at(layout().accelerations + i, lane) = acceleration_buffer_[i];
  for (int i = 0; i < layout().multiplier_count; ++i) at(layout().multipliers + i, lane) = multiplier_buffer_[i];
  run_for(program_->first_guess, 1U << lane, 0, layout().size);
  guessed_ |= 1U << lane;
}

template <class T>
unsigned LaneStepper<T>::finish(const StepPlan<T>& plan, unsigned who) {
  if (layout().observed_count > 0) run_for(plan.observe, who, 0, layout().size);
  const bool is_solved = !plan.solves.empty();  // what was iterated is finite
  if (!plan.is_watched && is_solved) {
    run_for(plan.finish, who, 0, layout().size);
    return who;
  }
  T* const moving = &at(layout().state, 0);
  std::copy_n(moving, moving_.size(), moving_.begin());
  run_for(plan.finish, who, 0, layout().size);
  unsigned good = who;
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) == 0) continue;
    bool is_good = !plan.is_watched || at(layout().watch, l) <= T(largest_growth);
    for (int i = 0; i < layout().solved_count(); ++i) is_good = is_good && is_finite(at(layout().state + i, l));
    if (is_good) continue;
    good &= ~(1U << l);
    for (std::size_t i = l; i < moving_.size(); i += lanes_) moving[i] = moving_[i];
  }
  return good;
}

template <class T>
unsigned LaneStepper<T>::attempt(const StepPlan<T>& plan, unsigned who, T t) {
  doubtful_ = 0;
  if (plan.has_constants && !has_constants_) {
    plan.constants(workspace_.get(), scratch_.data());
    has_constants_ = true;
  }
  settle_sides(false);
  for (std::size_t number = 0; number < plan.solves.size(); ++number) {
    if (plan.solves[number].has_prepare) run_for(plan.solves[number].prepare, who, 0, layout().size);
    who = solve(plan, number, who, t);
    if (who == 0) return 0;
  }
  settle_sides(true);
  if (program_->has_branch_sides) doubtful_ |= on_other_branch(plan, who);
  if ((doubtful_ & who) != 0) {
    who = confirm(plan, who, t);
    has_reversed_ = has_reversed_ || (program_->has_branch_sides && on_other_branch(plan, who) != 0);
  }
  return who == 0 ? 0 : finish(plan, who);
}

template <class T>
unsigned LaneStepper<T>::on_other_branch(const StepPlan<T>& plan, unsigned who) {
  run_for(plan.tell_branch, who, 0, layout().size);
  unsigned others = 0;
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) != 0 && at(layout().branch, l) < 0) others |= 1U << l;
  }
  return others;
}

template <class T>
bool LaneStepper<T>::step_by_plans(T t, T h) {
  set_time(t, h);
  begin_counts();
  unsigned waiting = everyone_ & ~failed_;
  if (h != last_h_) {
    guessed_ = 0;
    for (Lane& lane : lane_) lane.factors_age = 0;
    std::fill(lasting_.begin(), lasting_.end(), Lasting{});
    has_constants_ = false;
    last_h_ = h;
  }
  const unsigned without_guess = program_->is_explicit() ? 0U : waiting & ~guessed_;
  for (int l = 0; without_guess >> l != 0; ++l) {
    if ((without_guess >> l & 1U) != 0) guess_from_continuous_problem(l, t);
  }
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
  if (!turns_.empty()) fold_angles();
  failed_ |= waiting;
  for (int l = 0; waiting >> l != 0; ++l) {
    if ((waiting >> l & 1U) != 0) forget_factors(l);
  }
  if (keeps_factors()) {
    for (Lane& lane : lane_) lane.factors_age = lane.factors_age % most_steps_with_factors + 1;
  }
  total_iterations_ += iterations_;
  most_iterations_ = std::max(most_iterations_, iterations_);
  return failed_ == 0;
}

template <class T>
bool LaneStepper<T>::step_together(T t, T h) {
  set_time(t, h);
  begin_counts();
  (*explicit_.finish)(workspace_.get(), scratch_.data());
  for (int l = 0; l < lanes_; ++l) {
    if (!(at(explicit_.verdict, l) == 0 && at(explicit_.watch, l) <= T(largest_growth))) return take_back();
  }
  if (!turns_.empty()) fold_angles();
  last_h_ = h;
  return true;
}

template <class T>
bool LaneStepper<T>::take_back() {
  std::copy_n(&at(layout().before, 0), moving_.size(), &at(layout().state, 0));
  return false;
}

template <class T>
void LaneStepper<T>::prepare_to_advance() {
  loop_ = program_->loop();
  if (loop_ != nullptr) scratch_.resize(std::max(scratch_.size(), loop_->scratch_size()));
}

template <class T>
void LaneStepper<T>::set_loop(T t0, T h, long long first) {
  for (int l = 0; l < lanes_; ++l) {
    at(layout().h, l) = h;
    at(layout().start, l) = t0;
    at(layout().number, l) = T(first);
  }
}

template <class T>
long long LaneStepper<T>::repeat(T t0, T h, long long first, long long count) {
  if (loop_ == nullptr) return 0;
  set_loop(t0, h, first);
  return (*loop_)(workspace_.get(), scratch_.data(), count - 1);
}

template <class T>
void LaneStepper<T>::begin_explicitly() {
  std::copy_n(&at(layout().state, 0), moving_.size(), moving_.begin());
  std::fill_n(&at(layout().watched, 0), lanes_, T(0));
}

template <class T>
void LaneStepper<T>::step_explicitly(T t, T h) {
  set_time(t, h);
  program_->plans.front().finish(workspace_.get(), scratch_.data());
  for (int l = 0; l < lanes_; ++l) at(layout().watched, l) += at(layout().watch, l);
}

template <class T>
bool LaneStepper<T>::end_explicitly() {
  T* const moving = &at(layout().state, 0);
  const bool is_watched = program_->plans.front().is_watched;
  bool good = true;
  for (int l = 0; l < lanes_; ++l) good = good && (!is_watched || at(layout().watched, l) <= T(largest_growth));
  const auto count = static_cast<std::size_t>(layout().solved_count()) * lanes_;
  for (std::size_t i = 0; i < count; ++i) good &= is_finite(moving[i]);  // without a branch for each
  if (good) {
    fold_angles();
  } else {
    std::copy(moving_.begin(), moving_.end(), moving);
  }
  return good;
}

template <class T>
long long LaneStepper<T>::advance_explicitly(T t0, T h, long long first, long long count) {
  begin_explicitly();
  // The last step leaves everything behind that a step does.
  long long done = repeat(t0, h, first, count);
  for (; done == 0 || (done < count && !are_angles_due()); ++done) step_explicitly(t0 + T(first + done) * h, h);
  return end_explicitly() ? done : 0;
}

template <class T>
long long LaneStepper<T>::advance(T t0, T h, long long first, long long count) {
  long long done = 0, at_once = fewest_at_once;
  while (done < count) {
    if (can_advance_explicitly()) {
      if (const long long some = advance_explicitly(t0, h, first + done, std::min(at_once, count - done)); some > 0) {
        done += some;
        at_once = std::min(2 * at_once, most_at_once);
        continue;
      }
    }
    // One by one: a step may be none of the good ones.
    for (long long i = std::min(at_once, count - done); i > 0; --i) {
      const bool good = step(t0 + T(first + done) * h, h);
      if (!good && failed_ == everyone_) return done;
      ++done;
    }
    at_once = fewest_at_once;
  }
  return count;
}

template <class T>
template <class Self, class Visit>
void LaneStepper<T>::visit_all(Self& self, const Visit& visit) {
  const auto one = [&](auto& value) { visit(std::span(&value, 1)); };
  for (auto& lane : self.lane_) {
    one(lane.has_pivoted);
    one(lane.factors_age);
    one(lane.noise);
  }
  visit(std::span(self.side_));
  for (auto& factors : self.lasting_) {
    one(factors.are_good);
    one(factors.usual);
    one(factors.excess);
  }
  visit(self.turns_.taken_off());
  one(self.failed_);
  one(self.guessed_);
  one(self.last_h_);
  one(self.total_iterations_);
  one(self.pivoted_iterations_);
  one(self.most_iterations_);
}

/// What every step writes before it reads it, and what others do to it, is none of the state: it is saved as zero.
template <class T>
void LaneStepper<T>::save(ByteWriter& to) const {
  std::vector<T> workspace(workspace_.get(), workspace_.get() + saved_.size());
  const auto clear = [&](int slot, int count) {
    std::fill_n(workspace.begin() + static_cast<std::ptrdiff_t>(slot) * lanes_, count * lanes_, T(0));
  };
  for (const int slot : {layout().t, layout().start, layout().number, layout().watched, layout().verdict}) {
    clear(slot, 1);
  }
  clear(layout().before, layout().moving_count());
  to.put_all(std::span<const T>(workspace));
  visit_all(*this, [&](auto values) { to.put_all(std::span<const std::remove_cvref_t<decltype(values[0])>>(values)); });
  std::vector<T> numbers;
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    if (!is_saved(i)) continue;
    numbers.resize(linear_[i].number_count());
    linear_[i].copy_numbers(numbers);
    if (linear_[i].is_sparse()) {  // its order comes last
      const bool has_order = numbers.back() >= T(0);
      to.put(has_order);
      if (!has_order) continue;
    }
    to.put_all(std::span<const T>(numbers));
  }
}

template <class T>
void LaneStepper<T>::load(ByteReader& from) {
  from.get_all(std::span(workspace_.get(), saved_.size()));
  visit_all(*this, [&](auto values) {
    from.get_all(values);
    using Value = std::remove_cvref_t<decltype(values[0])>;
    if constexpr (std::is_same_v<Value, unsigned>) {
      for (const unsigned mask : values) require_saved((mask & ~everyone_) == 0);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      for (const Value number : values) require_counter(number < 0 ? ~number : number);
    }
  });
  std::fill(seen_side_.begin(), seen_side_.end(), T(0));
  has_seen_sides_ = has_constants_ = false;
  pivoted_ = 0;
  std::vector<T> numbers;
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    if (!is_saved(i)) continue;
    if (linear_[i].is_sparse() && !from.get<bool>()) {
      linear_[i].forget_order();
      continue;
    }
    numbers.resize(linear_[i].number_count());
    from.get_all(std::span(numbers));
    linear_[i].set_numbers(numbers);
  }
}

template class LaneStepper<double>;
template class LaneStepper<long double>;
template class LaneStepper<quad>;

}  // namespace noslip
