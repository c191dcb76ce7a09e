// A body with a fixed point and the centre of mass on its third axis, l away from it; gamma = R^T e_z, the third row of
// R, is the vertical in the body:
//   J w' = J w x w + m g l gamma x e3,  gamma' = gamma x w.
// Energy and vertical angular momentum gamma . J w are constant, for Lagrange's top, J1 = J2, also w3; it sleeps
// upright when (J3 w3)^2 > 4 J1 m g l. With J2 = J3 = 2 J1 it is the top of Kovalevskaya.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A heavy top with a fixed point and any moments of inertia; by default a symmetric one, which is let go and nods.";
constexpr char source[] =
    "J. L. Lagrange, Mécanique analytique, second edition (1815); S. Kowalevski, Sur le problème de la rotation d'un "
    "corps solide autour d'un point fixe, Acta Math. 12 (1889)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Heavy top", summary, source, R"toml(
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian  = "(J1*w1^2 + J2*w2^2 + J3*w3^2)/2 - m*g*l*R33"

[parameters]   # of a thin disc with the mass 1 and the radius sqrt(2) on a stick
m          = 1
g          = 9.81
l          = 0.5      # from the fixed point to the centre of mass
J1         = 0.75     # principal moments of inertia about the fixed point
J2         = "J1"
J3         = 1
tilt0      = 0.5      # initial tilt from the vertical, rates about the vertical and about the axis
precession = 0
spin0      = 6

[invariants]
vertical = "R31*J1*w1 + R32*J2*w2 + R33*J3*w3"
spin     = "w3"       # for J1 = J2

[initial]
q = { R = ["tilt0", 0, 0] }
v = { w2 = "precession*sin(tilt0)", w3 = "spin0 + precession*cos(tilt0)" }
)toml");
}

}  // namespace

CatalogueEntry heavy_top() { return {"heavy-top", summary, source, {}, toml}; }

}  // namespace noslip
