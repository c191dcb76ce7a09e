// Inputs of a system by their names.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <noslip/model/system.hpp>

namespace noslip {

/// Place among System::inputs(). If there is no input of this name, a problem is added that says which ones there are,
/// and the result is their number. Allocates nothing otherwise.
std::size_t find_input(const System& system, std::string_view name, std::vector<Problem>& problems);

}  // namespace noslip
