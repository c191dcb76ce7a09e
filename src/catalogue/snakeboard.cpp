// A board with the centre (x, y) and the heading theta stands on two pairs of wheels, r in front of its centre and r
// behind it. The axles steer: the rear wheels by phi and the front wheels by -phi, the usual simplification of the two
// angles phi1 and phi2. Wheels do not slip sideways,
//   y' cos(theta + phi) - x' sin(theta + phi) = r cos(phi) theta',
//   y' cos(theta - phi) - x' sin(theta - phi) = -r cos(phi) theta',
// which is y' cos(theta) = x' sin(theta) and r theta' = -u tan(phi) with the speed u = x' cos(theta) + y' sin(theta).
// A rotor turns by psi against the board. The allowed direction of the position alone, without psi and phi, gives
//   m r cos(phi) u' = sin(phi) ((J + J0 + 2 J1) theta'' + J0 psi''),
// and what is not constrained J0 (theta'' + psi'') = -k_psi psi,  2 J1 phi'' = -k_phi phi.
// Whoever rides it twists the rotor and steers in time. Here springs do it: the board starts at rest and moves off.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A board on steered wheels with a rotor; springs swing rotor and axles in time, and the board moves off from rest.";
constexpr char source[] =
    "A. Lewis, J. Ostrowski, R. Murray and J. Burdick, Nonholonomic mechanics and locomotion: the snakeboard example "
    "(1994); A. M. Bloch, P. S. Krishnaprasad, J. E. Marsden and R. M. Murray, Nonholonomic mechanical systems with "
    "symmetry (1996); with springs added";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Snakeboard", summary, source, R"toml(
coordinates = ["x", "y", "theta", "psi", "phi"]   # centre and heading of the board, rotor, steering
angles      = ["theta"]
lagrangian  = """m/2*(x'^2 + y'^2) + J/2*theta'^2 + J0/2*(theta' + psi')^2 + J1*(theta'^2 + phi'^2)
               - k_psi/2*psi^2 - k_phi/2*phi^2"""
constraints = ["y'*cos(theta + phi) - x'*sin(theta + phi) = r*cos(phi)*theta'",
               "y'*cos(theta - phi) - x'*sin(theta - phi) = -r*cos(phi)*theta'"]

[parameters]
m     = 1        # everything
r     = 1        # from the centre to the axles
J     = 0.375    # board; the inertias add up to m*r^2, as in the papers
J0    = 0.375    # rotor
J1    = 0.125    # each axle with its wheels
k_psi = 0.375    # springs; without the one of the rotor (0) its angular momentum is constant
k_phi = 0.25
psi0  = 1.5      # initial twist of the rotor
phi0  = 0        # initial steering, less than pi/2, and its rate
rate0 = 0.7
u0    = 0        # initial speed

[invariants]
steering = "J1*phi'^2 + k_phi/2*phi^2"

[initial]
q = { psi = "psi0", phi = "phi0" }
v = { x = "u0", theta = "-u0/r*tan(phi0)", phi = "rate0" }
)toml");
}

}  // namespace

CatalogueEntry snakeboard() { return {"snakeboard", summary, source, {}, toml}; }

}  // namespace noslip
