// Stationary points: M (x - x0) = K^T mu, k = 0.
#include "model/nearest.hpp"

#include "model/regularity.hpp"

namespace noslip {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_iterations = 100;

class Search {
 public:
  Search(const NearestProblem& problem, const VectorXd& start)
      : problem_(problem), start_(start), now_{start, problem.values(start), {}} {}

  const VectorXd& x() const { return now_.x; }

  bool run() {
    now_.multipliers = VectorXd::Zero(now_.values.k.size());
    if (is_satisfied()) return true;
    // First onto the constraints, with the curvature of k left out: exact at once for constraints that are linear or
    // affine, robust for others. Then with it, which makes the point the nearest one.
    const bool is_curved = static_cast<bool>(problem_.curvature);
    for (int i = 0; i < most_iterations; ++i) {
      const double change = step(MatrixXd::Zero(start_.size(), start_.size()));
      if (!now_.values.k.allFinite() || !now_.x.allFinite()) return false;
      if (is_satisfied() && (!is_curved || change <= 1e-12)) break;
    }
    if (!is_curved || !is_satisfied()) return is_satisfied();
    for (int i = 0; i < 20; ++i) {
      const Point before = now_;
      const double error = stationarity();
      step(problem_.curvature(now_.x, now_.multipliers));
      if (!(stationarity() < error) || !now_.values.k.allFinite()) {
        now_ = before;
        break;
      }
    }
    for (int i = 0; i < 5 && !is_satisfied(); ++i) step(problem_.curvature(now_.x, now_.multipliers));
    return is_satisfied();
  }

 private:
  struct Point {
    VectorXd x;
    NearestProblem::Values values;
    VectorXd multipliers;
  };

  bool is_satisfied() const {
    // A quarter of what rounding allows, so that the result passes every check.
    const NearestProblem::Values& values = now_.values;
    return values.k.allFinite() && (values.k.cwiseAbs().array() <= 0.25 * values.rounding.array()).all();
  }

  /// One Newton step for (x, mu) with the Hessian M - curvature; returns the relative change of x.
  double step(const MatrixXd& curvature) {
    const VectorXd force = -problem_.metric * (now_.x - start_);
    const SaddleSolution solution = solve_saddle(problem_.metric - curvature, now_.values.K, force, -now_.values.k);
    now_.x += solution.a;
    now_.multipliers = solution.lambda;
    now_.values = problem_.values(now_.x);
    return solution.a.cwiseAbs().maxCoeff() / (1 + now_.x.cwiseAbs().maxCoeff());
  }

  double stationarity() const {
    const VectorXd residual = problem_.metric * (now_.x - start_) - now_.values.K.transpose() * now_.multipliers;
    return residual.norm() + now_.values.k.norm();
  }

  const NearestProblem& problem_;
  VectorXd start_;
  Point now_;
};

}  // namespace

std::optional<VectorXd> nearest_point(const NearestProblem& problem, const VectorXd& start) {
  Search search(problem, start);
  if (!search.run()) return std::nullopt;
  return search.x();
}

}  // namespace noslip
