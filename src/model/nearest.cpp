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
    const Point given = now_;
    if (!approach()) {
      now_ = given;
      if (!problem_.curvature || !descend()) return false;
    }
    if (problem_.curvature) refine();
    return is_satisfied();
  }

 private:
  struct Point {
    VectorXd x;
    NearestProblem::Values values;
    VectorXd multipliers;
  };

  /// Newton steps with the curvature of k left out. Exact at once for constraints that are linear or affine; for others
  /// it converges where the start is nearer to the constraints than their radius of curvature.
  bool approach() {
    for (int i = 0; i < most_iterations; ++i) {
      const double change = step(flat());
      if (!is_finite()) return false;
      if (is_satisfied() && (!problem_.curvature || change <= 1e-12)) return true;
    }
    return is_satisfied();
  }

  /// From further away: any point on the constraints first, each step as short as possible, then the multipliers that
  /// fit best there.
  bool descend() {
    for (int i = 0; i < most_iterations && !is_satisfied(); ++i) {
      move(solve_saddle(problem_.metric, now_.values.K, VectorXd::Zero(start_.size()), -now_.values.k).a);
      if (!is_finite()) return false;
    }
    if (!is_satisfied()) return false;
    const VectorXd force = -problem_.metric * (now_.x - start_);
    now_.multipliers = solve_saddle(problem_.metric, now_.values.K, force, VectorXd::Zero(now_.values.k.size())).lambda;
    return now_.multipliers.allFinite();
  }

  /// Newton steps with the curvature, which make a point on the constraints the nearest one.
  void refine() {
    for (int i = 0; i < 20; ++i) {
      const Point before = now_;
      const double error = stationarity();
      step(problem_.curvature(now_.x, now_.multipliers));
      if (!(stationarity() < error) || !is_finite()) {
        now_ = before;
        break;
      }
    }
    for (int i = 0; i < 5 && !is_satisfied(); ++i) step(problem_.curvature(now_.x, now_.multipliers));
  }

  MatrixXd flat() const { return MatrixXd::Zero(start_.size(), start_.size()); }
  bool is_finite() const { return now_.values.k.allFinite() && now_.x.allFinite(); }

  bool is_satisfied() const {
    // A quarter of what rounding allows, so that the result passes every check.
    const NearestProblem::Values& values = now_.values;
    return values.k.allFinite() && (values.k.cwiseAbs().array() <= 0.25 * values.rounding.array()).all();
  }

  /// One Newton step for (x, mu) with the Hessian M - curvature; returns the relative change of x.
  double step(const MatrixXd& curvature) {
    const VectorXd force = -problem_.metric * (now_.x - start_);
    const SaddleSolution solution = solve_saddle(problem_.metric - curvature, now_.values.K, force, -now_.values.k);
    move(solution.a);
    now_.multipliers = solution.lambda;
    return solution.a.cwiseAbs().maxCoeff() / (1 + now_.x.cwiseAbs().maxCoeff());
  }

  void move(const VectorXd& change) {
    now_.x += change;
    now_.values = problem_.values(now_.x);
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
