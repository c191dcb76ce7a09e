// Long texts as a person can read them. JSON documents have all of them.
#pragma once

#include <string>
#include <vector>

#include <noslip/expr/short_list.hpp>
#include <noslip/model/system.hpp>

namespace noslip::app {

/// "m = 1, J = m*a^2"
std::string defaults_text(const std::vector<Parameter>& parameters);

/// An expression, cut where it is very long.
std::string short_expression(const std::string& text);

}  // namespace noslip::app
