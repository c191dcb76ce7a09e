// The motion of `sleigh`, with the speed v1 along the blade, v2 across it and the rate omega in place of x', y',
// theta'. The blade touches the ground at (x, y), the centre of mass is the distance a ahead of it:
//   m v1' = m a omega^2 - m g sin(theta),  v2 = 0,
//   (J + m a^2) omega' = -m a v1 omega - m g a cos(theta).
// Inertia and constraint do not depend on the position: only gravity does. On a level plane (g = 0) the energy
// m v1^2 + (J + m a^2) omega^2 alone is left, and the sleigh ends up gliding straight with the mass ahead.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "The sleigh with a knife edge on an inclined plane, with the velocities along and across the edge.";
constexpr char source[] =
    "S. A. Chaplygin, On the theory of motion of nonholonomic systems: the theorem of the reducing multiplier (1911); "
    "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), sections 4.2 and 4.5";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Chaplygin sleigh on SE(2)", summary, source, R"toml(
coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] }]
lagrangian  = "m/2*(v1^2 + v2^2) + (J + m*a^2)/2*omega^2 + m*a*omega*v2 - m*g*(y + a*sin(theta))"
constraints = ["v2 = 0"]

[parameters]
m = 1
a = 1     # from the knife edge to the centre of mass
J = 1     # moment of inertia about the centre of mass
g = 0.1   # gravity along the plane; y points uphill

[initial]
q = { x = 1 }
)toml");
}

}  // namespace

CatalogueEntry chaplygin_sleigh_se2() { return {"chaplygin-sleigh-se2", summary, source, {}, toml}; }

}  // namespace noslip
