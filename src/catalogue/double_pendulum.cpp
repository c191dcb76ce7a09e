// m1 x1'' = 2 x1 lambda_1 - 2 (x2 - x1) lambda_2,  m1 y1'' = -m1 g + 2 y1 lambda_1 - 2 (y2 - y1) lambda_2,
// m2 x2'' = 2 (x2 - x1) lambda_2,                  m2 y2'' = -m2 g + 2 (y2 - y1) lambda_2,
// x1^2 + y1^2 = l1^2,  (x2 - x1)^2 + (y2 - y1)^2 = l2^2.
// Small oscillations of equal masses and lengths have the frequencies omega^2 = (2 -+ sqrt(2)) g/l.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "Two point masses on two rods in a plane, in Cartesian coordinates; chaotic at large angles.";
constexpr char source[] = "L. D. Landau and E. M. Lifshitz, Mechanics (1976), section 5, problem 1";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Double pendulum", summary, source, R"toml(
coordinates = ["x1", "y1", "x2", "y2"]   # y points up
lagrangian  = "m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2) - m1*g*y1 - m2*g*y2"
holonomic   = ["x1^2 + y1^2 = l1^2", "(x2 - x1)^2 + (y2 - y1)^2 = l2^2"]

[parameters]
m1     = 1
m2     = 1
l1     = 1
l2     = 1
g      = 9.81
alpha1 = "2*pi/3"   # initial angles from the downward vertical
alpha2 = "pi/2"
omega1 = 0        # and their rates
omega2 = 0

[initial.q]
x1 = "l1*sin(alpha1)"
y1 = "-l1*cos(alpha1)"
x2 = "l1*sin(alpha1) + l2*sin(alpha2)"
y2 = "-l1*cos(alpha1) - l2*cos(alpha2)"

[initial.v]
x1 = "l1*omega1*cos(alpha1)"
y1 = "l1*omega1*sin(alpha1)"
x2 = "l1*omega1*cos(alpha1) + l2*omega2*cos(alpha2)"
y2 = "l1*omega1*sin(alpha1) + l2*omega2*sin(alpha2)"
)toml");
}

}  // namespace

CatalogueEntry double_pendulum() { return {"double-pendulum", summary, source, {}, toml}; }

}  // namespace noslip
