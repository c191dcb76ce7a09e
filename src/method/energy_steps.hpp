// What recordings of energy-preserving methods share: from the increment of x back to the state.
#pragma once

#include <noslip/method/skew_form.hpp>

#include "method/vectors.hpp"

namespace noslip {

/// x moves by `increment`: sets the state of the end. Gives the velocities there, as the expressions that are stored;
/// none where there are no positions.
Vector move_state(const SkewForm& form, StepRecipe& recipe, const Vector& increment);

/// [forces] at (t, q, v), where q are the first of x.
Vector applied_forces_at(const System& system, Graph& graph, Expr t, const Vector& x, const Vector& v);

}  // namespace noslip
