// One step of a method, recorded as expressions. This is all that a method has to give; the engine makes the rest.
//
//   solves:   unknowns x and equations r(state, x) = 0, one after the other (a later one may use earlier unknowns)
//   state:    for every state variable the increment that the step adds to it
//   guesses:  where Newton starts, for the first step and for a step that follows one of equal size
//
// A method writes the equations as its paper does. Which unknowns can be eliminated beforehand, and whether anything is
// left to iterate, the engine finds out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/expr/graph.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

struct Unknown {
  Expr symbol;
  Expr first_guess;  ///< of t, h, state, parameters, and the accelerations and multipliers of the continuous problem
  Expr next_guess;   ///< for the following step of the same size; of the same symbols and the unknowns just found
  /// Part of the norm that decides when Newton stops (velocities do; multipliers follow from them).
  bool decides_convergence = false;
  /// Need not be iterated where an equation gives it explicitly, as a function of other unknowns that may be nonlinear.
  bool is_explicit = false;
};

/// A name for a value, so that expressions of later solves stay short (the state between the parts of a composition).
struct Definition {
  Expr symbol;
  Expr value;  ///< of state, h, t, parameters, unknowns of earlier solves, earlier definitions
};

struct Solve {
  std::vector<Definition> before;  ///< evaluated when the solves before this one are done
  /// The first guess is taken in every step, when the solves before this one are done, and may use what they have
  /// found.
  bool guesses_every_step = false;
  std::vector<Unknown> unknowns;
  std::vector<Expr> residuals;  ///< as many as unknowns
  /// Values that unknowns enter so weakly that Newton's matrix may regard them as constants: they are renewed in every
  /// iteration. Their values contain unknowns, no other held ones. Only the last solve may have some.
  std::vector<Definition> held_in_matrix;
  /// Some unknowns could be eliminated, and are there so that derivatives stay short: nothing is eliminated beforehand.
  bool keeps_unknowns = false;
  std::vector<Expr> scale;  ///< corrections are small compared with the largest of these (velocities, states)
  /// Numbers beside which corrections may be rounding errors, however small the motion is (y, q/h).
  std::vector<Expr> background = {};

  /// Adds unknowns with their guesses, one per symbol.
  void seek(const std::vector<Expr>& symbols, const std::vector<Expr>& first_guess, const std::vector<Expr>& next_guess,
            bool decides_convergence = true, bool is_explicit = false);
  /// Adds equations: what vanishes.
  void require(const std::vector<Expr>& what);
  /// Adds held values, as step.<stem>1, ...; gives what stands for them, which for constants are they themselves.
  std::vector<Expr> hold(const std::string& stem, std::vector<Expr> values);
};

struct StateVariable {
  Expr symbol;  ///< the value at the start of the step
  Expr low;     ///< what rounding has kept from it so far (compensated summation); far below one unit in its last place
  Expr increment;        ///< of state, unknowns, h, t, parameters
  Expr added_last = {};  ///< a part of the increment that is known last and is added last; unset if there is none
  /// Equations of the last solve hold at next(), as rounded. Newton's last correction changes the increment by less
  /// than rounding does; the stored value then must not round to another number than the equations have seen.
  bool stored_as_seen = false;
  bool is_compensated = true;  ///< otherwise what rounding takes is lost, and nothing contains `low`
  /// Instead of all that: the new value, if it is not a sum; and what rounding has kept from it, unset for nothing.
  Expr value = {}, value_low = {};

  /// (increment + low) + added_last, as one number: what is added to the value. Without `low` where that is lost.
  Expr total_increment(Graph& graph) const;
  /// The new value, the very number that will be stored. A constraint that holds there holds for the stored state, low
  /// parts included, also where one unit in the last place of a large angle is more than rounding in the constraint.
  Expr next(Graph& graph) const;
};

/// Variables inside a step, from their changes w_j at nodes c_j (in steps) by interpolation of the rates:
///   x(t + theta h) = x0 + sum_j w_j int_0^theta l_j,  Lagrange's l_j;
/// at the end of the step this is x0 + sum_j b_j w_j.
struct StepPolynomial {
  std::vector<quad> nodes;                 ///< all different
  std::vector<std::vector<Expr>> changes;  ///< one vector per node, with one entry per variable
};

struct StepRecipe {
  std::shared_ptr<Graph> graph;
  Expr t, h;                     ///< symbols: time at the start, step
  std::vector<Expr> parameters;  ///< symbols, in the order of System::step_constants()
  /// q, v, the momenta of a Hamiltonian without a Legendre transform in closed form, the multipliers if the method
  /// carries them from step to step (from first_multiplier on), and the work if there is any.
  std::vector<StateVariable> state;
  std::size_t first_multiplier = 0;
  /// Which of the state are angles: a step knows nothing of their full turns, and between two steps they may be moved
  /// by whole ones. Unknowns must be nothing that such a move changes: increments, not positions.
  std::vector<int> angles;
  bool has_work = false;  ///< the last of the state is W, what all that does work has added to the energy so far
  /// Symbols of the continuous problem at the start, for first guesses of mechanical systems: lambda, accelerations.
  std::vector<Expr> multipliers, accelerations;
  std::vector<Solve> solves;
  /// Multipliers at the end of the step; an unset one where the method has no value there, empty where it has none at
  /// all.
  std::vector<Expr> end_multipliers;
  /// What a SPARK method has inside a step: V_i and h lambda_i, one vector per stage, and h mu_j, one vector per node.
  std::vector<std::vector<Expr>> stage_velocities, stage_impulses, node_impulses;
  /// The motion inside the step, as the method has it: the collocation polynomial of the positions, and sums of
  /// polynomials of the momenta, or of the velocities themselves. None where the method has no such polynomials.
  std::vector<StepPolynomial> positions_inside, momenta_inside;
  bool moves_velocities = false;  ///< momenta_inside are velocities
  /// Numbers that become negative where the step ends on another branch of solutions than it began, at least where
  /// branches are apart. Empty where there is one branch only.
  std::vector<Expr> branch_sides;
  /// The system has corners or jumps in the state or the time. (What a recipe itself writes with `select` and the like
  /// is smooth.)
  bool has_corners = false;
  /// Multipliers enter the equations linearly, so that they are found as soon as all else is.
  bool has_linear_reactions = true;
  /// Steps start on the constraints, so that the solution of a step is connected with that for h = 0.
  bool starts_on_constraints = true;

  // Parts of the state, from `first` on:
  /// Values at the start of the step.
  std::vector<Expr> start(std::size_t first, std::size_t count) const;
  /// Sets increments (and what is added last, if there is any); gives the new values, the very numbers that will be
  /// stored.
  std::vector<Expr> move(std::size_t first, const std::vector<Expr>& increment,
                         const std::vector<Expr>& added_last = {}, bool stored_as_seen = false);
  /// Sets new values that are not sums.
  void store(std::size_t first, const std::vector<Expr>& values, const std::vector<Expr>& low = {});

  /// Makes all sums of the state plain: low parts are zero in every expression and are not stored.
  void drop_compensation();
};

/// A recipe with the symbols in place and nothing to solve yet. Parameters and coordinates keep their names. With
/// `carries_multipliers` they follow q and v in the state; where something does work, W is its last part and does not
/// change yet.
StepRecipe begin_recipe(const System& system, bool carries_multipliers = false);

}  // namespace noslip
