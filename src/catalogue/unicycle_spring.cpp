// An upright disc at (x, y) that rolls in its direction theta, v1 along it and v2 across it, and turns with omega; a
// spring pulls its centre to the origin:
//   m v1' = m v2 omega - k (x cos(theta) + y sin(theta)),  v2 = 0,  Iz omega' = 0.
// With the origin seen from the disc, ahead = x cos(theta) + y sin(theta) and left = y cos(theta) - x sin(theta),
//   ahead' = v1 + omega left,  left' = -omega ahead,  m v1' = -k ahead,
// so that ahead swings with nu^2 = k/m + omega^2, and k left - m omega v1 is constant.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "An upright disc that rolls without slipping and is tied to the origin with a spring; it turns at a constant rate.";
constexpr char source[] =
    "D. Martín de Diego, R. T. Sato Martín de Almagro, High-order geometric methods for nonholonomic mechanical "
    "systems, section 7.4";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Unicycle with a spring", summary, source, R"toml(
coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] }]
lagrangian  = "m/2*(v1^2 + v2^2) + Iz/2*omega^2 - k/2*(x^2 + y^2)"
constraints = ["v2 = 0"]

[parameters]
m      = 1
Iz     = 0.5    # about the vertical
k      = 1      # spring
x0     = 1      # initial position and direction
y0     = 0.5
theta0 = 0.3
u0     = 0.8    # initial speed and rate of turning
rate0  = 1.2

[definitions]   # of the solution: the position in the axes of the disc
nu     = "sqrt(k/m + rate0^2)"
ahead0 = "x0*cos(theta0) + y0*sin(theta0)"
left0  = "y0*cos(theta0) - x0*sin(theta0)"
slope0 = "u0 + rate0*left0"
ahead  = "ahead0*cos(nu*t) + slope0*sin(nu*t)/nu"
left   = "left0 - rate0*(ahead0*sin(nu*t)/nu + 2*slope0*(sin(nu*t/2)/nu)^2)"
turn   = "theta0 + rate0*t"

[invariants]
spin   = "omega"
offset = "k*(y*cos(theta) - x*sin(theta)) - m*omega*v1"

[initial]
q = { x = "x0", y = "y0", theta = "theta0" }
v = { v1 = "u0", omega = "rate0" }

[exact]
x     = "ahead*cos(turn) - left*sin(turn)"
y     = "ahead*sin(turn) + left*cos(turn)"
theta = "turn"
)toml");
}

}  // namespace

CatalogueEntry unicycle_spring() { return {"unicycle-spring", summary, source, {}, toml}; }

}  // namespace noslip
