// Why a step has no numbers: the function that left its domain.
#pragma once

#include <span>
#include <string>

#include <noslip/run/step_program.hpp>

namespace noslip {

/// The function that has no value in what the user wrote, with its argument, as a sentence ("log(-0.2) has no value");
/// empty where everything is finite. Looked for on the way of a step of size h from a state (t, q, v, ...), as
/// positions and velocities describe it to first order. Not for inner loops.
template <class T>
std::string function_without_value(const System& system, std::span<const T> parameters, T t, T h,
                                   std::span<const T> state);

/// The same for the equations of a step at the values of its workspace: only functions that have a domain, since
/// iterates may become as large as they like.
template <class T>
std::string function_without_value(const StepRecipe& recipe, const StepLayout& layout, const T* workspace);

}  // namespace noslip
