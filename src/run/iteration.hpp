// Equations to iterate, and the kernels of Newton's iteration for them.
#pragma once

#include <span>
#include <vector>

#include <noslip/run/step_program.hpp>
#include <noslip/solve/elimination.hpp>

#include "run/blocks.hpp"
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

  /// Those of a block alone, for the kernels of a dense solve. The last block has what is left behind beside unknowns.
  Equations part(const EquationBlock& block, bool is_last) const;
};

/// What the sum of the deciding corrections is compared with: their number times the largest of the values that the
/// solve names (velocities), with or without what is behind them.
Expr scale_of(Graph& graph, const Solve& solve);
Expr motion_of(Graph& graph, const Solve& solve);

/// Are the values that a solve holds too long to be differentiated even where Newton's matrix is to be exact? Other
/// equations may be as long as they like; these would be most of a program, for a plan that is `rarely` needed or for an
/// iteration that does well without.
bool stays_held(const Solve& solve, bool rarely);

/// The increments that settle, where this is the last solve of the recipe.
std::vector<Expr> settled_by(const StepRecipe& recipe, const Solve& solve);

/// Pivots at the first state; not regular() where there are none.
EliminationOrder order_at_start(const Equations& equations, Recorder& recorder);
/// Is the elimination worth recording?
bool can_fuse(const EliminationOrder& order, std::size_t entries);

/// Makes `factorise` and `reuse`; false if the elimination is too long or the first state singular.
template <class T>
bool fuse(SolveProgram<T>& program, Graph& graph, const Equations& equations, const EliminationOrder& order,
          Recorder& recorder, const StepLayout& layout, Backend backend, int lanes);

/// The blocks to solve one after the other where equations are solved with pivoting; a single one where nothing is
/// gained. Each has unknowns that decide when it is solved.
std::vector<EquationBlock> blocks_to_solve(const Equations& equations, const EliminationOrder& order);

/// Replaces what the residuals need, that takes work and contains no unknown, by symbols; gives what has to be evaluated
/// before the iteration. Most iterations need no Jacobian: what only that needs stays where it is.
Outputs hoist(Graph& graph, Equations& equations, Recorder& recorder);

/// The kernels of a solve with pivoting. The `order` of sparse equations tells what their factors cost.
template <class T>
void add_pivoting(SolveProgram<T>& program, const Equations& equations, const EliminationOrder& order,
                  Recorder& recorder, const StepLayout& layout, Backend backend, int lanes);

}  // namespace noslip
