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

#include <fmt/format.h>

#include <noslip/expr/derivative.hpp>

#include "method/coefficients.hpp"
#include "method/vectors.hpp"

namespace noslip {

namespace {

class IndexTwoRecording {
 public:
  IndexTwoRecording(const System& system, const IndexTwoCoefficients& coefficients)
      : system_(system),
        parts_(coefficients.parts),
        conditions_(coefficients.conditions),
        c_(parts_[0].c),
        n_(static_cast<std::size_t>(system.dimension())),
        m_(system.z().size()),
        s_(c_.size()),
        recipe_(begin_recipe(system, true)),
        graph_(*recipe_.graph),
        h_(recipe_.h),
        per_step_(graph_.alias(Number(1) / h_)),
        y0_(recipe_.start(0, n_)),
        z0_(recipe_.start(n_, m_)) {
    for (std::size_t r = 0; r < m_; ++r) {
      const std::string name = fmt::format("branch.{}", r + 1);
      recipe_.state.push_back({graph_.symbol(name), graph_.symbol("low." + name), {}, {}});
    }
    branch_ = recipe_.start(n_ + m_, m_);
    for (std::size_t j = 0; j < s_; ++j) {
      D_.push_back(new_symbols(graph_, fmt::format("D{}_", j + 1), n_));
      x_.push_back(is_given(j) ? zeros(graph_, m_) : new_symbols(graph_, fmt::format("x{}_", j + 1), m_));
    }
    w_ = new_symbols(graph_, "w", n_);
  }

  StepRecipe record() {
    start();
    stage_equations();
    y1_ = recipe_.move(0, w_);
    g_.push_back(g_at(recipe_.t + h_, y1_));
    for (const Weights& omega : conditions_.omega) solve_.require(sum(omega, g_));
    guesses();
    recipe_.solves.push_back(std::move(solve_));
    if (m_ == 0) return std::move(recipe_);
    const Vector moved_z = end_multipliers();
    const Expr rest_of_step = h_ * coefficient(graph_, 1 - c_.back());
    const Vector led_to = z0_ + per_step_ * x_.back() + rest_of_step * rate_z_;
    recipe_.move(n_ + m_, led_to - branch_);
    recipe_.move(n_, moved_z);
    recipe_.end_multipliers = z0_ + moved_z;
    return std::move(recipe_);
  }

 private:
  Expr time(quad c) { return recipe_.t + coefficient(graph_, c) * h_; }
  bool is_given(std::size_t stage) const { return stage == 0 && conditions_.first_multiplier_given; }

  Substitution at_point(Expr t, const Vector& y, const Vector& z) {
    Substitution at(graph_);
    at.replace(system_.t(), t);
    replace(at, system_.q(), y);
    replace(at, system_.z(), z);
    return at;
  }

  Vector g_at(Expr t, const Vector& y) {
    Substitution at = at_point(t, y, z0_);
    Vector values;
    for (const Constraint& constraint : system_.constraints()) values.push_back(at(constraint.k));
    return values;
  }

  /// Solves the hidden constraint, or its derivative, for unknowns of the size of `scale`, as exact as y allows.
  void add_hidden(const Vector& unknowns, const Vector& guess, const Vector& residuals, const Vector& scale) {
    Solve solve;
    solve.guesses_every_step = true;
    solve.seek(unknowns, guess, zeros(graph_, m_));
    solve.require(residuals);
    solve.scale = scale;
    solve.background = y0_;
    recipe_.solves.push_back(std::move(solve));
  }

  /// z and z' at the start.
  void start() {
    const Vector correction = new_symbols(graph_, "correction", m_), none = zeros(graph_, m_);
    z_start_ = alias(branch_ + correction);
    Substitution at = at_point(recipe_.t, y0_, z_start_);
    const Vector hidden = at(system_.hidden_constraints());
    rate_y_ = at(system_.position_rates());
    if (m_ == 0) return;
    add_hidden(correction, none, hidden, z_start_);
    rate_z_ = new_symbols(graph_, "rate_z", m_);
    // G_t + G_y f + G_z z', by the chain rule along (t, y, z) + e (1, f, z') at e = 0.
    const Expr e = graph_.symbol("step.along");
    Substitution at_zero(graph_);
    at_zero.replace(e, graph_.constant(0));
    Vector rates;
    for (const Expr& G :
         at_point(recipe_.t + e, y0_ + e * rate_y_, z_start_ + e * rate_z_)(system_.hidden_constraints())) {
      rates.push_back(at_zero(derivative(G, e)));
    }
    add_hidden(rate_z_, none, rates, rate_z_);
  }

  void stage_equations() {
    Vectors move_to(s_, zeros(graph_, n_));
    Vector move_to_end = zeros(graph_, n_);
    StepPolynomial inside{c_, move_to};
    for (std::size_t j = 0; j < s_; ++j) {
      const Vector Y = alias(y0_ + D_[j]), Z = alias(z0_ + per_step_ * x_[j]);
      g_.push_back(g_at(time(c_[j]), Y));
      Substitution at = at_point(time(c_[j]), Y, Z);
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (system_.parts()[part].empty()) continue;
        const Vector f = at(system_.parts()[part]);
        inside.changes[j] = inside.changes[j] + h_ * f;
        move_to_end = move_to_end + parts_[part].b[j] * f;
        for (std::size_t i = 0; i < s_; ++i) move_to[i] = move_to[i] + parts_[part].a[i][j] * f;
      }
    }
    recipe_.positions_inside = {std::move(inside)};
    for (std::size_t i = 0; i < s_; ++i) solve_.require(D_[i] - h_ * move_to[i]);
    solve_.require(w_ - h_ * move_to_end);
  }

  /// z1 - z0
  Vector end_multipliers() {
    if (!conditions_.end_multipliers.empty()) return alias(per_step_ * sum(conditions_.end_multipliers, x_));
    const Vector moved_z = new_symbols(graph_, "moved_z", m_), z1 = alias(z0_ + moved_z);
    add_hidden(moved_z, per_step_ * sum(lagrange_weights(c_, 1), x_),
               at_point(recipe_.t + h_, y1_, z1)(system_.hidden_constraints()), z1);
    return moved_z;
  }

  void guesses() {
    solve_.guesses_every_step = true;
    const Vector no_y = zeros(graph_, n_), no_z = zeros(graph_, m_);
    for (std::size_t j = 0; j < s_; ++j) solve_.seek(D_[j], c_[j] * (h_ * rate_y_), no_y);
    solve_.seek(w_, h_ * rate_y_, no_y);
    for (std::size_t j = 0; j < s_; ++j) {
      const Vector moved = z_start_ - z0_ + c_[j] * (h_ * rate_z_);
      if (!is_given(j)) solve_.seek(x_[j], h_ * moved, no_z, false);
    }
    solve_.scale = w_;
    solve_.background = y0_;
  }

  const System& system_;
  const std::array<Tableau, 5>& parts_;
  const SparkCoefficients& conditions_;
  const Weights& c_;
  const std::size_t n_, m_, s_;  // y, z, stages
  StepRecipe recipe_;
  Graph& graph_;
  const Expr h_, per_step_;
  Solve solve_;
  const Vector y0_, z0_;
  Vector branch_, z_start_, rate_y_, rate_z_, y1_, w_;
  Vectors D_, x_, g_;
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
