// The basis of algorithm 1 in Celledoni et al. 2019: the last columns of Q in a QR factorisation of K(q)^T by
// Householder reflections.
#pragma once

#include "method/basis.hpp"

namespace noslip {

/// The basis at q, and what fixes its signs.
struct HouseholderBasis {
  std::unique_ptr<Basis> basis;
  /// Signs s_k as functions of q and of the signs before them: that of the pivot, 1 where it is zero. They are taken at
  /// the start of a step and kept over it. A pivot whose sign is known needs none.
  std::vector<Definition> signs;
};

/// `constraints`: the rows of K, functions of q.
HouseholderBasis householder_basis(Graph& graph, const Vectors& constraints, const Vector& q);

}  // namespace noslip
