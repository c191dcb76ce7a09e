// The width of a divided difference, and the elementary functions divided by it.
#pragma once

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Each function below is smooth in the width, zero included, though the text of its formula divides by it: near zero
/// it is a power series, long enough for quadruple precision. All branches are finite where the chosen one is. A width
/// that is a constant other than zero needs no series.
class Width {
 public:
  explicit Width(Expr value);

  Expr value() const { return value_; }
  bool is_fixed() const { return is_fixed_; }  ///< a constant other than zero

  /// difference / width; the difference itself (it is zero then) where the width is zero.
  Expr under(Expr difference) const;
  /// sin(width*g) / width
  Expr sine(Expr g) const;
  /// sinh(width*g) / width
  Expr hyperbolic_sine(Expr g) const;
  /// atan2(width*g, x) / width; x must be positive where the width is zero.
  Expr angle(Expr g, Expr x) const;
  /// log(end/start) / width, where end - start = width*g.
  Expr logarithm(Expr g, Expr start, Expr end) const;
  /// (exp(u1) - exp(u0)) / width, where u1 - u0 = width*g, from `middle` = exp((u0 + u1)/2). Where u moves by one or
  /// more (or its logarithm does not exist) it is `far`, which the caller knows better.
  Expr exponential(Expr g, Expr middle, Expr far) const;

 private:
  Expr value_;
  bool is_fixed_;
  Expr divisor_;  // the width; one where it is zero
};

}  // namespace noslip
