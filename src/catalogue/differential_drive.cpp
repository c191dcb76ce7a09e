// (x, y) is the middle of the axle, theta the heading. The driven wheels, b to the left and to the right, roll without
// slipping, and the axle does not slide sideways:
//   y' cos(theta) - x' sin(theta) = 0,  u - b theta' = r left',  u + b theta' = r right'
// with the speed u = x' cos(theta) + y' sin(theta).
// The caster hangs on a swivel d behind the axle, its wheel trails by e in the direction theta + swivel + pi: the
// velocity of its point of contact, (u, -d theta') along and across the robot with -e (theta' + swivel') across the
// caster, has no part across the caster and r_c caster' along it.
// With the motors off and no damping (tau = c = 0) the robot coasts: energy is conserved.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A robot with two driven wheels and a caster behind; its motors have a constant torque and damping.";
constexpr char source[] =
    "G. Campion, G. Bastin and B. d'Andrea-Novel, Structural properties and classification of kinematic and dynamic "
    "models of wheeled mobile robots (1996)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Differential-drive robot", summary, source, R"toml(
coordinates = ["x", "y", "theta", "left", "right", "swivel", "caster"]   # axle, heading, angles of wheels and caster
angles      = ["theta", "left", "right", "swivel", "caster"]
lagrangian  = """m/2*(x'^2 + y'^2) + m*a*theta'*across + (J + m*a^2)/2*theta'^2 + J_w/2*(left'^2 + right'^2)
               + J_s/2*(theta' + swivel')^2 + J_c/2*caster'^2"""
constraints = ["across = 0",
               "u - b*theta' = r*left'",
               "u + b*theta' = r*right'",
               "u*sin(swivel) + d*theta'*cos(swivel) + e_c*(theta' + swivel') = 0",
               "u*cos(swivel) - d*theta'*sin(swivel) = r_c*caster'"]

[parameters]
m         = 10
a         = 0.05         # from the axle to the centre of mass, forward
J         = 0.375        # of everything about the vertical through the centre of mass
b         = 0.2          # half the track
r         = 0.1          # driven wheels
J_w       = 0.01
d         = 0.25         # from the axle back to the swivel
e_c       = 0.03         # trail of the caster
r_c       = 0.04
J_s       = 0.0005       # caster about its swivel
J_c       = 0.0003       # caster wheel about its axle
tau_left  = 0.5          # torques of the motors
tau_right = 0.6
c         = 0.05         # damping of the motors, torque per rate
swivel0   = "pi/2"       # initial angle of the caster: it stands across

[definitions]
u      = "x'*cos(theta) + y'*sin(theta)"
across = "y'*cos(theta) - x'*sin(theta)"

[forces]
left  = "tau_left - c*left'"
right = "tau_right - c*right'"

[initial]   # at rest
q = { swivel = "swivel0" }
)toml");
}

}  // namespace

CatalogueEntry differential_drive() { return {"differential-drive", summary, source, {}, toml}; }

}  // namespace noslip
