// States of first order have units of their own: a charge of 1e-9 may stand beside a speed of 1e3. Newton's iteration
// ends when corrections are small beside the largest unknown, so that changes of states are sought in units in which
// they are as large as the other unknowns.
#pragma once

#include "method/vectors.hpp"

namespace noslip {

/// The largest of the sizes; 1 where all are zero.
Expr size_or_one(Graph& graph, const Vector& values);

/// Units for changes of the rates of states: |u0/h| + |u0'| for each, divided by `size`. Zeros count as 1.
Vector state_units(Graph& graph, const Vector& u0, const Vector& rates, Expr h, Expr size);

/// A product for each, unit times symbol.
Vector in_units(const Vector& units, const Vector& symbols);

}  // namespace noslip
