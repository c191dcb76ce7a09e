// Where an expression makes more than one node, the order is spelled out, as in the rules of differentiation.
//
// The arguments of the series are aliases: a long polynomial is differentiated once, however many variables there are.
#include "expr/width.hpp"

#include <quadmath.h>

namespace noslip {
namespace {

/// Horner's scheme for the sum of coefficient(k) * x^k, exact to quadruple precision for |x| <= bound.
template <class Coefficient>
Expr power_series(Expr x, double bound, Coefficient coefficient) {
  constexpr double smallest = 1e-37;
  std::vector<Number> coefficients;
  quad power = 1;
  for (int k = 0; k == 0 || fabsq(coefficients.back().value()) * power > smallest; ++k) {
    coefficients.push_back(coefficient(k));
    if (k > 0) power *= static_cast<quad>(bound);
  }
  Expr value = x.graph->constant(coefficients.back());
  for (std::size_t k = coefficients.size() - 1; k-- > 0;) value = value * x + coefficients[k];
  return value;
}

/// sin(z)/z as a series in -z^2, sinh(z)/z in z^2.
Expr sine_series(Expr square, double bound) {
  Number coefficient = 1;
  return power_series(square, bound, [&](int k) {
    if (k > 0) coefficient = coefficient / Number(2 * k * (2 * k + 1));
    return coefficient;
  });
}

/// atan(z)/z as a series in -z^2, atanh(z)/z in z^2; for |z| up to 1/8.
Expr arc_tangent_series(Expr square) {
  return power_series(square, 1.0 / 64, [](int k) { return Number::rational(1, 2 * k + 1); });
}

/// g*function(z)/z with z = width*g.
Expr odd_chord(Expr (*function)(Expr), bool alternating, Expr width, Expr g) {
  Graph& graph = *g.graph;
  const Expr one = graph.constant(1);
  const Expr z = graph.alias(width * g);
  const Expr square = powi(z, 2);
  const Expr is_near = less(square, one);
  const Expr inside = min(square, one);
  const Expr near = sine_series(alternating ? -inside : inside, 1);
  const Expr outside = select(is_near, one, z);
  const Expr far = function(outside) / outside;
  return g * select(is_near, near, far);
}

}  // namespace

Width::Width(Expr value) : value_(value), is_fixed_(value.is_constant() && !value.is_zero()) {
  const Expr one = value.graph->constant(1);
  divisor_ = is_fixed_ ? value : select(abs(value), value, one);
}

Expr Width::under(Expr difference) const { return difference / divisor_; }

Expr Width::sine(Expr g) const { return is_fixed_ ? under(sin(value_ * g)) : odd_chord(noslip::sin, true, value_, g); }

Expr Width::hyperbolic_sine(Expr g) const {
  return is_fixed_ ? under(sinh(value_ * g)) : odd_chord(noslip::sinh, false, value_, g);
}

Expr Width::angle(Expr g, Expr x) const {
  Graph& graph = *g.graph;
  const Expr y = value_ * g;
  const Expr far = under(atan2(y, x));
  if (is_fixed_) return far;
  const Expr one = graph.constant(1), zero = graph.constant(0);
  const Expr is_near = less(8 * abs(y), x);
  const Expr divisor = select(is_near, x, one);
  const Expr ratio = graph.alias(select(is_near, y, zero) / divisor);
  const Expr series = arc_tangent_series(-powi(ratio, 2));
  const Expr near = g / divisor * series;
  return select(is_near, near, far);
}

Expr Width::logarithm(Expr g, Expr start, Expr end) const {
  Graph& graph = *g.graph;
  // log(end/start) = 2 atanh(z) with z = (end - start)/(end + start)
  const Expr ratio = g / (start + end);
  const Expr z = value_ * ratio;
  const Expr one = graph.constant(1), zero = graph.constant(0);
  const Expr is_near = less(8 * abs(z), one);
  const Expr inside = graph.alias(select(is_near, z, zero));
  const Expr series = arc_tangent_series(powi(inside, 2));
  const Expr near = 2 * ratio * series;
  const Expr far = under(log(end / start));
  return select(is_near, near, far);
}

Expr Width::exponential(Expr g, Expr middle, Expr far) const {
  Graph& graph = *g.graph;
  const Expr change = value_ * g;
  const Expr one = graph.constant(1), zero = graph.constant(0);
  const Expr is_near = less(abs(change), one);
  const Expr half = graph.alias(select(is_near, change / 2, zero));
  const Expr series = sine_series(powi(half, 2), 0.25);
  const Expr near = middle * g * series;
  return select(is_near, near, far);
}

}  // namespace noslip
