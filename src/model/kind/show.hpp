// Pieces of what a system shows: sections of equations, expressions as texts.
#pragma once

#include <string>
#include <vector>

#include "model/equations.hpp"

namespace noslip {

/// A section with the same equations as text and as LaTeX.
void add_section(Shown& shown, std::string title, const System& system,
                 std::vector<Equation> (*equations)(const System&, Notation));

/// Inputs and the controller, of every kind of system that has them.
void add_inputs(Shown& shown, const System& system);

ShownValue text_list(const std::vector<Expr>& expressions);
ShownValue text_rows(const std::vector<std::vector<Expr>>& rows);
ShownValue texts_by_name(const std::vector<std::string>& names, const std::vector<Expr>& expressions);
ShownValue names_as_list(const std::vector<std::string>& names);
ShownValue equation_texts(const std::vector<Equation>& equations);  ///< "left = right"

}  // namespace noslip
