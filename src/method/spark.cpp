// Lagrange-d'Alembert SPARK integrators: L. O. Jay, Lagrange-d'Alembert SPARK integrators for nonholonomic Lagrangian
// systems (2009), equations (6.1), called 000 in this project.
//
//   Q_i = q0 + h sum_j a_ij V_j                                                              (6.1a)
//   P_i = p0 + h sum_j ahat_ij F_j + h sum_j atilde_ij R_j                                   (6.1b)
//   q1  = q0 + h sum_j b_j V_j                                                               (6.1c)
//   p1  = p0 + h sum_j bhat_j F_j + h sum_j btilde_j R_j                                     (6.1d)
//   0   = sum_j omega_ij k(T_j, Q_j, V_j) + omega_i,s+1 k(t1, q1, v1)                        (6.1e), (6.1f)
//
// with P_i = L_v(T_i, Q_i, V_i), F_i = L_q(T_i, Q_i, V_i) + f, R_i = K(T_i, Q_i, V_i)^T lambda_i (000 has R = -K^T psi).
// The conditions are written as S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), called 001, does in
// (2.26b); with other omega this is a standard Runge-Kutta method for the index-2 form (2.24) of the same equations.
//
// Unknowns are increments, which keeps the rounding errors of a step at the size of the step, and z_i = h lambda_i, which
// keeps the condition of the equations independent of h. In general they are D_i = V_i - v0 and w = v1 - v0. Where momenta
// are M v with a constant M and ahat = atilde, the impulses U_j = M^-1 (h F_j + h R_j) are unknowns instead:
//   V_i = v0 + sum_j ahat_ij U_j,   v1 = v0 + sum_j bhat_j U_j,   M U_j = h F_j + h R_j,
// the same step with fewer unknowns and equations of a stage that contain the forces of that stage only.
//
// Where the last columns of ahat and atilde vanish (Lobatto IIIB), the last forces and multipliers enter (6.1d) only:
// they are found when everything else is known, from the conditions at the end.
#include <noslip/method/spark.hpp>

#include <algorithm>
#include <cassert>
#include <string>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/work.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

bool last_column_vanishes(const Tableau& tableau) {
  return std::all_of(tableau.a.begin(), tableau.a.end(), [](const std::vector<quad>& row) { return row.back() == 0; });
}

class Recording {
 public:
  Recording(const System& system, const SparkCoefficients& spark)
      : system_(system),
        spark_(spark),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        s_(spark.q.stages()),
        recipe_(begin_recipe(system, spark.carries_multipliers())),
        graph_(*recipe_.graph),
        has_impulses_(has_plain_momenta(system) && spark.forces.a == spark.reactions.a &&
                      spark.forces.b == spark.reactions.b),
        last_decouples_(last_column_vanishes(spark.forces) && last_column_vanishes(spark.reactions)),
        reach_(row_sums(spark.q)) {
    for (int i = 0; i < n_; ++i) {
      q0_.push_back(recipe_.state[i].symbol);
      v0_.push_back(recipe_.state[n_ + i].symbol);
    }
    for (int j = 0; j < s_; ++j) {
      z_.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
      if (j > 0 || !spark.first_multiplier_given) continue;
      for (int r = 0; r < m_; ++r) z_[0][r] = h() * multiplier_at_start(r);
    }
  }

  StepRecipe record() {
    has_impulses_ ? choose_impulses() : choose_increments();
    evaluate_stages();
    has_impulses_ ? impulse_equations() : momentum_equations();
    constraint_equations();
    guess_multipliers();
    for (Solve* solve : {&first_, &second_}) {
      if (solve->unknowns.empty()) continue;
      assert(solve->unknowns.size() == solve->residuals.size());
      const Vector& increment = solve == &first_ && last_decouples_ ? D_.back() : w_;
      solve->scale = v0_;
      solve->scale.insert(solve->scale.end(), increment.begin(), increment.end());
      recipe_.solves.push_back(std::move(*solve));
    }
    multipliers_at_end();
    add_work(recipe_, h(), spark_.forces.b, stages_);
    add_reaction_work(recipe_, spark_.reactions.b, stages_, z_);
    for (const Stage& stage : stages_) recipe_.stage_velocities.push_back(stage.v);
    recipe_.stage_impulses = z_;
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }
  Expr multiplier_at_start(int r) const { return recipe_.state[2 * n_ + r].symbol; }
  /// Where the last stage's forces and reactions belong, and what follows from them.
  Solve& last() { return last_decouples_ ? second_ : first_; }
  Solve& solve_of_stage(int j) { return j == s_ - 1 ? last() : first_; }

  /// Unknowns U_j; D_i and w follow from them.
  void choose_impulses() {
    for (int j = 0; j < s_; ++j) U_.push_back(new_symbols(graph_, fmt::format("U{}_", j + 1), n_));
    for (int i = 0; i < s_; ++i) {
      D_.emplace_back();
      for (int k = 0; k < n_; ++k) D_[i].push_back(combine(graph_, spark_.forces.a[i], U_, k));
    }
    for (int k = 0; k < n_; ++k) w_.push_back(combine(graph_, spark_.forces.b, U_, k));
    const std::vector<std::vector<quad>> next = next_impulses(spark_.forces);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        solve_of_stage(j).unknowns.push_back(
            {U_[j][k], h() * recipe_.accelerations[k], combine(graph_, next[j], U_, k), true});
      }
    }
  }

  /// Unknowns D_i and w.
  void choose_increments() {
    for (int i = 0; i < s_; ++i) D_.push_back(new_symbols(graph_, fmt::format("D{}_", i + 1), n_));
    w_ = new_symbols(graph_, "w", n_);
    std::vector<Vector> known = D_;
    known.push_back(w_);
    const std::vector<quad> times = row_sums(spark_.forces);
    const auto add = [&](Solve& solve, Expr symbol, quad time, int k) {
      const Expr first = h() * coefficient(graph_, time) * recipe_.accelerations[k];
      solve.unknowns.push_back({symbol, first, combine(graph_, next_increment(times, time), known, k), true});
    };
    for (int i = 0; i < s_; ++i) {
      for (int k = 0; k < n_; ++k) add(first_, D_[i][k], times[i], k);
    }
    for (int k = 0; k < n_; ++k) add(last(), w_[k], 1, k);
  }

  /// h sum_j a_j V_j, where the a_j add up to `total`.
  Expr move(quad total, const std::vector<quad>& a, int k) {
    return h() * (coefficient(graph_, total) * v0_[k] + combine(graph_, a, D_, k));
  }
  Expr move_to_stage(int i, int k) { return move(reach_[i], spark_.q.a[i], k); }

  void evaluate_stages() {
    for (int i = 0; i < s_; ++i) {  // (6.1a)
      const quad c = spark_.q.c[i];
      Vector Q, V;
      for (int k = 0; k < n_; ++k) {
        Q.push_back(graph_.alias(q0_[k] + move_to_stage(i, k)));
        V.push_back(graph_.alias(v0_[k] + D_[i][k]));
      }
      stages_.push_back(stage_at(system_, graph_, recipe_.t + coefficient(graph_, c) * h(), Q, V));
    }
    // The end point is the state that will be stored. Momenta of a mass matrix that changes must not see the low part of
    // the velocity: they would undo it.
    Vector q1, v1;
    for (int k = 0; k < n_; ++k) {  // (6.1c)
      StateVariable& q = recipe_.state[k];
      StateVariable& v = recipe_.state[n_ + k];
      q.increment = move(1, spark_.q.b, k);
      v.increment = w_[k];
      q1.push_back(q.next(graph_));
      v1.push_back(has_impulses_ ? v.next(graph_) : graph_.alias(v0_[k] + w_[k]));
    }
    end_ = stage_at(system_, graph_, recipe_.t + h(), q1, v1);
    for (int j = 0; j < s_; ++j) {
      forces_.push_back(stages_[j].force);
      reactions_.emplace_back();
      for (int k = 0; k < n_; ++k) reactions_[j].push_back(stages_[j].reaction(graph_, k, z_[j]));
    }
  }

  void impulse_equations() {
    Substitution copy(graph_);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        const Expr impulse = dot(graph_, copy(system_.mass()[k]), U_[j]);
        solve_of_stage(j).residuals.push_back(impulse - h() * forces_[j][k] - reactions_[j][k]);
      }
    }
  }

  /// (6.1b) and (6.1d)
  void momentum_equations() {
    const Stage start = stage_at(system_, graph_, recipe_.t, q0_, v0_);
    const auto add = [&](Solve& solve, const Stage& at, const Vector& increment, const std::vector<quad>& force,
                         const std::vector<quad>& reaction) {
      const Vector difference = momentum_increment(system_, graph_, at, start, increment);
      for (int k = 0; k < n_; ++k) {
        solve.residuals.push_back(difference[k] - h() * combine(graph_, force, forces_, k) -
                                  combine(graph_, reaction, reactions_, k));
      }
    };
    for (int i = 0; i < s_; ++i) add(first_, stages_[i], D_[i], spark_.forces.a[i], spark_.reactions.a[i]);
    add(last(), end_, w_, spark_.forces.b, spark_.reactions.b);
  }

  /// (6.1e) and (6.1f)
  void constraint_equations() {
    const Stage mean = spark_.constraint_at_mean ? mean_point() : Stage{};
    for (int r = 0; r < m_; ++r) {
      if (spark_.constraint_at_mean) first_.residuals.push_back(mean.k[r]);
      for (const std::vector<quad>& omega : spark_.omega) {
        Vector terms = {coefficient(graph_, omega[s_]) * end_.k[r]};
        for (int j = 0; j < s_; ++j) terms.push_back(coefficient(graph_, omega[j]) * stages_[j].k[r]);
        (omega[s_] != 0 ? last() : first_).residuals.push_back(sum(graph_, terms));
      }
    }
  }

  Stage mean_point() {
    std::vector<Vector> moves;
    for (int j = 0; j < s_; ++j) {
      moves.emplace_back();
      for (int k = 0; k < n_; ++k) moves[j].push_back(move_to_stage(j, k));
    }
    quad time = 0;
    for (int j = 0; j < s_; ++j) time += spark_.q.b[j] * spark_.q.c[j];
    Vector q, v;
    for (int k = 0; k < n_; ++k) {
      q.push_back(graph_.alias(q0_[k] + combine(graph_, spark_.q.b, moves, k)));
      v.push_back(graph_.alias(v0_[k] + combine(graph_, spark_.q.b, D_, k)));
    }
    return stage_at(system_, graph_, recipe_.t + coefficient(graph_, time) * h(), q, v);
  }

  void guess_multipliers() {
    for (int j = spark_.first_multiplier_given ? 1 : 0; j < s_; ++j) {
      const std::vector<quad> weights = continuation(spark_.q.c, 1 + spark_.q.c[j]);
      for (int r = 0; r < m_; ++r) {
        solve_of_stage(j).unknowns.push_back(
            {z_[j][r], h() * recipe_.multipliers[r], combine(graph_, weights, z_, r), false});
      }
    }
  }

  void multipliers_at_end() {
    if (spark_.end_multipliers.empty()) return;
    for (int r = 0; r < m_; ++r) {
      Expr value = combine(graph_, spark_.end_multipliers, z_, r) / h();
      if (spark_.carries_multipliers()) {
        value = value + coefficient(graph_, spark_.weight_of_start()) * multiplier_at_start(r);
        recipe_.state[2 * n_ + r].increment = value - multiplier_at_start(r);
      }
      recipe_.end_multipliers.push_back(value);
    }
  }

  const System& system_;
  const SparkCoefficients& spark_;
  const int n_, m_, s_;
  StepRecipe recipe_;
  Graph& graph_;
  const bool has_impulses_, last_decouples_;
  const std::vector<quad> reach_;
  Solve first_, second_;
  Vector q0_, v0_, w_;
  std::vector<Vector> U_, D_, z_, forces_, reactions_;
  std::vector<Stage> stages_;
  Stage end_;
};

}  // namespace

StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients) {
  return Recording(system, coefficients).record();
}

}  // namespace noslip
