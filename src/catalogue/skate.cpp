// m x'' = m g sin(beta) - lambda sin(phi),  m y'' = lambda cos(phi),  I phi'' = 0,  cos(phi) y' = sin(phi) x'.
// With u = x' cos(phi) + y' sin(phi), the speed along the blade: u' = g sin(beta) cos(phi). As phi' is constant,
// phi' u - g sin(beta) sin(phi) is too; from rest with phi' = 1 follows the solution under [exact].
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A spinning skate on an inclined plane: it does not slide down for ever, it travels sideways along a cycloid.";
constexpr char source[] =
    "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8.2";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Skate on an inclined plane", summary, source, R"toml(
coordinates = ["x", "y", "phi"]
angles      = ["phi"]
lagrangian  = "m/2*(x'^2 + y'^2) + I/2*phi'^2 + m*g*x*sin(beta)"
constraints = ["cos(phi)*y' = sin(phi)*x'"]

[parameters]
m    = 1
I    = 1
g    = 1
beta = "pi/2"   # inclination; x points downhill

[invariants]
spin  = "phi'"
glide = "phi'*(x'*cos(phi) + y'*sin(phi)) - g*sin(beta)*sin(phi)"

[initial]
q = [0, 0, 0]
v = [0, 0, 1]

[exact]   # from these initial values, for all parameters
x   = "g*sin(beta)/2*sin(t)^2"
y   = "g*sin(beta)/2*(t - sin(2*t)/2)"
phi = "t"
)toml");
}

}  // namespace

CatalogueEntry skate() { return {"skate", summary, source, {}, toml}; }

}  // namespace noslip
