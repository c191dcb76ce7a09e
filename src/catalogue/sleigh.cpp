// (x, y) is the point of contact of the blade, theta its direction, a the distance to the centre of mass:
//   m x'' - m a (sin(theta) theta')' = -lambda sin(theta)
//   m y'' + m a (cos(theta) theta')' = -m g + lambda cos(theta)
//   (J + m a^2) theta'' + m a (y'' cos(theta) - x'' sin(theta)) = -m g a cos(theta)
//   y' cos(theta) = x' sin(theta)
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A rigid body on an inclined plane that rests on two gliding points and a knife edge; it cannot move across the "
    "edge.";
constexpr char source[] = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), sections 4.2 and 4.5";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Chaplygin sleigh on an incline", summary, source, R"toml(
coordinates = ["x", "y", "theta"]
angles      = ["theta"]
lagrangian  = """m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2
               + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - m*g*(y + a*sin(theta))"""
constraints = ["y'*cos(theta) = x'*sin(theta)"]

[parameters]
m = 1
a = 1     # from the knife edge to the centre of mass
J = 1     # moment of inertia about the centre of mass
g = 0.1   # gravity along the plane; y points uphill

[initial]
q = [1, 0, 0]
v = [0, 0, 0]
)toml");
}

}  // namespace

CatalogueEntry sleigh() { return {"sleigh", summary, source, {}, toml}; }

}  // namespace noslip
