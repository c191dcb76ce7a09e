#include "run/step_loops.hpp"

#include <noslip/run/turns.hpp>
#include <noslip/tape/side_by_side.hpp>

#include "exec/isa.hpp"

namespace noslip {

namespace {

/// A loop for `copies` workspaces in a row; it ends behind a step that lets an angle make more than a turn.
template <class T>
LoopKernel<T> guarded_loop(const StepProgram<T>& program, const Tape& tape, int copies) {
  typename LoopKernel<T>::Guard guard;
  for (int copy = 0; copy < copies; ++copy) {
    for (const int angle : program.angles) {
      guard.slots.push_back(static_cast<std::uint32_t>(copy * program.layout.size + program.layout.state + angle));
    }
  }
  guard.limit = FullTurn<T>().high;
  return LoopKernel<T>(tape, Backend::automatic, program.lanes, std::move(guard));
}

}  // namespace

template <class T>
LoopKernel<T> compile_loop(const StepProgram<T>& program) {
  return guarded_loop(program, program.plans.front().loop, 1);
}

template <class T>
LoopKernel<T> compile_loop_of_two(const StepProgram<T>& program) {
  const auto offset = static_cast<std::uint32_t>(program.layout.size);
  const std::uint32_t shared[] = {static_cast<std::uint32_t>(program.layout.h),
                                  static_cast<std::uint32_t>(program.layout.start)};
  return guarded_loop(program, side_by_side(program.plans.front().loop, offset, shared), 2);
}

bool is_loop_of_two_useful(int lanes) { return lanes == 8 && native_isa() == Isa::avx512; }

#define NOSLIP_INSTANTIATE(T)                                    \
  template LoopKernel<T> compile_loop(const StepProgram<T>&); \
  template LoopKernel<T> compile_loop_of_two(const StepProgram<T>&);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
