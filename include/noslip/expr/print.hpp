// Expression to text that parses back, and to LaTeX.
#pragma once

#include <string>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Text in the grammar of expr/parse.hpp; parsing it gives the same node. Aliases print as what they mean.
std::string to_text(Expr expression);

/// LaTeX: fractions, roots, \sin, Greek names as letters, `x'` as \dot{x}, trailing digits as subscripts.
std::string to_latex(Expr expression);

}  // namespace noslip
