// m q1' = p1 + m omega q2,              m q2' = p2 - m omega q1,               m q3' = p3,
// p1' = omega m q2' + lambda q1/|q|,   p2' = -omega m q1' + lambda q2/|q|,   p3' = eE + lambda q3/|q|,   |q| = R.
// H does not change under rotations about the third axis: q1 p2 - q2 p1 is conserved.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A charged particle on a sphere in an electric and a magnetic field; its Hamiltonian is not separable.";
constexpr char source[] =
    "L. O. Jay, Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs with holonomic "
    "constraints (2007), section 6";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Charged particle on a sphere", summary, source, R"toml(
coordinates = ["q1", "q2", "q3"]
hamiltonian = "1/(2*m)*((p(q1) + m*omega*q2)^2 + (p(q2) - m*omega*q1)^2 + p(q3)^2) - eE*q3"
holonomic   = ["sqrt(q1^2 + q2^2 + q3^2) = R"]

[parameters]
m     = 1
omega = 1   # e B/(2 m c), the magnetic field
eE    = 1   # charge times electric field
R     = 1

[invariants]
angular_momentum = "q1*p(q2) - q2*p(q1)"

[initial]
q = [0.2, 0.2, "sqrt(R^2 - 0.08)"]
p = [1, -1, 0]
)toml");
}

}  // namespace

CatalogueEntry charged_particle() { return {"charged-particle", summary, source, {}, toml}; }

}  // namespace noslip
