// y1' = y1 y2^2 z1^2,  y2' = y1^2 y2^2 - 3 y2^2 z1,  0 = y1^2 y2 - 1.
// The hidden constraint 2 y1 y2 y1' + y1^2 y2' = 0 is quadratic in z1: at y1 = y2 = 1 it has the solutions z1 = 1,
// which belongs to the solution below, and z1 = 1/2, which belongs to y1 = exp(t/4), y2 = exp(-t/2), z1 = exp(t/2)/2.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A test problem of index 2 with a known solution, nonlinear in its algebraic variable; there is a second branch.";
constexpr char source[] = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), equation (2.28)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Index-2 test problem", summary, source, R"toml(
kind = "dae2"
y = ["y1", "y2"]
z = ["z1"]
f = [[],                                               # A
     ["y1*y2^2*z1^2", "y1^2*y2^2 - 3*y2^2*z1"]]        # B
g = ["y1^2*y2 = 1"]

[initial]
y = [1, 1]
z = [1]        # 1/2 is consistent too: the other branch

[exact]
y1 = "exp(t)"
y2 = "exp(-2*t)"
z1 = "exp(2*t)"
)toml");
}

}  // namespace

CatalogueEntry index2() { return {"index2", summary, source, {}, toml}; }

}  // namespace noslip
