// What is watched along a motion without being part of it: [outputs] and guards.
#pragma once

#include <vector>

#include "model/system_data.hpp"

namespace noslip {

/// Reads them when everything else is there. Names have been looked at by Names.
void watch(const SystemText& text, SystemData& data, std::vector<Problem>& problems);

}  // namespace noslip
