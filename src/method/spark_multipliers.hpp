// Multipliers of a SPARK step, in coordinates and on groups: what they are called, where the search for them begins,
// what is known of them at the end, and the work of their reactions.
#pragma once

#include <functional>
#include <vector>

#include <noslip/method/spark.hpp>
#include <noslip/method/stage.hpp>

namespace noslip {

class SparkMultipliers {
 public:
  /// Impulses z_j = h lambda_j of velocity constraints at the stages and y_j = h mu_j of position constraints at the
  /// nodes: symbols, but for the first stage where its multiplier is given.
  SparkMultipliers(const System& system, const SparkCoefficients& spark, StepRecipe& recipe);

  std::vector<std::vector<Expr>> z, y;

  const NodeCoefficients& nodes() const { return *spark_.nodes; }
  int node_count() const { return static_cast<int>(y.size()); }  ///< 0 without position constraints

  /// h lambda of all constraints at a stage; those of position constraints by interpolation from the nodes.
  std::vector<Expr> at_stage(int j) const;

  /// Adds those that are unknown to the solves that their stages and nodes belong to.
  void add_unknowns(const std::function<Solve&(int)>& of_stage, const std::function<Solve&(int)>& of_node) const;

  /// What the step has for them at its end, and what it carries on.
  void set_at_end() const;

  /// Work of forces and time at the stages, of the reactions there and at the nodes; `friction` is h N of nonideal
  /// reactions at the stages.
  void add_work(const std::vector<Stage>& stages, const std::vector<PositionNode>& at_nodes,
                const std::vector<std::vector<Expr>>& friction) const;

 private:
  StateVariable& carried(int r) const { return recipe_.state[recipe_.first_multiplier + r]; }

  const System& system_;
  const SparkCoefficients& spark_;
  StepRecipe& recipe_;
  Graph& graph_;
  const int m_, l_;  // velocity constraints, position constraints
};

}  // namespace noslip
