// One step of a method, recorded as expressions. This is all that a method has to give; the engine makes the rest.
//
//   solves:   unknowns x and equations r(state, x) = 0, one after the other (a later one may use earlier unknowns)
//   state:    for every state variable the increment that the step adds to it
//   guesses:  where Newton starts, for the first step and for a step that follows one of equal size
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
  bool decides = false;  ///< part of the norm that decides convergence (velocities do; multipliers follow from them)
};

struct Solve {
  std::vector<Unknown> unknowns;
  std::vector<Expr> residuals;  ///< as many as unknowns
  std::vector<Expr> scale;      ///< corrections are small compared with the largest of these (velocities)
};

struct StateVariable {
  Expr symbol;     ///< the value at the start of the step
  Expr low;        ///< what rounding has kept from it so far (compensated summation); far below one unit in its last place
  Expr increment;  ///< of state, unknowns, h, t, parameters; the new value is symbol + (increment + low)
};

struct StepRecipe {
  std::shared_ptr<Graph> graph;
  Expr t, h;                     ///< symbols: time at the start, step
  std::vector<Expr> parameters;  ///< symbols, in the order of System::parameters()
  std::vector<StateVariable> state;          ///< for mechanical systems q, then v
  std::vector<Expr> accelerations, multipliers;  ///< symbols of the continuous problem at the start, for first guesses
  std::vector<Solve> solves;
};

/// A recipe for a mechanical system with the symbols in place (t, h, parameters, state q then v, accelerations,
/// multipliers) and nothing to solve yet. Parameters and coordinates keep their names.
StepRecipe begin_recipe(const System& system);

}  // namespace noslip
