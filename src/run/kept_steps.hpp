// Dense output of a whole run: every step with what its polynomials need.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include <noslip/run/dense_output.hpp>
#include <noslip/run/run.hpp>

#include "run/inside_step.hpp"

namespace noslip {

template <class T>
class KeptSteps final : public DenseOutput {
 public:
  /// A state as a sample, by the continuous problem.
  using ToSample = std::function<Sample(T t, std::span<const T> state)>;

  KeptSteps(T start, std::span<const T> state, InsideStep<T> inside, ToSample to_sample);

  void add(const StepView<T>& step);
  /// The run has ended inside the last step.
  void cut(T t) { end_ = t; }

  double begin() const override { return static_cast<double>(times_.front()); }
  double end() const override { return static_cast<double>(end_); }
  Sample at(double t) const override;

 private:
  std::size_t count_ = 0, observed_ = 0;  // numbers of a state, and of what is observed of a step
  std::vector<T> times_, states_, changes_;
  T end_;
  ToSample to_sample_;
  mutable InsideStep<T> inside_;
  mutable std::vector<T> state_;
  mutable std::mutex mutex_;
};

}  // namespace noslip
