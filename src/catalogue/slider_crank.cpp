// The crank (angle phi, radius r) turns the rod (centre of mass (x, y), angle psi, length l) that pushes the slider s:
//   J phi'' = r (lambda_1 sin(phi) - lambda_2 cos(phi)) - m_crank g c_crank cos(phi)
//   m_rod x'' = lambda_1 + lambda_3,  m_rod y'' = lambda_2 + lambda_4 - m_rod g,  m_slider s'' = -lambda_3
//   J_rod psi'' = c (lambda_1 sin(psi) - lambda_2 cos(psi)) - (l - c) (lambda_3 sin(psi) - lambda_4 cos(psi))
// Two pins close the loop: the rod begins where the crank ends, and it ends at the slider.
//   x - c cos(psi) = r cos(phi),  y - c sin(psi) = r sin(phi),  x + (l - c) cos(psi) = s,  y + (l - c) sin(psi) = 0
// They leave one degree of freedom: sin(psi) = -(r/l) sin(phi), s = r cos(phi) + l cos(psi), and energy gives phi'.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A flywheel with a crank, a rod and a slider that goes to and fro; four position constraints close the loop.";
constexpr char source[] =
    "E. J. Haug, Computer Aided Kinematics and Dynamics of Mechanical Systems, Volume I: Basic Methods (1989)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Slider-crank", summary, source, R"toml(
coordinates = ["phi", "x", "y", "psi", "s"]   # crank angle; centre of mass and angle of the rod; slider
angles      = ["phi"]
lagrangian  = """J/2*phi'^2 + m_rod/2*(x'^2 + y'^2) + J_rod/2*psi'^2 + m_slider/2*s'^2
               - m_crank*g*c_crank*sin(phi) - m_rod*g*y"""
holonomic   = ["x - c*cos(psi) = r*cos(phi)",
               "y - c*sin(psi) = r*sin(phi)",
               "x + (l - c)*cos(psi) = s",
               "y + (l - c)*sin(psi) = 0"]

[parameters]
g        = 9.81
r        = 0.1               # crank
l        = 0.3               # rod, longer than the crank
c        = "l/2"             # from the crank pin to the centre of mass of the rod
J        = 0.02              # crank and flywheel about their axis
m_crank  = 0.5
c_crank  = "r/2"             # from the axis to the centre of mass of the crank
m_rod    = 0.4
J_rod    = "m_rod*l^2/12"
m_slider = 0.6
phi0     = "pi/4"            # initial crank angle and rate
omega0   = 10

[definitions]   # initial angle of the rod and its rate
psi0 = "-asin(r/l*sin(phi0))"
chi0 = "-r*cos(phi0)*omega0/(l*cos(psi0))"

[initial.q]
phi = "phi0"
x   = "r*cos(phi0) + c*cos(psi0)"
y   = "-(l - c)*sin(psi0)"
psi = "psi0"
s   = "r*cos(phi0) + l*cos(psi0)"

[initial.v]
phi = "omega0"
x   = "-r*sin(phi0)*omega0 - c*sin(psi0)*chi0"
y   = "-(l - c)*cos(psi0)*chi0"
psi = "chi0"
s   = "-r*sin(phi0)*omega0 - l*sin(psi0)*chi0"
)toml");
}

}  // namespace

CatalogueEntry slider_crank() { return {"slider-crank", summary, source, {}, toml}; }

}  // namespace noslip
