// Backward differentiation of order 2 with a variable step: the parabola through two old points and the new one has a
// slope that satisfies the equations. The parabola through three old points predicts it, and the difference of the two
// is a measure of the error. The first step is an Euler step, a short one.
#include <algorithm>
#include <cmath>

#include "adaptive.hpp"

namespace noslip::papers {

namespace {

constexpr int most_iterations = 6;
constexpr double safety = 0.9, least_factor = 0.2, most_factor = 2;
constexpr long long most_steps_of_order_two = 10000000;

struct Past {
  double t;
  std::vector<double> y;
};

/// The polynomial through the points `past`, at t.
double extrapolated(const std::vector<Past>& past, std::size_t component, double t) {
  double value = 0;
  for (std::size_t i = 0; i < past.size(); ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < past.size(); ++j) {
      if (j != i) weight *= (t - past[j].t) / (past[i].t - past[j].t);
    }
    value += weight * past[i].y[component];
  }
  return value;
}

}  // namespace

AdaptiveResult second_backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                           const AdaptiveSink& sink) {
  AdaptiveResult result;
  const std::size_t n = y.size();
  std::vector<Past> past{{options.begin, y}};  // the latest first
  std::vector<double> first_rate(n), predicted(n), rate(n), correction(n), matrix(n * n);
  problem.rates(options.begin, y, first_rate);
  DenseSolver<double> dense(static_cast<int>(n));
  sink(options.begin, y);
  double t = options.begin, h = 1e-4 * std::sqrt(options.relative) * (options.end - options.begin);
  while (t < options.end) {
    if (t + 1.0001 * h >= options.end) h = options.end - t;
    const double next = t + h;
    // y' = c y + (a part that the past gives), from the derivative of the interpolating polynomial.
    const double older = past.size() > 1 ? next - past[1].t : 0;
    const double c = past.size() > 1 ? 1 / h + 1 / older : 1 / h;
    for (std::size_t l = 0; l < n; ++l) {
      predicted[l] = past.size() > 1 ? extrapolated(past, l, next) : y[l] + h * first_rate[l];
    }
    const auto slope_at = [&](std::size_t l, double value) {
      const double first = (value - past[0].y[l]) / h;
      if (past.size() < 2) return first;
      const double second = (past[0].y[l] - past[1].y[l]) / (past[0].t - past[1].t);
      return first + (first - second) * h / older;
    };
    std::vector<double> point = predicted;
    const auto allowed = [&](std::size_t l) {
      return std::max(options.absolute, options.relative * std::max(std::fabs(y[l]), std::fabs(point[l])));
    };
    bool has_converged = false;
    for (int iteration = 0; iteration < most_iterations && !has_converged; ++iteration) {
      for (std::size_t l = 0; l < n; ++l) rate[l] = slope_at(l, point[l]);
      problem.residual(next, point, rate, correction);
      problem.newton_matrix(next, point, rate, c, matrix);
      for (std::size_t column = 0; column < n; ++column) {
        for (std::size_t row = 0; row < n; ++row) {
          dense.entry(static_cast<int>(row), static_cast<int>(column)) = matrix[column * n + row];
        }
      }
      dense.factorise();
      dense.solve(correction);
      double size = 0;
      for (std::size_t l = 0; l < n; ++l) {
        point[l] -= correction[l];
        const double here = std::fabs(correction[l]) / (allowed(l) + 1e-15 * std::fabs(point[l]));
        if (!(here <= size)) size = here;
      }
      has_converged = size <= 0.01;
    }
    double error = 0;
    for (std::size_t l = 0; l < n; ++l) {
      // Leading errors of the two: those of the predictor belong to one more old point and are larger.
      const double here = std::fabs(point[l] - predicted[l]) / (past.size() > 2 ? 4 : 1) / allowed(l);
      if (!(here <= error)) error = here;
    }
    if (has_converged && error <= 1) {
      t = next;
      y = point;
      past.insert(past.begin(), {t, y});
      if (past.size() > 3) past.pop_back();
      ++result.steps;
      sink(t, y);
    }
    const double order = past.size() > 2 ? 3 : 2;
    const double factor = has_converged ? safety * std::pow(std::max(error, 1e-10), -1 / order) : 0.5;
    h *= std::isfinite(factor) ? std::clamp(factor, least_factor, most_factor) : least_factor;
    if (!(h > 1e-14 * std::max(1.0, std::fabs(t))) || result.steps >= most_steps_of_order_two) {
      result.problem = "the step has become too small";
      return result;
    }
  }
  return result;
}

}  // namespace noslip::papers
