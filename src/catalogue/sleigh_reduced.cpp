// The sleigh without gravity in the orthonormal basis X1 = d/dtheta / sqrt(I), X2 = (cos(theta) d/dx1 + sin(theta)
// d/dx2) / sqrt(m) of the velocities v = rho1 X1 + rho2 X2:
//   x1' = cos(theta) rho2/sqrt(m),  x2' = sin(theta) rho2/sqrt(m),  theta' = rho1/sqrt(I),
//   rho1' = -C rho1 rho2,  rho2' = C rho1^2.
// rho1 = 0 are equilibria of the last two, stable for rho2 > 0.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "The sleigh on a level plane in a basis of the velocities that its knife edge allows; it turns round until the "
    "knife "
    "edge trails behind the centre of mass.";
constexpr char source[] =
    "E. Celledoni, M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, Energy-preserving integrators applied to "
    "nonholonomic systems, section 4.2";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Chaplygin sleigh, reduced", summary, source, R"toml(
kind        = "skew-gradient"
x           = ["x1", "x2", "theta", "rho1", "rho2"]   # knife edge and its heading, momenta of turning and gliding
hamiltonian = "(rho1^2 + rho2^2)/2"
structure   = [["0",                   "0",                   "0",          "0",         "cos(theta)/sqrt(m)"],
               ["0",                   "0",                   "0",          "0",         "sin(theta)/sqrt(m)"],
               ["0",                   "0",                   "0",          "1/sqrt(I)", "0"],
               ["0",                   "0",                   "-1/sqrt(I)", "0",         "-C*rho1"],
               ["-cos(theta)/sqrt(m)", "-sin(theta)/sqrt(m)", "0",          "C*rho1",    "0"]]

[parameters]
m = 1
a = 1               # from the knife edge to the centre of mass
J = 8               # moment of inertia about the centre of mass
I = "J + m*a^2"     # and about the knife edge
C = "a*sqrt(m)/I"

[invariants]        # rho1 keeps its sign: the angle does not pass its cut
turning = "atan2(rho1, rho2) + C*sqrt(I)*theta"

[initial]           # almost straight on, with the centre of mass behind the knife edge
x = [-5, 0, 0.1, -0.001, -0.6]
)toml");
}

}  // namespace

CatalogueEntry sleigh_reduced() { return {"sleigh-reduced", summary, source, {}, toml}; }

}  // namespace noslip
