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
// States u' = r(t, q, v, u) beside the mechanics, which are not in H, move with r at the stages, as the positions do.
//
// Forces f add h X^T f to the momenta, and H(x1) - H(x0) is then their discrete work sum_i b_i f_i . (q-part of k_i),
// to rounding. In canonical coordinates constraints have reactions K^T lambda_i, and K(u(c_i)) k_i = 0 (Celledoni et
// al. 2019, eq. (15), for one stage and one node).
//
// Unknowns are V_i = (q-part of k_i)/h and the rest of k_i, and quasi-velocities where they are many (skew_form.hpp). Of
// G_i the equations see grad H(u(c_i)) and what is beyond it: where the gradient is linear, there is nothing to
// integrate.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/expr/difference.hpp>
#include <noslip/method/energy.hpp>

#include "method/skew_step.hpp"

namespace noslip {

namespace {

class EnergyRecording {
 public:
  EnergyRecording(const System& system, const EnergyCollocation& method)
      : method_(method),
        tableau_(gauss(method.stages)),
        s_(tableau_.c.size()),
        step_(system, true, method.coordinates, method.derivatives),
        graph_(step_.graph),
        form_(step_.form) {
    for (std::size_t i = 0; i < s_; ++i) step_.add_stage(fmt::format("{}_", i + 1));
    for (std::size_t i = 0; i < s_; ++i) points_.push_back(step_.stage(i, tableau_.a[i]));
    increment_ = alias(sum(tableau_.b, step_.k));
  }

  StepRecipe record() {
    integrate_gradient();
    solve_.before = form_.before;
    correct_energy();
    for (std::size_t i = 0; i < s_; ++i) {
      const Vector flow = points_[i].flow(shift(i), step_.V[i]);
      const Expr t = step_.recipe.t + coefficient(graph_, tableau_.c[i]) * step_.h;
      step_.require(solve_, i, points_[i], flow, {t, tableau_.a[i], tableau_.b[i]});
    }
    step_.seek_all(std::vector<Solve*>(s_, &solve_), tableau_.c, step_.move(increment_));
    for (const Node& node : nodes_) step_.seek_y(solve_, node.y, node.x, node.c, tableau_.c);
    step_.recipe.solves.push_back(std::move(solve_));
    return std::move(step_.recipe);
  }

 private:
  /// So many nodes does the quadrature of a component of the gradient need. For what is no polynomial its error is far
  /// below rounding where a step moves the state by less than a third of the distance to the nearest singularity of H,
  /// real or complex.
  int nodes_for(std::optional<int> degree) const {
    const int s = method_.stages;
    if (degree && *degree <= 1) return s;  // then the quadrature on the nodes c_i is exact
    if (method_.nodes > 0) return method_.nodes;
    return std::min(most_energy_nodes, degree ? (s * (*degree + 1) + 1) / 2 : 2 * s + 4);
  }

  /// extra_i = quadrature_i - grad H(u(c_i))
  void integrate_gradient() {
    extra_.assign(s_, zeros(graph_, form_.x.size()));
    std::vector<int> needed;
    std::vector<std::optional<int>> degrees = polynomial_degrees(form_.gradient, form_.x);
    const std::vector<bool> has_y = contain_any(form_.gradient, form_.y);
    for (std::size_t j = 0; j < degrees.size(); ++j) {
      if (has_y[j]) degrees[j] = std::nullopt;  // y is a function of x
      const std::optional<int>& degree = degrees[j];
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
      const auto needs_y = [&](int count) {
        for (std::size_t j = 0; j < needed.size(); ++j) {
          if (needed[j] == count && has_y[j]) return true;
        }
        return false;
      };
      const Tableau quadrature = gauss(nodes);
      const auto integrals = gauss_integrals(method_.stages, quadrature.c);
      for (std::size_t r = 0; r < quadrature.c.size(); ++r) {
        nodes_.push_back({step_.moved(integrals[r]), {}, quadrature.c[r]});
        if (needs_y(nodes)) nodes_.back().y = step_.new_y(fmt::format("y_node{}_{}_", nodes, r + 1));
        SkewPoint point(form_, graph_, nodes_.back().x, nodes_.back().y);
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
    const Expr energy = between_ends(form_.energy);
    const bool is_whole = !is_exact || !form_.y.empty();
    const Expr rest = is_whole ? energy : terms_beyond_degree(2, energy, form_.x);
    std::vector<Move> moves;
    for (std::size_t j = 0; j < form_.x.size(); ++j) moves.push_back({form_.x[j], form_.start[j], increment_[j]});
    const Expr gained = divided_difference(rest, moves, graph_.constant(1));
    const Vector slopes = rest == energy ? form_.gradient : gradient(rest, form_.x);
    Vector along, lengths;
    for (std::size_t i = 0; i < s_; ++i) {
      const Expr b = coefficient(graph_, tableau_.b[i]);
      along.push_back(b * dot(graph_, step_.k[i], points_[i].put(slopes) + extra_[i]));
      lengths.push_back(b * dot(graph_, step_.k[i], step_.k[i]));
    }
    // At rest numerator and denominator vanish, and so does what c is multiplied with. No number but zero is rest: what
    // is small depends on the units of the system.
    const Expr square = graph_.alias(sum(graph_, lengths));
    const Expr length = select(square, square, graph_.constant(1));
    c_ = graph_.symbol("step.correction");
    solve_.seek({c_}, {graph_.constant(0)}, {c_}, false);
    // Errors of quasi-velocities that are unknowns enter c divided by the step, so that it is no longer a weak function.
    const Expr value = (gained - sum(graph_, along)) / length;
    solve_.require({c_ - (form_.y.empty() ? solve_.hold("value", {value}).front() : value)});
  }

  /// The energy with the quasi-velocities of both ends of the step, where it has such.
  Expr between_ends(Expr energy) {
    if (form_.y.empty()) return energy;
    Substitution put(graph_);
    replace(put, form_.y, form_.start_y);
    replace(put, form_.y_end, step_.y_end);
    return put(energy);
  }

  /// What the gradient at a stage is corrected by, in the form in which the flow takes it. It is small, and Newton's
  /// iteration does well without derivatives of the quadrature and of c.
  Vector shift(std::size_t i) {
    const Vector by_quadrature = solve_.hold(fmt::format("shift{}_", i + 1), points_[i].shift(extra_[i]));
    if (!is_corrected_) return by_quadrature;
    const Vector along = points_[i].shift(step_.k[i]);
    const std::size_t count = step_.n > 0 ? step_.n : along.size();
    const Vector held_along = solve_.hold(fmt::format("along{}_", i + 1), head(along, count));
    return by_quadrature + c_ * joined(held_along, tail(along, count));
  }

  /// Of a quadrature: where it is, its quasi-velocities if they are unknowns, its time.
  struct Node {
    Vector x, y;
    quad c;
  };

  const EnergyCollocation method_;
  const Tableau tableau_;
  const std::size_t s_;
  SkewStep step_;
  Graph& graph_;
  const SkewForm& form_;
  std::vector<SkewPoint> points_;
  std::vector<Node> nodes_;
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
