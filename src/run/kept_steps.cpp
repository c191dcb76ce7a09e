// Looks up the step that a time belongs to.
#include "run/kept_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace noslip {

template <class T>
KeptSteps<T>::KeptSteps(T start, std::span<const T> state, InsideStep<T> inside, ToSample to_sample)
    : count_(state.size()),
      times_{start},
      states_(state.begin(), state.end()),
      end_(start),
      to_sample_(std::move(to_sample)),
      inside_(std::move(inside)),
      state_(count_) {}

template <class T>
void KeptSteps<T>::add(const StepView<T>& step) {
  observed_ = step.observed.size();
  times_.push_back(step.end);
  states_.insert(states_.end(), step.after.begin(), step.after.end());
  changes_.insert(changes_.end(), step.observed.begin(), step.observed.end());
  end_ = times_.back();
}

template <class T>
Sample KeptSteps<T>::at(double t) const {
  if (!(t >= begin() && t <= end())) {
    throw InputError(fmt::format("time {} is outside of the run", to_text(t)),
                     fmt::format("it goes from {} to {}", to_text(begin()), to_text(end())));
  }
  const std::lock_guard lock(mutex_);
  const T time = std::min(std::max(T(t), times_.front()), end_);
  // The first step that does not end before this time.
  const auto next = std::lower_bound(times_.begin() + 1, times_.end(), time);
  if (next == times_.end()) return to_sample_(times_.back(), std::span(states_).last(count_));
  const auto i = static_cast<std::size_t>(next - times_.begin()) - 1;
  const StepView<T> step{times_[i],
                         times_[i + 1] - times_[i],
                         times_[i + 1],
                         std::span(states_).subspan(i * count_, count_),
                         std::span(states_).subspan((i + 1) * count_, count_),
                         std::span(changes_).subspan(i * observed_, observed_)};
  const T theta = std::min(std::max((time - step.t) / step.h, T(0)), T(1));
  if (!inside_.at(step, theta, state_)) {
    throw InputError(
        fmt::format("the state at time {} could not be found: a step that ends there has no solution", to_text(t)),
        "use a smaller step");
  }
  return to_sample_(time, state_);
}

template class KeptSteps<double>;
template class KeptSteps<long double>;
template class KeptSteps<quad>;

}  // namespace noslip
