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
#include <optional>
#include <string>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/group_points.hpp"
#include "method/spark_multipliers.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

Vector operator+(const Vector& a, const Vector& b) {
  Vector result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] + b[k]);
  return result;
}
Vector operator-(const Vector& a, const Vector& b) {
  Vector result;
  for (std::size_t k = 0; k < a.size(); ++k) result.push_back(a[k] - b[k]);
  return result;
}
Vector operator*(Expr factor, const Vector& a) {
  Vector result;
  for (const Expr& x : a) result.push_back(factor * x);
  return result;
}

/// h times a covector that acts at a point in the frame of the body, with its weights in the momenta of the stages and
/// of the end.
struct Impulse {
  int stage;  ///< where it belongs to one; otherwise -1
  const GroupPoint* at;
  Vector f;
  std::vector<quad> a;
  quad b;
};

class GroupSparkRecording {
 public:
  GroupSparkRecording(const System& system, const SparkCoefficients& spark, Constraints constraints, const Chart& chart)
      : system_(system),
        group_(system.group()),
        spark_(spark),
        is_projected_(constraints == Constraints::projected),
        chart_(chart),
        map_(chart.map),
        N_(static_cast<int>(system.q().size())),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        l_(static_cast<int>(system.holonomic().size())),
        s_(spark.q.stages()),
        recipe_(begin_recipe(system, spark.carries_multipliers())),
        graph_(*recipe_.graph),
        conjugate_(system, recipe_),
        multipliers_(system, spark, recipe_) {
    for (int i = 0; i < N_; ++i) q0_.push_back(recipe_.state[i].symbol);
    for (int i = 0; i < n_; ++i) v0_.push_back(recipe_.state[N_ + i].symbol);
    for (int j = 0; j < s_; ++j) {
      D_.push_back(new_symbols(graph_, fmt::format("D{}_", j + 1), n_));
      if (conjugate_.exists()) E_.push_back(new_symbols(graph_, fmt::format("E{}_", j + 1), n_));
    }
  }

  StepRecipe record() {
    place_points();
    start_ = stage_at(system_, graph_, recipe_.t, q0_, v0_, conjugate_.exists() ? conjugate_.start() : Vector{});
    evaluate_stages();
    evaluate_nodes();
    evaluate_ends();
    stage_equations();
    end_equations();
    velocity_conditions();
    position_conditions();
    guess();
    finish();
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }
  Expr time(quad c) { return recipe_.t + coefficient(graph_, c) * h(); }
  Expr weight(quad value) { return coefficient(graph_, value); }
  quad phi() const { return points_->phi(); }
  const NodeCoefficients& nodes() const { return multipliers_.nodes(); }
  int node_count() const { return multipliers_.node_count(); }

  /// Does nothing of the last stage but its position enter the other equations? Then its multiplier, those of the last
  /// node and the velocity at the end are found from the conditions at the end, when all else is known.
  bool end_decouples() const {
    for (int i = 0; i < s_; ++i) {
      if (spark_.forces.a[i].back() != 0 || spark_.reactions.a[i].back() != 0) return false;
      if (is_projected_ && i < s_ - 1 && spark_.q.a[i].back() != 0) return false;
    }
    return is_at_end(s_ - 1) && system_.nonideal().empty();
  }
  Solve& end() { return end_decouples() ? end_solve_ : stages_solve_; }
  Solve& of_stage(int j) { return j == s_ - 1 ? end() : stages_solve_; }
  Solve& of_node(int j) { return j == nodes().last() ? end() : stages_solve_; }
  bool is_at_end(int stage) const { return spark_.q.a[stage] == spark_.q.b; }

  void place_points() {
    points_.emplace(group_, chart_, recipe_, q0_, v0_, D_, spark_.q.b);
    const Vector entries = symbols_of(group_.defect(q0_));
    for (int k = 0; k < N_; ++k) {
      // Entries of rotations are small. What rounding leaves of them must not be systematic, or they cease to be one.
      const bool is_entry = std::find(entries.begin(), entries.end(), q0_[k]) != entries.end();
      recipe_.state[k].settles = m_ + l_ > 0 && !end_decouples() && !is_entry;
    }
    const std::vector<quad> times = row_sums(spark_.q);
    for (int i = 0; i < s_; ++i) stage_points_.push_back(points_->along(times[i], spark_.q.a[i]));
    for (int j = 0; j < node_count(); ++j) {
      const bool is_last = j == nodes().last();
      node_points_.push_back(is_last ? points_->end() : points_->along(nodes().c[j], nodes().reach[j]));
    }
  }

  void evaluate_stages() {
    for (int i = 0; i < s_; ++i) {
      const GroupPoint& at = stage_points_[i];
      const Vector eta = points_->body_velocity(at, D_[i]);
      changes_.push_back(D_[i] + times(at.tangent, v0_ + D_[i]));
      const Vector P = conjugate_.exists() ? conjugate_.moved(E_[i]) : Vector{};
      stages_.push_back(stage_at(system_, graph_, time(spark_.q.c[i]), at.q, eta, P));
      if (conjugate_.exists()) conjugate_.tie(stages_solve_, stages_[i]);
      curvatures_.push_back(group_.tangent_gradient(map_, at.xi, v0_ + D_[i], stages_[i].p));
      friction_.push_back(stages_[i].nonideal_impulse(graph_, h(), multipliers_.at_stage(i)));
      Vector reactions;
      for (int k = 0; k < n_; ++k) {
        reactions.push_back(stages_[i].reaction(graph_, k, multipliers_.z[i]) + friction_[i][k]);
      }
      impulses_.push_back({i, &at, h() * stages_[i].force, column(spark_.forces.a, i), spark_.forces.b[i]});
      impulses_.push_back({i, &at, reactions, column(spark_.reactions.a, i), spark_.reactions.b[i]});
    }
  }

  static std::vector<quad> column(const std::vector<std::vector<quad>>& rows, int j) {
    std::vector<quad> result;
    for (const std::vector<quad>& row : rows) result.push_back(row[j]);
    return result;
  }

  void evaluate_nodes() {
    const auto reactions = [&](const PositionNode& node, int j) {
      Vector f;
      for (int k = 0; k < n_; ++k) f.push_back(node.reaction(graph_, h(), k, multipliers_.y[j]));
      return f;
    };
    for (int j = 0; j < node_count(); ++j) {
      nodes_.push_back(node_at(system_, graph_, time(nodes().c[j]), node_points_[j].q));
      impulses_.push_back({-1, &node_points_[j], reactions(nodes_[j], j), column(nodes().a, j), nodes().b[j]});
    }
    if (l_ == 0 || nodes().correction.empty()) return;
    for (int j = 0; j < node_count(); ++j) {  // the "true" Euler method, Jay 2007, sec. 3.5
      impulses_.push_back(
          {-1, &points_->end(), reactions(nodes_.back(), j), std::vector<quad>(s_, 0), nodes().correction[j]});
    }
  }

  /// Where constraints hold: the end of the step and, projected, the stages after the first.
  void evaluate_ends() {
    for (int i = is_projected_ ? 1 : s_; i <= s_; ++i) {
      if (is_projected_ && i == s_ - 1) continue;  // the last stage is the end
      const bool is_end = i == s_;
      const std::string name = is_end ? "w" : fmt::format("d{}_", i + 1);
      const GroupPoint& at = is_end ? points_->end() : stage_points_[i];
      const Expr t = is_end ? recipe_.t + h() : time(spark_.q.c[i]);
      on_constraint_.push_back({});
      OnConstraint& here = on_constraint_.back();
      here.stage = i;
      here.increment = new_symbols(graph_, conjugate_.exists() ? "e" + name : name, n_);
      Vector v, p;
      if (conjugate_.exists()) {
        p = conjugate_.moved(here.increment);
        v = is_end ? conjugate_.end_velocities(t, at.q, here.increment)
                   : stage_at(system_, graph_, t, at.q, {}, p).velocities;
      } else {
        const bool is_plain = has_plain_momenta(system_);
        for (int k = 0; k < n_; ++k) {
          StateVariable& state = recipe_.state[N_ + k];
          if (is_end) state.increment = here.increment[k];
          // Momenta of a mass matrix that changes must not see the low part of the velocity: they would undo it.
          v.push_back(is_end && is_plain ? state.next(graph_) : graph_.alias(v0_[k] + here.increment[k]));
        }
      }
      here.at = stage_at(system_, graph_, t, at.q, v, p);
    }
  }

  /// m0 - mu0
  Vector start_from_centre() { return transposed_times(group_.adjoint_less_one(map_, points_->theta()), start_.p); }

  /// (26)
  void stage_equations() {
    Vector m = start_from_centre();  // m1 - mu0 without what acts at the end of the step
    for (const Impulse& impulse : impulses_) {
      if (!impulse.at->is_end) m = m + weight(impulse.b) * plus_transposed_times(impulse.f, impulse.at->back);
    }
    const Vector from_end =
        m + transposed_times(group_.tangent_less_one(map_, negative(points_->end().xi)), start_.p + m);
    const Vector from_start = transposed_times(group_.tangent_less_one(map_, negative(points_->theta())), start_.p);
    const Vector right = weight(phi()) * from_start + weight(1 - phi()) * from_end;
    std::vector<Vector> pulled;  // N
    for (const Impulse& impulse : impulses_) {
      pulled.push_back(plus_transposed_times(impulse.f, impulse.at->tangent));
    }
    for (int i = 0; i < s_; ++i) {
      const Vector& increment = conjugate_.exists() ? E_[i] : changes_[i];
      Vector residual = momentum_increment(system_, graph_, stages_[i], start_, increment) +
                        transposed_times(stage_points_[i].tangent, stages_[i].p) - right;
      for (std::size_t j = 0; j < impulses_.size(); ++j) {
        // Where an impulse acts at the end, the weight b of both sides has been taken out: d tau_-xi^* Ad*_tau(-xi) is
        // d tau_xi^*.
        const quad ahat = impulses_[j].a[i], b = impulses_[j].at->is_end ? quad(0) : (1 - phi()) * impulses_[j].b;
        residual = residual + weight(b - ahat) * pulled[j];
      }
      for (int j = 0; j < s_; ++j) {
        const quad share = (1 - phi()) * spark_.forces.b[j] - spark_.forces.a[i][j];
        residual = residual + weight(share) * (h() * curvatures_[j]);
      }
      stages_solve_.residuals.insert(stages_solve_.residuals.end(), residual.begin(), residual.end());
    }
  }

  /// (27), and mu_i of appendix F
  void end_equations() {
    for (const OnConstraint& here : on_constraint_) {
      const bool is_end = here.stage == s_;
      Vector m = start_from_centre();
      for (const Impulse& impulse : impulses_) {
        // Appendix F has impulses at stages only.
        const quad share = is_end ? impulse.b : spark_.q.a[here.stage][impulse.stage];
        m = m + weight(share) * plus_transposed_times(impulse.f, impulse.at->back);
      }
      const GroupPoint& at = is_end ? points_->end() : stage_points_[here.stage];
      const Vector right = m + transposed_times(group_.adjoint_less_one(map_, at.xi), start_.p + m);
      const Vector residual = momentum_increment(system_, graph_, here.at, start_, here.increment) - right;
      Solve& solve = is_end ? end() : stages_solve_;
      solve.residuals.insert(solve.residuals.end(), residual.begin(), residual.end());
    }
  }

  void velocity_conditions() {
    const Stage mean = spark_.constraint_at_mean ? mean_point() : Stage{};
    const Stage& at_end = on_constraint_.back().at;
    for (int r = 0; r < m_; ++r) {
      if (is_projected_) {
        for (const OnConstraint& here : on_constraint_) {
          (here.stage == s_ ? end() : stages_solve_).residuals.push_back(here.at.k[r]);
        }
        continue;
      }
      if (spark_.constraint_at_mean) stages_solve_.residuals.push_back(mean.k[r]);
      for (const std::vector<quad>& omega : spark_.omega) {
        Vector terms = {weight(omega[s_]) * at_end.k[r]};
        for (int j = 0; j < s_; ++j) terms.push_back(weight(omega[j]) * stages_[j].k[r]);
        (omega[s_] != 0 ? end() : stages_solve_).residuals.push_back(sum(graph_, terms));
      }
    }
  }

  Stage mean_point() {
    std::vector<Vector> places;
    for (const GroupPoint& at : stage_points_) places.push_back(at.xi);
    Vector xi, D;
    quad c = 0;
    for (int j = 0; j < s_; ++j) c += spark_.q.b[j] * spark_.q.c[j];
    for (int k = 0; k < n_; ++k) {
      xi.push_back(graph_.alias(combine(graph_, spark_.q.b, places, k)));
      D.push_back(combine(graph_, spark_.q.b, D_, k));
    }
    const GroupPoint at = points_->at(std::move(xi));
    Vector p;
    for (std::size_t k = 0; k < conjugate_.start().size(); ++k) {
      p.push_back(graph_.alias(conjugate_.start()[k] + combine(graph_, spark_.q.b, E_, k)));
    }
    return stage_at(system_, graph_, time(c), at.q, points_->body_velocity(at, D), p);
  }

  void position_conditions() {
    const Expr per_step = graph_.alias(Number(1) / h());
    for (int r = 0; r < l_; ++r) {
      for (int j = 1; j < node_count(); ++j) stages_solve_.residuals.push_back(per_step * nodes_[j].g[r]);
      end().residuals.push_back(on_constraint_.back().at.rates[r]);
    }
  }

  /// Body velocities (or momenta) are continued into the next step, and D from them as far as the first order.
  void guess() {
    const std::vector<quad> times = row_sums(spark_.forces);
    const Vector& w = on_constraint_.back().increment;
    const bool ties = conjugate_.exists();
    std::vector<Vector> known = changes_, known_momenta = E_;
    Vector end_change = w;
    if (ties) {
      for (int k = 0; k < n_; ++k) end_change[k] = recipe_.state[N_ + k].value - v0_[k];
    }
    known.push_back(end_change);
    known_momenta.push_back(w);
    const auto add = [&](Solve& solve, const Vector& symbols, quad c, bool are_momenta) {
      const std::vector<quad> next = next_increment(times, c);
      for (int k = 0; k < n_; ++k) {
        const Expr first = are_momenta ? conjugate_.first_guess(k, c) : weight(c) * (h() * recipe_.accelerations[k]);
        solve.unknowns.push_back(
            {symbols[k], first, combine(graph_, next, are_momenta ? known_momenta : known, k), true});
      }
    };
    for (int i = 0; i < s_; ++i) {
      add(stages_solve_, D_[i], times[i], false);
      if (ties) add(stages_solve_, E_[i], times[i], true);
    }
    for (const OnConstraint& here : on_constraint_) {
      const bool is_end = here.stage == s_;
      add(is_end ? end() : stages_solve_, here.increment, is_end ? quad(1) : spark_.q.c[here.stage], ties);
    }
    multipliers_.add_unknowns([this](int j) -> Solve& { return of_stage(j); },
                              [this](int j) -> Solve& { return of_node(j); });
  }

  void finish() {
    for (Solve* solve : {&stages_solve_, &end_solve_}) {
      if (solve->unknowns.empty()) continue;
      const Vector& increment =
          solve == &stages_solve_ && end_decouples() ? D_.back() : on_constraint_.back().increment;
      solve->scale = v0_;
      solve->scale.insert(solve->scale.end(), increment.begin(), increment.end());
      // A position constraint does not tell velocities apart that move positions by less than their rounding.
      if (solve == &stages_solve_ && l_ > 0) {
        for (const Expr& q : q0_) solve->background.push_back(q / h());
      }
      recipe_.solves.push_back(std::move(*solve));
    }
    multipliers_.set_at_end();
    multipliers_.add_work(stages_, nodes_, friction_);
  }

  /// A velocity that satisfies constraints, v0 + increment (or a momentum), at a stage or at the end (stage s).
  struct OnConstraint {
    int stage;
    Vector increment;
    Stage at;
  };

  const System& system_;
  const Group& group_;
  const SparkCoefficients& spark_;
  const bool is_projected_;
  const Chart chart_;
  const Retraction map_;
  const int N_, n_, m_, l_, s_;  // numbers of a position, velocities, velocity and position constraints, stages
  StepRecipe recipe_;
  Graph& graph_;
  Conjugate conjugate_;
  const SparkMultipliers multipliers_;
  Solve stages_solve_, end_solve_;
  Vector q0_, v0_;
  std::optional<GroupPoints> points_;
  std::vector<GroupPoint> stage_points_, node_points_;
  Stage start_;
  std::vector<Vector> D_, E_, changes_, curvatures_, friction_;  // changes: eta_i - v0
  std::vector<Stage> stages_;
  std::vector<PositionNode> nodes_;
  std::vector<Impulse> impulses_;
  std::vector<OnConstraint> on_constraint_;
};

}  // namespace

StepRecipe record_group_spark(const System& system, const SparkCoefficients& coefficients, Constraints constraints,
                              const Chart& chart) {
  return GroupSparkRecording(system, coefficients, constraints, chart).record();
}

}  // namespace noslip
