// Energy-preserving collocation for x' = Pi(x) grad H(x): D. Cohen and E. Hairer, Linear energy-preserving integrators
// for Poisson systems, BIT 51 (2011) 91. With the nodes c_i and weights b_i of Gauss, Lagrange's polynomials l_i on the
// nodes, and u the polynomial of degree s with u(0) = x0 and u'(c_i) = k_i (times in steps, k includes h):
//
//   k_i = h Pi(u(c_i)) G_i,   G_i = integral of (l_i(tau)/b_i) grad H(u(tau)) over the step,   x1 = u(1)
//
//   H(x1) - H(x0) = integral of grad H(u) . u' = sum_i b_i k_i . G_i = h sum_i b_i G_i . Pi(u(c_i)) G_i = 0
//
// The integral is a quadrature. Where it is not exact, or not for certain, the step is corrected as O. Gonzalez,
// J. Nonlinear Sci. 6 (1996) 449, does it for one node:
//
//   G_i = quadrature_i + c k_i,   c = (H(x1) - H(x0) - sum_i b_i k_i . quadrature_i) / sum_i b_i k_i . k_i
//
// and the energy is kept whatever the quadrature is. One stage is the method (14) of Celledoni et al. 2019 with Pi at
// the midpoint: with one node G is Gonzalez' gradient (12), with an exact quadrature the mean value gradient (11).
//
// Forces f add h X^T f to the momenta, and H(x1) - H(x0) is then their discrete work sum_i b_i f_i . (q-part of k_i),
// to rounding. In canonical coordinates constraints have reactions K^T lambda_i, and K(u(c_i)) k_i = 0 (Celledoni et
// al. 2019, eq. (15), for one stage and one node).
//
// Unknowns are V_i = (q-part of k_i)/h and the rest of k_i. Of G_i the equations see grad H(u(c_i)) and what is beyond
// it: where the gradient is linear, there is nothing to integrate.
#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/difference.hpp>
#include <noslip/method/energy.hpp>

#include "method/coefficients.hpp"
#include "method/energy_steps.hpp"

namespace noslip {

namespace {

using Vector = std::vector<Expr>;

/// The terms of a sum that are not polynomials of degree two or less.
Expr beyond_quadratic(Expr f, std::span<const Expr> x) {
  const std::optional<int> degree = polynomial_degree(f, x);
  if (degree && *degree <= 2) return f.graph->constant(0);
  switch (f.op()) {
    case Op::alias: return beyond_quadratic(f.a(), x);
    case Op::neg: return -beyond_quadratic(f.a(), x);
    case Op::add: return beyond_quadratic(f.a(), x) + beyond_quadratic(f.b(), x);
    case Op::sub: return beyond_quadratic(f.a(), x) - beyond_quadratic(f.b(), x);
    case Op::mul:
      if (f.a().is_constant()) return f.a() * beyond_quadratic(f.b(), x);
      if (f.b().is_constant()) return beyond_quadratic(f.a(), x) * f.b();
      return f;
    case Op::div: return f.b().is_constant() ? beyond_quadratic(f.a(), x) / f.b() : f;
    default: return f;
  }
}

/// Nodes of the quadrature for gradients that are no polynomials: its error is far below rounding where a step moves
/// the state by less than a third of the distance to the nearest singularity of H, real or complex.
int automatic_nodes(int stages) { return 2 * stages + 4; }

class EnergyRecording {
 public:
  EnergyRecording(const System& system, const EnergyCollocation& method)
      : system_(system),
        method_(method),
        tableau_(gauss(method.stages)),
        recipe_(begin_recipe(system)),
        graph_(*recipe_.graph),
        form_(skew_form(system, recipe_, method.coordinates, method.derivatives)),
        s_(static_cast<std::size_t>(method.stages)) {
    const auto n = static_cast<int>(form_.positions), rest = static_cast<int>(form_.x.size()) - n;
    for (std::size_t i = 0; i < s_; ++i) {
      V_.push_back(new_symbols(graph_, fmt::format("V{}_", i + 1), n));
      rest_.push_back(new_symbols(graph_, fmt::format("k{}_", i + 1), rest));
      z_.push_back(new_symbols(graph_, fmt::format("z{}_", i + 1), static_cast<int>(form_.reactions.size())));
      Vector k;
      for (const Expr& velocity : V_.back()) k.push_back(recipe_.h * velocity);
      k.insert(k.end(), rest_.back().begin(), rest_.back().end());
      k_.push_back(std::move(k));
    }
    for (std::size_t i = 0; i < s_; ++i) points_.emplace_back(form_, graph_, moved(tableau_.a[i]));
    for (std::size_t j = 0; j < form_.x.size(); ++j) {
      increment_.push_back(graph_.alias(combine(graph_, tableau_.b, k_, j)));
    }
  }

  StepRecipe record() {
    integrate_gradient();
    solve_.before = form_.before;
    correct_energy();
    equations();
    const Vector v1 = move_state(form_, recipe_, increment_);
    unknowns(v1);
    recipe_.solves.push_back(std::move(solve_));
    return std::move(recipe_);
  }

 private:
  /// u where the integrals of l_1 ... l_s from the start are these weights.
  Vector moved(const std::vector<quad>& weights) {
    Vector x;
    for (std::size_t j = 0; j < form_.x.size(); ++j) {
      x.push_back(graph_.alias(form_.start[j] + combine(graph_, weights, k_, j)));
    }
    return x;
  }

  /// So many nodes does the quadrature of a component of the gradient need.
  int nodes_for(std::optional<int> degree) const {
    const int s = method_.stages;
    if (degree && *degree <= 1) return s;  // then the quadrature on the nodes c_i is exact
    if (method_.nodes > 0) return method_.nodes;
    return std::min(most_energy_nodes, degree ? (s * (*degree + 1) + 1) / 2 : automatic_nodes(s));
  }

  /// extra_i = quadrature_i - grad H(u(c_i))
  void integrate_gradient() {
    extra_.assign(s_, Vector(form_.x.size(), graph_.constant(0)));
    std::vector<int> needed;
    for (const Expr& component : form_.gradient) {
      const std::optional<int> degree = polynomial_degree(component, form_.x);
      needed.push_back(nodes_for(degree));
      const bool is_exact = degree && 2 * needed.back() >= method_.stages * (*degree + 1);
      is_corrected_ = is_corrected_ || !is_exact;
    }
    for (int nodes = method_.stages + 1; nodes <= *std::max_element(needed.begin(), needed.end()); ++nodes) {
      if (std::find(needed.begin(), needed.end(), nodes) == needed.end()) continue;
      const Tableau quadrature = gauss(nodes);
      const auto integrals = gauss_integrals(method_.stages, quadrature.c);
      for (std::size_t r = 0; r < quadrature.c.size(); ++r) {
        SkewPoint point(form_, graph_, moved(integrals[r]));
        const std::vector<quad> values = lagrange_weights(tableau_.c, quadrature.c[r]);
        for (std::size_t j = 0; j < needed.size(); ++j) {
          if (needed[j] != nodes) continue;
          const Expr gradient = point.gradient(j);
          for (std::size_t i = 0; i < s_; ++i) {
            const Expr weight = coefficient(graph_, quadrature.b[r] * values[i] / tableau_.b[i]);
            extra_[i][j] = extra_[i][j] + weight * gradient;
          }
        }
      }
      for (std::size_t j = 0; j < needed.size(); ++j) {
        if (needed[j] != nodes) continue;
        for (std::size_t i = 0; i < s_; ++i) extra_[i][j] = extra_[i][j] - points_[i].gradient(j);
      }
    }
  }

  /// The equation of c, an unknown. Parts of H that are at most quadratic have no share in it, where the gradient is
  /// exact.
  void correct_energy() {
    if (!is_corrected_) return;
    const bool is_exact = method_.derivatives == BasisDerivatives::exact;
    const Expr rest = is_exact ? beyond_quadratic(form_.energy, form_.x) : form_.energy;
    std::vector<Move> moves;
    for (std::size_t j = 0; j < form_.x.size(); ++j) moves.push_back({form_.x[j], form_.start[j], increment_[j]});
    const Expr gained = divided_difference(rest, moves, graph_.constant(1));
    const Vector slopes = rest == form_.energy ? form_.gradient : gradient(rest, form_.x);
    Vector along, lengths;
    for (std::size_t i = 0; i < s_; ++i) {
      const Expr b = coefficient(graph_, tableau_.b[i]);
      Vector G = points_[i].put(slopes);
      for (std::size_t j = 0; j < G.size(); ++j) G[j] = G[j] + extra_[i][j];
      along.push_back(b * dot(graph_, k_[i], G));
      lengths.push_back(b * dot(graph_, k_[i], k_[i]));
    }
    // At rest numerator and denominator vanish, and so does what c is multiplied with. No number but zero is rest: what
    // is small depends on the units of the system.
    const Expr square = graph_.alias(sum(graph_, lengths));
    const Expr length = select(square, square, graph_.constant(1));
    c_ = graph_.symbol("step.correction");
    solve_.unknowns.push_back({c_, graph_.constant(0), c_, false});
    solve_.residuals.push_back(c_ - held("correction.value", (gained - sum(graph_, along)) / length));
  }

  /// What the gradient at a stage is corrected by, in the form in which the flow takes it. It is small, and Newton's
  /// iteration does well without derivatives of the quadrature and of c.
  Vector shift(std::size_t i) {
    Vector result = points_[i].shift(extra_[i]);
    for (std::size_t j = 0; j < result.size(); ++j)
      result[j] = held(fmt::format("shift{}_{}", i + 1, j + 1), result[j]);
    if (!is_corrected_) return result;
    const Vector along = points_[i].shift(k_[i]);
    for (std::size_t j = 0; j < result.size(); ++j) {
      const bool is_momentum = j >= form_.positions && form_.positions > 0;
      result[j] = result[j] + c_ * (is_momentum ? along[j] : held(fmt::format("along{}_{}", i + 1, j + 1), along[j]));
    }
    return result;
  }

  /// A name for a value that Newton's matrix does not look into.
  Expr held(const std::string& name, Expr value) {
    if (value.is_constant()) return value;
    const Expr symbol = graph_.symbol("step." + name);
    solve_.held.push_back({symbol, value});
    return symbol;
  }

  void equations() {
    const std::size_t n = form_.positions;
    for (std::size_t i = 0; i < s_; ++i) {
      const Vector flow = points_[i].flow(shift(i), V_[i]);
      const Vector pushed = push(i);
      for (std::size_t j = 0; j < n; ++j) solve_.residuals.push_back(V_[i][j] - flow[j]);
      for (std::size_t j = n; j < form_.x.size(); ++j) {
        solve_.residuals.push_back(rest_[i][j - n] - recipe_.h * (flow[j] + pushed[j - n]) - reaction(i, j - n));
      }
      for (const Vector& row : points_[i].reactions()) solve_.residuals.push_back(dot(graph_, row, V_[i]));
    }
  }

  /// Applied forces at a stage, as they act on the momenta; their work.
  Vector push(std::size_t i) {
    if (!system_.structure().has_forces) return Vector(rest_[i].size(), graph_.constant(0));
    const Expr t = recipe_.t + coefficient(graph_, tableau_.c[i]) * recipe_.h;
    const Vector force = applied_forces_at(system_, graph_, t, points_[i].x(), V_[i]);
    Expr& work = recipe_.state.back().increment;
    work = work + coefficient(graph_, tableau_.b[i]) * (recipe_.h * dot(graph_, force, V_[i]));
    return points_[i].forced(force);
  }

  /// Component j of K^T z, z = h lambda, in canonical coordinates.
  Expr reaction(std::size_t i, std::size_t j) {
    Vector terms;
    const auto rows = points_[i].reactions();
    for (std::size_t r = 0; r < rows.size(); ++r) terms.push_back(rows[r][j] * z_[i][r]);
    return sum(graph_, terms);
  }

  void unknowns(const Vector& v1) {
    const Vector rates = form_.rates_at_start(graph_);
    const std::size_t n = form_.positions;
    const bool by_rest = n == 0 || form_.has_scalar_mass;  // decides convergence
    for (std::size_t i = 0; i < s_; ++i) {
      const quad c = tableau_.c[i];
      // Velocities are known at both ends of the step, too.
      std::vector<quad> nodes = {0, 1};
      nodes.insert(nodes.end(), tableau_.c.begin(), tableau_.c.end());
      const std::vector<quad> velocity_weights = continuation(nodes, 1 + c),
                              rest_weights = continuation(tableau_.c, 1 + c);
      for (std::size_t j = 0; j < n; ++j) {
        const Expr v0 = recipe_.state[n + j].symbol;
        const Expr guess = v0 + coefficient(graph_, c) * recipe_.h * recipe_.accelerations[j];
        std::vector<Vector> known = {Vector{v0}, Vector{v1[j]}};
        for (const Vector& V : V_) known.push_back({V[j]});
        solve_.unknowns.push_back({V_[i][j], guess, combine(graph_, velocity_weights, known, 0), !by_rest, true});
        if (by_rest) continue;
        solve_.scale.push_back(v0);
        solve_.scale.push_back(V_[i][j]);
      }
      for (std::size_t j = 0; j < rest_[i].size(); ++j) {
        solve_.unknowns.push_back(
            {rest_[i][j], recipe_.h * rates[n + j], combine(graph_, rest_weights, rest_, j), by_rest});
        if (!by_rest) continue;
        solve_.scale.push_back(form_.start[n + j]);
        solve_.scale.push_back(rest_[i][j]);
      }
      for (std::size_t r = 0; r < z_[i].size(); ++r) {
        solve_.unknowns.push_back({z_[i][r], recipe_.h * recipe_.multipliers[r], z_[i][r], false});
      }
    }
  }

  const System& system_;
  EnergyCollocation method_;
  Tableau tableau_;
  StepRecipe recipe_;
  Graph& graph_;
  SkewForm form_;
  std::size_t s_;
  std::vector<Vector> V_, rest_, z_, k_;  // one per stage
  std::vector<SkewPoint> points_;
  std::vector<Vector> extra_;
  Vector increment_;
  bool is_corrected_ = false;
  Expr c_;
  Solve solve_;
};

}  // namespace

StepRecipe record_energy_collocation(const System& system, const EnergyCollocation& method) {
  return EnergyRecording(system, method).record();
}

}  // namespace noslip
