// Steps on Lie groups by the discrete Hamilton-Pontryagin principle: D. Martin de Diego and R. T. Sato Martin de
// Almagro, High-order geometric methods for nonholonomic mechanical systems (2022), thm. 6.1, sec. 6.3 and 6.4, app. F
// and G. They have g = g0 tau(xi), coordinates xi around the start of the step. Here the coordinates are around a
// centre, g = g_c tau(xi), g_c = g0 tau(theta), theta = phi h sum_j b_j H_j with velocities H of xi: phi = 0 is what
// they publish, and phi = 1/2 makes steps symmetric whose coefficients are (HLW: E. Hairer, C. Lubich, G. Wanner,
// Geometric Numerical Integration, V.4.3). Then g0 = g_c tau(-theta), g1 = g_c tau(xi), and with eta = d tau_xi H:
//
//   Xi_i = h sum_j a_ij H_j - theta,   xi = h sum_j b_j H_j - theta,   g_i = g_c tau(Xi_i)                   (24), (25)
//   eta_i = d tau_Xi_i H_i,    p_i = l_eta(g_i, eta_i),    f_i = L_g^* l_g + forces + K^T lambda_i at (g_i, eta_i)
//   N_i = d tau_Xi_i^* f_i,    C_i = gradient by Xi of p_i(d tau_Xi H_i), which is (dd tau)^*(H_i, Pi_i)
//   m0  = Ad*_tau(theta) mu0,  m1 = m0 + h sum_j b_j Ad*_tau(-Xi_j) f_j,   mu1 = Ad*_tau(xi) m1                    (27)
//   d tau_Xi_i^* p_i + h sum_j ((1 - phi) b_j - ahat_ij) (N_j + C_j)
//       = phi d tau_-theta^* mu0 + (1 - phi) d tau_-xi^* m1                                                        (26)
//
// (26) is written after d tau_xi^* has been applied to it, with ahat_ij = b_j - b_j a_ji/b_i, d tau_xi^* Ad*_tau(xi) =
// d tau_-xi^* and (d tau_-Xi^-1)^* d tau_Xi^* = Ad*_tau(-Xi). In a vector space all maps are the unit matrix, C = 0,
// and this is a SPARK method (spark.cpp) with the coefficients a and ahat. The published methods have Lobatto's
// coefficients; here they may be any, and constraints are imposed
//   - as appendix F does it (Constraints::projected), with v_i from p(g_i, v_i) = mu_i,
//       mu_i = Ad*_tau(Xi_i) (m0 + h sum_j a_ij Ad*_tau(-Xi_j) f_j),   k(g_i, v_i) = 0, i = 2 ... s,
//     where the first stage is the start and its multiplier is the one of the step before;
//   - or as SPARK methods do it, sum_j omega_ij k(g_j, eta_j) + omega_i,s+1 k(g1, v1) = 0;
//   - position constraints at nodes g_c tau(Xi'_j), Xi'_j = h sum_i abar_ji H_i - theta, with impulses there
//     (sec. 6.3; Jay 2007, eq. (3.2)).
//
// Unknowns are D_i = H_i - v0, the increments w = v1 - v0 (and d_i = v_i - v0), z_i = h lambda_i and y_j = h mu_j;
// where a Hamiltonian gives v(t, q, p) (conjugate.hpp; appendix G), momenta move by E_i, e and e_i. Everything that a
// step adds to the start is of the size of the step, and so are rounding errors.
#include <noslip/method/group_spark.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "method/coefficients.hpp"
#include "method/group_points.hpp"
#include "method/spark_step.hpp"

namespace noslip {

namespace {

/// h times a covector that acts at a point in the frame of the body, with its weights in the momenta of the stages and
/// of the end.
struct Impulse {
  int stage;  ///< where it belongs to one; otherwise -1
  const GroupPoint* at;
  Vector f;
  Weights a;
  quad b;
};

Weights column(const std::vector<Weights>& rows, int j) {
  Weights result;
  for (const Weights& row : rows) result.push_back(row[j]);
  return result;
}

class GroupSparkRecording : SparkStep {
 public:
  GroupSparkRecording(const System& system, const SparkCoefficients& spark, Constraints constraints, const Chart& chart)
      : SparkStep(system, spark, constraints),
        group_(step_.space()),
        map_(chart.map),
        points_(group_, chart, step_.recipe, step_.q0, step_.v0, new_changes(), spark.q.b),
        phi_(points_.phi()) {
    decoupled_.last_stage = decoupled_.end = last_stage_decouples();
  }

  StepRecipe record() {
    place_points();
    mu0_ = step_.start().p;
    m0_less_mu0_ = transposed_times(group_.adjoint_less_one(map_, points_.theta()), mu0_);
    evaluate_stages();
    evaluate_nodes();
    for (int i = is_projected_ ? 1 : s_; i <= s_; ++i) {
      if (!is_projected_ || i != s_ - 1) add_on_constraint(i);  // projected, the last stage is the end
    }
    stage_equations();
    end_equations();
    velocity_conditions(spark_.constraint_at_mean ? mean_point() : Stage{});
    position_conditions();
    seek_changes(changes_);  // of body velocities, and D from them as far as the first order
    return finish();
  }

 private:
  /// Does nothing of the last stage but its position enter the other equations? Then its multiplier, those of the last
  /// node and the velocity at the end are found from the conditions at the end, when all else is known.
  bool last_stage_decouples() const {
    for (int i = 0; i < s_; ++i) {
      if (spark_.forces.a[i].back() != 0 || spark_.reactions.a[i].back() != 0) return false;
      if (is_projected_ && i < s_ - 1 && spark_.q.a[i].back() != 0) return false;
    }
    return spark_.q.a[s_ - 1] == spark_.q.b && step_.system.nonideal().empty();
  }

  void place_points() {
    const Vector &q0 = step_.q0, entries = symbols_of(group_.defect(q0));
    for (std::size_t k = 0; k < q0.size(); ++k) {
      // Entries of rotations are small. What rounding leaves of them must not be systematic, or they cease to be one.
      const bool is_entry = std::find(entries.begin(), entries.end(), q0[k]) != entries.end();
      step_.recipe.state[k].stored_as_seen = m_ + l_ > 0 && !decoupled_.end && !is_entry;
    }
    const Weights times = row_sums(spark_.q);
    for (int i = 0; i < s_; ++i) stage_points_.push_back(points_.along(times[i], spark_.q.a[i]));
    for (int j = 0; j < node_count(); ++j) {
      const bool is_last = j == nodes().last();
      node_points_.push_back(is_last ? points_.end() : points_.along(nodes().c[j], nodes().reach[j]));
    }
  }

  void evaluate_stages() {
    for (int i = 0; i < s_; ++i) {
      const GroupPoint& at = stage_points_[i];
      const Vector eta = points_.body_velocity(at, D_.v[i]), H = step_.v0 + D_.v[i];
      changes_.push_back(D_.v[i] + at.tangent * H);
      add_stage(step_.stage(step_.time(spark_.q.c[i]), at.q, eta, step_.moved_z(D_[i])));
      const Stage& stage = stages_[i];
      curvatures_.push_back(group_.tangent_gradient(map_, at.xi, H, stage.p));
      add({i, &at, step_.h * stage.force, column(spark_.forces.a, i), spark_.forces.b[i]});
      add({i, &at, stage.reactions, column(spark_.reactions.a, i), spark_.reactions.b[i]});
    }
  }

  void evaluate_nodes() {
    for (int j = 0; j < node_count(); ++j) {
      add_node(node_points_[j].q);
      add({-1, &node_points_[j], node_reactions_[j], column(nodes().a, j), nodes().b[j]});
    }
    for (std::size_t j = 0; j < corrections_.size(); ++j) {
      add({-1, &points_.end(), corrections_[j], Weights(s_, 0), nodes().correction[j]});
    }
  }

  void add(Impulse impulse) {
    if (!impulse.f.empty()) impulses_.push_back(std::move(impulse));
  }

  void add_on_constraint(int i) {
    const std::string name = i == s_ ? "w" : fmt::format("d{}_", i + 1);
    Change change = step_.new_following_change(name, "e" + name);
    Stage at = i == s_ ? step_.end(points_.end().q, change)
                       : step_.following(step_.time(spark_.q.c[i]), stage_points_[i].q, change);
    on_constraint_.push_back({i, std::move(change), std::move(at)});
  }

  /// (26)
  void stage_equations() {
    Vector m = m0_less_mu0_;  // m1 - mu0 without what acts at the end of the step
    for (const Impulse& impulse : impulses_) {
      if (!impulse.at->is_end) m = m + impulse.b * plus_transposed_times(impulse.f, impulse.at->back);
    }
    const Vector from_end = m + transposed_times(group_.tangent_less_one(map_, -points_.end().xi), mu0_ + m);
    const Vector from_start = transposed_times(group_.tangent_less_one(map_, -points_.theta()), mu0_);
    const Vector right = phi_ * from_start + (1 - phi_) * from_end;
    Vectors pulled;  // N
    for (const Impulse& impulse : impulses_) pulled.push_back(plus_transposed_times(impulse.f, impulse.at->tangent));
    for (int i = 0; i < s_; ++i) {
      Vector residual = step_.momentum_change(stages_[i], {changes_[i], D_[i].z}) +
                        transposed_times(stage_points_[i].tangent, stages_[i].p) - right;
      for (std::size_t j = 0; j < impulses_.size(); ++j) {
        // Where an impulse acts at the end, the weight b of both sides has been taken out: d tau_-xi^* Ad*_tau(-xi) is
        // d tau_xi^*.
        const quad ahat = impulses_[j].a[i], b = impulses_[j].at->is_end ? quad(0) : (1 - phi_) * impulses_[j].b;
        residual = residual + (b - ahat) * pulled[j];
      }
      for (int j = 0; j < s_; ++j) {
        const quad share = (1 - phi_) * spark_.forces.b[j] - spark_.forces.a[i][j];
        residual = residual + share * (step_.h * curvatures_[j]);
      }
      stages_solve_.require(residual);
    }
  }

  /// (27), and mu_i of appendix F
  void end_equations() {
    for (const OnConstraint& here : on_constraint_) {
      Vector m = m0_less_mu0_;
      for (const Impulse& impulse : impulses_) {
        // Appendix F has impulses at stages only.
        const quad share = is_end(here) ? impulse.b : spark_.q.a[here.stage][impulse.stage];
        m = m + share * plus_transposed_times(impulse.f, impulse.at->back);
      }
      const GroupPoint& at = is_end(here) ? points_.end() : stage_points_[here.stage];
      const Vector right = m + transposed_times(group_.adjoint_less_one(map_, at.xi), mu0_ + m);
      of(here).require(step_.momentum_change(here.at, here.change) - right);
    }
  }

  Stage mean_point() const {
    Vectors places;
    for (const GroupPoint& at : stage_points_) places.push_back(at.xi);
    const GroupPoint at = points_.at(alias(sum(spark_.q.b, places)));
    const Change D = sum(spark_.q.b, D_);
    return step_.stage(mean_time(), at.q, points_.body_velocity(at, D.v), step_.moved_z(D));
  }

  const Group& group_;
  const Retraction map_;
  const GroupPoints points_;
  const quad phi_;
  Vector mu0_, m0_less_mu0_;
  std::vector<GroupPoint> stage_points_, node_points_;
  Vectors changes_, curvatures_;  // changes: eta_i - v0
  std::vector<Impulse> impulses_;
};

}  // namespace

StepRecipe record_group_spark(const System& system, const SparkCoefficients& coefficients, Constraints constraints,
                              const Chart& chart) {
  return GroupSparkRecording(system, coefficients, constraints, chart).record();
}

}  // namespace noslip
