// Two steppers of one program that advance together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <noslip/run/lane_stepper.hpp>

namespace noslip {

/// Short explicit steps wait for their own results most of the time. Two groups of lanes in one loop
/// (StepProgram::loop_of_two) use that time; each has the bits that it has alone. Allocates nothing once it is made.
template <class T>
class LanePair {
 public:
  /// Both steppers have advance() prepared. They outlive the pair.
  LanePair(LaneStepper<T>& first, LaneStepper<T>& second);

  /// LaneStepper::advance() of both.
  void advance(T t0, T h, long long first, long long count);

 private:
  /// As many explicit steps of both as LaneStepper::advance_explicitly makes of one; one that has met a bad step catches
  /// up by itself. Returns how many.
  long long advance_explicitly(T t0, T h, long long first, long long count);
  long long repeat(T t0, T h, long long first, long long count);

  LaneStepper<T>*first_, *second_;
  const LoopKernel<T>* loop_ = nullptr;
  std::vector<std::uint32_t> read_, stored_;  ///< slots of one of them
  std::vector<T> memory_, scratch_;
  T* workspace_ = nullptr;  ///< of the first, then of the second; aligned, in memory_
};

extern template class LanePair<double>;

}  // namespace noslip
