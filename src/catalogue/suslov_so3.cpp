// The body of `suslov` with its position: J w' = J w x w + lambda e3, w3 = 0. With c = I13 w1 + I23 w2,
//   I11 w1' = -c w2,  I22 w2' = c w1,
// whatever I33 is. On the ellipse of the energy, w1 = sqrt(2 E/I11) cos(phi), w2 = sqrt(2 E/I22) sin(phi), this is
//   phi' = k cos(phi - phi0),  k^2 = 2 E (I13^2/I11 + I23^2/I22)/(I11 I22),  tan(phi0) = I23 sqrt(I11)/(I13 sqrt(I22)),
// so that sin(phi - phi0) = tanh(k t + const): from the one steady rotation to the other. The energy is the only
// integral; in space the body comes from one axis and settles down to another.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A rigid body that turns about a fixed point and cannot turn about its third axis, with its position in space.";
constexpr char source[] =
    "G. K. Suslov, Theoretical Mechanics (1902); Yu. N. Fedorov, A. J. Maciejewski, M. Przybylska, The Poisson "
    "equations "
    "in the nonholonomic Suslov problem, Nonlinearity 22 (2009)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Suslov problem on SO(3)", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian  = "(I11*w1^2 + I22*w2^2 + I33*w3^2)/2 + I13*w1*w3 + I23*w2*w3"
constraints = ["w3 = 0"]

[parameters]   # moments of inertia in axes with I12 = 0
I11 = 1
I22 = 2
I33 = 2        # without influence on the motion
I13 = 0.3
I23 = 0.4
w10 = 1        # initial angular velocity
w20 = 0.25

[initial]
v = { w1 = "w10", w2 = "w20" }
)toml");
}

}  // namespace

CatalogueEntry suslov_so3() { return {"suslov-so3", summary, source, {}, toml}; }

}  // namespace noslip
