// SPARK steps in coordinates: positions move by h sum_j a_j V_j, and where momenta are M v with a constant M, impulses
// are unknowns instead of velocities.
#pragma once

#include "method/spark_step.hpp"

namespace noslip {

class FlatSpark : protected SparkStep {
 protected:
  FlatSpark(const System& system, const SparkCoefficients& spark, Constraints constraints);
  ~FlatSpark() = default;

  /// Chooses the unknowns of the stages: D_i, or U_j = M^-1 h (F_j + R_j) and X_j = M^-1 h S_j, and then D_i from them.
  void choose_stages();
  /// sum_j stages_j U_j + sum_j nodes_j X_j, what impulses add to a velocity
  Vector by_impulses(const Weights& stages, const Weights& nodes) const { return sum(stages, U_) + sum(nodes, X_); }
  /// Weights of the reactions at the nodes in the momenta of stage i, or of the end (i = s); none without nodes.
  Weights node_weights(int i) const;

  /// h sum_j a_j V_j, where the a_j add up to `total`
  Vector move(quad total, const Weights& a) const;
  /// To stage i: h (c_i v0 + Y_i) where Y_i is an unknown.
  Vector move_to_stage(int i) const;
  bool has_places() const { return !placed_.empty(); }  ///< there are Y_i
  /// Guesses and equations of the Y_i, when the D_i have theirs.
  void seek_places();
  Expr stage_time(int i) const { return step_.time(spark_.q.c[i]); }
  /// The end of the step, as it will be stored.
  void add_end(Change change, bool stored_as_seen);

  /// The collocation polynomial of q, and the polynomial of p with the forces of all stages, which for Lobatto IIIB is
  /// better than its stages are (Martin de Diego and Sato 2022, prop. B.2).
  void describe_inside();

  const bool has_impulses_;
  const SparseMatrix mass_;  // empty where there are no impulses
  Vectors U_, X_;
  Vector q1_;  // set by add_end()

 private:
  /// Coordinates that the equations contain, if Y_i = sum_j a_ij D_j of these are unknowns; empty if not.
  std::vector<std::size_t> coordinates_of_places() const;

  const Weights reach_;
  const std::vector<std::size_t> placed_;
  Vectors Y_;  // one vector per stage, of the coordinates in placed_
};

}  // namespace noslip
