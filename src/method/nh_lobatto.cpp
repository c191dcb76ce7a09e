// The nonholonomic partitioned Runge-Kutta integrator (14) of 002, with a = Lobatto IIIA and ahat = Lobatto IIIB:
//
//   Q_i = q0 + h sum_j a_ij V_j,   P_i = p0 + h sum_j ahat_ij W_j,   P_i = L_v(T_i, Q_i, V_i)      (14b), (14c)
//   W_j = F(T_j, Q_j, V_j) + K(T_j, Q_j, V_j)^T Lambda_j                                          (14c)
//   p_i = p0 + h sum_j a_ij W_j,   p_i = L_v(T_i, Q_i, v_i),   k(T_i, Q_i, v_i) = 0                (14d), (14e)
//   q1 = Q_s,   v1 = v_s,   lambda_1 = Lambda_s                                                    (14a)
//
// The first stage is the start: Q_1 = q0, v_1 = v0, and Lambda_1 = lambda_0 is given. So the multiplier is carried from
// step to step; its first value comes from the continuous problem. Unknowns are D_i = V_i - v0, d_i = v_i - v0 for i > 1,
// and z_i = h Lambda_i for i > 1; with momenta M v, the impulses U_j = M^-1 h W_j take the place of D and d.
#include <noslip/method/nh_lobatto.hpp>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/work.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

class Recording {
 public:
  Recording(const System& system, int stages)
      : system_(system),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        s_(stages),
        a_(lobatto_iiia(stages)),
        ahat_(lobatto_iiib(stages)),
        has_impulses_(has_plain_momenta(system)),
        recipe_(begin_recipe(system, true)),
        graph_(*recipe_.graph) {
    for (int i = 0; i < n_; ++i) {
      q0_.push_back(recipe_.state[i].symbol);
      v0_.push_back(recipe_.state[n_ + i].symbol);
    }
    for (int j = 0; j < s_; ++j) z_.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
    for (int r = 0; r < m_; ++r) z_[0][r] = recipe_.h * recipe_.state[2 * n_ + r].symbol;
  }

  StepRecipe record() {
    has_impulses_ ? choose_impulses() : choose_increments();
    evaluate_stages();
    has_impulses_ ? impulse_equations() : momentum_equations();
    for (int i = 1; i < s_; ++i) {
      const std::vector<quad> weights = continuation(a_.c, 1 + a_.c[i]);
      for (int r = 0; r < m_; ++r) {
        solve_.residuals.push_back(on_constraint_[i].k[r]);
        solve_.unknowns.push_back(
            {z_[i][r], recipe_.h * recipe_.multipliers[r], combine(graph_, weights, z_, r), false});
      }
    }
    solve_.scale = v0_;
    solve_.scale.insert(solve_.scale.end(), d_.back().begin(), d_.back().end());
    recipe_.solves.push_back(std::move(solve_));
    add_work(recipe_, h(), a_.b, stages_);
    add_reaction_work(recipe_, a_.b, stages_, z_);
    for (int r = 0; r < m_; ++r) {
      StateVariable& multiplier = recipe_.state[2 * n_ + r];
      recipe_.end_multipliers.push_back(z_.back()[r] / recipe_.h);
      multiplier.increment = recipe_.end_multipliers.back() - multiplier.symbol;
    }
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }

  void choose_impulses() {
    for (int j = 0; j < s_; ++j) U_.push_back(new_symbols(graph_, fmt::format("U{}_", j + 1), n_));
    for (int i = 0; i < s_; ++i) {
      D_.emplace_back();
      d_.emplace_back();
      for (int k = 0; k < n_; ++k) {
        D_[i].push_back(combine(graph_, ahat_.a[i], U_, k));
        d_[i].push_back(combine(graph_, a_.a[i], U_, k));
      }
    }
    for (int j = 0; j < s_; ++j) {
      const std::vector<quad> next = continuation(a_.c, 1 + a_.c[j]);
      for (int k = 0; k < n_; ++k) {
        solve_.unknowns.push_back({U_[j][k], h() * recipe_.accelerations[k], combine(graph_, next, U_, k), true});
      }
    }
  }

  void choose_increments() {
    for (int i = 0; i < s_; ++i) {
      D_.push_back(new_symbols(graph_, fmt::format("D{}_", i + 1), n_));
      d_.push_back(i == 0 ? Vector(n_, graph_.constant(0)) : new_symbols(graph_, fmt::format("d{}_", i + 1), n_));
    }
    const std::vector<quad> hat_times = row_sums(ahat_);
    std::vector<Vector> from_hat = D_;
    from_hat.push_back(d_.back());
    const auto add = [&](Expr symbol, quad time, const std::vector<quad>& weights, const std::vector<Vector>& known,
                         int k) {
      const Expr first = h() * coefficient(graph_, time) * recipe_.accelerations[k];
      solve_.unknowns.push_back({symbol, first, combine(graph_, weights, known, k), true});
    };
    for (int i = 0; i < s_; ++i) {
      std::vector<quad> at_nodes = continuation(a_.c, 1 + a_.c[i]);
      at_nodes.back() -= 1;  // the next increment counts from the end of this step
      for (int k = 0; k < n_; ++k) {
        add(D_[i][k], hat_times[i], next_increment(hat_times, hat_times[i]), from_hat, k);
        if (i > 0) add(d_[i][k], a_.c[i], at_nodes, d_, k);
      }
    }
  }

  /// h sum_j a_ij V_j
  Expr move(quad c, const std::vector<quad>& a, int k) {
    return h() * (coefficient(graph_, c) * v0_[k] + combine(graph_, a, D_, k));
  }

  void evaluate_stages() {
    for (int k = 0; k < n_; ++k) {
      recipe_.state[k].increment = move(1, a_.b, k);
      recipe_.state[n_ + k].increment = d_.back()[k];
    }
    for (int i = 0; i < s_; ++i) {
      const bool is_end = i == s_ - 1;
      Vector Q, V, v, Q_end;
      for (int k = 0; k < n_; ++k) {
        Q.push_back(graph_.alias(q0_[k] + move(a_.c[i], a_.a[i], k)));
        V.push_back(graph_.alias(v0_[k] + D_[i][k]));
        // The last stage is the state that will be stored (but see spark.cpp on momenta).
        Q_end.push_back(is_end ? recipe_.state[k].next(graph_) : Q[k]);
        v.push_back(is_end && has_impulses_ ? recipe_.state[n_ + k].next(graph_) : graph_.alias(v0_[k] + d_[i][k]));
      }
      const Expr T = recipe_.t + coefficient(graph_, a_.c[i]) * h();
      stages_.push_back(stage_at(system_, graph_, T, Q, V));
      on_constraint_.push_back(stage_at(system_, graph_, T, Q_end, v));
      impulses_.emplace_back();
      for (int k = 0; k < n_; ++k) {
        impulses_[i].push_back(h() * stages_[i].force[k] + stages_[i].reaction(graph_, k, z_[i]));
      }
    }
  }

  void impulse_equations() {
    Substitution copy(graph_);
    for (int j = 0; j < s_; ++j) {
      for (int k = 0; k < n_; ++k) {
        solve_.residuals.push_back(dot(graph_, copy(system_.mass()[k]), U_[j]) - impulses_[j][k]);
      }
    }
  }

  void momentum_equations() {
    const Stage start = stage_at(system_, graph_, recipe_.t, q0_, v0_);
    const auto add = [&](const Stage& at, const Vector& increment, const std::vector<quad>& weights) {
      const Vector difference = momentum_increment(system_, graph_, at, start, increment);
      for (int k = 0; k < n_; ++k) {
        solve_.residuals.push_back(difference[k] - combine(graph_, weights, impulses_, k));
      }
    };
    for (int i = 0; i < s_; ++i) {
      add(stages_[i], D_[i], ahat_.a[i]);
      if (i > 0) add(on_constraint_[i], d_[i], a_.a[i]);
    }
  }

  const System& system_;
  const int n_, m_, s_;
  const Tableau a_, ahat_;
  const bool has_impulses_;
  StepRecipe recipe_;
  Graph& graph_;
  Solve solve_;
  Vector q0_, v0_;
  std::vector<Vector> U_, D_, d_, z_, impulses_;
  std::vector<Stage> stages_, on_constraint_;
};

}  // namespace

StepRecipe record_nh_lobatto(const System& system, int stages) { return Recording(system, stages).record(); }

SparkCoefficients nh_lobatto_pair(int stages) {
  return {lobatto_iiia(stages), lobatto_iiib(stages), lobatto_iiib(stages), {}};
}

}  // namespace noslip
