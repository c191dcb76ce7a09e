#include "model/reaction_solver.hpp"

#include <cmath>
#include <limits>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Where the equations stand at one point.
struct Residual {
  VectorXd values;
  VectorXd rounding;  ///< how far from zero each may be for rounding alone
  MatrixXd derivative;

  double size() const {
    double result = 0;
    for (Index i = 0; i < values.size(); ++i) {
      if (values[i] != 0) result = std::max(result, std::abs(values[i]) / rounding[i]);
      if (!std::isfinite(values[i])) return std::numeric_limits<double>::infinity();
    }
    return result;
  }
};

Residual residual_at(const ReactionProblem& problem, const VectorXd& x) {
  const Index n = problem.mass.rows(), m = problem.K.rows();
  const VectorXd a = x.head(n), lambda = x.tail(m);
  const ReactionProblem::Reaction reaction = problem.reaction(lambda);
  Residual result;
  result.values.resize(n + m);
  result.values << problem.mass * a - problem.g - reaction.force, problem.K * a - problem.gamma;
  // What is zero but for rounding has the errors of the largest one.
  const auto sizes = [](const VectorXd& values) -> VectorXd {
    const double largest = values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
    return (values.cwiseAbs().array() + largest).matrix();
  };
  result.rounding.resize(n + m);
  result.rounding << problem.mass.cwiseAbs() * sizes(a) + problem.g.cwiseAbs() + reaction.force.cwiseAbs() +
                         reaction.derivative.cwiseAbs() * lambda.cwiseAbs(),
      problem.K.cwiseAbs() * sizes(a) + problem.gamma.cwiseAbs();
  result.rounding *= 64 * std::numeric_limits<double>::epsilon();
  result.derivative = MatrixXd::Zero(n + m, n + m);
  result.derivative.topLeftCorner(n, n) = problem.mass;
  result.derivative.topRightCorner(n, m) = -reaction.derivative;
  result.derivative.bottomLeftCorner(m, n) = problem.K;
  return result;
}

}  // namespace

std::optional<SaddleSolution> solve_reactions(const ReactionProblem& problem, const VectorXd& first_lambda) {
  constexpr int most_iterations = 100;
  const Index n = problem.mass.rows(), m = problem.K.rows();
  VectorXd x(n + m);
  x.tail(m) = first_lambda;
  x.head(n) = solve_scaled(problem.mass, problem.g + problem.reaction(first_lambda).force);
  Residual at = residual_at(problem, x);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const double error = at.size();
    if (!std::isfinite(error) || !at.derivative.allFinite()) return std::nullopt;
    if (error == 0) break;
    const VectorXd step = solve_scaled(at.derivative, -at.values);
    bool is_better = false;
    for (double part = 1; step.allFinite() && part > 1e-9 && !is_better; part /= 2) {
      const VectorXd trial = x + part * step;
      Residual there = residual_at(problem, trial);
      // In the units of the point that is left, so that larger terms are no excuse.
      there.rounding = at.rounding;
      is_better = there.size() < error;
      if (is_better) {
        x = trial;
        at = residual_at(problem, x);
      } else if (error <= 1) {
        break;
      }
    }
    if (!is_better) {
      if (error > 1) return std::nullopt;
      break;
    }
  }
  if (at.size() > 1) return std::nullopt;
  return SaddleSolution{x.head(n), x.tail(m)};
}

}  // namespace noslip
