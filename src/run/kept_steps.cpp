// Looks up the step that a time belongs to.
#include "run/kept_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>

namespace noslip {

template <class T>
KeptSteps<T>::KeptSteps(T start, std::span<const T> state, std::span<const T> parameters, InsideStep<T> inside,
                        ToSample to_sample)
    : count_(state.size()),
      start_(start),
      end_(start),
      states_(state.begin(), state.end()),
      pieces_{{{parameters.begin(), parameters.end()}}},
      to_sample_(std::move(to_sample)),
      inside_(std::move(inside)),
      state_(count_) {}

template <class T>
void KeptSteps<T>::add(const StepView<T>& step) {
  observed_ = step.observed.size();
  const std::size_t after = states_.size();
  steps_.push_back({step.t, step.h, step.end, last_, after, changes_.size(), pieces_.size() - 1});
  states_.insert(states_.end(), step.after.begin(), step.after.end());
  changes_.insert(changes_.end(), step.observed.begin(), step.observed.end());
  last_ = after;
  end_ = step.end;
}

template <class T>
void KeptSteps<T>::cut(T t) {
  end_ = t;
}

template <class T>
void KeptSteps<T>::restart(T t, std::span<const T> state, std::span<const T> parameters, T jumps, bool has_moved) {
  end_ = t;
  last_ = states_.size();
  states_.insert(states_.end(), state.begin(), state.end());
  pieces_.push_back({{parameters.begin(), parameters.end()}, jumps, has_moved});
}

template <class T>
Sample KeptSteps<T>::at(double t) const {
  const DefaultArithmetic arithmetic;
  if (!(t >= begin() && t <= end())) {
    throw InputError(fmt::format("time {} is outside of the run", to_text(t)),
                     fmt::format("it goes from {} to {}", to_text(begin()), to_text(end())));
  }
  const std::lock_guard lock(mutex_);
  const T time = std::min(std::max(T(t), start_), end_);
  const std::span<const T> states(states_);
  const auto sample = [&](T at, std::span<const T> state, std::size_t piece) {
    return to_sample_(at, state, pieces_[piece].parameters, pieces_[piece].jumps);
  };
  if (steps_.empty()) return sample(start_, states.last(count_), pieces_.size() - 1);
  // The last step that begins before this time; or there, if inputs have changed and nothing has moved.
  auto later = std::lower_bound(steps_.begin() + 1, steps_.end(), time,
                                [](const Step& step, T asked) { return step.t < asked; });
  const bool has_changed = later != steps_.end() && later->t == time && later->piece != (later - 1)->piece;
  if (has_changed && !pieces_[later->piece].has_moved) ++later;
  const Step& found = *(later - 1);
  const StepView<T> step{found.t,
                         found.h,
                         found.end,
                         states.subspan(found.before, count_),
                         states.subspan(found.after, count_),
                         std::span<const T>(changes_).subspan(found.observed, observed_)};
  if (piece_ != found.piece) {
    piece_ = found.piece;
    inside_.set_parameters(pieces_[piece_].parameters);
  }
  const T theta = time >= step.end ? T(1) : std::min(std::max((time - step.t) / step.h, T(0)), T(1));
  if (!inside_.at(step, theta, state_)) {
    throw InputError(
        fmt::format("the state at time {} could not be found: a step that ends there has no solution", to_text(t)),
        "use a smaller step");
  }
  return sample(time, state_, found.piece);
}

template class KeptSteps<double>;
template class KeptSteps<long double>;
template class KeptSteps<quad>;

}  // namespace noslip
