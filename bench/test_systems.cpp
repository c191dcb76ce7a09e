// System files of the test systems.
#include "test_systems.hpp"

const std::vector<TestSystem>& test_systems() {
  static const std::vector<TestSystem> all = {
      // L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8.1.
      {TestCase::particle, "nonholonomic particle", 250, R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2"
constraints = ["z' = y*x'"]

[initial]
q = [1, 0, 0]
v = [0, 1, 0]
)toml"},
      // The same, section 8.2.
      {TestCase::skate, "skate", 100, R"toml(
coordinates = ["x", "y", "phi"]
lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x"
constraints = ["cos(phi)*y' = sin(phi)*x'"]

[initial]
q = [0, 0, 0]
v = [0, 0, 1]
)toml"},
      // The chaotic particles of McLachlan and Perlmutter with their initial values for j = 5 and J = 9.
      {TestCase::chaotic_particles, "chaotic particles, 7 coordinates", 50, R"toml(
coordinates = ["x", "w1", "w2", "w3", "z1", "z2", "z3"]
lagrangian  = """(x'^2 + w1'^2 + w2'^2 + w3'^2 + z1'^2 + z2'^2 + z3'^2)/2
  - (x^2 + w1^2 + w2^2 + w3^2 + z1^2 + z2^2 + z3^2 + z1^2*z2^2 + w1^2*z1^2 + w2^2*z2^2 + w3^2*z3^2)/2"""
constraints = ["x' + w1*z1' + w2*z2' + w3*z3' = 0"]

[parameters]
j = 5
J = 9

[initial]
q = { x = "cos(j*pi/(2*J))", w1 = 0.6, w2 = 0.4, w3 = 0.2, z1 = 1, z2 = 1, z3 = 1 }
v = { x = 0, w1 = "sin(j*pi/(2*J))", w2 = 0, w3 = 0, z1 = 0, z2 = 0, z3 = 0 }
)toml"},
      // In coordinates of the centre of mass, so that the mass matrix is constant; on an incline.
      {TestCase::sleigh, "Chaplygin sleigh", 100, R"toml(
coordinates = ["X", "Y", "theta"]
lagrangian  = "(X'^2 + Y'^2 + theta'^2)/2 - g*Y"
constraints = ["cos(theta)*Y' - sin(theta)*X' - theta' = 0"]

[parameters]
g = 0.1

[initial]
q = [2, 0, 0]
v = [0, 0, 0]
)toml"},
  };
  return all;
}
