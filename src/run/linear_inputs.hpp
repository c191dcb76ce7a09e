// What an input that is linear in time is called among the inputs of the system that has it.
#pragma once

#include <string>

namespace noslip {

/// Its value at a time, which is an input of with_linear_inputs().
inline std::string linear_name(const std::string& input) { return input + "_at"; }

}  // namespace noslip
