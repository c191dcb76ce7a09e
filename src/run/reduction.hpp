// What of a solve can be done before any number is known.
//
// Equations that are linear in all unknowns, with coefficients that no unknown enters, need no iteration: they give
// some unknowns as affine functions of the others. Put into the remaining equations, these often become linear in turn:
// with a constant mass the velocities follow from the multipliers, and where a constraint does not depend on the
// coordinates that it acts on, the multipliers follow from a linear system. Such a step is explicit.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

struct Reduction {
  std::vector<std::size_t> kept;  ///< unknowns that are left to iterate, by number
  std::vector<Expr> residuals;    ///< as many, in the kept unknowns
  std::vector<Expr> values;       ///< per unknown: itself where it is kept, otherwise its value in the kept ones
  std::vector<Expr> growth;       ///< |pivot at the build / pivot now| of every pivot that can change
  bool has_explicit = false;      ///< some unknowns are functions of others that are not linear

  bool is_explicit() const { return kept.empty(); }
};

/// `held` symbols stand for values that unknowns enter: equations with one of them are not linear.
/// `explicit_ones` are unknowns that may also be eliminated by equations a x + f(others) = 0 with a nonlinear f.
/// `numbers` evaluates expressions at the first state of a run, for the choice of pivots. Pivots of a partial
/// elimination depend on nothing but `fixed` symbols (parameters, the step), so that they stay as good as they are;
/// when everything that is left is linear, any pivot will do that is large enough at the first state, and its growth
/// has to be watched.
Reduction reduce(Graph& graph, std::span<const Expr> unknowns, std::span<const Expr> residuals,
                 std::span<const Expr> fixed, std::span<const Expr> held, std::span<const Expr> explicit_ones,
                 const std::function<std::vector<double>(std::span<const Expr>)>& numbers);

}  // namespace noslip
