// Systems with inputs for the tests of control and of steppers.
#pragma once

#include <string>

#include "run/help.hpp"

namespace noslip::testing {

/// x'' = u.
inline std::string cart_text(const std::string& more = "") {
  return "name = 'cart'\ncoordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 0\n[forces]\nx = 'u'\n" + more;
}
inline System cart(const std::string& more = "") { return System::parse(cart_text(more)); }

/// A cart with a spring of its own, a force from outside, and friction; the force times x is part of the energy.
inline System pushed_cart() {
  return System::parse(R"toml(
    name        = "pushed cart"
    coordinates = ["x"]
    lagrangian  = "x'^2/2 - k*x^2/2 + u*x"
    [parameters]
    k = 4
    [inputs]
    u = 0
    w = 0
    [forces]
    x = "w - x'/10"
    [initial]
    q = [1])toml");
}

inline System sampled_cart() {
  return System::parse(R"toml(
    name        = "sampled cart"
    coordinates = ["x", "phi"]
    lagrangian  = "x'^2/2 + phi'^2/4 - cos(phi)/10"
    constraints = ["x' = phi'"]
    [parameters]
    T = 0.05
    [inputs]
    u = 0
    [forces]
    x = "u"
    [sampled]
    every = "T"
    delay = "1.5*T"
    I = "last(I) + T*x"
    u = "-x - x' - I/10"
    [initial]
    q = [1, 0])toml");
}

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
