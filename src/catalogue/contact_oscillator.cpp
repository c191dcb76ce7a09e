// m x'' + x = lambda - epsilon x z^2,  m y'' + y = 0,  m z'' + z = y lambda - epsilon x^2 z,  x' + y z' = 0.
// y oscillates on its own. The initial x puts the motion on the energy E0: at y = b, y' = 0, z' = vz0, x' = -b vz0
//   2 E0 = m (1 + b^2) vz0^2 + x^2 (1 + epsilon z0^2) + b^2 + z0^2
// (the paper prints this for m = b = 1).
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "Three oscillators coupled by the contact structure x' + y z' = 0; integrable for epsilon = 0, partly chaotic for "
    "large epsilon.";
constexpr char source[] = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), sections 4.3 and 4.4";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Contact oscillator", summary, source, R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "m/2*(x'^2 + y'^2 + z'^2) - 1/2*(x^2 + y^2 + z^2 + epsilon*x^2*z^2)"
constraints = ["x' + y*z' = 0"]

[parameters]
m       = 1
epsilon = 0       # perturbation
b       = 1       # amplitude of y
E0      = 1.5     # energy
z0      = -0.55
vz0     = 0

[invariants]
y_energy = "m/2*y'^2 + y^2/2"

[initial]
q = ["sqrt((2*E0 - m*(1 + b^2)*vz0^2 - b^2 - z0^2)/(1 + epsilon*z0^2))", "b", "z0"]
v = ["-b*vz0", 0, "vz0"]
)toml");
}

}  // namespace

CatalogueEntry contact_oscillator() { return {"contact-oscillator", summary, source, {}, toml}; }

}  // namespace noslip
