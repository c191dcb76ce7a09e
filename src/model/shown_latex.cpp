// Equations as LaTeX.
#include <fmt/format.h>

#include <noslip/model/shown.hpp>

namespace noslip {
namespace {

constexpr std::size_t longest_latex = 4'000'000;  // characters

}  // namespace

std::string to_latex(const Shown& shown) {
  std::vector<Equation> equations;
  for (const Shown::Section& section : shown.sections) {
    equations.insert(equations.end(), section.latex.begin(), section.latex.end());
  }
  std::string text = "\\begin{align*}\n";
  for (std::size_t i = 0; i < equations.size(); ++i) {
    if (text.size() > longest_latex) {
      text += fmt::format("  & \\text{{and {} more equations}}\n",
                          equations.size() - i);
      break;
    }
    text +=
        fmt::format("  {} &= {}{}\n", equations[i].left, equations[i].right, i + 1 < equations.size() ? " \\\\" : "");
  }
  return text + "\\end{align*}\n";
}

}  // namespace noslip
