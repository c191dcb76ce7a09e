// The rules of differentiation, one per operation.
#pragma once

#include <optional>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The change of f when its operands change by da, db, dc ("nothing" for an operand that does not change); "nothing" if
/// f does not change. Linear in each of them, so that one rule serves the forward sweep (all changes at once) and the
/// backward sweep (the adjoint of f put in for one operand gives that operand's share). The change of the arguments of a
/// call has the form of arguments; a call has no share in a backward sweep.
std::optional<Expr> tangent(Expr f, std::optional<Expr> da, std::optional<Expr> db, std::optional<Expr> dc);

}  // namespace noslip
