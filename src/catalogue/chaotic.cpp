// n = 2 m + 1 coordinates x, w_1 ... w_m, z_1 ... z_m of unit mass with
//   2 U = |q|^2 + z_1^2 z_2^2 + sum w_i^2 z_i^2,   x' + sum w_i z_i' = 0:
//   x'' = -U_x + lambda,  w_i'' = -U_{w_i},  z_i'' = -U_{z_i} + lambda w_i.
// The constraint is the one of Celledoni et al. 2019, eq. (20); with z_i z_i' instead it would be integrable.
// The initial values of the papers (m = 3, w = 0.6, 0.4, 0.2) lie on one energy for all j = 0 ... J. For other m they
// go on as w_i = 0.6 (m + 1 - i)/m, so that w_1 = 0.6 always.
#include "catalogue/chaotic.hpp"

#include <numeric>

namespace noslip {
namespace {

constexpr char chaotic_summary[] =
    "Coupled particles in a quartic potential, fully chaotic: the energy error of a good method walks randomly.";
constexpr char chaotic_source[] =
    "E. Celledoni, M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, Energy-preserving integrators applied to "
    "nonholonomic systems (2019), section 4.1; L. O. Jay (2009), section 8.4";

/// Calls `term` for 1 ... m and joins the answers.
template <class Term>
std::string join(int m, const std::string& separator, Term term) {
  std::string text;
  for (int i = 1; i <= m; ++i) text += (i == 1 ? "" : separator) + term(std::to_string(i));
  return text;
}

std::string fraction(int numerator, int denominator) {
  const int common = std::gcd(numerator, denominator);
  return std::to_string(numerator / common) + "/" + std::to_string(denominator / common);
}

std::string system_file(const std::map<std::string, int>& sizes) {
  const int m = sizes.at("m");
  using Text = const std::string&;
  const auto each = [m](const std::string& separator, auto term) { return join(m, separator, term); };

  std::string text = "name        = \"McLachlan and Perlmutter's particles\"\n";
  text += std::string("description = \"") + chaotic_summary + "\"\nsource      = \"" + chaotic_source + "\"\n";
  text += "\ncoordinates = [\"x\", " + each(", ", [](Text i) { return "\"w" + i + "\""; }) + ", " +
          each(", ", [](Text i) { return "\"z" + i + "\""; }) + "]\n";
  text += "lagrangian  = \"\"\"1/2*(x'^2 + " + each(" + ", [](Text i) { return "w" + i + "'^2"; }) + " + " +
          each(" + ", [](Text i) { return "z" + i + "'^2"; }) + ")\n";
  text += "             - 1/2*(x^2 + " + each(" + ", [](Text i) { return "w" + i + "^2"; }) + " + " +
          each(" + ", [](Text i) { return "z" + i + "^2"; }) + "\n";
  text += "                    + z1^2*z2^2 + " + each(" + ", [](Text i) { return "w" + i + "^2*z" + i + "^2"; }) +
          ")\"\"\"\n";
  text += "constraints = [\"x' + " + each(" + ", [](Text i) { return "w" + i + "*z" + i + "'"; }) + " = 0\"]\n";
  text += R"toml(
[parameters]
j = 5   # which of the initial conditions, 0 to J
J = 9

[initial.q]
x  = "cos(j*pi/(2*J))"
)toml";
  text += each("", [m](Text i) { return "w" + i + " = \"" + fraction(3 * (m + 1 - std::stoi(i)), 5 * m) + "\"\n"; });
  text += each("", [](Text i) { return "z" + i + " = 1\n"; });
  text += R"toml(
[initial.v]
w1 = "sin(j*pi/(2*J))"
)toml";
  return text;
}

}  // namespace

CatalogueEntry chaotic() { return {"chaotic", chaotic_summary, chaotic_source, {{"m", 3, 2, 500}}, system_file}; }

}  // namespace noslip
