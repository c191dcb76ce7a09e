// Events as a user writes them: `EXPR`, `EXPR,up`, `EXPR,down,stop`, `EXPR,stop=3`.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/run/event.hpp>

namespace noslip {

/// Adds what is wrong to the problems; `option` is what messages call the option, "--event".
Event read_event(const std::string& text, const std::string& option, std::vector<Problem>& problems);

}  // namespace noslip
