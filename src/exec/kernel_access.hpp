// How kernels are put together; tests use it to ask for an instruction set below that of the processor.
#pragma once

#include <cassert>

#include <noslip/exec/kernel.hpp>
#include <noslip/exec/loop_kernel.hpp>

#include "exec/isa.hpp"

namespace noslip {

template <class T>
struct KernelAccess {
  /// Whether to make machine code for a backend. InputError for what a kernel cannot have.
  static bool wants_machine_code(const Tape& tape, Backend backend, int lanes);
  /// `isa` must not exceed native_isa(). `backend` is jit or interpreter. False where the system has no executable
  /// memory left for machine code.
  static bool build(Kernel<T>& kernel, const Tape& tape, Backend backend, int lanes, Isa isa);
  static Kernel<T> make(const Tape& tape, Backend backend, int lanes, Isa isa) {
    Kernel<T> kernel;
    [[maybe_unused]] const bool is_built = build(kernel, tape, backend, lanes, isa);
    assert(is_built);
    return kernel;
  }

 private:
  static void run_program(const Kernel<T>& kernel, T* workspace, T* scratch);
  static void run_code(const Kernel<T>& kernel, T* workspace, T* scratch);
  static void run_code_twice(const Kernel<T>& kernel, T* workspace, T* scratch);
};

template <class T>
struct LoopKernelAccess {
  /// Machine code for the loop; false where there is none for it.
  static bool build(LoopKernel<T>& kernel, const Tape& tape, int lanes, typename LoopKernel<T>::Guard guard, Isa isa);
  /// Calls of a kernel.
  static void build(LoopKernel<T>& kernel, Kernel<T> once, typename LoopKernel<T>::Guard guard);
  static LoopKernel<T> make(const Tape& tape, Backend backend, int lanes, Isa isa,
                            typename LoopKernel<T>::Guard guard = {}) {
    LoopKernel<T> kernel;
    if (backend == Backend::jit && build(kernel, tape, lanes, guard, isa)) return kernel;
    build(kernel, KernelAccess<T>::make(tape, backend, lanes, isa), std::move(guard));
    return kernel;
  }

 private:
  static long long call_in_a_row(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count);
  static long long run_code(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count);
  static long long run_code_twice(const LoopKernel<T>& kernel, T* workspace, T* scratch, long long count);
};

}  // namespace noslip
