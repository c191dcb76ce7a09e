// Stationary points: M (x - x0) = K^T mu, k = 0.
#include "model/nearest.hpp"

#include <span>
#include <vector>

#include <noslip/solve/newton.hpp>

#include "model/scaled_solution.hpp"

namespace noslip {
namespace {

using Eigen::VectorXd;

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

  /// How a step is found: with the curvature of k left out, as the shortest one to k = 0, with the curvature.
  enum class Kind { flat, shortest, curved };

  /// Full steps until the constraints are satisfied.
  struct Steps {
    Search& search;
    Kind kind;
    bool settles = false;  ///< steps go on until they are short

    bool correct(std::span<const double>, std::span<double> dx) { return search.correct(kind, dx); }
    bool are_solved(std::span<const double> x) {
      search.now_ = search.at(x);
      return search.is_satisfied() && (!settles || search.change_ <= 1e-12);
    }
  };

  /// Steps as long as they lead to a point that is more stationary.
  struct Descent {
    Search& search;

    bool correct(std::span<const double>, std::span<double> dx) { return search.correct(Kind::curved, dx); }
    double error() const { return search.stationarity(search.now_); }
    double error(std::span<const double> x) const { return search.stationarity(search.at(x)); }
    bool are_solved(std::span<const double> x) {
      search.now_ = search.at(x);
      return false;
    }
  };

  template <class Equations>
  void iterate(Equations equations, int most_iterations, double shortest_part = 1) {
    NewtonOptions<double> options;
    options.most_iterations = most_iterations;
    options.shortest_part = shortest_part;
    std::vector<double> x(now_.x.begin(), now_.x.end());
    Newton<double> newton(x.size());
    newton(x, equations, options);
  }

  /// Newton steps with the curvature of k left out. Exact at once for constraints that are linear or affine; for others
  /// it converges where the start is nearer to the constraints than their radius of curvature.
  bool approach() {
    iterate(Steps{*this, Kind::flat, static_cast<bool>(problem_.curvature)}, 100);
    return is_satisfied();
  }

  /// From further away: any point on the constraints first, each step as short as possible, then the multipliers that
  /// fit best there.
  bool descend() {
    iterate(Steps{*this, Kind::shortest}, 100);
    if (!is_satisfied()) return false;
    now_.multipliers =
        solve_saddle(problem_.metric, now_.values.K, force(), VectorXd::Zero(now_.values.k.size())).lambda;
    return now_.multipliers.allFinite();
  }

  /// Newton steps with the curvature, which make a point on the constraints the nearest one.
  void refine() {
    constexpr double whole_steps_only = 0.75;
    iterate(Descent{*this}, 20, whole_steps_only);
    if (!is_satisfied()) iterate(Steps{*this, Kind::curved}, 5);
  }

  bool is_satisfied() const {
    // A quarter of what rounding allows, so that the result passes every check.
    const NearestProblem::Values& values = now_.values;
    return values.k.allFinite() && (values.k.cwiseAbs().array() <= 0.25 * values.rounding.array()).all();
  }

  /// One Newton step for (x, mu) with the Hessian M - curvature.
  bool correct(Kind kind, std::span<double> dx) {
    const NearestProblem::Values& values = now_.values;
    if (!values.k.allFinite() || !now_.x.allFinite()) return false;
    const VectorXd drive = kind == Kind::shortest ? VectorXd::Zero(start_.size()) : force();
    const SparseRows hessian = kind == Kind::curved
                                   ? SparseRows(problem_.metric - problem_.curvature(now_.x, now_.multipliers))
                                   : problem_.metric;
    const SaddleSolution step = solve_saddle(hessian, values.K, drive, -values.k);
    next_multipliers_ = kind == Kind::shortest ? now_.multipliers : step.lambda;
    change_ = step.a.cwiseAbs().maxCoeff() / (1 + (now_.x + step.a).cwiseAbs().maxCoeff());
    Eigen::Map<VectorXd>(dx.data(), step.a.size()) = -step.a;
    return true;
  }

  VectorXd force() const { return -problem_.metric * (now_.x - start_); }

  /// Where a step leads.
  Point at(std::span<const double> x) const {
    const VectorXd there = Eigen::Map<const VectorXd>(x.data(), start_.size());
    return {there, problem_.values(there), next_multipliers_};
  }

  double stationarity(const Point& point) const {
    const VectorXd residual = problem_.metric * (point.x - start_) - point.values.K.transpose() * point.multipliers;
    return residual.norm() + point.values.k.norm();
  }

  const NearestProblem& problem_;
  VectorXd start_;
  Point now_;
  VectorXd next_multipliers_;  // of the step that was found last
  double change_ = 0;          // of x by that step, relative
};

}  // namespace

std::optional<VectorXd> nearest_point(const NearestProblem& problem, const VectorXd& start) {
  Search search(problem, start);
  if (!search.run()) return std::nullopt;
  return search.x();
}

}  // namespace noslip
