// What recordings of energy-preserving methods share: from the increment of x back to the state.
#pragma once

#include <noslip/method/skew_form.hpp>

namespace noslip {

/// x moves by `increment`: sets the state of the end. Gives the velocities there, as the expressions that are stored;
/// none where there are no positions.
std::vector<Expr> move_state(const SkewForm& form, StepRecipe& recipe, const std::vector<Expr>& increment);

/// [forces] at (t, q, v), where q are the first of x.
std::vector<Expr> applied_forces_at(const System& system, Graph& graph, Expr t, const std::vector<Expr>& x,
                                    const std::vector<Expr>& v);

}  // namespace noslip
