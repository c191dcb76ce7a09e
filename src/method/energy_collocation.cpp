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
        h_(recipe_.h),
        form_(skew_form(system, recipe_, method.coordinates, method.derivatives)),
        s_(static_cast<std::size_t>(method.stages)),
        n_(form_.positions) {
    for (std::size_t i = 0; i < s_; ++i) {
      const auto symbols = [&](const char* stem, std::size_t count) {
        return new_symbols(graph_, fmt::format("{}{}_", stem, i + 1), count);
      };
      V_.push_back(symbols("V", n_));
      rest_.push_back(symbols("k", form_.x.size() - n_));
      z_.push_back(symbols("z", form_.reactions.size()));
      k_.push_back(joined(h_ * V_[i], rest_[i]));
    }
    for (std::size_t i = 0; i < s_; ++i) points_.emplace_back(form_, graph_, moved(tableau_.a[i]));
    increment_ = alias(sum(tableau_.b, k_));
  }

  StepRecipe record() {
    integrate_gradient();
    solve_.before = form_.before;
    correct_energy();
    for (std::size_t i = 0; i < s_; ++i) {
      const Vector flow = points_[i].flow(shift(i), V_[i]), pushed = push(i);
      const Vectors K = points_[i].reactions();
      solve_.require(V_[i] - head(flow, n_));
      solve_.require(rest_[i] - h_ * (tail(flow, n_) + pushed) - sum(z_[i], K));
      solve_.require(K * V_[i]);
    }
    unknowns(move_state(form_, recipe_, increment_));
    recipe_.solves.push_back(std::move(solve_));
    return std::move(recipe_);
  }

 private:
  /// u where the integrals of l_1 ... l_s from the start are these weights.
  Vector moved(const Weights& weights) const { return alias(form_.start + sum(weights, k_)); }

  /// So many nodes does the quadrature of a component of the gradient need.
  int nodes_for(std::optional<int> degree) const {
    const int s = method_.stages;
    if (degree && *degree <= 1) return s;  // then the quadrature on the nodes c_i is exact
    if (method_.nodes > 0) return method_.nodes;
    return std::min(most_energy_nodes, degree ? (s * (*degree + 1) + 1) / 2 : automatic_nodes(s));
  }

  /// extra_i = quadrature_i - grad H(u(c_i))
  void integrate_gradient() {
    extra_.assign(s_, zeros(graph_, form_.x.size()));
    std::vector<int> needed;
    for (const Expr& component : form_.gradient) {
      const std::optional<int> degree = polynomial_degree(component, form_.x);
      needed.push_back(nodes_for(degree));
      const bool is_exact = degree && 2 * needed.back() >= method_.stages * (*degree + 1);
      is_corrected_ = is_corrected_ || !is_exact;
    }
    for (int nodes = method_.stages + 1; nodes <= *std::max_element(needed.begin(), needed.end()); ++nodes) {
      if (std::find(needed.begin(), needed.end(), nodes) == needed.end()) continue;
      const auto gradient_at = [&](SkewPoint& point) {  // those components that need so many nodes
        Vector result = zeros(graph_, needed.size());
        for (std::size_t j = 0; j < needed.size(); ++j) {
          if (needed[j] == nodes) result[j] = point.gradient(j);
        }
        return result;
      };
      const Tableau quadrature = gauss(nodes);
      const auto integrals = gauss_integrals(method_.stages, quadrature.c);
      for (std::size_t r = 0; r < quadrature.c.size(); ++r) {
        SkewPoint point(form_, graph_, moved(integrals[r]));
        const Weights values = lagrange_weights(tableau_.c, quadrature.c[r]);
        const Vector gradient = gradient_at(point);
        for (std::size_t i = 0; i < s_; ++i) {
          extra_[i] = extra_[i] + (quadrature.b[r] * values[i] / tableau_.b[i]) * gradient;
        }
      }
      for (std::size_t i = 0; i < s_; ++i) extra_[i] = extra_[i] - gradient_at(points_[i]);
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
      along.push_back(b * dot(graph_, k_[i], points_[i].put(slopes) + extra_[i]));
      lengths.push_back(b * dot(graph_, k_[i], k_[i]));
    }
    // At rest numerator and denominator vanish, and so does what c is multiplied with. No number but zero is rest: what
    // is small depends on the units of the system.
    const Expr square = graph_.alias(sum(graph_, lengths));
    const Expr length = select(square, square, graph_.constant(1));
    c_ = graph_.symbol("step.correction");
    solve_.seek({c_}, {graph_.constant(0)}, {c_}, false);
    solve_.require({c_ - held("correction.value", (gained - sum(graph_, along)) / length)});
  }

  /// What the gradient at a stage is corrected by, in the form in which the flow takes it. It is small, and Newton's
  /// iteration does well without derivatives of the quadrature and of c.
  Vector shift(std::size_t i) {
    const Vector by_quadrature = held(fmt::format("shift{}_", i + 1), points_[i].shift(extra_[i]));
    if (!is_corrected_) return by_quadrature;
    const Vector along = points_[i].shift(k_[i]);
    const std::size_t count = n_ > 0 ? n_ : along.size();
    const Vector held_along = held(fmt::format("along{}_", i + 1), head(along, count));
    return by_quadrature + c_ * joined(held_along, tail(along, count));
  }

  /// A name for a value that Newton's matrix does not look into.
  Expr held(const std::string& name, Expr value) {
    if (value.is_constant()) return value;
    const Expr symbol = graph_.symbol("step." + name);
    solve_.held.push_back({symbol, value});
    return symbol;
  }
  Vector held(const std::string& stem, Vector values) {
    for (std::size_t j = 0; j < values.size(); ++j) values[j] = held(fmt::format("{}{}", stem, j + 1), values[j]);
    return values;
  }

  /// Applied forces at a stage, as they act on the momenta; their work.
  Vector push(std::size_t i) {
    if (!system_.structure().has_forces) return {};
    const Expr t = recipe_.t + coefficient(graph_, tableau_.c[i]) * h_;
    const Vector force = applied_forces_at(system_, graph_, t, points_[i].x(), V_[i]);
    Expr& work = recipe_.state.back().increment;
    work = work + coefficient(graph_, tableau_.b[i]) * (h_ * dot(graph_, force, V_[i]));
    return points_[i].forced(force);
  }

  void unknowns(const Vector& v1) {
    const Vector v0 = recipe_.start(n_, n_), rates = tail(form_.rates_at_start(graph_), n_);
    const Vector change = h_ * head(recipe_.accelerations, n_), lambda = head(recipe_.multipliers, z_[0].size());
    const bool by_rest = n_ == 0 || form_.has_scalar_mass;  // decides convergence
    // Velocities are known at both ends of the step, too.
    const Weights& times = tableau_.c;
    Weights times_and_ends = {0, 1};
    times_and_ends.insert(times_and_ends.end(), times.begin(), times.end());
    Vectors known = {v0, v1};
    known.insert(known.end(), V_.begin(), V_.end());
    for (std::size_t i = 0; i < s_; ++i) {
      const quad c = times[i];
      solve_.seek(V_[i], v0 + c * change, sum(continuation(times_and_ends, 1 + c), known), !by_rest, true);
      solve_.seek(rest_[i], h_ * rates, sum(continuation(times, 1 + c), rest_), by_rest);
      solve_.seek(z_[i], h_ * lambda, z_[i], false);
      const Vector size = by_rest ? joined(tail(form_.start, n_), rest_[i]) : joined(v0, V_[i]);
      solve_.scale = joined(solve_.scale, size);
    }
  }

  const System& system_;
  EnergyCollocation method_;
  Tableau tableau_;
  StepRecipe recipe_;
  Graph& graph_;
  const Expr h_;
  SkewForm form_;
  const std::size_t s_, n_;   // stages, positions
  Vectors V_, rest_, z_, k_;  // one per stage
  std::vector<SkewPoint> points_;
  Vectors extra_;
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
