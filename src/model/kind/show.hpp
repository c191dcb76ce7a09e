// Pieces of what a system shows: sections of equations, expressions as texts.
#pragma once

#include <string>
#include <vector>

#include "model/equations.hpp"

namespace noslip {

/// A section with the same equations as text and as LaTeX.
void add_section(Shown& shown, std::string title, const System& system, Writer& writer,
                 std::vector<Equation> (*equations)(const System&, Pen));

/// Inputs and the controller, of every kind of system that has them.
void add_inputs(Shown& shown, const System& system, Writer& writer);
void add_units(Shown& shown, const System& system);

/// Lagrangian, Hamiltonian and constraints as entries, in front of those that there are.
void add_sources(Shown& shown, const System& system, Writer& writer);
/// The shared parts that have names, as first section, and as an entry.
void add_definitions(Shown& shown, const SharedParts& shared);

ShownValue text_list(Writer& writer, const std::vector<Expr>& expressions);
ShownValue text_rows(Writer& writer, const std::vector<std::vector<Expr>>& rows);
ShownValue texts_by_name(Writer& writer, const std::vector<std::string>& names, const std::vector<Expr>& expressions);
ShownValue names_as_list(const std::vector<std::string>& names);
ShownValue equation_texts(const std::vector<Equation>& equations);  ///< "left = right"

}  // namespace noslip
