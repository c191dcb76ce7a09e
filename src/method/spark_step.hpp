// What SPARK steps in coordinates and on groups share: which unknowns and equations are solved together and which
// follow, guesses of the unknowns, conditions on velocities and positions, and the end of the recording.
#pragma once

#include <utility>
#include <vector>

#include "method/spark_multipliers.hpp"
#include "method/step_builder.hpp"

namespace noslip {

/// A velocity that satisfies constraints: at the end of the step (stage s) or, projected, at a stage after the first.
struct OnConstraint {
  int stage;
  Change change;
  Stage at;
};

/// A recording adds its stages, its nodes and the points on the constraints, then its equations, and finishes.
class SparkStep {
 public:
  SparkStep(const SparkStep&) = delete;
  SparkStep& operator=(const SparkStep&) = delete;

 protected:
  /// What does not enter the other equations and is found from the conditions at the end, when these are solved.
  struct Decoupling {
    bool last_stage;  ///< forces and multipliers of the last stage
    bool end;         ///< the velocity at the end and the multipliers of the last node
  };

  SparkStep(const System& system, const SparkCoefficients& spark, Constraints constraints);
  ~SparkStep() = default;

  const NodeCoefficients& nodes() const { return multipliers_.nodes(); }
  int node_count() const { return multipliers_.node_count(); }
  bool is_end(const OnConstraint& here) const { return here.stage == s_; }
  quad time_of(const OnConstraint& here) const { return is_end(here) ? quad(1) : spark_.q.c[here.stage]; }
  const OnConstraint& at_end() const { return on_constraint_.back(); }

  // Where unknowns and equations belong.
  Solve& end() { return decoupled_.end ? end_solve_ : stages_solve_; }
  Solve& of_stage(int j) { return j == s_ - 1 && decoupled_.last_stage ? end_solve_ : stages_solve_; }
  Solve& of_node(int j) { return j == nodes().last() ? end() : stages_solve_; }
  Solve& of(const OnConstraint& here) { return is_end(here) ? end() : stages_solve_; }

  /// Makes the changes at the stages unknown; gives those of the velocities.
  const Vectors& new_changes();
  /// The next stage, with the reactions there.
  void add_stage(Stage stage);
  /// The next node, at the positions q, with the reactions there. The last one must be the end of the step.
  void add_node(const Vector& q);

  /// Changes of the velocities at the stages are given as they are continued into the next step.
  void seek_changes(const Vectors& at_stages);
  /// k = 0 where the method has it: on_constraint_ if it is projected, otherwise (6.1e), (6.1f) of Jay 2009 and, where
  /// the coefficients say so, at the mean of the stages.
  void velocity_conditions(const Stage& mean);
  /// (3.2d) and (3.2h) of Jay 2007
  void position_conditions();
  /// The time of the mean of the stages.
  Expr mean_time() const;

  StepRecipe finish();

  const SparkCoefficients& spark_;
  const bool is_projected_;
  const int m_, l_, s_;  // velocity constraints, position constraints, stages
  StepBuilder step_;
  const SparkMultipliers multipliers_;
  Decoupling decoupled_ = {false, false};
  Changes D_;  // of the stages
  std::vector<Stage> stages_;
  std::vector<PositionNode> nodes_;
  Vectors node_reactions_;
  Vectors corrections_;  // r(t1, q1, mu_j), for the "true" Euler method (Jay 2007, sec. 3.5)
  std::vector<OnConstraint> on_constraint_;
  Solve stages_solve_, end_solve_;

 private:
  /// Adds conditions to their solves, those of one constraint one after the other.
  static void require(const std::vector<std::pair<Solve*, Vector>>& conditions);
  Vector used_positions() const;  // in position constraints
};

}  // namespace noslip
