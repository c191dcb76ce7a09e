// How kernels are put together; tests use it to ask for an instruction set below that of the processor.
#pragma once

#include <cassert>

#include <noslip/exec/kernel.hpp>

#include "exec/isa.hpp"

namespace noslip {

template <class T>
struct KernelAccess {
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

}  // namespace noslip
