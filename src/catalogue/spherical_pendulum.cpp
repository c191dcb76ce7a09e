// m x'' = 2 x lambda,  m y'' = 2 y lambda,  m z'' = -m g + 2 z lambda,  x^2 + y^2 + z^2 = l^2.
// The angular momentum about the vertical is conserved. At the angle alpha from the downward vertical and with
// the rate of rotation
//   Omega^2 = g/(l cos(alpha))
// the pendulum goes round on a horizontal circle; otherwise it swings between two of them.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] = "A point mass on a rod that is free to swing in all directions, in Cartesian coordinates.";
constexpr char source[] = "L. D. Landau and E. M. Lifshitz, Mechanics (1976), section 14, problem 1";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Spherical pendulum", summary, source, R"toml(
coordinates = ["x", "y", "z"]   # z points up
lagrangian  = "m/2*(x'^2 + y'^2 + z'^2) - m*g*z"
holonomic   = ["x^2 + y^2 + z^2 = l^2"]

[parameters]
m     = 1
g     = 9.81
l     = 1
alpha = "pi/3"   # initial angle from the downward vertical
Omega = 2        # initial rate about the vertical

[invariants]
angular_momentum = "m*(x*y' - y*x')"

[initial]
q = ["l*sin(alpha)", 0, "-l*cos(alpha)"]
v = [0, "l*sin(alpha)*Omega", 0]
)toml");
}

}  // namespace

CatalogueEntry spherical_pendulum() { return {"spherical-pendulum", summary, source, {}, toml}; }

}  // namespace noslip
