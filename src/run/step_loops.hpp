// Many explicit steps in one call.
#pragma once

#include <noslip/run/step_program.hpp>

namespace noslip {

/// The loop of an explicit first plan whose steps are short (StepPlan::can_loop).
template <class T>
LoopKernel<T> compile_loop(const StepProgram<T>& program);
/// For two workspaces, one behind the other.
template <class T>
LoopKernel<T> compile_loop_of_two(const StepProgram<T>& program);
/// The registers have room for two steps, and these are the fastest kernels.
bool is_loop_of_two_useful(int lanes);

}  // namespace noslip
