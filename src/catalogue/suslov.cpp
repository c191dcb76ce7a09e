// The body with the moments of inertia I, in its own axes, with the constraint omega3 = 0; rho1 = I11 omega1,
// rho2 = I22 omega2, c = I13 omega1 + I23 omega2:
//   rho1' = -c omega2,  rho2' = c omega1.
// On a curve H = constant, an ellipse, c = 0 in two points: from one of them the motion goes to the other.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A rigid body that turns about a fixed point and cannot turn about one of its own axes; its rotation settles down "
    "to "
    "one axis though no energy is lost.";
constexpr char source[] =
    "E. Celledoni, M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, Energy-preserving integrators applied to "
    "nonholonomic systems, section 4.3";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Suslov problem", summary, source, R"toml(
kind        = "skew-gradient"
x           = ["rho1", "rho2"]   # I11*omega1, I22*omega2; omega3 = 0
hamiltonian = "(rho1^2/I11 + rho2^2/I22)/2"
structure   = [["0", "-c"],
               ["c", "0"]]

[parameters]   # moments of inertia in axes with I12 = 0
I11 = 1
I22 = 2
I13 = 0.3
I23 = 0.4

[definitions]
c = "I13/I11*rho1 + I23/I22*rho2"   # zero for the steady rotations

[initial]
x = [1, 0.5]
)toml");
}

}  // namespace

CatalogueEntry suslov() { return {"suslov", summary, source, {}, toml}; }

}  // namespace noslip
