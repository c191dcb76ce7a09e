// The sum of the parts is y1' = y1, y2' = -2 y2 along y1 = exp(t), y2 = exp(-2 t), z1 = exp(2 t); the terms that cancel
// there are spread over the parts on purpose. At y1 = y2 = 1 the hidden constraint reads 6 z1^2 - 3 z1 - 3 = 0, with
// the solutions z1 = 1 and z1 = -1/2.
#include "catalogue/entries.hpp"

namespace noslip {
namespace {

constexpr char summary[] =
    "A test problem of index 2 with a known solution whose right-hand side is split into five parts, one for each set "
    "of Lobatto coefficients.";
constexpr char source[] = "S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), equation (2.23)";

std::string toml(const std::map<std::string, int>&) {
  return system_file("Index-2 test problem in five parts", summary, source, R"toml(
kind = "dae2"
y = ["y1", "y2"]
z = ["z1"]
f = [["y2 - 2*y1^2*y2",                      "-y1^2"],               # A
     ["y1*y2^2*z1^2",                        "exp(-t)*z1 - y1"],     # B
     ["-y2^2*z1",                            "-3*y2^2*z1"],          # C
     ["2*y1*y2^2 - 2*exp(-2*t)*y1*y2",       "z1"],                  # C*
     ["2*y2^2*z1^2",                         "y1^2*y2^2"]]           # D
g = ["y1^2*y2 = 1"]

[initial]
y = [1, 1]
z = [1]

[exact]
y1 = "exp(t)"
y2 = "exp(-2*t)"
z1 = "exp(2*t)"
)toml");
}

}  // namespace

CatalogueEntry index2_split() { return {"index2-split", summary, source, {}, toml}; }

}  // namespace noslip
