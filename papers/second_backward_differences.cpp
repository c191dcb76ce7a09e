// Backward differentiation of order 2 with a variable step: the parabola through two old points and the new one has a
// slope that satisfies the equations. The parabola through three old points predicts it, and the difference of the two
// is a measure of the error. The first step is an Euler step, a short one.
#include <algorithm>
#include <cmath>

#include <noslip/solve/newton.hpp>

#include "adaptive.hpp"

namespace noslip::papers {

namespace {

constexpr double safety = 0.9, least_change = 0.2, most_change = 2;
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

/// The equations of a step from y at past[0] for the y at its end.
class BackwardStep {
 public:
  BackwardStep(IndexReduced& problem, const AdaptiveOptions& options, const std::vector<Past>& past)
      : problem_(problem),
        options_(options),
        past_(past),
        rate_(past[0].y.size()),
        correction_(rate_.size()),
        matrix_(rate_.size() * rate_.size()),
        dense_(static_cast<int>(rate_.size())) {}

  void begin(double h) {
    h_ = h;
    next_ = past_[0].t + h;
    older_ = past_.size() > 1 ? next_ - past_[1].t : 0;
  }

  bool correct(std::span<const double> point, std::span<double> correction) {
    // y' = c y + (a part that the past gives), from the derivative of the interpolating polynomial.
    const double c = past_.size() > 1 ? 1 / h_ + 1 / older_ : 1 / h_;
    const std::size_t n = point.size();
    for (std::size_t l = 0; l < n; ++l) rate_[l] = slope_at(l, point[l]);
    problem_.residual(next_, point, rate_, correction);
    problem_.newton_matrix(next_, point, rate_, c, matrix_);
    for (std::size_t column = 0; column < n; ++column) {
      for (std::size_t row = 0; row < n; ++row) {
        dense_.entry(static_cast<int>(row), static_cast<int>(column)) = matrix_[column * n + row];
      }
    }
    dense_.factorise();
    dense_.solve(correction);
    std::copy(correction.begin(), correction.end(), correction_.begin());
    return true;
  }

  bool are_solved(std::span<const double> point) const {
    double size = 0;
    for (std::size_t l = 0; l < point.size(); ++l) {
      const double here = std::fabs(correction_[l]) / (allowed(l, point[l]) + 1e-15 * std::fabs(point[l]));
      if (!(here <= size)) size = here;
    }
    return size <= 0.01;
  }

  double allowed(std::size_t l, double value) const {
    return std::max(options_.absolute, options_.relative * std::max(std::fabs(past_[0].y[l]), std::fabs(value)));
  }

 private:
  double slope_at(std::size_t l, double value) const {
    const double first = (value - past_[0].y[l]) / h_;
    if (past_.size() < 2) return first;
    const double second = (past_[0].y[l] - past_[1].y[l]) / (past_[0].t - past_[1].t);
    return first + (first - second) * h_ / older_;
  }

  IndexReduced& problem_;
  const AdaptiveOptions& options_;
  const std::vector<Past>& past_;
  double h_ = 0, next_ = 0, older_ = 0;
  std::vector<double> rate_, correction_, matrix_;
  DenseSolver<double> dense_;
};

}  // namespace

AdaptiveResult second_backward_differences(IndexReduced& problem, std::vector<double> y, const AdaptiveOptions& options,
                                           const AdaptiveSink& sink) {
  AdaptiveResult result;
  const std::size_t n = y.size();
  std::vector<Past> past{{options.begin, y}};  // the latest first
  std::vector<double> first_rate(n), predicted(n);
  problem.rates(options.begin, y, first_rate);
  BackwardStep step(problem, options, past);
  Newton<double> newton(n);
  NewtonOptions<double> iteration;
  iteration.most_iterations = 6;
  sink(options.begin, y);
  double t = options.begin, h = 1e-4 * std::sqrt(options.relative) * (options.end - options.begin);
  while (t < options.end) {
    if (t + 1.0001 * h >= options.end) h = options.end - t;
    const double next = t + h;
    for (std::size_t l = 0; l < n; ++l) {
      predicted[l] = past.size() > 1 ? extrapolated(past, l, next) : y[l] + h * first_rate[l];
    }
    std::vector<double> point = predicted;
    step.begin(h);
    const bool has_converged = newton(point, step, iteration).has_converged();
    double error = 0;
    for (std::size_t l = 0; l < n; ++l) {
      // Leading errors of the two: those of the predictor belong to one more old point and are larger.
      const double here = std::fabs(point[l] - predicted[l]) / (past.size() > 2 ? 4 : 1) / step.allowed(l, point[l]);
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
    h *= std::isfinite(factor) ? std::clamp(factor, least_change, most_change) : least_change;
    if (!(h > 1e-14 * std::max(1.0, std::fabs(t))) || result.steps >= most_steps_of_order_two) {
      result.problem = "the step has become too small";
      return result;
    }
  }
  return result;
}

}  // namespace noslip::papers
