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
#include <cassert>
#include <string>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/spark_multipliers.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

bool last_column_vanishes(const Tableau& tableau) {
  return std::all_of(tableau.a.begin(), tableau.a.end(), [](const std::vector<quad>& row) { return row.back() == 0; });
}

class SparkRecording {
 public:
  SparkRecording(const System& system, const SparkCoefficients& spark)
      : system_(system),
        spark_(spark),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        l_(static_cast<int>(system.holonomic().size())),
        s_(spark.q.stages()),
        recipe_(begin_recipe(system, spark.carries_multipliers())),
        graph_(*recipe_.graph),
        conjugate_(system, recipe_),
        has_impulses_(has_plain_momenta(system) && spark.forces.a == spark.reactions.a &&
                      spark.forces.b == spark.reactions.b && (!spark.nodes || spark.nodes->correction.empty())),
        last_stage_decouples_(last_column_vanishes(spark.forces) && last_column_vanishes(spark.reactions)),
        end_decouples_(last_stage_decouples_ || (m_ == 0 && l_ > 0 && system.nonideal().empty())),
        reach_(row_sums(spark.q)),
        multipliers_(system, spark, recipe_) {
    assert(l_ == 0 || spark.nodes);
    for (int i = 0; i < n_; ++i) {
      q0_.push_back(recipe_.state[i].symbol);
      v0_.push_back(conjugate_.exists() ? conjugate_.start_velocities()[i] : recipe_.state[n_ + i].symbol);
    }
  }

  StepRecipe record() {
    has_impulses_ ? choose_impulses() : choose_increments();
    evaluate_stages();
    evaluate_nodes();
    has_impulses_ ? impulse_equations() : momentum_equations();
    velocity_conditions();
    position_conditions();
    multipliers_.add_unknowns([this](int j) -> Solve& { return of_stage(j); },
                              [this](int j) -> Solve& { return of_node(j); });
    for (Solve* solve : {&stages_solve_, &end_solve_}) {
      if (solve->unknowns.empty()) continue;
      assert(solve->unknowns.size() == solve->residuals.size());
      const Vector& increment = solve == &stages_solve_ && end_decouples_ ? D_.back() : w_;
      solve->scale = v0_;
      solve->scale.insert(solve->scale.end(), increment.begin(), increment.end());
      if (solve == &stages_solve_) add_positions(solve->background);
      recipe_.solves.push_back(std::move(*solve));
    }
    multipliers_.set_at_end();
    multipliers_.add_work(stages_, nodes_, friction_);
    for (const Stage& stage : stages_) recipe_.stage_velocities.push_back(stage.v);
    recipe_.stage_impulses = multipliers_.z;
    recipe_.node_impulses = multipliers_.y;
    if (!conjugate_.exists() && corrections_.empty()) describe_inside();
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }
  Expr time(quad c) { return recipe_.t + coefficient(graph_, c) * h(); }
  const NodeCoefficients& nodes() const { return multipliers_.nodes(); }
  int node_count() const { return multipliers_.node_count(); }
  /// Weights of the reactions at the nodes in the momenta of stage i, or of the end (i = s); none without constraints
  /// there.
  std::vector<quad> node_weights(int i) const {
    if (l_ == 0) return {};
    return i < s_ ? nodes().a[i] : nodes().b;
  }

  /// Where unknowns and equations belong.
  Solve& end() { return end_decouples_ ? end_solve_ : stages_solve_; }
  Solve& of_stage(int j) { return j == s_ - 1 && last_stage_decouples_ ? end_solve_ : stages_solve_; }
  Solve& of_node(int j) { return j == nodes().last() ? end() : stages_solve_; }

  /// A position constraint holds to rounding of the positions: it does not tell velocities apart that differ by less
  /// than that, divided by the step.
  void add_positions(Vector& background) {
    std::vector<Expr> g;
    for (const HolonomicConstraint& constraint : system_.holonomic()) g.push_back(constraint.g);
    const std::vector<Expr> used = symbols_of(g);
    for (int k = 0; k < n_; ++k) {
      if (std::find(used.begin(), used.end(), system_.q()[k]) != used.end()) background.push_back(q0_[k] / h());
    }
  }

  /// Unknowns U_j and X_j; D_i and w follow from them.
  void choose_impulses() {
    for (int j = 0; j < s_; ++j) U_.push_back(new_symbols(graph_, fmt::format("U{}_", j + 1), n_));
    for (int j = 0; j < node_count(); ++j) X_.push_back(new_symbols(graph_, fmt::format("X{}_", j), n_));
    const auto moved = [&](const std::vector<quad>& stages, const std::vector<quad>& nodes, int k) {
      return combine(graph_, stages, U_, k) + combine(graph_, nodes, X_, k);
    };
    for (int i = 0; i < s_; ++i) {
      D_.emplace_back();
      for (int k = 0; k < n_; ++k) D_[i].push_back(moved(spark_.forces.a[i], node_weights(i), k));
    }
    for (int k = 0; k < n_; ++k) w_.push_back(moved(spark_.forces.b, node_weights(s_), k));
    const std::vector<std::vector<quad>> next = next_impulses(spark_.forces);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        of_stage(j).unknowns.push_back(
            {U_[j][k], h() * recipe_.accelerations[k], combine(graph_, next[j], U_, k), true});
      }
    }
    for (int j = 0; j < node_count(); ++j) {
      const std::vector<quad> weights = continuation(nodes().c, 1 + nodes().c[j]);
      for (int k = 0; k < n_; ++k) {
        of_node(j).unknowns.push_back({X_[j][k], graph_.constant(0), combine(graph_, weights, X_, k), true});
      }
    }
  }

  /// Unknowns D_i and w, or D_i, E_i and e.
  void choose_increments() {
    for (int i = 0; i < s_; ++i) D_.push_back(new_symbols(graph_, fmt::format("D{}_", i + 1), n_));
    if (conjugate_.exists()) {
      const int count = static_cast<int>(conjugate_.start().size());
      for (int i = 0; i < s_; ++i) E_.push_back(new_symbols(graph_, fmt::format("E{}_", i + 1), count));
      e_ = new_symbols(graph_, "e", count);
      guess_increments(E_, e_, true, [&](int k, quad time) { return conjugate_.first_guess(k, time); });
      end_by_conjugate();
    } else {
      w_ = new_symbols(graph_, "w", n_);
    }
    guess_increments(D_, w_, !conjugate_.exists(), [&](int k, quad time) {
      if (conjugate_.exists()) return coefficient(graph_, time) * first_change_of_velocity(k);
      return h() * coefficient(graph_, time) * recipe_.accelerations[k];
    });
  }

  /// Increments at the stages, and at the end if they are unknown there, from the first guess at a time and by
  /// continuation.
  template <class FirstGuess>
  void guess_increments(const std::vector<Vector>& at_stages, const Vector& at_end, bool end_is_unknown,
                        FirstGuess first_guess) {
    std::vector<Vector> known = at_stages;
    known.push_back(at_end);
    const std::vector<quad> times = row_sums(spark_.forces);
    const auto add = [&](Solve& solve, const Vector& symbols, quad time) {
      const std::vector<quad> next = next_increment(times, time);
      for (int k = 0; k < static_cast<int>(symbols.size()); ++k) {
        solve.unknowns.push_back({symbols[k], first_guess(k, time), combine(graph_, next, known, k), true});
      }
    };
    for (int i = 0; i < s_; ++i) add(stages_solve_, at_stages[i], times[i]);
    if (end_is_unknown) add(end(), at_end, 1);
  }

  /// v(t1, q0 + h v0, z0 + h z') - v0
  Expr first_change_of_velocity(int k) {
    if (ahead_.empty()) {
      Vector q, z;
      for (int i = 0; i < n_; ++i) q.push_back(q0_[i] + h() * v0_[i]);
      for (std::size_t i = 0; i < e_.size(); ++i) z.push_back(conjugate_.start()[i] + conjugate_.first_guess(i, 1));
      ahead_ = stage_at(system_, graph_, recipe_.t + h(), q, v0_, z).velocities;
    }
    return ahead_[k] - v0_[k];
  }

  /// The end of the step, where v1 = v(t1, q1, z1).
  void end_by_conjugate() {
    move_positions();
    v1_ = conjugate_.end_velocities(recipe_.t + h(), q1_, e_);
    for (int k = 0; k < n_; ++k) w_.push_back(v1_[k] - v0_[k]);
  }

  /// h sum_j a_j V_j, where the a_j add up to `total`.
  Expr move(quad total, const std::vector<quad>& a, int k) {
    return h() * (coefficient(graph_, total) * v0_[k] + combine(graph_, a, D_, k));
  }
  Expr move_to_stage(int i, int k) { return move(reach_[i], spark_.q.a[i], k); }

  void evaluate_stages() {
    for (int i = 0; i < s_; ++i) {  // (6.1a)
      Vector Q, V;
      for (int k = 0; k < n_; ++k) {
        Q.push_back(graph_.alias(q0_[k] + move_to_stage(i, k)));
        V.push_back(graph_.alias(v0_[k] + D_[i][k]));
      }
      stages_.push_back(stage_at(system_, graph_, time(spark_.q.c[i]), Q, V, Z(i)));
      if (conjugate_.exists()) conjugate_.tie(stages_solve_, stages_.back());
    }
    // The end point is the state that will be stored. Momenta of a mass matrix that changes must not see the low part
    // of the velocity: they would undo it.
    if (!conjugate_.exists()) {
      move_positions();
      for (int k = 0; k < n_; ++k) {
        StateVariable& v = recipe_.state[n_ + k];
        v.increment = w_[k];
        v1_.push_back(has_impulses_ ? v.next(graph_) : graph_.alias(v0_[k] + w_[k]));
      }
    }
    end_ = stage_at(system_, graph_, recipe_.t + h(), q1_, v1_, conjugate_.exists() ? conjugate_.moved(e_) : Vector{});
    for (int j = 0; j < s_; ++j) {
      forces_.push_back(stages_[j].force);
      reactions_.emplace_back();
      friction_.push_back(stages_[j].nonideal_impulse(graph_, h(), multipliers_.at_stage(j)));
      for (int k = 0; k < rows(); ++k) {
        reactions_[j].push_back(stages_[j].reaction(graph_, k, multipliers_.z[j]) + friction_[j][k]);
      }
    }
  }

  /// (6.1c)
  void move_positions() {
    for (int k = 0; k < n_; ++k) {
      StateVariable& q = recipe_.state[k];
      q.increment = move(1, spark_.q.b, k);
      q.settles = !end_decouples_;
      q1_.push_back(q.next(graph_));
    }
  }

  Vector Z(int stage) const { return conjugate_.exists() ? conjugate_.moved(E_[stage]) : Vector{}; }
  /// Equations for momenta: as many as momenta.
  int rows() const { return static_cast<int>(system_.momenta().size()); }

  /// Positions at the nodes, (3.2c): the last one is the end of the step.
  void evaluate_nodes() {
    for (int j = 0; j < node_count(); ++j) {
      Vector Q = j == 0 ? q0_ : q1_;
      const bool is_inside = j > 0 && j < nodes().last();
      for (int k = 0; k < n_ && is_inside; ++k) {
        Q[k] = graph_.alias(q0_[k] + move(nodes().c[j], nodes().reach[j], k));
      }
      nodes_.push_back(node_at(system_, graph_, time(nodes().c[j]), Q));
      node_reactions_.emplace_back();
      for (int k = 0; k < rows(); ++k)
        node_reactions_[j].push_back(nodes_[j].reaction(graph_, h(), k, multipliers_.y[j]));
    }
    if (l_ == 0 || nodes().correction.empty()) return;
    // r(t1, q1, mu_j) with the multipliers of every node, for the "true" Euler method (Jay 2007, sec. 3.5).
    for (int j = 0; j < node_count(); ++j) {
      corrections_.emplace_back();
      for (int k = 0; k < rows(); ++k)
        corrections_[j].push_back(nodes_.back().reaction(graph_, h(), k, multipliers_.y[j]));
    }
  }

  void impulse_equations() {
    Substitution copy(graph_);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        const Expr impulse = dot(graph_, copy(system_.mass()[k]), U_[j]);
        of_stage(j).residuals.push_back(impulse - h() * forces_[j][k] - reactions_[j][k]);
      }
    }
    for (int j = 0; j < node_count(); ++j) {
      for (int k = 0; k < n_; ++k) {
        of_node(j).residuals.push_back(dot(graph_, copy(system_.mass()[k]), X_[j]) - node_reactions_[j][k]);
      }
    }
  }

  /// (6.1b) and (6.1d)
  void momentum_equations() {
    const Stage start =
        stage_at(system_, graph_, recipe_.t, q0_, v0_, conjugate_.exists() ? conjugate_.start() : Vector{});
    const auto add = [&](Solve& solve, const Stage& at, const Vector& increment, const std::vector<quad>& force,
                         const std::vector<quad>& reaction, const std::vector<quad>& node) {
      const Vector difference = momentum_increment(system_, graph_, at, start, increment);
      for (int k = 0; k < rows(); ++k) {
        Expr residual = difference[k] - h() * combine(graph_, force, forces_, k) -
                        combine(graph_, reaction, reactions_, k) - combine(graph_, node, node_reactions_, k);
        if (&at == &end_ && !corrections_.empty()) {
          residual = residual - combine(graph_, nodes().correction, corrections_, k);
        }
        solve.residuals.push_back(residual);
      }
    };
    for (int i = 0; i < s_; ++i) {
      add(stages_solve_, stages_[i], conjugate_.exists() ? E_[i] : D_[i], spark_.forces.a[i], spark_.reactions.a[i],
          node_weights(i));
    }
    add(end(), end_, conjugate_.exists() ? e_ : w_, spark_.forces.b, spark_.reactions.b, node_weights(s_));
  }

  /// The collocation polynomial of q, and the polynomial of p with the forces of all stages, which for Lobatto IIIB is
  /// better than its stages are (Martin de Diego and Sato 2022, prop. B.2).
  void describe_inside() {
    StepPolynomial positions{spark_.q.c, {}}, momenta{spark_.q.c, {}};
    for (int j = 0; j < s_; ++j) {
      positions.changes.emplace_back();
      momenta.changes.push_back(has_impulses_ ? U_[j] : Vector{});
      for (int k = 0; k < n_; ++k) {
        positions.changes[j].push_back(h() * (v0_[k] + D_[j][k]));
        if (!has_impulses_) momenta.changes[j].push_back(h() * forces_[j][k] + reactions_[j][k]);
      }
    }
    recipe_.positions_inside = {std::move(positions)};
    recipe_.momenta_inside = {std::move(momenta)};
    recipe_.moves_velocities = has_impulses_;
    if (l_ > 0) recipe_.momenta_inside.push_back({nodes().c, has_impulses_ ? X_ : node_reactions_});
  }

  /// (6.1e) and (6.1f)
  void velocity_conditions() {
    const Stage mean = spark_.constraint_at_mean ? mean_point() : Stage{};
    for (int r = 0; r < m_; ++r) {
      if (spark_.constraint_at_mean) stages_solve_.residuals.push_back(mean.k[r]);
      for (const std::vector<quad>& omega : spark_.omega) {
        Vector terms = {coefficient(graph_, omega[s_]) * end_.k[r]};
        for (int j = 0; j < s_; ++j) terms.push_back(coefficient(graph_, omega[j]) * stages_[j].k[r]);
        (omega[s_] != 0 ? end() : stages_solve_).residuals.push_back(sum(graph_, terms));
      }
    }
  }

  /// (3.2d) and (3.2h)
  void position_conditions() {
    const Expr per_step = graph_.alias(Number(1) / h());
    for (int r = 0; r < l_; ++r) {
      for (int j = 1; j < node_count(); ++j) stages_solve_.residuals.push_back(per_step * nodes_[j].g[r]);
      end().residuals.push_back(end_.rates[r]);
    }
  }

  Stage mean_point() {
    std::vector<Vector> moves;
    for (int j = 0; j < s_; ++j) {
      moves.emplace_back();
      for (int k = 0; k < n_; ++k) moves[j].push_back(move_to_stage(j, k));
    }
    quad at = 0;
    for (int j = 0; j < s_; ++j) at += spark_.q.b[j] * spark_.q.c[j];
    Vector q, v;
    for (int k = 0; k < n_; ++k) {
      q.push_back(graph_.alias(q0_[k] + combine(graph_, spark_.q.b, moves, k)));
      v.push_back(graph_.alias(v0_[k] + combine(graph_, spark_.q.b, D_, k)));
    }
    Vector z;
    for (std::size_t k = 0; k < e_.size(); ++k) {
      z.push_back(graph_.alias(conjugate_.start()[k] + combine(graph_, spark_.q.b, E_, k)));
    }
    return stage_at(system_, graph_, time(at), q, v, z);
  }

  const System& system_;
  const SparkCoefficients& spark_;
  const int n_, m_, l_, s_;  // coordinates, velocity constraints, position constraints, stages
  StepRecipe recipe_;
  Graph& graph_;
  Conjugate conjugate_;
  const bool has_impulses_, last_stage_decouples_, end_decouples_;
  const std::vector<quad> reach_;
  const SparkMultipliers multipliers_;
  Solve stages_solve_, end_solve_;
  Vector q0_, v0_, q1_, v1_, w_, e_, ahead_;
  std::vector<Vector> U_, X_, D_, E_, forces_, reactions_, friction_, node_reactions_, corrections_;
  std::vector<Stage> stages_;
  std::vector<PositionNode> nodes_;
  Stage end_;
};

}  // namespace

StepRecipe record_spark(const System& system, const SparkCoefficients& coefficients) {
  return SparkRecording(system, coefficients).record();
}

}  // namespace noslip
