// What a user has written, in the middle of a message.
#pragma once

#include <string>
#include <string_view>

namespace noslip {

/// Fit for a message: at most 60 characters, none of them invisible.
std::string shortened(std::string_view text);

}  // namespace noslip
