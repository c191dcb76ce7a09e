// SPARK methods: L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian systems (2009), eq.
// (6.1), and L. O. Jay, Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs with
// holonomic constraints (2007), eq. (3.2). Both in one:
//
//   Q_i  = q0 + h sum_j a_ij V_j                                                             (6.1a), (3.2a)
//   P_i  = p0 + h sum_j ahat_ij F_j + h sum_j atilde_ij R_j + h sum_j atilde'_ij S_j         (6.1b), (3.2b)
//   Q'_j = q0 + h sum_i abar_ji V_i, at the nodes j = 0 ... s'                               (3.2c)
//   q1   = q0 + h sum_j b_j V_j                                                              (6.1c), (3.2e)
//   p1   = p0 + h sum_j bhat_j F_j + h sum_j btilde_j R_j + h sum_j b'_j S_j                 (6.1d), (3.2f)
//   0    = sum_j omega_ij k(T_j, Q_j, V_j) + omega_i,s+1 k(t1, q1, v1)                       (6.1e), (6.1f)
//   0    = g(T'_j, Q'_j), j = 1 ... s',   0 = g_t + g_q v at (t1, q1, v1)                    (3.2d), (3.2h)
//
// with P_i = L_v(T_i, Q_i, V_i), F_i = L_q(T_i, Q_i, V_i) + f, R_i = K(T_i, Q_i, V_i)^T lambda_i + N(T_i, Q_i, V_i,
// psi_i) of the velocity constraints k (Jay 2009, sec. 3.3, has R = -K^T psi + N; psi_i = -lambda_i, and what N takes
// from the multipliers of position constraints is interpolated from the nodes) and S_j = G(T'_j, Q'_j)^T mu_j, G = g_q,
// of the position constraints g (Jay 2007 has -G^T Lambda). Node 0 is the start and the last node the end of the step;
// mu_0 belongs to this step alone. The conditions on k are written as S. K. Hilden, Numerical Methods for Nonholonomic
// Mechanics (2009), does in (2.26b); with other omega this is a standard Runge-Kutta method for the index-2 form (2.24)
// of the same equations.
//
// Unknowns are increments, which keeps the rounding errors of a step at the size of the step, and z_i = h lambda_i and
// y_j = h mu_j, which keeps the condition of the equations independent of h; for that g is divided by h. In general
// they are D_i = V_i - v0 and w = v1 - v0. Where momenta are M v with a constant M and ahat = atilde, the impulses
// U_j = M^-1 h (F_j + R_j) and X_j = M^-1 h S_j are unknowns instead:
//   V_i = v0 + sum_j ahat_ij U_j + sum_j atilde'_ij X_j,   v1 = v0 + sum_j bhat_j U_j + sum_j b'_j X_j,
// the same step, and equations of a stage contain the forces of that stage only.
//
// Where velocities are functions v(t, q, z) of other variables (conjugate.hpp; Jay 2007, eq. (2.11)), E_i = Z_i - z0
// and e = z1 - z0 are unknowns beside D_i, p is a function of (t, q, z), and V_i = v(T_i, Q_i, Z_i).
//
// What does not enter the stages is found when everything else is known, from the conditions at the end: the last
// forces and multipliers where the last columns of ahat and atilde vanish (Lobatto IIIB), the last mu, and v1 where no
// velocity constraint ties it to the stages but position constraints do.
#include <noslip/method/spark.hpp>

#include <algorithm>

#include "method/flat_spark.hpp"

namespace noslip {

namespace {

bool last_column_vanishes(const Tableau& tableau) {
  return std::all_of(tableau.a.begin(), tableau.a.end(), [](const Weights& row) { return row.back() == 0; });
}

class SparkRecording : FlatSpark {
 public:
  SparkRecording(const System& system, const SparkCoefficients& spark)
      : FlatSpark(system, spark, Constraints::weighted) {
    decoupled_.last_stage = last_column_vanishes(spark.forces) && last_column_vanishes(spark.reactions);
    decoupled_.end = decoupled_.last_stage || (m_ == 0 && l_ > 0 && system.nonideal().empty());
  }

  StepRecipe record() {
    choose_stages();
    for (int i = 0; i < s_; ++i) add_stage(step_.at(stage_time(i), move_to_stage(i), D_[i]));  // (6.1a)
    add_end(has_impulses_ ? Change{by_impulses(spark_.forces.b, node_weights(s_)), {}}
                          : step_.new_following_change("w", "e"),
            !decoupled_.end);                                        // (6.1c)
    for (int j = 0; j < node_count(); ++j) add_node(node_place(j));  // (3.2c)
    if (has_impulses_) {
      impulse_equations();
    } else {
      momentum_equations();
      seek_changes(D_.v);
      seek_places();
    }
    velocity_conditions(spark_.constraint_at_mean ? mean_point() : Stage{});  // (6.1e), (6.1f)
    position_conditions();                                                    // (3.2d), (3.2h)
    describe_inside();
    for (const Stage& stage : stages_) step_.recipe.stage_velocities.push_back(head(stage.v, step_.velocities()));
    step_.recipe.stage_impulses = multipliers_.z;
    step_.recipe.node_impulses = multipliers_.y;
    return finish();
  }

 private:
  /// Q'_j; the last node is the end of the step.
  Vector node_place(int j) const {
    if (j == 0) return step_.q0;
    return j == nodes().last() ? q1_ : alias(step_.q0 + move(nodes().c[j], nodes().reach[j]));
  }

  void impulse_equations() {
    for (int j = 0; j < s_; ++j) {
      of_stage(j).require(times(mass_, U_[j]) - step_.h * stages_[j].force - stages_[j].reactions);
    }
    for (int j = 0; j < node_count(); ++j) of_node(j).require(times(mass_, X_[j]) - node_reactions_[j]);
  }

  /// (6.1b) and (6.1d)
  void momentum_equations() {
    Vectors F, R;
    for (const Stage& stage : stages_) {
      F.push_back(stage.force);
      R.push_back(stage.reactions);
    }
    const Vectors& S = node_reactions_;
    for (int i = 0; i < s_; ++i) {
      stages_solve_.require(step_.momentum_change(stages_[i], D_[i]) - step_.h * sum(spark_.forces.a[i], F) -
                            sum(spark_.reactions.a[i], R) - sum(node_weights(i), S));
    }
    const Vector corrections = corrections_.empty() ? Vector{} : sum(nodes().correction, corrections_);
    end().require(step_.momentum_change(at_end().at, at_end().change) - step_.h * sum(spark_.forces.b, F) -
                  sum(spark_.reactions.b, R) - sum(node_weights(s_), S) - corrections);
  }

  Stage mean_point() const {
    Vectors moves;
    for (int j = 0; j < s_; ++j) moves.push_back(move_to_stage(j));
    return step_.at(mean_time(), sum(spark_.q.b, moves), sum(spark_.q.b, D_));
  }
};

}  // namespace

StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients) {
  return SparkRecording(system, coefficients).record();
}

}  // namespace noslip
