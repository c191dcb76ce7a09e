// m x'' = lambda_1,  m y'' = lambda_2,  I phi'' = 0,
// 3 I_w theta'' = -10 cos(theta) - ell (lambda_1 cos(phi) + lambda_2 sin(phi)),
// x' = ell cos(phi) theta',  y' = ell sin(phi) theta'.
// The constraints give x'' cos(phi) + y'' sin(phi) = ell theta'', hence (3 I_w + m ell^2) theta'' = -10 cos(theta).
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A three-wheeled robot that rolls without slipping in the direction of its wheels, with a potential on the wheel "
    "angle.";
constexpr char source[] =
    "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8.3";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Mobile robot with a potential", summary, source, R"toml(
coordinates = ["x", "y", "phi", "theta"]   # phi: heading, theta: angle of the wheels
angles      = ["phi", "theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + I/2*phi'^2 + 3/2*I_w*theta'^2 - 10*sin(theta)"
constraints = ["x' = ell*cos(phi)*theta'", "y' = ell*sin(phi)*theta'"]

[parameters]
m   = 1
I   = 1
I_w = 1
ell = 1   # radius of the wheels

[invariants]
heading_rate = "phi'"
wheel_energy = "(3*I_w + m*ell^2)/2*theta'^2 + 10*sin(theta)"

[initial]   # phi' = 0 is a straight line; set phi' for a curved one
q = [0, 0, 0, 0]
v = ["ell", 0, 0, 1]
)toml");
}

}  // namespace

CatalogueEntry mobile_robot() { return {"mobile-robot", summary, source, {}, toml}; }

}  // namespace noslip
