// The kernel of a step that needs no iteration.
#pragma once

#include <cstddef>

#include <noslip/run/step_program.hpp>

namespace noslip {

/// Where an explicit step takes longer, the way through memory between two steps does not count. What changes with
/// parameters and step size alone is then computed once for many steps.
inline constexpr std::size_t most_instructions = 1000;

/// The whole of an explicit step, which may have to be taken back.
Tape explicit_step(const Tape& finish, const StepLayout& layout);

}  // namespace noslip
