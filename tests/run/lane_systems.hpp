// Mechanical systems of many shapes for tests of lanes.
#pragma once

#include <vector>

#include "run/help.hpp"

namespace noslip::testing {

inline std::vector<System> lane_systems() {
  std::vector<System> systems{particle(), curved_particle(), skate(), sleigh()};
  const char* texts[] = {
      // no constraint, a full mass matrix, angles that turn
      R"toml(name = "double pendulum"
        coordinates = ["a", "b"]
        angles      = ["a", "b"]
        lagrangian  = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*g*cos(a) + g*cos(b)"
        [parameters]
        g = 9.81
        [initial]
        v = [90, 70])toml",
      R"toml(name = "disk"
        coordinates = ["x", "y", "phi", "psi"]
        angles      = ["phi", "psi"]
        lagrangian  = "m/2*(x'^2 + y'^2) + phi'^2 + psi'^2/3"
        constraints = ["x' = psi'*cos(phi)", "y' = psi'*sin(phi)"]
        [parameters]
        m = 2
        [initial]
        v = [90, 0, 70, 90])toml",
      R"toml(name = "spherical pendulum"
        coordinates = ["x", "y", "z"]
        lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - z"
        holonomic   = ["x^2 + y^2 + z^2 = 1"]
        [initial]
        q = [0.6, 0, -0.8]
        v = [0, 1, 0])toml",
      R"toml(name = "driven"
        coordinates = ["x", "y", "theta"]
        angles      = ["theta"]
        lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - x*y/5 - y*cos(t)/4"
        constraints = ["cos(theta)*(y' + t/4) = sin(theta)*(x' - cos(2*t)/2)"]
        [inputs]
        u = 0.3
        [forces]
        x = "u - x'/4 - y/10"
        [initial]
        q = [1, 0.2, 0]
        v = [0.3, 0, 0.8])toml",
      R"toml(name = "ball with a body frame"
        coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
        lagrangian  = "(x'^2 + y'^2)/2 + (w1^2 + 2*w2^2 + 3*w3^2)/2"
        constraints = ["x' = R21*w1 + R22*w2 + R23*w3", "y' = -(R11*w1 + R12*w2 + R13*w3)"]
        [initial]
        v = [1, 0.5, 0.2, 0.5, -1])toml",
      R"toml(name = "free masses"
        coordinates = ["a", "b", "c", "d", "u"]
        lagrangian  = "(a'^2 + b'^2 + c'^2 + d'^2 + u'^2)/2 - (a - b)^2 - (b - c)^4 - (c - d)^2 - (d - u)^4 - a^2"
        [initial]
        q = [0.1, 0.3, -0.2, 0, 0.5])toml"};
  for (const char* text : texts) systems.push_back(System::parse(text));
  return systems;
}

}  // namespace noslip::testing
