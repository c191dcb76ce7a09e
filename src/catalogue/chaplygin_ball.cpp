// A ball of the radius r with three different moments of inertia, the centre of mass at its centre (x, y), rolls on a
// plane. With the angular velocity W = R w in space the point of contact is at rest, x' = r W2, y' = -r W1. The force F
// at the contact gives m (x'', y'') = F and (R J w)' = -r e_z x F, so that the angular momentum about the contact,
//   K = R J w + m r e_z x (x', y'),
// is constant in space. With gamma = R^T e_z, in the body, K is J w + m r^2 (w - (w . gamma) gamma), and with the
// energy and a measure that is kept the motion is found by quadratures.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A balanced ball with three different moments of inertia that rolls on a plane without slipping; its angular "
    "momentum about the contact is constant in space.";
constexpr char source[] =
    "S. A. Chaplygin, On a ball's rolling on a horizontal plane (1903), in English in Regul. Chaotic Dyn. 7 (2002)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Chaplygin ball", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
lagrangian  = "m/2*(x'^2 + y'^2) + (J1*w1^2 + J2*w2^2 + J3*w3^2)/2"
constraints = ["x' = r*W2", "y' = -r*W1"]

[parameters]
m   = 1
r   = 1
J1  = 0.3     # principal moments of inertia about the centre
J2  = 0.5
J3  = 0.6
w10 = 0.2     # initial angular velocity, close to the axis in the middle
w20 = 1.5
w30 = 0.3

[definitions]   # angular velocity and angular momentum in space
W1 = "R11*w1 + R12*w2 + R13*w3"
W2 = "R21*w1 + R22*w2 + R23*w3"
M1 = "R11*J1*w1 + R12*J2*w2 + R13*J3*w3"
M2 = "R21*J1*w1 + R22*J2*w2 + R23*J3*w3"
M3 = "R31*J1*w1 + R32*J2*w2 + R33*J3*w3"

[invariants]    # angular momentum about the contact
momentum_x = "M1 - m*r*y'"
momentum_y = "M2 + m*r*x'"
momentum_z = "M3"

[initial]
v = { w1 = "w10", w2 = "w20", w3 = "w30", x = "r*w20", y = "-r*w10" }
)toml");
}

}  // namespace

CatalogueEntry chaplygin_ball() { return {"chaplygin-ball", summary, source, {}, toml}; }

}  // namespace noslip
