// Expression to text that parses back, and to LaTeX.
#pragma once

#include <cstddef>
#include <string>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Text in the grammar of expr/parse.hpp; parsing it gives the same node. Aliases print as what they mean.
/// Calls of functions written in C++ print as pull(x, x'), their derivatives as pull[1](x, x'); no text means these.
std::string to_text(Expr expression);
/// The same, cut to this many characters and "..." where it is longer. A graph whose text would be endless, because its
/// parts share so much, costs no more than these.
std::string to_text(Expr expression, std::size_t most);

/// LaTeX: fractions, roots, \sin, Greek names as letters, `x'` as \dot{x}, trailing digits as subscripts.
std::string to_latex(Expr expression);

}  // namespace noslip
