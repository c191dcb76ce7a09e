// Two balls of the mass 1 and the radius r on a table that turns with the rate Omega about the origin; the centre of
// the ball is at (x, y), and the point of contact moves as the table does:
//   x' = r W2 - Omega y,  y' = Omega x - r W1.
// For a rolling ball W is the angular velocity in space, W = R w; turntable-ball has the angular velocity w of the body
// in its place, as printed. The equations of w, x and y are the same when all moments of inertia are equal, the
// rotations R are not; otherwise it is a test problem, but not a ball.
//
// Printed, with moments of inertia r^2 (a, b, c):  x'' = lambda_1,  y'' = lambda_2,
//   r^2 (J w)' = r^2 J w x w + r (lambda_2, -lambda_1, 0).
// The energy E changes by Omega (x y'' - y x''), hence E - Omega (x y' - y x') is constant for all a, b, c. For
// a = b = c so are w3, r w1 - Omega x/(1 + a) and r w2 - Omega y/(1 + a), and the centre goes round on a circle with
// the rate a Omega/(1 + a).
//
// Spatial, with the mass m and the moments of inertia J about the centre, which is the centre of mass: the angular
// momentum M = R J w changes by -r e_z x m (x'', y''), so that M + m r e_z x (x', y') is constant, for every J, and so
// is the moving energy E - m Omega (x y' - y x').
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char printed_summary[] =
    "A ball on a turning table; its constraints have the angular velocity of the body, as printed in the paper. The "
    "centre goes round on a circle.";
constexpr char printed_source[] =
    "D. Martín de Diego, R. T. Sato Martín de Almagro, High-order geometric methods for nonholonomic mechanical "
    "systems, section 7.5";

constexpr char spatial_summary[] =
    "A ball with any moments of inertia that rolls without slipping on a turning table; its moving energy and three "
    "momenta are constant.";
constexpr char spatial_source[] =
    "F. Fassò, N. Sansonetto, Conservation of moving energy in nonholonomic systems with affine constraints and "
    "integrability of spheres on rotating surfaces, J. Nonlinear Sci. 26 (2016); I. A. Bizyaev, A. V. Borisov, I. S. "
    "Mamaev, Dynamics of the Chaplygin ball on a rotating plane, Russ. J. Math. Phys. 25 (2018)";

std::string printed(const std::map<std::string, int>&) {
  return system_file("Ball on a turntable", printed_summary, printed_source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 + r^2/2*(a*w1^2 + b*w2^2 + c*w3^2)"
constraints = ["x' + Omega*y - r*w2 = 0",
               "y' - Omega*x + r*w1 = 0"]

[parameters]
r     = 1
a     = 0.4     # moments of inertia over r^2; 0.4 for a homogeneous ball
b     = "a"
c     = "a"
Omega = 1       # rate of the table; the solution below needs Omega != 0
x0    = 1       # initial position and angular velocity
y0    = 0.3
w10   = 0.5
w20   = 0.5
w30   = 0.7

[definitions]   # of the solution: rate and initial velocity of the centre
k   = "a*Omega/(1 + a)"
vx0 = "r*w20 - Omega*y0"
vy0 = "Omega*x0 - r*w10"

[invariants]    # the first three for a = b = c
spin          = "w3"
x_drift       = "r*w1 - Omega*x/(1 + a)"
y_drift       = "r*w2 - Omega*y/(1 + a)"
moving_energy = """(x'^2 + y'^2)/2 + r^2/2*(a*w1^2 + b*w2^2 + c*w3^2)
                 + r*Omega*(x*w1 + y*w2) - Omega^2*(x^2 + y^2)"""

[initial]
q = { x = "x0", y = "y0" }
v = { w1 = "w10", w2 = "w20", w3 = "w30", x = "vx0", y = "vy0" }

[exact]         # of the centre, for a = b = c
x = "x0 + (vx0*sin(k*t) - 2*vy0*sin(k*t/2)^2)/k"
y = "y0 + (vy0*sin(k*t) + 2*vx0*sin(k*t/2)^2)/k"
)toml");
}

std::string spatial(const std::map<std::string, int>&) {
  return system_file("Rolling ball on a turntable", spatial_summary, spatial_source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
lagrangian  = "m/2*(x'^2 + y'^2) + (J1*w1^2 + J2*w2^2 + J3*w3^2)/2"
constraints = ["x' = r*W2 - Omega*y",
               "y' = Omega*x - r*W1"]

[parameters]
m     = 1
r     = 1
J1    = 0.3     # principal moments of inertia about the centre
J2    = 0.4
J3    = 0.5
Omega = 1       # rate of the table
x0    = 1       # initial position and angular velocity
y0    = 0.3
w10   = 0.5
w20   = 0.5
w30   = 0.7

[definitions]   # angular velocity and angular momentum in space
W1 = "R11*w1 + R12*w2 + R13*w3"
W2 = "R21*w1 + R22*w2 + R23*w3"
M1 = "R11*J1*w1 + R12*J2*w2 + R13*J3*w3"
M2 = "R21*J1*w1 + R22*J2*w2 + R23*J3*w3"
M3 = "R31*J1*w1 + R32*J2*w2 + R33*J3*w3"

[invariants]
momentum_x    = "M1 - m*r*y'"
momentum_y    = "M2 + m*r*x'"
momentum_z    = "M3"
moving_energy = "m/2*(x'^2 + y'^2) + (J1*w1^2 + J2*w2^2 + J3*w3^2)/2 - m*Omega*(x*y' - y*x')"

[initial]
q = { x = "x0", y = "y0" }
v = { w1 = "w10", w2 = "w20", w3 = "w30", x = "r*w20 - Omega*y0", y = "Omega*x0 - r*w10" }
)toml");
}

}  // namespace

CatalogueEntry turntable_ball() { return {"turntable-ball", printed_summary, printed_source, {}, printed}; }

CatalogueEntry turntable_ball_spatial() {
  return {"turntable-ball-spatial", spatial_summary, spatial_source, {}, spatial};
}

}  // namespace noslip
