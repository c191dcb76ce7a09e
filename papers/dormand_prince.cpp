// The embedded Runge-Kutta pair 5(4) of Dormand and Prince with the usual control of the step.
#include <algorithm>
#include <array>
#include <cmath>

#include "adaptive.hpp"

namespace noslip::papers {

namespace {

constexpr int stage_count = 7;
constexpr std::array<double, stage_count> nodes = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
/// The last row is the formula of order 5: its stage is the first one of the next step.
constexpr double a[stage_count][stage_count - 1] = {{},
                                          {1. / 5},
                                          {3. / 40, 9. / 40},
                                          {44. / 45, -56. / 15, 32. / 9},
                                          {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                          {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                          {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
/// Order 5 less order 4.
constexpr std::array<double, stage_count> e = {71. / 57600,      0,          -71. / 16695, 71. / 1920,
                                          -17253. / 339200, 22. / 525., -1. / 40};
constexpr double explicit_safety = 0.9, least_factor = 0.2, most_factor = 5;
constexpr long long most_explicit_steps = 10000000;

}  // namespace

AdaptiveResult dormand_prince(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                              const AdaptiveSink& sink) {
  AdaptiveResult result;
  const std::size_t n = y.size();
  std::array<std::vector<double>, stage_count> k;
  for (std::vector<double>& slope : k) slope.resize(n);
  std::vector<double> point(n);
  double t = options.begin;
  problem.rates(t, y, k[0]);
  sink(t, y);
  double h = 1e-3 * (options.end - options.begin);
  while (t < options.end) {
    const bool is_last = t + 1.0001 * h >= options.end;
    if (is_last) h = options.end - t;
    for (int i = 1; i < stage_count; ++i) {
      for (std::size_t l = 0; l < n; ++l) {
        double slope = 0;
        for (int j = 0; j < i; ++j) slope += a[i][j] * k[j][l];
        point[l] = y[l] + h * slope;
      }
      problem.rates(t + nodes[i] * h, point, k[i]);
    }
    double error = 0;
    for (std::size_t l = 0; l < n; ++l) {
      double difference = 0;
      for (int j = 0; j < stage_count; ++j) difference += e[j] * k[j][l];
      const double allowed =
          std::max(options.absolute, options.relative * std::max(std::fabs(y[l]), std::fabs(point[l])));
      const double here = h * std::fabs(difference) / allowed;
      if (!(here <= error)) error = here;  // keeps a NaN
    }
    if (error <= 1) {
      t = is_last ? options.end : t + h;
      y = point;
      std::swap(k[0], k[stage_count - 1]);
      ++result.steps;
      sink(t, y);
    }
    const double factor = explicit_safety * std::pow(std::max(error, 1e-10), -0.2);
    h *= std::isfinite(factor) ? std::clamp(factor, least_factor, most_factor) : least_factor;
    if (!(h > 1e-14 * std::max(1.0, std::fabs(t))) || result.steps >= most_explicit_steps) {
      result.problem = "the step has become too small";
      return result;
    }
  }
  return result;
}

}  // namespace noslip::papers
