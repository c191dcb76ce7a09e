// The nonholonomic partitioned Runge-Kutta integrator (14) of Martin de Diego and Sato 2022, with a = Lobatto IIIA and
// ahat = Lobatto IIIB:
//
//   Q_i = q0 + h sum_j a_ij V_j,   P_i = p0 + h sum_j ahat_ij W_j,   P_i = L_v(T_i, Q_i, V_i)      (14b), (14c)
//   W_j = F(T_j, Q_j, V_j) + K(T_j, Q_j, V_j)^T Lambda_j                                          (14c)
//   p_i = p0 + h sum_j a_ij W_j,   p_i = L_v(T_i, Q_i, v_i),   k(T_i, Q_i, v_i) = 0                (14d), (14e)
//   q1 = Q_s,   v1 = v_s,   lambda_1 = Lambda_s                                                    (14a)
//
// The first stage is the start: Q_1 = q0, v_1 = v0, and Lambda_1 = lambda_0 is given. So the multiplier is carried from
// step to step; its first value comes from the continuous problem. Unknowns are D_i = V_i - v0, d_i = v_i - v0 for i >
// 1, and z_i = h Lambda_i for i > 1; with momenta M v, the impulses U_j = M^-1 h W_j take the place of D and d. Where a
// Hamiltonian gives v(t, q, p) (conjugate.hpp), this is the form (15) of the same paper with V_i = H_p(T_i, Q_i, P_i)
// and k(T_i, Q_i, H_p(T_i, Q_i, p_i)) = 0; unknowns are D_i, E_i = P_i - p0 and e_i = p_i - p0.
#include <noslip/method/nh_lobatto.hpp>

#include <fmt/format.h>

#include <noslip/method/stage.hpp>

#include "method/coefficients.hpp"
#include "method/conjugate.hpp"
#include "method/work.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

class NhLobattoRecording {
 public:
  NhLobattoRecording(const System& system, int stages)
      : system_(system),
        n_(system.dimension()),
        m_(static_cast<int>(system.constraints().size())),
        s_(stages),
        a_(lobatto_iiia(stages)),
        ahat_(lobatto_iiib(stages)),
        has_impulses_(has_plain_momenta(system)),
        recipe_(begin_recipe(system, true)),
        graph_(*recipe_.graph),
        conjugate_(system, recipe_) {
    for (int i = 0; i < n_; ++i) {
      q0_.push_back(recipe_.state[i].symbol);
      v0_.push_back(recipe_.state[n_ + i].symbol);
    }
    for (int j = 0; j < s_; ++j) z_.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
    for (int r = 0; r < m_; ++r) z_[0][r] = recipe_.h * recipe_.state[recipe_.first_multiplier + r].symbol;
  }

  StepRecipe record() {
    has_impulses_ ? choose_impulses() : choose_increments();
    if (conjugate_.exists()) choose_momenta();
    guess_increments();
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
    add_nonideal_work(recipe_, a_.b, stages_, friction_);
    for (int r = 0; r < m_; ++r) {
      StateVariable& multiplier = recipe_.state[recipe_.first_multiplier + r];
      recipe_.end_multipliers.push_back(z_.back()[r] / recipe_.h);
      multiplier.increment = recipe_.end_multipliers.back() - multiplier.symbol;
    }
    if (!conjugate_.exists()) describe_inside();
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
      if (conjugate_.exists()) continue;
      d_.push_back(i == 0 ? Vector(n_, graph_.constant(0)) : new_symbols(graph_, fmt::format("d{}_", i + 1), n_));
    }
  }

  /// E_i and e_i; the velocities v_i follow from them.
  void choose_momenta() {
    move_positions();
    for (int i = 0; i < s_; ++i) {
      E_.push_back(new_symbols(graph_, fmt::format("E{}_", i + 1), n_));
      e_.push_back(i == 0 ? Vector(n_, graph_.constant(0)) : new_symbols(graph_, fmt::format("e{}_", i + 1), n_));
      if (i == 0) {
        on_v_.push_back(v0_);
      } else if (i == s_ - 1) {
        on_v_.push_back(conjugate_.end_velocities(time(i), end_positions(), e_[i]));
      } else {
        on_v_.push_back(stage_at(system_, graph_, time(i), positions(i), {}, conjugate_.moved(e_[i])).velocities);
      }
      d_.emplace_back();
      for (int k = 0; k < n_; ++k) d_[i].push_back(on_v_[i][k] - v0_[k]);
    }
  }

  void guess_increments() {
    if (has_impulses_) return;
    const std::vector<quad> hat_times = row_sums(ahat_);
    const auto with_end = [](std::vector<Vector> at_stages, const Vector& at_end) {
      at_stages.push_back(at_end);
      return at_stages;
    };
    const auto add = [&](Expr symbol, Expr first, const std::vector<quad>& weights, const std::vector<Vector>& known,
                         int k) {
      solve_.unknowns.push_back({symbol, first, combine(graph_, weights, known, k), true});
    };
    for (int i = 0; i < s_; ++i) {
      std::vector<quad> at_nodes = continuation(a_.c, 1 + a_.c[i]);
      at_nodes.back() -= 1;  // the next increment counts from the end of this step
      const std::vector<quad> at_stages = next_increment(hat_times, hat_times[i]);
      for (int k = 0; k < n_; ++k) {
        const Expr change = h() * recipe_.accelerations[k];
        add(D_[i][k], coefficient(graph_, hat_times[i]) * change, at_stages, with_end(D_, d_.back()), k);
        if (conjugate_.exists()) {
          add(E_[i][k], conjugate_.first_guess(k, hat_times[i]), at_stages, with_end(E_, e_.back()), k);
          if (i > 0) add(e_[i][k], conjugate_.first_guess(k, a_.c[i]), at_nodes, e_, k);
        } else if (i > 0) {
          add(d_[i][k], coefficient(graph_, a_.c[i]) * change, at_nodes, d_, k);
        }
      }
    }
  }

  /// h sum_j a_ij V_j
  Expr move(quad c, const std::vector<quad>& a, int k) {
    return h() * (coefficient(graph_, c) * v0_[k] + combine(graph_, a, D_, k));
  }

  Expr time(int i) { return recipe_.t + coefficient(graph_, a_.c[i]) * h(); }

  Vector positions(int i) {
    Vector Q;
    for (int k = 0; k < n_; ++k) Q.push_back(graph_.alias(q0_[k] + move(a_.c[i], a_.a[i], k)));
    return Q;
  }

  void move_positions() {
    for (int k = 0; k < n_; ++k) {
      recipe_.state[k].increment = move(1, a_.b, k);
      recipe_.state[k].settles = m_ > 0;
    }
  }

  /// The state that will be stored.
  Vector end_positions() {
    Vector q1;
    for (int k = 0; k < n_; ++k) q1.push_back(recipe_.state[k].next(graph_));
    return q1;
  }

  void evaluate_stages() {
    if (!conjugate_.exists()) {
      move_positions();
      for (int k = 0; k < n_; ++k) recipe_.state[n_ + k].increment = d_.back()[k];
    }
    for (int i = 0; i < s_; ++i) {
      const bool is_end = i == s_ - 1;
      Vector V, v, P, p;
      for (int k = 0; k < n_; ++k) {
        V.push_back(graph_.alias(v0_[k] + D_[i][k]));
        // The last stage is the state that will be stored (but see spark.cpp on momenta).
        if (conjugate_.exists()) continue;
        v.push_back(is_end && has_impulses_ ? recipe_.state[n_ + k].next(graph_) : graph_.alias(v0_[k] + d_[i][k]));
      }
      if (conjugate_.exists()) {
        v = on_v_[i];
        P = conjugate_.moved(E_[i]);
        p = conjugate_.moved(e_[i]);
      }
      stages_.push_back(stage_at(system_, graph_, time(i), positions(i), V, P));
      on_constraint_.push_back(stage_at(system_, graph_, time(i), is_end ? end_positions() : positions(i), v, p));
      if (conjugate_.exists()) conjugate_.tie(solve_, stages_[i]);
      impulses_.emplace_back();
      friction_.push_back(stages_[i].nonideal_impulse(graph_, h(), z_[i]));
      for (int k = 0; k < n_; ++k) {
        impulses_[i].push_back(h() * stages_[i].force[k] + stages_[i].reaction(graph_, k, z_[i]) + friction_[i][k]);
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
    const bool ties = conjugate_.exists();
    const Stage start = stage_at(system_, graph_, recipe_.t, q0_, v0_, ties ? conjugate_.start() : Vector{});
    const auto add = [&](const Stage& at, const Vector& increment, const std::vector<quad>& weights) {
      const Vector difference = momentum_increment(system_, graph_, at, start, increment);
      for (int k = 0; k < n_; ++k) {
        solve_.residuals.push_back(difference[k] - combine(graph_, weights, impulses_, k));
      }
    };
    for (int i = 0; i < s_; ++i) {
      add(stages_[i], ties ? E_[i] : D_[i], ahat_.a[i]);
      if (i > 0) add(on_constraint_[i], ties ? e_[i] : d_[i], a_.a[i]);
    }
  }

  /// Q and p by Lobatto IIIA (prop. B.2).
  void describe_inside() {
    StepPolynomial positions{a_.c, {}};
    for (int j = 0; j < s_; ++j) {
      positions.changes.emplace_back();
      for (int k = 0; k < n_; ++k) positions.changes[j].push_back(h() * (v0_[k] + D_[j][k]));
    }
    recipe_.positions_inside = {std::move(positions)};
    recipe_.momenta_inside = {{a_.c, has_impulses_ ? U_ : impulses_}};
    recipe_.moves_velocities = has_impulses_;
  }

  const System& system_;
  const int n_, m_, s_;
  const Tableau a_, ahat_;
  const bool has_impulses_;
  StepRecipe recipe_;
  Graph& graph_;
  Conjugate conjugate_;
  Solve solve_;
  Vector q0_, v0_;
  std::vector<Vector> U_, D_, d_, E_, e_, on_v_, z_, impulses_, friction_;
  std::vector<Stage> stages_, on_constraint_;
};

}  // namespace

StepRecipe record_nh_lobatto(const System& system, int stages) { return NhLobattoRecording(system, stages).record(); }

SparkCoefficients nh_lobatto_pair(int stages) {
  SparkCoefficients result{lobatto_iiia(stages), lobatto_iiib(stages), lobatto_iiib(stages), {}};
  result.first_multiplier_given = true;
  result.end_multipliers.assign(stages, 0);
  result.end_multipliers.back() = 1;
  return result;
}

}  // namespace noslip
