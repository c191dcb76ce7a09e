// A sledge stands on a knife edge at (x, y) with the heading theta and carries a pendulum: its bob (X, Y, Z) hangs on a
// rod of the length l from the point (x + a cos(theta), y + a sin(theta), 0).
// With the rod (A, B, Z) = (X - x - a cos(theta), Y - y - a sin(theta), Z):
//   M x'' = -2 A lambda_2 - lambda_1 sin(theta),  M y'' = -2 B lambda_2 + lambda_1 cos(theta),
//   J theta'' = 2 a (A sin(theta) - B cos(theta)) lambda_2,
//   m X'' = 2 A lambda_2,  m Y'' = 2 B lambda_2,  m Z'' = -m g + 2 Z lambda_2,
//   y' cos(theta) = x' sin(theta),  A^2 + B^2 + Z^2 = l^2
// For a = 0 the pendulum has no lever on the edge and theta' is constant; then small swings of the rod across a sledge
// at rest have omega^2 = g/l (the edge does not give way), and those along it (1 + m/M) g/l.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A sledge on a knife edge that carries a spherical pendulum: one velocity constraint and one position constraint.";
constexpr char source[] = "A. M. Bloch, Nonholonomic Mechanics and Control (2003), section 1.6, with a pendulum added";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Pendulum on a knife edge", summary, source, R"toml(
coordinates = ["x", "y", "theta", "X", "Y", "Z"]   # knife edge and its heading; bob, Z points up
angles      = ["theta"]
lagrangian  = "M/2*(x'^2 + y'^2) + J/2*theta'^2 + m/2*(X'^2 + Y'^2 + Z'^2) - m*g*Z"
constraints = ["y'*cos(theta) = x'*sin(theta)"]
holonomic   = ["(X - x - a*cos(theta))^2 + (Y - y - a*sin(theta))^2 + Z^2 = l^2"]

[parameters]
M     = 2         # sledge; its centre of mass is above the knife edge
J     = 0.5
m     = 1         # bob
g     = 9.81
l     = 1
a     = 0.1       # the rod hangs this far in front of the knife edge
u0    = 1         # initial speed along the edge, rate of the heading
spin0 = 1
alpha = "pi/4"    # initial angle of the rod from the vertical, in the direction beta from the heading
beta  = "pi/3"
Omega = 2         # initial rate of the rod about the vertical

[initial.q]
X = "a + l*sin(alpha)*cos(beta)"
Y = "l*sin(alpha)*sin(beta)"
Z = "-l*cos(alpha)"

[initial.v]
x     = "u0"
theta = "spin0"
X     = "u0 - l*sin(alpha)*sin(beta)*Omega"
Y     = "a*spin0 + l*sin(alpha)*cos(beta)*Omega"
)toml");
}

}  // namespace

CatalogueEntry knife_edge_pendulum() { return {"knife-edge-pendulum", summary, source, {}, toml}; }

}  // namespace noslip
