// Runge-Kutta methods for index-2 systems: S. K. Hilden, Numerical Methods for Nonholonomic Mechanics (2009), eq.
// (2.15), (2.20) and (2.26), after Jay, SIAM J. Numer. Anal. and Math. Comput.; one set of equations serves all of
// them:
//
//   Y_i = y0 + h sum_m sum_j a_ij,m f_m(T_j, Y_j, Z_j)
//   y1  = y0 + h sum_j b_j f(T_j, Y_j, Z_j)
//   0   = sum_j omega_ij g(T_j, Y_j) + omega_i,s+1 g(t1, y1)
//
// Unknowns are the increments D_i = Y_i - y0 and w = y1 - y0, and x_i = h (Z_i - z0), which keeps the condition of the
// equations independent of h.
//
// Every step starts from (2.22), D_i = c_i h f(t0, y0, z), with Z_i = z + c_i h z'. Here z solves the hidden constraint
// G(t, y, z) = g_t + g_y f = 0 at the start, and z' follows from its derivative, G_t + G_y f + G_z z' = 0. Where G = 0
// has several solutions, the one that the first z0 belongs to is followed: a third part of the state, the branch, is
// where the last stage and z' led to (z1 itself may be far off: standard Gauss methods have it to order zero).
//
// z1 is the method's own value where it has one. Otherwise it solves G = 0 at (t1, y1), from what the stages lead to.
//
// Without z and g what remains is the Runge-Kutta method for y' = f(t, y); so skew-gradient systems are integrated.
#include <noslip/method/index2.hpp>

#include <string>

#include <fmt/format.h>

#include <noslip/expr/derivative.hpp>

#include "method/coefficients.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

class IndexTwoRecording {
 public:
  IndexTwoRecording(const System& system, const IndexTwoCoefficients& coefficients)
      : system_(system),
        parts_(coefficients.parts),
        conditions_(coefficients.conditions),
        n_(system.dimension()),
        m_(static_cast<int>(system.z().size())),
        s_(parts_[0].stages()),
        recipe_(begin_recipe(system, true)),
        graph_(*recipe_.graph),
        per_step_(graph_.alias(Number(1) / recipe_.h)) {
    for (int i = 0; i < n_; ++i) y0_.push_back(recipe_.state[i].symbol);
    for (int r = 0; r < m_; ++r) z0_.push_back(recipe_.state[n_ + r].symbol);
    for (int r = 0; r < m_; ++r) {
      const std::string name = fmt::format("branch.{}", r + 1);
      recipe_.state.push_back({graph_.symbol(name), graph_.symbol("low." + name), {}, {}});
      branch_.push_back(recipe_.state.back().symbol);
    }
    for (int j = 0; j < s_; ++j) {
      D_.push_back(new_symbols(graph_, fmt::format("D{}_", j + 1), n_));
      x_.push_back(is_given(j) ? Vector(m_, graph_.constant(0)) : new_symbols(graph_, fmt::format("x{}_", j + 1), m_));
    }
    w_ = new_symbols(graph_, "w", n_);
  }

  StepRecipe record() {
    start();
    stage_equations();
    conditions();
    guesses();
    recipe_.solves.push_back(std::move(solve_));
    end_multipliers();
    for (int r = 0; r < m_; ++r) {
      const Expr rest_of_step = h() * coefficient(graph_, 1 - parts_[0].c.back());
      const Expr led_to = z0_[r] + per_step_ * x_.back()[r] + rest_of_step * rate_z_[r];
      recipe_.state[n_ + m_ + r].increment = led_to - branch_[r];
      recipe_.state[n_ + r].increment = moved_z_[r];
      recipe_.end_multipliers.push_back(z0_[r] + moved_z_[r]);
    }
    return std::move(recipe_);
  }

 private:
  Expr h() const { return recipe_.h; }
  Expr time(quad c) { return recipe_.t + coefficient(graph_, c) * h(); }
  bool is_given(int stage) const { return stage == 0 && conditions_.first_multiplier_given; }

  Substitution at_point(Expr t, const Vector& y, const Vector& z) {
    Substitution at(graph_);
    at.replace(system_.t(), t);
    for (int i = 0; i < n_; ++i) at.replace(system_.q()[i], y[i]);
    for (int r = 0; r < m_; ++r) at.replace(system_.z()[r], z[r]);
    return at;
  }

  Vector g_at(Expr t, const Vector& y) {
    Substitution at = at_point(t, y, z0_);
    Vector values;
    for (const Constraint& constraint : system_.constraints()) values.push_back(at(constraint.k));
    return values;
  }

  /// z and z' at the start.
  void start() {
    const Vector correction = new_symbols(graph_, "correction", m_);
    Solve hidden, rates;
    for (int r = 0; r < m_; ++r) {
      z_start_.push_back(graph_.alias(branch_[r] + correction[r]));
      hidden.unknowns.push_back({correction[r], graph_.constant(0), graph_.constant(0), true});
    }
    Substitution at = at_point(recipe_.t, y0_, z_start_);
    hidden.guesses_anew = rates.guesses_anew = true;
    hidden.residuals = at(system_.hidden_constraints());
    hidden.scale = z_start_;
    hidden.background = y0_;  // where z vanishes, it is as exact as y allows
    rate_y_ = at(system_.position_rates());
    rate_z_ = new_symbols(graph_, "rate_z", m_);
    // G_t + G_y f + G_z z', by the chain rule along (t, y, z) + e (1, f, z') at e = 0.
    const Expr e = graph_.symbol("step.along");
    Vector y, z;
    for (int i = 0; i < n_; ++i) y.push_back(y0_[i] + e * rate_y_[i]);
    for (int r = 0; r < m_; ++r) z.push_back(z_start_[r] + e * rate_z_[r]);
    Substitution at_zero(graph_);
    at_zero.replace(e, graph_.constant(0));
    for (const Expr& G : at_point(recipe_.t + e, y, z)(system_.hidden_constraints())) {
      rates.residuals.push_back(at_zero(derivative(G, e)));
    }
    for (int r = 0; r < m_; ++r) rates.unknowns.push_back({rate_z_[r], graph_.constant(0), graph_.constant(0), true});
    rates.scale = rate_z_;
    rates.background = y0_;
    if (m_ == 0) return;
    recipe_.solves.push_back(std::move(hidden));
    recipe_.solves.push_back(std::move(rates));
  }

  void stage_equations() {
    std::vector<Vector> move_to(s_, Vector(n_, graph_.constant(0)));
    Vector move_to_end(n_, graph_.constant(0));
    StepPolynomial inside{parts_[0].c, std::vector<Vector>(s_, Vector(n_, graph_.constant(0)))};
    for (int j = 0; j < s_; ++j) {
      Vector Y, Z;
      for (int i = 0; i < n_; ++i) Y.push_back(graph_.alias(y0_[i] + D_[j][i]));
      for (int r = 0; r < m_; ++r) Z.push_back(graph_.alias(z0_[r] + per_step_ * x_[j][r]));
      g_.push_back(g_at(time(parts_[0].c[j]), Y));
      Substitution at = at_point(time(parts_[0].c[j]), Y, Z);
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (system_.parts()[part].empty()) continue;
        for (int i = 0; i < n_; ++i) {
          const Expr f = at(system_.parts()[part][i]);
          inside.changes[j][i] = inside.changes[j][i] + h() * f;
          move_to_end[i] = move_to_end[i] + coefficient(graph_, parts_[part].b[j]) * f;
          for (int k = 0; k < s_; ++k) {
            move_to[k][i] = move_to[k][i] + coefficient(graph_, parts_[part].a[k][j]) * f;
          }
        }
      }
    }
    recipe_.positions_inside = {std::move(inside)};
    for (int k = 0; k < s_; ++k) {
      for (int i = 0; i < n_; ++i) solve_.residuals.push_back(D_[k][i] - h() * move_to[k][i]);
    }
    for (int i = 0; i < n_; ++i) solve_.residuals.push_back(w_[i] - h() * move_to_end[i]);
  }

  void conditions() {
    for (int i = 0; i < n_; ++i) {
      recipe_.state[i].increment = w_[i];
      y1_.push_back(recipe_.state[i].next(graph_));
    }
    g_.push_back(g_at(recipe_.t + h(), y1_));
    for (const std::vector<quad>& omega : conditions_.omega) {
      for (int r = 0; r < m_; ++r) solve_.residuals.push_back(combine(graph_, omega, g_, r));
    }
  }

  void end_multipliers() {
    if (m_ == 0) return;
    if (!conditions_.end_multipliers.empty()) {
      for (int r = 0; r < m_; ++r) {
        moved_z_.push_back(graph_.alias(per_step_ * combine(graph_, conditions_.end_multipliers, x_, r)));
      }
      return;
    }
    moved_z_ = new_symbols(graph_, "moved_z", m_);
    Vector z1;
    Solve hidden;
    hidden.guesses_anew = true;
    const std::vector<quad> to_end = lagrange_weights(parts_[0].c, 1);
    for (int r = 0; r < m_; ++r) {
      z1.push_back(graph_.alias(z0_[r] + moved_z_[r]));
      hidden.unknowns.push_back({moved_z_[r], per_step_ * combine(graph_, to_end, x_, r), graph_.constant(0), true});
    }
    hidden.residuals = at_point(recipe_.t + h(), y1_, z1)(system_.hidden_constraints());
    hidden.scale = z1;
    hidden.background = y0_;
    recipe_.solves.push_back(std::move(hidden));
  }

  void guesses() {
    const Expr zero = graph_.constant(0);
    const std::vector<quad>& c = parts_[0].c;
    solve_.guesses_anew = true;
    for (int j = 0; j < s_; ++j) {
      for (int i = 0; i < n_; ++i) {
        solve_.unknowns.push_back({D_[j][i], h() * coefficient(graph_, c[j]) * rate_y_[i], zero, true});
      }
    }
    for (int i = 0; i < n_; ++i) solve_.unknowns.push_back({w_[i], h() * rate_y_[i], zero, true});
    for (int j = 0; j < s_; ++j) {
      if (is_given(j)) continue;
      for (int r = 0; r < m_; ++r) {
        const Expr moved = z_start_[r] - z0_[r] + h() * coefficient(graph_, c[j]) * rate_z_[r];
        solve_.unknowns.push_back({x_[j][r], h() * moved, zero, false});
      }
    }
    solve_.scale = w_;
    solve_.background = y0_;
  }

  const System& system_;
  const std::array<Tableau, 5>& parts_;
  const SparkCoefficients& conditions_;
  const int n_, m_, s_;
  StepRecipe recipe_;
  Graph& graph_;
  const Expr per_step_;
  Solve solve_;
  Vector y0_, z0_, branch_, z_start_, rate_y_, rate_z_, y1_, w_, moved_z_;
  std::vector<Vector> D_, x_, g_;
};

}  // namespace

IndexTwoCoefficients lobatto_index_two(int stages) {
  return {{lobatto_iiia(stages), lobatto_iiib(stages), lobatto_iiic(stages), lobatto_iiic_star(stages),
           lobatto_iiid(stages)},
          lobatto_ab_spark(stages)};
}

IndexTwoCoefficients standard_index_two(const Tableau& tableau) {
  return {{tableau, tableau, tableau, tableau, tableau}, standard_spark(tableau)};
}

IndexTwoCoefficients specialised_index_two(const Tableau& tableau) {
  return {{tableau, tableau, tableau, tableau, tableau}, specialised_spark(tableau)};
}

StepRecipe record_index_two(const System& system, const IndexTwoCoefficients& coefficients) {
  return IndexTwoRecording(system, coefficients).record();
}

}  // namespace noslip
