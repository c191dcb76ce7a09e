#include <noslip/exec/loop_kernel.hpp>

#include <type_traits>

#include "exec/kernel_access.hpp"
#include "exec/machine_code.hpp"

namespace noslip {
namespace {

MachineCode::LoopEntry loop_entry(const void* code) {
  return reinterpret_cast<MachineCode::LoopEntry>(reinterpret_cast<std::uintptr_t>(code));
}

}  // namespace

template <class T>
bool LoopKernel<T>::is_guarded_value_large(const T* workspace) const {
  for (const std::uint32_t slot : guard_.slots) {
    for (int lane = 0; lane < lanes_; ++lane) {
      const T value = workspace[static_cast<std::size_t>(slot) * static_cast<std::size_t>(lanes_) + lane];
      if (value > guard_.limit || value < -guard_.limit) return true;
    }
  }
  return false;
}

template <class T>
long long LoopKernelAccess<T>::call_in_a_row(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count) {
  for (long long done = 1; done <= count; ++done) {
    kernel.once_(workspace, scratch);
    if (kernel.is_guarded_value_large(workspace)) return done;
  }
  return count;
}

template <class T>
long long LoopKernelAccess<T>::run_code(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count) {
  if constexpr (std::is_same_v<T, double>) return loop_entry(kernel.machine_code_.get())(workspace, scratch, count);
  return 0;
}

template <class T>
long long LoopKernelAccess<T>::run_code_twice(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count) {
  run_code(kernel, workspace, scratch, count);
  return run_code(kernel, workspace + kernel.lanes_ / 2, scratch, count);
}

template <class T>
bool LoopKernelAccess<T>::build(LoopKernel<T>& kernel, const Tape& tape, int lanes, typename LoopKernel<T>::Guard guard,
                                Isa isa) {
  if constexpr (std::is_same_v<T, double>) {
    const MachineCode code = compile_loop(tape, lanes, isa, {guard.slots, guard.limit});
    if (code.entry == nullptr) return false;
    kernel.machine_code_ = code.entry;
    kernel.scratch_size_ = code.scratch_size;
    kernel.lanes_ = lanes;
    kernel.guard_ = std::move(guard);
    kernel.run_ = code.passes == 2 ? run_code_twice : run_code;
    return true;
  }
  return false;
}

template <class T>
void LoopKernelAccess<T>::build(LoopKernel<T>& kernel, Kernel<T> once, typename LoopKernel<T>::Guard guard) {
  kernel.once_ = std::move(once);
  kernel.scratch_size_ = kernel.once_.scratch_size();
  kernel.lanes_ = kernel.once_.lanes();
  kernel.guard_ = std::move(guard);
  kernel.run_ = call_in_a_row;
}

template <class T>
LoopKernel<T>::LoopKernel(const Tape& tape, Backend backend, int lanes, Guard guard) {
  const bool compiles = KernelAccess<T>::wants_machine_code(tape, backend, lanes);
  if (compiles && LoopKernelAccess<T>::build(*this, tape, lanes, guard, native_isa())) return;
  LoopKernelAccess<T>::build(*this, Kernel<T>(tape, backend, lanes), std::move(guard));
}

template class LoopKernel<double>;
template class LoopKernel<long double>;
template class LoopKernel<quad>;
template struct LoopKernelAccess<double>;

}  // namespace noslip
