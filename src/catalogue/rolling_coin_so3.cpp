// The coin has its axle along the third axis of the body, and gamma = R^T e_z, the third row of R, is the vertical in
// the body. Its lowest point is at -r (gamma1, gamma2, 0)/s from the centre, s = sqrt(gamma1^2 + gamma2^2), and at
// rest:
//   (x', y', z') = R u,  u = (r/s) (-gamma2 w3, gamma1 w3, gamma2 w1 - gamma1 w2).
// The third of them is the rate of the height z = r s, so that there is no coordinate for it and no position
// constraint. A coin that lies flat, s = 0, touches the ground everywhere: it is the only position that is left out.
//
// It is the wheel of `rolling-wheel`, with a rotation in place of yaw, lean and spin; the same names start the same
// motion. The axes of the body point forward, down along the coin and along the axle at the start: R = Rot_x(lean0 -
// pi/2), w = (lean', -yaw' cos(lean), spin' + yaw' sin(lean)). `rolling-disk` is the case that stays upright.
// Only the energy is a simple integral; two more are linear in w, with Legendre functions of gamma3 as coefficients.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A coin of any tilt that rolls on a plane without slipping, with rotation matrices and no height: the wheel of "
    "rolling-wheel without its angles.";
constexpr char source[] =
    "S. A. Chaplygin, On a motion of a heavy body of revolution on a horizontal plane (1897), in English in Regul. "
    "Chaotic Dyn. 7 (2002); A. V. Borisov, I. S. Mamaev, A. A. Kilin, Dynamics of rolling disk, Regul. Chaotic Dyn. 8 "
    "(2003)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Rolling coin", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]   # of the centre
lagrangian  = "m/2*(x'^2 + y'^2 + climb^2) + (A*(w1^2 + w2^2) + C*w3^2)/2 - m*g*r*s"
constraints = ["x' = R11*u1 + R12*u2 + R13*u3",
               "y' = R21*u1 + R22*u2 + R23*u3"]

[parameters]
m         = 1
g         = 9.81
r         = 0.5
C         = "m*r^2/2"    # about the axle
A         = "C/2"        # about a diameter
lean0     = 0.2          # initial lean, less than pi/2; rates of yaw, lean and spin
yaw_rate  = -0.5
lean_rate = 0.5
spin_rate = 5

[definitions]
s     = "sqrt(R31^2 + R32^2)"
u1    = "-r*R32*w3/s"                  # velocity of the centre in the body
u2    = "r*R31*w3/s"
u3    = "r*(R32*w1 - R31*w2)/s"
climb = "R33*u3"                       # its vertical part

[initial]
q = { R = ["lean0 - pi/2", 0, 0] }

[initial.v]
w1 = "lean_rate"
w2 = "-yaw_rate*cos(lean0)"
w3 = "spin_rate + yaw_rate*sin(lean0)"
x  = "r*(spin_rate + yaw_rate*sin(lean0))"
y  = "-r*lean_rate*cos(lean0)"
)toml");
}

}  // namespace

CatalogueEntry rolling_coin_so3() { return {"rolling-coin-so3", summary, source, {}, toml}; }

}  // namespace noslip
