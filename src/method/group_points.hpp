// Points of a step on a Lie group, in coordinates xi around a centre: g = g_c tau(xi), g_c = g0 tau(theta).
#pragma once

#include <noslip/method/method.hpp>

#include "method/vectors.hpp"

namespace noslip {

/// A point of a step: where it is, seen from the centre.
struct GroupPoint {
  Vector xi, q;
  ExprMatrix tangent;  ///< d tau_xi - 1
  ExprMatrix back;     ///< Ad_tau(-xi) - 1
  bool is_end = false;
};

class GroupPoints {
 public:
  /// With velocities v0 + D_j of xi at the stages and weights b of a whole step: theta = phi h sum_j b_j (v0 + D_j),
  /// phi = 0 where the centre is the start of the step, phi = 1/2 where it is the middle. Sets the increments of the
  /// positions in the state of the recipe.
  GroupPoints(const Group& group, const Chart& chart, StepRecipe& recipe, Vector q0, Vector v0, Vectors D, Weights b);

  quad phi() const { return phi_; }
  const Vector& theta() const { return theta_; }

  GroupPoint at(Vector xi) const;
  /// Where h sum_j weights_j (v0 + D_j) leads from the start, given the sum of the weights; without weights the start
  /// itself.
  GroupPoint along(quad total, const Weights& weights) const;
  /// The end, with the positions that will be stored.
  const GroupPoint& end() const { return end_; }

  /// The velocity of the body, d tau_xi (v0 + increment).
  Vector body_velocity(const GroupPoint& at, const Vector& increment) const;

 private:
  Vector reach(quad total, const Weights& weights) const;
  Vector reach_from_centre(quad total, Weights weights) const;

  const Group& group_;
  const Retraction map_;
  const quad phi_;
  Graph& graph_;
  const Expr h_;
  const Vector q0_, v0_;
  const Vectors D_;
  const Weights b_;
  Vector theta_, centre_;
  GroupPoint end_;
};

}  // namespace noslip
