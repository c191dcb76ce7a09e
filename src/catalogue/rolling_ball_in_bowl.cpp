// The centre X = (x, y, z) of the ball keeps the distance D = (radius of the bowl) - r from the centre of the bowl, and
// with the normal n = X/D the point of contact is at rest: X' + omega x r n = 0. The part along n is the rate of
// |X| = D, so that two of the three components are constraints (x and y: independent below the rim). The inertia of the
// ball is the same about all axes, I omega' = r n x F, hence the angular velocity stands in the Lagrangian as if its
// components in space, wx = ax' and so on, were the velocities of coordinates. ax, ay, az are not angles of the ball,
// but the equations are exact and have no singular orientation.
// Conserved: the spin w = omega . n, and the vertical part of m X x X' - (D/r) I omega. The normal follows
//   (m + I/r^2) D n x n'' - (I/r) w n' = -m g n x e_z,
// a spherical pendulum of the length D (1 + I/(m r^2)) for w = 0. A circle at the angle alpha from the bottom with the
// rate Omega needs  (m + I/r^2) D Omega^2 cos(alpha) - (I/r) w Omega = m g.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] = "A spinning ball that rolls without slipping inside a spherical bowl.";
constexpr char source[] =
    "E. J. Routh, The Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies (1905)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Ball in a bowl", summary, source, R"toml(
coordinates = ["x", "y", "z", "ax", "ay", "az"]   # ax' and so on: components of the angular velocity in space
lagrangian  = "m/2*(x'^2 + y'^2 + z'^2) + I/2*(ax'^2 + ay'^2 + az'^2) - m*g*z"
constraints = ["D*x' + r*(ay'*z - az'*y) = 0",
               "D*y' + r*(az'*x - ax'*z) = 0"]
holonomic   = ["x^2 + y^2 + z^2 = D^2"]

[parameters]
m      = 0.2
g      = 9.81
r      = 0.05            # of the ball
bowl   = 0.5             # of the bowl
D      = "bowl - r"      # of the sphere on which the centre of the ball moves
I      = "2/5*m*r^2"
alpha  = "pi/4"          # initial angle from the bottom
Omega  = 3               # initial rate about the vertical
w      = 20              # initial spin about the normal

[invariants]
spin     = "(ax'*x + ay'*y + az'*z)/D"
vertical = "m*(x*y' - y*x') - D/r*I*az'"

[initial.q]
x = "D*sin(alpha)"
z = "-D*cos(alpha)"

[initial.v]
y  = "D*sin(alpha)*Omega"
ax = "w*sin(alpha) - D/r*Omega*sin(alpha)*cos(alpha)"
az = "-w*cos(alpha) - D/r*Omega*sin(alpha)^2"
)toml");
}

}  // namespace

CatalogueEntry rolling_ball_in_bowl() { return {"rolling-ball-in-bowl", summary, source, {}, toml}; }

}  // namespace noslip
