// m x'' = -2 x - y lambda,  m y'' = -2 y,  m z'' = lambda,  z' = y x'.
// y oscillates on its own, so its energy is conserved beside the total one.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] = "A particle in a potential well whose velocity stays in the planes z' = y x'.";
constexpr char source[] =
    "L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), section 8.1";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Nonholonomic particle", summary, source, R"toml(
coordinates = ["x", "y", "z"]
lagrangian  = "m/2*(x'^2 + y'^2 + z'^2) - x^2 - y^2"
constraints = ["z' = y*x'"]

[parameters]
m = 1

[invariants]
y_energy = "m/2*y'^2 + y^2"

[initial]
q = [1, 0, 0]
v = [0, 1, 0]
)toml");
}

}  // namespace

CatalogueEntry particle() { return {"particle", summary, source, {}, toml}; }

}  // namespace noslip
