// A step in skew-gradient form while it is recorded: unknowns of its stages, their guesses, forces and their work, and
// the way from the increment of x back to the state.
#pragma once

#include <string>

#include <noslip/method/skew_form.hpp>

#include "method/vectors.hpp"

namespace noslip {

class SkewStep {
 public:
  /// With `solves_for_y` many quasi-velocities are unknowns of the step, at its stages, its end and wherever a method
  /// needs them; otherwise they are written out.
  explicit SkewStep(const System& system, bool solves_for_y = false, Coordinates coordinates = Coordinates::adapted,
                    BasisDerivatives derivatives = BasisDerivatives::exact);
  SkewStep(const SkewStep&) = delete;
  SkewStep& operator=(const SkewStep&) = delete;

  const System& system;
  StepRecipe recipe;
  Graph& graph;
  const Expr h;
  const SkewForm form;
  const std::size_t n;       ///< positions, the first of x
  const std::size_t states;  ///< of first order, beside x
  const Vector v0;      ///< empty where there are no positions

  /// Of the stages: V = x'-part of the positions, the rest of k, z = h lambda where constraints stay, and k = h x'.
  Vectors V, rest, z, k;
  /// ... and h u' of the states, in units in which they are sought.
  Vectors R;
  /// Quasi-velocities of the stages and of the end; empty where they are written out.
  Vectors y;
  Vector y_end;

  /// A stage with the symbols step.V<suffix>1, ..., step.k<suffix>1, ... and step.z<suffix>1, ...
  void add_stage(const std::string& suffix);
  /// x where k is summed up with these weights.
  Vector moved(const Weights& weights) const { return alias(form.start + sum(weights, k)); }

  /// The point of stage i, where k is summed up with these weights.
  SkewPoint stage(std::size_t i, const Weights& weights) const { return {form, graph, moved(weights), y[i]}; }
  /// Quasi-velocities of another point, with symbols of this stem.
  Vector new_y(const std::string& stem) const { return new_symbols(graph, stem, form.y.size()); }

  /// Where a stage is in the step: its time, the weights with which k leads there, and its own weight in the end.
  struct Place {
    Expr t;
    Weights reach;
    quad weight;
  };
  /// Adds the equations of stage i at the point: k = h (rates + forces) + K^T z, K V = 0, and R = h u' at the states
  /// u0 + sum_j reach_j R_j. Forces do work there.
  void require(Solve& solve, std::size_t i, SkewPoint& point, const Vector& rates, const Place& at);
  /// Adds the unknowns of stage i, at the time c in steps: V is explicit, and convergence is decided by V or the rest.
  void seek(Solve& solve, std::size_t i, quad c, const Vector& next_V, const Vector& next_rest, bool by_rest);

  /// Adds quasi-velocities of a point at the time c in steps as unknowns, with their equations; `times` are those of the
  /// stages, from which they are continued. Nothing where they are written out.
  void seek_y(Solve& solve, const Vector& unknowns, const Vector& x, quad c, const Weights& times);

  /// The same for all stages, with these times, each in its solve: velocities of the stages and of both ends, and what
  /// else is known of the stages, are continued into the next step. `v1` is what `move` gives.
  void seek_all(const std::vector<Solve*>& solves, const Weights& times, const Vector& v1);

  /// x moves by `increment`: sets the state of the end. Gives the velocities there, as the expressions that are stored;
  /// none where there are no positions.
  Vector move(const Vector& increment);

 private:
  Vector push(std::size_t i, SkewPoint& point, Substitution& here, quad weight);

  Vector u0_, moved_u_;    // states at the start, and how far the stages move them
  Expr size_;              // of what decides convergence, at the start; where there are states
  Vector units_;           // of the rates of states
  Vectors state_symbols_;  // of the stages

  Vector rates_at_start_;  // of the rest, for first guesses
  Vectors x_;              // of the stages
  Vector x_end_, v_end_;
};

}  // namespace noslip
