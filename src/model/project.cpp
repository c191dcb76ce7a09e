// Nearest velocities on the constraints: minimise (v - v0)^T M (v - v0)/2 subject to k(t, q, v) = 0.
// Stationary points: M (v - v0) = K^T mu, k = 0.
#include <algorithm>
#include <cmath>

#include "model/continuous_data.hpp"
#include "model/description.hpp"
#include "model/regularity.hpp"

#include <Eigen/Cholesky>

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_iterations = 100;

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

bool satisfied(const ContinuousValues& values, const std::vector<double>& v) {
  // A quarter of what the check allows, so that the result passes it.
  return values.k.allFinite() &&
         (values.k.cwiseAbs().array() <= 0.25 * rounding_of_constraints(values, v).array()).all();
}

class Projection {
 public:
  Projection(const ContinuousData& data, const InitialState& start)
      : data_(data), state_(start), v0_(as_vector(start.v)), values_(data.values(start)), mass_(values_.mass) {}

  const InitialState& state() const { return state_; }

  bool run() {
    multipliers_ = VectorXd::Zero(values_.k.size());
    if (satisfied(values_, state_.v)) return true;
    // First onto the constraints, with the curvature of k left out: exact at once for constraints that are linear or
    // affine, robust for others. Then with it, which makes the point the nearest one.
    for (int i = 0; i < most_iterations; ++i) {
      const double change = step(MatrixXd::Zero(mass_.rows(), mass_.cols()));
      if (!values_.k.allFinite() || !as_vector(state_.v).allFinite()) return false;
      if (satisfied(values_, state_.v) && (data_.curvature_entries.empty() || change <= 1e-12)) break;
    }
    if (data_.curvature_entries.empty() || !satisfied(values_, state_.v)) return satisfied(values_, state_.v);
    for (int i = 0; i < 20; ++i) {
      const Projection before = *this;
      const double error = stationarity();
      step(data_.curvature(state_, multipliers_));
      if (!(stationarity() < error) || !values_.k.allFinite()) {
        *this = before;
        break;
      }
    }
    for (int i = 0; i < 5 && !satisfied(values_, state_.v); ++i) step(data_.curvature(state_, multipliers_));
    return satisfied(values_, state_.v);
  }

  Projection(const Projection&) = default;
  Projection& operator=(const Projection& other) {
    state_ = other.state_;
    values_ = other.values_;
    multipliers_ = other.multipliers_;
    return *this;
  }

 private:
  /// One Newton step for (v, mu) with the Hessian M - curvature; returns the relative change of v.
  double step(const MatrixXd& curvature) {
    const VectorXd v = as_vector(state_.v);
    const MatrixXd hessian = mass_ - curvature;
    const VectorXd g = -mass_ * (v - v0_);
    const SaddleSolution solution = solve_saddle(hessian, values_.K, g, -values_.k);
    const VectorXd next = v + solution.a;
    state_.v.assign(next.begin(), next.end());
    multipliers_ = solution.lambda;
    values_ = data_.values(state_);
    return solution.a.cwiseAbs().maxCoeff() / (1 + next.cwiseAbs().maxCoeff());
  }

  double stationarity() const {
    const VectorXd residual = mass_ * (as_vector(state_.v) - v0_) - values_.K.transpose() * multipliers_;
    return residual.norm() + values_.k.norm();
  }

  const ContinuousData& data_;
  InitialState state_;
  VectorXd v0_;
  ContinuousValues values_;
  MatrixXd mass_;  // the metric, taken at the start
  VectorXd multipliers_;
};

}  // namespace

InitialState Continuous::project(const InitialState& state) const {
  std::vector<Problem> problems;
  evaluate(state, problems);
  refuse(std::move(problems));
  if (data_->system.constraints().empty()) return state;

  const MatrixXd mass = data_->values(state).mass;
  if (Eigen::LLT<MatrixXd>(mass).info() != Eigen::Success) {
    throw InputError("no nearest velocities: L_vv is not positive definite at the initial state",
                     "give velocities that satisfy the constraints");
  }
  Projection projection(*data_, state);
  if (!projection.run()) {
    throw InputError("no velocities that satisfy the constraints were found near the given ones",
                     "start closer to the constraints, or check that they can be satisfied at this position");
  }
  return projection.state();
}

}  // namespace noslip
