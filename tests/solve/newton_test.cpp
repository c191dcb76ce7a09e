// Newton's method: fast where it should be, and honest where there is nothing to find.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/solve/implicit.hpp>
#include <noslip/solve/newton.hpp>

namespace noslip {
namespace {

/// x^2 = a, one unknown; keeps the corrections.
template <class T>
struct SquareRoot {
  T a;
  std::vector<T> corrections = {};

  bool correct(std::span<const T> x, std::span<T> dx) {
    dx[0] = (x[0] * x[0] - a) / (2 * x[0]);
    corrections.push_back(dx[0]);
    return true;
  }
};

template <class T>
void expect_quadratic_convergence() {
  SquareRoot<T> equations{T(2)};
  std::vector<T> x{T(1.5)};
  NewtonOptions<T> options;
  options.small = T(1e-10);
  const NewtonResult<T> result = Newton<T>(1)(x, equations, options);
  EXPECT_TRUE(result.has_converged());
  EXPECT_LE(size_of(T(x[0] * x[0] - 2)), 4 * epsilon<T>());
  EXPECT_LE(result.iterations, 8);
  // The correction after e is e^2/(2 x).
  for (std::size_t i = 1; i < 4; ++i) {
    const T e = equations.corrections[i - 1], expected = -e * e / (2 * T(1.4142135623730951));
    const T allowed = T(0.1) * size_of(expected) + 4 * epsilon<T>();
    EXPECT_LE(size_of(T(size_of(equations.corrections[i]) - size_of(expected))), allowed);
  }
}

TEST(Newton, ConvergesQuadraticallyInEveryScalarType) {
  expect_quadratic_convergence<double>();
  expect_quadratic_convergence<long double>();
  expect_quadratic_convergence<quad>();
}

TEST(Newton, SaysThatThereIsNoRoot) {
  SquareRoot<double> equations{-1};
  std::vector<double> x{0.3};
  NewtonOptions<double> options;
  options.small = 1e-10;
  EXPECT_EQ(Newton<double>(1)(x, equations, options).end, NewtonEnd::exhausted);
}

/// Expressions of x and y, and of a given number a.
struct Plane {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), a = graph.symbol("a");
  template <class T>
  ImplicitFunction<T> equations(const std::vector<Expr>& residuals) const {
    return ImplicitFunction<T>({{a}}, {x, y}, residuals);
  }
};

NewtonOptions<double> to_rounding() {
  NewtonOptions<double> options;
  options.small = 1e-10;
  return options;
}

TEST(Newton, SolvesExpressionsForSeveralGivenNumbers) {
  Plane p;
  ImplicitSolver<double> solver(p.equations<double>({p.x * p.x + p.y * p.y - p.a, p.x - 2 * p.y}));
  for (const double a : {5.0, 20.0, 0.05}) {
    std::vector<double> x{3, 1};
    EXPECT_TRUE(solver.set(0, a).solve(x, to_rounding()).has_converged());
    EXPECT_NEAR(x[0], 2 * std::sqrt(a / 5), 1e-15 * std::sqrt(a));
    EXPECT_NEAR(x[1], std::sqrt(a / 5), 1e-15 * std::sqrt(a));
  }
}

TEST(Newton, LinearEquationsAreFactorisedAnewForOtherNumbers) {
  Plane p;
  const ImplicitFunction<double> equations = p.equations<double>({p.a * p.x + p.y - 1, p.x - p.y});
  EXPECT_TRUE(equations.is_linear());
  EXPECT_FALSE(p.equations<double>({p.a * p.x * p.y - 1, p.x - p.y}).is_linear());
  ImplicitSolver<double> solver(equations);
  NewtonOptions<double> twice;
  twice.most_iterations = 2;
  for (const double a : {3.0, 7.0, 1.0}) {
    std::vector<double> x{0, 0};
    solver.set(0, a).solve(x, twice);
    EXPECT_EQ(x[0], 1 / (a + 1));
    EXPECT_EQ(x[1], 1 / (a + 1));
  }
}

TEST(Newton, StopsAtASingularDerivative) {
  Plane p;
  ImplicitSolver<double> solver(p.equations<double>({p.x + p.y - p.a, 2 * p.x + 2 * p.y}));
  std::vector<double> x{0.25, 0.5};
  EXPECT_EQ(solver.set(0, 1.0).solve(x, to_rounding()).end, NewtonEnd::not_finite);
  EXPECT_EQ(x, (std::vector<double>{0.25, 0.5}));  // as it was
}

TEST(Newton, TheLargestOfNumbersThatAreNotAllNumbersIsNone) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& x :
       {std::vector<double>{none, 1, 2}, std::vector<double>{1, none, 2}, std::vector<double>{1, 2, none}}) {
    EXPECT_TRUE(std::isnan(largest_size(std::span<const double>(x))));
  }
  const std::vector<double> numbers{1, -3, 2};
  EXPECT_EQ(largest_size(std::span<const double>(numbers)), 3);
}

TEST(Newton, StopsWhereSomethingIsNotANumber) {
  Plane p;
  ImplicitSolver<double> solver(p.equations<double>({log(p.x) - p.a, p.y}));
  std::vector<double> x{-1, 0};
  const NewtonResult<double> result = solver.set(0, 1.0).solve(x, to_rounding());
  EXPECT_EQ(result.end, NewtonEnd::not_finite);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(x[0], -1);
  EXPECT_EQ(solver.set(0, std::numeric_limits<double>::quiet_NaN()).solve(x, to_rounding()).end, NewtonEnd::not_finite);
}

TEST(Newton, ShortensStepsThatLeadAway) {
  // From here full steps swing further and further out.
  Plane p;
  ImplicitSolver<double> solver(p.equations<double>({atan(p.x) - p.a, p.y}));
  std::vector<double> x{3, 0};
  EXPECT_FALSE(solver.set(0, 0.0).solve(x, to_rounding()).has_converged());
  NewtonOptions<double> options = to_rounding();
  options.shortest_part = 1e-9;
  x = {3, 0};
  EXPECT_TRUE(solver.solve(x, options).has_converged());
  EXPECT_NEAR(x[0], 0, 1e-15);
}

TEST(Newton, IsStuckWhereNoStepHelps) {
  // x^2 + 1 has its least value at 0, and no root.
  Plane p;
  ImplicitSolver<double> solver(p.equations<double>({p.x * p.x + p.a, p.y}));
  NewtonOptions<double> options = to_rounding();
  options.shortest_part = 1e-3;
  std::vector<double> x{2, 0};
  const NewtonEnd end = solver.set(0, 1.0).solve(x, options).end;
  EXPECT_TRUE(end == NewtonEnd::stuck || end == NewtonEnd::exhausted);
}

/// x^2 + y^2 + z^2 = 1: one equation, three unknowns. The correction is the shortest one, J^T (J J^T)^-1 r.
struct Sphere {
  double tolerance = 0;

  static double residual(std::span<const double> x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1; }
  bool correct(std::span<const double> x, std::span<double> dx) {
    const double square = 4 * (residual(x) + 1);
    for (std::size_t i = 0; i < 3; ++i) dx[i] = 2 * x[i] * residual(x) / square;
    return square > 0;
  }
  bool are_solved(std::span<const double> x) const { return std::fabs(residual(x)) <= tolerance; }
};

TEST(Newton, TakesTheShortestStepsWhereThereAreMoreUnknownsThanEquations) {
  Sphere sphere{4e-16};
  std::vector<double> x{2, -1, 2};
  const NewtonResult<double> result = Newton<double>(3)(x, sphere, NewtonOptions<double>{});
  EXPECT_TRUE(result.has_converged());
  EXPECT_LE(result.iterations, 8);
  // Shortest steps go towards the centre.
  EXPECT_NEAR(x[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(x[1], -1.0 / 3, 1e-15);
  std::vector<double> centre{0, 0, 0};
  EXPECT_EQ(Newton<double>(3)(centre, sphere, NewtonOptions<double>{}).end, NewtonEnd::not_finite);
}

TEST(Newton, FactorsOfTheDerivativeCanBeUsedAgain) {
  Plane p;
  ImplicitSolver<quad> solver(p.equations<quad>({p.a * p.x, p.x + p.y * p.y}));
  const std::vector<quad> x{1, 4};
  std::vector<quad> right{6, 10};
  solver.set(0, quad(2)).factors(x).solve(right);  // [2 0; 1 8]
  EXPECT_EQ(static_cast<double>(right[0]), 3);
  EXPECT_EQ(static_cast<double>(right[1]), 7.0 / 8);
}

TEST(Newton, ALimitOfTheConditionIsThatOfTheCondition) {
  Plane p;
  ImplicitSolver<double> known(p.equations<double>({p.a * p.x + p.y, p.x + p.y}));  // singular for a = 1
  const std::vector<double> x{0, 0};
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back(1 + 2 * std::pow(0.9, i));  // slowly there
  for (const double a : {3.0, 1 + 1e-9, 5.0, 1.0, 3.0, -2.0, 1e9}) values.push_back(a);
  for (const double limit : {1e1, 1e4, 1e7}) {
    for (const double a : values) {
      ImplicitSolver<double> fresh(p.equations<double>({p.a * p.x + p.y, p.x + p.y}));
      fresh.set(0, a).factors(x);
      known.set(0, a).factors(x);
      EXPECT_EQ(known.condition_is_at_most(limit), fresh.condition() <= limit) << a << " " << limit;
    }
  }
}

}  // namespace
}  // namespace noslip
