// Systems with inputs that are linear in time (with_linear_inputs).
#pragma once

#include <string>

namespace noslip {

/// Its value at a time, which is an input of with_linear_inputs().
inline std::string linear_name(const std::string& input) { return input + "_at"; }

/// Lets go of the systems that have been made.
void forget_linear_inputs();

}  // namespace noslip
