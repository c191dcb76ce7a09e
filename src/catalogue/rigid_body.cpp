// Euler's equations J w' = J w x w: the angular momentum R J w is constant in space, and the energy. Rotation about the
// axis with the moment of inertia in the middle is unstable; a body that starts close to it turns over again and again.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A free rigid body that spins close to its middle axis and turns over again and again; its angular momentum is "
    "constant in space.";
constexpr char source[] =
    "L. Euler, Theoria motus corporum solidorum seu rigidorum (1765); M. S. Ashbaugh, C. C. Chicone, R. H. Cushman, "
    "The "
    "twisting tennis racket, J. Dyn. Differ. Equ. 3 (1991)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Free rigid body", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian  = "(J1*w1^2 + J2*w2^2 + J3*w3^2)/2"

[parameters]
J1  = 1       # principal moments of inertia
J2  = 2
J3  = 3
w10 = 0.05    # initial angular velocity
w20 = 1
w30 = 0.02

[invariants]  # angular momentum in space
momentum_x = "R11*J1*w1 + R12*J2*w2 + R13*J3*w3"
momentum_y = "R21*J1*w1 + R22*J2*w2 + R23*J3*w3"
momentum_z = "R31*J1*w1 + R32*J2*w2 + R33*J3*w3"

[initial]
v = { w1 = "w10", w2 = "w20", w3 = "w30" }
)toml");
}

}  // namespace

CatalogueEntry rigid_body() { return {"rigid-body", summary, source, {}, toml}; }

}  // namespace noslip
