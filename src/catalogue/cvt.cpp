// x'' = -x + lambda sin(y),  y'' = -sin(y) - eps cos(2 y),  z'' = -z + lambda,  z' + sin(y) x' = 0.
// The pendulum y, the driver, moves on its own; the reaction does no work, so that the energy of the oscillators x and
// z, the passenger, is conserved too. The initial velocity of the pendulum follows from its energy Ed at y = 0:
//   Ed = y'^2/2 - 1
// (4/5 and 3 in the paper, which prints the velocities 3 sqrt(10)/5 and sqrt(8)); the passenger has the energy 1.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A continuously variable transmission between two oscillators, driven by a pendulum that oscillates (Ed = 4/5) or "
    "rotates (Ed = 3).";
constexpr char source[] =
    "D. Martin de Diego and R. T. Sato Martin de Almagro, High-order geometric methods for nonholonomic mechanical "
    "systems (2022), section 7.2";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Pendulum-driven transmission", summary, source, R"toml(
coordinates = ["x", "y", "z"]
angles      = ["y"]
lagrangian  = "1/2*(x'^2 + y'^2 + z'^2) - 1/2*(x^2 + z^2 - 2*cos(y) + eps*sin(2*y))"
constraints = ["z' + sin(y)*x' = 0"]

[parameters]
eps = 0         # asymmetry of the pendulum
Ed  = "4/5"     # energy of the pendulum: it rotates from about 1 on

[invariants]
driver    = "y'^2/2 - cos(y) + eps/2*sin(2*y)"
passenger = "1/2*(x'^2 + z'^2 + x^2 + z^2)"

[initial]
q = [1, 0, 1]
v = [0, "sqrt(2*(Ed + 1))", 0]
)toml");
}

}  // namespace

CatalogueEntry cvt() { return {"cvt", summary, source, {}, toml}; }

}  // namespace noslip
