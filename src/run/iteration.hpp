// Equations to iterate, and the kernels of Newton's iteration for them.
#pragma once

#include <span>
#include <vector>

#include <noslip/run/step_program.hpp>
#include <noslip/solve/elimination.hpp>

#include "run/recorder.hpp"

namespace noslip {

struct Equations {
  std::vector<Expr> unknowns;
  std::vector<int> slots;
  std::vector<Expr> residuals;
  std::vector<Entry> entries;  ///< the Jacobian
  std::vector<Entry>
      deciding;  ///< row: a quantity that decides convergence; its change is the sum of value * correction
  int deciding_count = 0;
  Expr scale;
  Expr motion;                 ///< unset where it is the scale
  std::vector<int> followers;  ///< SolveProgram::followers
  std::vector<Expr> settled;   ///< increments of the state that equations see
  std::vector<Expr> held;      ///< new values of what is held, unset where nothing but the iteration needs them
  bool renews = false;         ///< a new Jacobian in every iteration
  bool lasts = false;          ///< factors may serve several steps: an iteration that reuses them needs the scale too

  bool are_smooth_in_unknowns() const;  ///< no corners, no jumps
  /// Finds `followers`, given which unknowns decide.
  void find_followers(const std::vector<bool>& decides);

  /// The Jacobian of the residuals. What is held counts as constant in it; residuals then see its new values, which
  /// themselves may see the old ones, where `eliminated` unknowns contain them.
  void differentiate(Graph& graph, std::span<const Definition> values, std::span<const Expr> eliminated);
};

/// What the sum of the deciding corrections is compared with: their number times the largest of the values that the
/// solve names (velocities), with or without what is behind them.
Expr scale_of(Graph& graph, const Solve& solve);
Expr motion_of(Graph& graph, const Solve& solve);

/// The increments that settle, where this is the last solve of the recipe.
std::vector<Expr> settled_by(const StepRecipe& recipe, const Solve& solve);

/// Pivots at the first state; not regular() where there are none.
EliminationOrder order_at_start(const Equations& equations, Recorder& recorder);
/// Is the elimination worth recording?
bool can_fuse(const EliminationOrder& order);

/// Makes `factorise` and `reuse`; false if the elimination is too long or the first state singular.
template <class T>
bool fuse(SolveProgram<T>& program, Graph& graph, const Equations& equations, const EliminationOrder& order,
          Recorder& recorder, const StepLayout& layout, Backend backend, int lanes);

/// The kernels of a dense solve with pivoting.
template <class T>
void add_pivoting(SolveProgram<T>& program, const Equations& equations, Recorder& recorder, const StepLayout& layout,
                  Backend backend, int lanes);

}  // namespace noslip
