// m x'' = lambda_1,  m y'' = lambda_2,  J phi'' = 0,  I theta'' = -R (lambda_1 cos(phi) + lambda_2 sin(phi)),
// x' = R cos(phi) theta',  y' = R sin(phi) theta'.
// The constraints give (I + m R^2) theta'' = 0: both rates are constant and the disk rolls on a circle.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] = "An upright disk that rolls on a plane without slipping; it follows a circle.";
constexpr char source[] =
    "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), sections 1.3.5 and 3.3.4; "
    "basis: E. Celledoni and others, Energy-preserving integrators applied to nonholonomic systems, section 2";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Vertical rolling disk", summary, source, R"toml(
coordinates = ["x", "y", "phi", "theta"]   # point of contact, heading, angle of rotation
angles      = ["phi", "theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + J/2*phi'^2 + I/2*theta'^2"
constraints = ["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"]
basis       = [["R*cos(phi)", "R*sin(phi)", 0, 1],   # rolling
               [0, 0, 1, 0]]                         # turning

[parameters]
m     = 1
I     = 1       # about the axis of the disk
J     = 1       # about a diameter
R     = "1/4"
omega = 2       # initial rate of the heading; the solution below needs omega != 0
Omega = 1       # initial rate of rotation

[invariants]
heading_rate  = "phi'"
rotation_rate = "theta'"

[initial]
q = [0, 0, 0, 0]
v = ["R*Omega", 0, "omega", "Omega"]

[exact]
x     = "Omega*R/omega*sin(omega*t)"
y     = "Omega*R/omega*(1 - cos(omega*t))"
phi   = "omega*t"
theta = "Omega*t"
)toml");
}

}  // namespace

CatalogueEntry rolling_disk() { return {"rolling-disk", summary, source, {}, toml}; }

}  // namespace noslip
