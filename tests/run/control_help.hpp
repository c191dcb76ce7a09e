// Systems with inputs for the tests of control.
#pragma once

#include <string>

#include "run/help.hpp"

namespace noslip::testing {

/// x'' = u.
inline std::string cart_text(const std::string& more = "") {
  return "name = 'cart'\ncoordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 0\n[forces]\nx = 'u'\n" + more;
}
inline System cart(const std::string& more = "") { return System::parse(cart_text(more)); }

/// A robot on two wheels, which falls.
inline const char* const segway_text = R"toml(
name        = "segway"
coordinates = ["x", "pitch", "wheel"]
angles      = ["wheel"]
lagrangian  = """0.33*x'^2 + 0.0432*cos(pitch)*x'*pitch' + 0.002*pitch'^2 + 2.4e-5*wheel'^2 - 0.424*cos(pitch)"""
constraints = ["x' = 0.04*wheel'"]
[inputs]
tau = 0
[forces]
wheel = "tau"
pitch = "-tau"
[initial]
q = { pitch = 0.1 }
)toml";

}  // namespace noslip::testing
