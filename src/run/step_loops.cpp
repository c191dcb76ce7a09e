// Many explicit steps in one call.
#include <noslip/run/step_program.hpp>
#include <noslip/run/turns.hpp>
#include <noslip/tape/side_by_side.hpp>

#include "exec/isa.hpp"

namespace noslip {

template <class T>
LoopKernel<T> StepProgram<T>::compile_loop(const Tape& tape, int copies) const {
  typename LoopKernel<T>::Guard guard;
  for (int copy = 0; copy < copies; ++copy) {
    for (const int angle : angles) {
      guard.slots.push_back(static_cast<std::uint32_t>(copy * layout.size + layout.state + angle));
    }
  }
  guard.limit = FullTurn<T>().high;
  return LoopKernel<T>(tape, Backend::automatic, lanes, std::move(guard));
}

template <class T>
const LoopKernel<T>* StepProgram<T>::loop() const {
  const StepPlan<T>& plan = plans.front();
  if (!plan.can_loop) return nullptr;
  return &loop_.get([&] { return compile_loop(plan.loop, 1); });
}

template <class T>
const LoopKernel<T>* StepProgram<T>::loop_of_two() const {
  const StepPlan<T>& plan = plans.front();
  if (!plan.can_loop || lanes < 8 || native_isa() != Isa::avx512) return nullptr;
  return &loop_of_two_.get([&] {
    const auto offset = static_cast<std::uint32_t>(layout.size);
    const std::uint32_t shared[] = {static_cast<std::uint32_t>(layout.h), static_cast<std::uint32_t>(layout.start)};
    return compile_loop(side_by_side(plan.loop, offset, shared), 2);
  });
}

#define NOSLIP_INSTANTIATE(T)                                    \
  template const LoopKernel<T>* StepProgram<T>::loop() const; \
  template const LoopKernel<T>* StepProgram<T>::loop_of_two() const;
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
