// The manual page of the tool.
#pragma once

#include <string>
#include <string_view>

namespace noslip::app {

/// In roff, for man.
std::string manual_page(std::string_view version);

}  // namespace noslip::app
