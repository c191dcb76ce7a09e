// An ellipsoid with the half axes a, b, c along those of the body and its centre of mass the distance h below its
// centre rolls on a plane. gamma = R^T e_z, the third row of R, is the vertical in the body. With
//   n = sqrt(a^2 gamma1^2 + b^2 gamma2^2 + c^2 gamma3^2)
// the point of contact is at p = (-a^2 gamma1/n, -b^2 gamma2/n, h - c^2 gamma3/n) from the centre of mass (x, y, z),
// and at rest, (x', y', z') = R (p x w). The vertical part is the rate of the height z = n - h gamma3 = -gamma . p, so
// that there is no coordinate for it and no position constraint.
//
// The axes of inertia are turned against those of the ellipsoid, D != 0. That makes a slow spin about the vertical
// unstable: fast in one direction, where the stone rattles lengthwise and reverses its spin, slowly in the other, where
// it rolls sideways. There is no friction: the energy is constant, and the spin comes back as strong as before. As
// given it stops at t = 30 and is back at t = 60. The ground never has to pull; with much more spin the stone would
// jump.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A stone with an ellipsoidal bottom and skewed inertia; spun the wrong way it rattles, stops and spins the other "
    "way.";
constexpr char source[] =
    "T. R. Kane, D. A. Levinson, Realistic mathematical modeling of the rattleback, Int. J. Non-Linear Mech. 17 "
    "(1982), "
    "without friction; A. Garcia, M. Hubbard, Spin reversal of the rattleback: theory and experiment, Proc. R. Soc. "
    "Lond. A 418 (1988)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Rattleback", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]   # of the centre of mass
lagrangian  = """m/2*(x'^2 + y'^2 + climb^2) + (A*w1^2 + B*w2^2 + C*w3^2)/2 + D*w1*w2
               + m*g*(R31*p1 + R32*p2 + R33*p3)"""
constraints = ["x' = R11*u1 + R12*u2 + R13*u3",
               "y' = R21*u1 + R22*u2 + R23*u3"]

[parameters]   # of Kane and Levinson, with kilograms, centimetres and tenths of a second
m     = 1
g     = 9.81
a     = 20      # half axes of the ellipsoid
b     = 3
c     = 2
h     = 1       # from its centre down to the centre of mass
A     = 2       # moments of inertia about the centre of mass
B     = 16
C     = 17
D     = -0.2    # entry of the matrix of inertia between the first two axes; its sign is the direction of the stone
roll  = 0       # initial rates about the long and the short horizontal axis: a tap
pitch = 0.05
spin  = -0.2    # initial rate about the vertical, the wrong way

[definitions]
n     = "sqrt(a^2*R31^2 + b^2*R32^2 + c^2*R33^2)"
p1    = "-a^2*R31/n"                   # the point of contact in the body
p2    = "-b^2*R32/n"
p3    = "h - c^2*R33/n"
u1    = "p2*w3 - p3*w2"                # velocity of the centre of mass in the body
u2    = "p3*w1 - p1*w3"
u3    = "p1*w2 - p2*w1"
climb = "R31*u1 + R32*u2 + R33*u3"     # its vertical part

[initial]
v = { w1 = "roll", w2 = "pitch", w3 = "spin", x = "(c - h)*pitch", y = "(h - c)*roll" }
)toml");
}

}  // namespace

CatalogueEntry rattleback() { return {"rattleback", summary, source, {}, toml}; }

}  // namespace noslip
