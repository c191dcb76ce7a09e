// The numbers of the continuous problem at one state.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/model/continuous.hpp>

namespace noslip {

struct ContinuousValues {
  double lagrangian = 0, energy = 0;
  Eigen::VectorXd forces, g, gamma, k;  ///< F, right-hand sides of the continuous problem, constraints
  Eigen::MatrixXd mass, K;
};

struct ContinuousData {
  System system;
  std::vector<double> parameters;
  Kernel<double> kernel;  ///< slots: t, q, v, parameters, then everything in ContinuousValues
  std::size_t slots = 0;
  Kernel<double> curvature_kernel;  ///< k_vv of the nonlinear constraints, at the slots behind the parameters
  struct CurvatureEntry {
    int constraint, row, column;
  };
  std::vector<CurvatureEntry> curvature_entries;

  std::size_t inputs() const { return 1 + 2 * static_cast<std::size_t>(system.dimension()) + parameters.size(); }
  std::vector<double> workspace(const InitialState& state, std::size_t size) const;
  ContinuousValues values(const InitialState& state) const;
  /// The sum of multiplier * k_vv over the constraints.
  Eigen::MatrixXd curvature(const InitialState& state, const Eigen::VectorXd& multipliers) const;
};

struct Continuous::Data : ContinuousData {};

/// How far |k| may be from zero for rounding alone: 64 units in the last place of its terms.
Eigen::VectorXd rounding_of_constraints(const ContinuousValues& values, const std::vector<double>& v);

}  // namespace noslip
