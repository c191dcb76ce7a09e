// The symbols that functions of a system's state depend on, in blocks (exec/function.hpp).
#pragma once

#include <vector>

#include <noslip/expr/matrix.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// The constants of a step: parameters, then inputs.
std::vector<Expr> parameter_symbols(const System& system);

/// t; q; v; z; constants of a step.
ExprMatrix state_blocks(const System& system);

/// Blocks or rows, copied into the graph of `copy`.
ExprMatrix copied(Substitution& copy, const ExprMatrix& blocks);

/// One row per constraint: K, and its k.
SparseMatrix gradients_of(const std::vector<Constraint>& constraints);
std::vector<Expr> values_of(const std::vector<Constraint>& constraints);
std::vector<Expr> values_of(const std::vector<HolonomicConstraint>& constraints);
std::vector<Expr> rates_of(const std::vector<FirstOrderState>& states);

}  // namespace noslip
