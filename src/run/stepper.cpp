// Newton's iteration, lane by lane: factorise once, reuse while it contracts, factorise again or pivot where it does not.
#include <noslip/run/stepper.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <type_traits>

namespace noslip {

namespace {

constexpr int most_iterations_allowed = 60;
constexpr double poor_contraction = 0.125;
constexpr int slow_before_pivoting = 2;
constexpr int largest_lane_count = 8;
constexpr double largest_growth = 1e6;  // of an inverse pivot, against the state where the order was chosen

template <class T>
constexpr T epsilon() {
  if constexpr (std::is_same_v<T, quad>) {
    return quad(1) / (quad(1ULL << 56) * quad(1ULL << 56));
  } else {
    return std::numeric_limits<T>::epsilon();
  }
}

/// Relative size of corrections up to which they may be rounding errors at all.
template <class T>
constexpr T largest_floor() {
  return std::is_same_v<T, double> ? T(1e-8) : std::is_same_v<T, quad> ? T(1e-17) : T(1e-9);
}

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
      acceleration_buffer_(layout().dimension),
      multiplier_buffer_(layout().multiplier_count),
      correction_(layout().unknown_count),
      lane_(lanes_) {
  const std::size_t size = static_cast<std::size_t>(layout().size) * lanes_;
  workspace_.reset(static_cast<T*>(::operator new[](std::max<std::size_t>(size, 1) * sizeof(T), std::align_val_t(64))));
  std::fill_n(workspace_.get(), size, T(0));
  saved_.resize(size);
  for (const SolveProgram<T>& solve : program_->solves) {
    for (int l = 0; l < lanes_; ++l) dense_.emplace_back(solve.count);
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
  lane_[lane].floor = 64 * epsilon<T>();
}

template <class T>
void Stepper<T>::copy_state(int lane, std::span<T> state) const {
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
  copy_state(lane, state_buffer_);
  continuous_(t, state_buffer_, acceleration_buffer_, multiplier_buffer_);
  for (int i = 0; i < layout().dimension; ++i) at(layout().accelerations + i, lane) = acceleration_buffer_[i];
  for (int i = 0; i < layout().multiplier_count; ++i) at(layout().multipliers + i, lane) = multiplier_buffer_[i];
  run_for(program_->first_guess, 1U << lane, 0, layout().size);
}

template <class T>
void Stepper<T>::judge(Lane& lane, T norm, T scale, T watch) const {
  const T previous = lane.previous;
  const bool first = lane.iterations == 0;
  lane.previous = norm;
  ++lane.iterations;
  // The correction after this one is about norm * (norm / previous).
  const bool next_is_small = to_rounding_ && !first && norm <= previous && norm * norm <= stop_ * scale * previous;
  const bool stagnates = !first && norm > T(0.25) * previous && norm <= lane.floor * scale;
  const bool pivots = lane.mode == Mode::pivoted || lane.mode == Mode::pivoted_reuse;
  const bool pivots_are_small = !pivots && !(watch <= T(largest_growth));
  if (!pivots_are_small && (norm <= stop_ * scale || next_is_small || stagnates)) {
    lane.done = true;
    return;
  }
  const bool poor = !first && norm > T(poor_contraction) * previous;
  if (poor && norm > T(0.25) * previous) ++lane.slow;
  // Where exact Jacobians with pivoting do not help any more and corrections are small, they are rounding errors,
  // amplified by the condition of the equations. The next steps need not find this out again.
  if (pivots && lane.slow > slow_before_pivoting + 2 && norm <= largest_floor<T>() * scale) {
    lane.floor = std::min(4 * norm / scale, largest_floor<T>());
    lane.done = true;
    return;
  }
  if (!is_finite(norm) || !is_finite(scale) || lane.iterations >= most_iterations_allowed || lane.slow > 12) {
    lane.failed = true;
    return;
  }
  if (pivots || pivots_are_small || lane.slow > slow_before_pivoting) {
    lane.mode = pivots && !poor ? Mode::pivoted_reuse : Mode::pivoted;
  } else {
    lane.mode = poor ? Mode::factorise : Mode::reuse;
  }
}

template <class T>
void Stepper<T>::pivoted_correction(std::size_t number, int lane, bool new_jacobian) {
  const SolveProgram<T>& solve = program_->solves[number];
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
  const std::span<T> correction(correction_.data(), solve.count);
  for (int i = 0; i < solve.count; ++i) correction[i] = -at(solve.residual_slot + i, lane);
  dense.solve(correction);
  for (int i = 0; i < solve.count; ++i) at(layout().unknowns + solve.first + i, lane) += correction[i];
  T norm = 0;
  for (const int i : solve.deciding) norm += size_of(correction[i]);
  at(layout().norm, lane) = norm;
  at(layout().watch, lane) = T(0);
}

template <class T>
void Stepper<T>::iterate(std::size_t number, Mode mode, unsigned who, unsigned waiting) {
  const SolveProgram<T>& solve = program_->solves[number];
  // Of a lane that is done only the unknowns matter any more; one that waits for its turn needs its factors too.
  const int first_kept = waiting != 0 ? 0 : layout().unknowns;
  const int kept_count = waiting != 0 ? layout().size : layout().unknown_count;
  const auto run = [&](const Kernel<T>& kernel) { run_for(kernel, who, first_kept, kept_count); };
  switch (mode) {
    case Mode::factorise: return run(solve.factorise);
    case Mode::reuse: return run(solve.reuse);
    case Mode::pivoted: run(solve.linearise); break;
    case Mode::pivoted_reuse: run(solve.residual); break;
  }
  for (int l = 0; l < lanes_; ++l) {
    if ((who >> l & 1U) != 0) pivoted_correction(number, l, mode == Mode::pivoted);
  }
}

template <class T>
void Stepper<T>::start_again(std::size_t number, int lane, T t) {
  Lane& state = lane_[lane];
  const int attempt = state.attempt + 1;
  iterations_ += state.iterations;
  state.restart();
  state.attempt = attempt;
  state.mode = attempt == 1 && program_->solves[number].fused ? Mode::factorise : Mode::pivoted;
  if (attempt > 2) {
    state.failed = true;
    return;
  }
  // What earlier solves of this step have found stays.
  const int found = program_->solves[number].first;
  for (int i = 0; i < found; ++i) correction_[i] = at(layout().unknowns + i, lane);
  guess_from_continuous_problem(lane, t);
  for (int i = 0; i < found; ++i) at(layout().unknowns + i, lane) = correction_[i];
}

template <class T>
bool Stepper<T>::solve_alone(std::size_t number, T t) {
  const SolveProgram<T>& solve = program_->solves[number];
  T* const workspace = workspace_.get();
  T* const scratch = scratch_.data();
  Lane& lane = lane_[0];
  if (lane.failed) return false;
  lane.restart();
  lane.mode = solve.fused ? Mode::factorise : Mode::pivoted;
  while (!lane.done) {
    switch (lane.mode) {
      case Mode::factorise: solve.factorise(workspace, scratch); break;
      case Mode::reuse: solve.reuse(workspace, scratch); break;
      case Mode::pivoted:
        solve.linearise(workspace, scratch);
        pivoted_correction(number, 0, true);
        break;
      case Mode::pivoted_reuse:
        solve.residual(workspace, scratch);
        pivoted_correction(number, 0, false);
        break;
    }
    judge(lane, workspace[layout().norm], workspace[layout().scale], workspace[layout().watch]);
    if (lane.failed) start_again(number, 0, t);
    if (lane.failed) return false;
  }
  iterations_ += lane.iterations;
  return true;
}

template <class T>
bool Stepper<T>::move_together(std::size_t number) {
  const SolveProgram<T>& solve = program_->solves[number];
  const T* const norm = &at(layout().norm, 0);
  const T* const scale = &at(layout().scale, 0);
  const T* const watch = &at(layout().watch, 0);
  T previous[largest_lane_count] = {};
  for (int round = 1;; ++round) {
    (round == 1 ? solve.factorise : solve.reuse)(workspace_.get(), scratch_.data());
    // The conditions of judge(), for all lanes at once and without branches.
    bool all_small = to_rounding_, all_contract = to_rounding_ && round < most_iterations_allowed;
    for (int l = 0; l < lanes_; ++l) {
      const T limit = stop_ * scale[l];
      const bool small = (norm[l] <= limit) | ((norm[l] <= previous[l]) & (norm[l] * norm[l] <= limit * previous[l]));
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
        lane.restart();
        lane.iterations = round - 1;
        lane.previous = previous[l];
        lane.mode = round == 1 ? Mode::factorise : Mode::reuse;
        judge(lane, norm[l], scale[l], watch[l]);
      }
      return false;
    }
    for (int l = 0; l < lanes_; ++l) previous[l] = norm[l];
  }
}

template <class T>
bool Stepper<T>::solve_lanes(std::size_t number, T t) {
  const bool fused = program_->solves[number].fused;
  const bool all_alive = std::none_of(lane_.begin(), lane_.end(), [](const Lane& lane) { return lane.failed; });
  if (fused && all_alive) {
    if (move_together(number)) return true;
    for (int l = 0; l < lanes_; ++l) {
      if (lane_[l].failed) start_again(number, l, t);
    }
  } else {
    for (Lane& lane : lane_) {
      const bool failed = lane.failed;
      lane.restart();
      lane.mode = fused ? Mode::factorise : Mode::pivoted;
      lane.failed = failed;
    }
  }
  unsigned active = 0;
  for (int l = 0; l < lanes_; ++l) active |= lane_[l].done || lane_[l].failed ? 0U : 1U << l;
  while (active != 0) {
    // A lane moves once per round: its verdict, and with it the mode of its next iteration, comes after all have moved.
    unsigned in_mode[4] = {};
    for (int l = 0; l < lanes_; ++l) {
      if ((active >> l & 1U) != 0) in_mode[static_cast<int>(lane_[l].mode)] |= 1U << l;
    }
    for (const Mode mode : {Mode::factorise, Mode::reuse, Mode::pivoted, Mode::pivoted_reuse}) {
      const unsigned who = in_mode[static_cast<int>(mode)];
      if (who != 0) iterate(number, mode, who, active & ~who);
    }
    for (int l = 0; l < lanes_; ++l) {
      if ((active >> l & 1U) == 0) continue;
      Lane& lane = lane_[l];
      judge(lane, at(layout().norm, l), at(layout().scale, l), at(layout().watch, l));
      if (lane.failed) start_again(number, l, t);
      if (lane.failed || lane.done) active &= ~(1U << l);
    }
  }
  bool good = true;
  int most = 0;
  for (const Lane& lane : lane_) {
    good = good && !lane.failed;
    most = std::max(most, lane.iterations);
  }
  iterations_ += most;
  return good;
}

template <class T>
bool Stepper<T>::step(T t, T h) {
  for (int l = 0; l < lanes_; ++l) {
    at(layout().t, l) = t;
    at(layout().h, l) = h;
  }
  for (int l = 0; l < lanes_; ++l) {
    if (lane_[l].failed || (lane_[l].has_guess && h == last_h_)) continue;
    guess_from_continuous_problem(l, t);
    lane_[l].has_guess = true;
  }
  last_h_ = h;
  iterations_ = 0;
  bool good = true;
  for (std::size_t number = 0; number < program_->solves.size(); ++number) {
    good = (lanes_ == 1 ? solve_alone(number, t) : solve_lanes(number, t)) && good;
  }
  unsigned moving = 0;
  for (int l = 0; l < lanes_; ++l) moving |= lane_[l].failed ? 0U : 1U << l;
  if (moving != 0) run_for(program_->finish, moving, 0, layout().size);
  total_iterations_ += iterations_;
  most_iterations_ = std::max(most_iterations_, iterations_);
  return good;
}

template <class T>
long long Stepper<T>::advance(T t0, T h, long long first, long long count) {
  for (long long i = 0; i < count; ++i) {
    const bool good = step(t0 + T(first + i) * h, h);
    if (!good && std::all_of(lane_.begin(), lane_.end(), [](const Lane& lane) { return lane.failed; })) return i;
  }
  return count;
}

template class Stepper<double>;
template class Stepper<long double>;
template class Stepper<quad>;

}  // namespace noslip
