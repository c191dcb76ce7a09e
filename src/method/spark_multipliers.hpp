// Multipliers of a SPARK step, in coordinates and on groups: what they are called, where the search for them begins,
// what is known of them at the end, and the work of their reactions.
#pragma once

#include <functional>
#include <vector>

#include <noslip/method/spark.hpp>
#include <noslip/method/stage.hpp>

#include "method/vectors.hpp"

namespace noslip {

class SparkMultipliers {
 public:
  /// Impulses z_j = h lambda_j of velocity constraints at the stages and y_j = h mu_j of position constraints at the
  /// nodes: symbols, but for the first stage where its multiplier is given.
  SparkMultipliers(const System& system, const SparkCoefficients& spark, StepRecipe& recipe);

  Vectors z, y;

  const NodeCoefficients& nodes() const { return *spark_.nodes; }
  int node_count() const { return static_cast<int>(y.size()); }  ///< 0 without position constraints

  /// h mu at a stage, interpolated from the nodes: what nonideal reactions see of it.
  Vector y_at_stage(int j) const;

  /// Adds those that are unknown to the solves that their stages and nodes belong to.
  void add_unknowns(const std::function<Solve&(int)>& of_stage, const std::function<Solve&(int)>& of_node) const;

  /// What the step has for them at its end, and what it carries on.
  void set_at_end() const;

  /// Work of forces and time at the stages, of the reactions there and at the nodes.
  void add_work(const std::vector<Stage>& stages, const std::vector<PositionNode>& at_nodes) const;

 private:
  const System& system_;
  const SparkCoefficients& spark_;
  StepRecipe& recipe_;
  Graph& graph_;
  const int m_, l_;  // velocity constraints, position constraints
};

}  // namespace noslip
