// Two platforms on wheels, joined by a hinge. The first has its wheels under its centre of mass (x, y), the heading
// theta, and the hinge d1 in front of them. The second has the direction theta + phi and its wheels d2 in front of the
// hinge; it has no mass, but an inertia. Wheels do not slip sideways:
//   y' cos(theta) = x' sin(theta),  u sin(phi) = (d1 cos(phi) + d2) theta' + d2 phi'
// with the speed u = x' cos(theta) + y' sin(theta). The two allowed directions give
//   m (d1 cos(phi) + d2) u' + sin(phi) ((I1 + I2) theta'' + I2 phi'') = 0,
//   m d2 u' + sin(phi) (I2 (theta'' + phi'') + k phi) = 0.
// Without the spring (k = 0) every circle with a fixed phi is a motion. With it the racer ends up straight ahead, all
// energy in its speed: nothing is lost, but the swings of the hinge die out, as if it were damped.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "Two platforms on wheels with a hinge and a spring in it; from rest, the swings of the hinge drive it ahead until "
    "all energy is in its speed.";
constexpr char source[] =
    "P. S. Krishnaprasad and D. P. Tsakiris, Oscillations, SE(2)-snakes and motion control: a study of the Roller "
    "Racer "
    "(2001); A. M. Bloch, Nonholonomic Mechanics and Control (2003); with a spring added";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Roller racer", summary, source, R"toml(
coordinates = ["x", "y", "theta", "phi"]   # wheels and heading of the first platform, angle of the hinge
angles      = ["theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + I1/2*theta'^2 + I2/2*(theta' + phi')^2 - k/2*phi^2"
constraints = ["y'*cos(theta) = x'*sin(theta)",
               "(x'*cos(theta) + y'*sin(theta))*sin(phi) = (d1*cos(phi) + d2)*theta' + d2*phi'"]

[parameters]
m     = 20      # first platform
I1    = 1
I2    = 0.5     # second platform
d1    = 1       # from the wheels of the first to the hinge
d2    = 0.3     # from the hinge to the wheels of the second
k     = 2       # spring of the hinge; the papers have none (0)
phi0  = 1       # initial angle of the hinge, and its rate
rate0 = 0
u0    = 0       # initial speed

[initial]
q = { phi = "phi0" }
v = { x = "u0", theta = "(u0*sin(phi0) - d2*rate0)/(d1*cos(phi0) + d2)", phi = "rate0" }
)toml");
}

}  // namespace

CatalogueEntry roller_racer() { return {"roller-racer", summary, source, {}, toml}; }

}  // namespace noslip
