// q1'' = -q1 + lambda,  q2'' = -q2 + lambda sin(q3),  q3'' = sin(q3) + epsilon cos(2 q3),  q1' + sin(q3) q2' = 0.
// The energy is kinetic plus potential; the paper prints a minus between them, with which nothing would stay bounded.
// For epsilon = 2/5 the top of the pendulum's potential is at 1.0687: with less energy it oscillates, with more it
// rotates. It is the transmission `cvt` with other names, x = q2, y = -(q3 + pi), z = q1.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A continuous gearbox between two oscillators, driven by an asymmetric pendulum that oscillates; it rotates from "
    "q = (1, 1, 0.3), v = (-sin(0.3)/2, 0.5, 3).";
constexpr char source[] =
    "E. Celledoni, M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, Energy-preserving integrators applied to "
    "nonholonomic systems, section 4.4";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Gearbox with an asymmetric pendulum", summary, source, R"toml(
coordinates = ["q1", "q2", "q3"]   # two oscillators; the pendulum
angles      = ["q3"]
lagrangian  = "1/2*(q1'^2 + q2'^2 + q3'^2) - 1/2*(q1^2 + q2^2) - cos(q3) + epsilon/2*sin(2*q3)"
constraints = ["q1' + sin(q3)*q2' = 0"]

[parameters]
epsilon = "2/5"   # asymmetry of the pendulum

[invariants]      # the pendulum moves on its own, and the reaction does no work
driver    = "q3'^2/2 + cos(q3) - epsilon/2*sin(2*q3)"
passenger = "1/2*(q1'^2 + q2'^2 + q1^2 + q2^2)"

[initial]
q = [0.0236432494005134, 0.900927392651871, -2.23581109306109]
v = ["0.376337095979029*sin(-2.23581109306109)", -0.376337095979029, -0.306694204109697]
)toml");
}

}  // namespace

CatalogueEntry gearbox() { return {"gearbox", summary, source, {}, toml}; }

}  // namespace noslip
