// Elements of a group as numbers, and the coordinates xi around them: g exp(xi).
#pragma once

#include <vector>

#include <Eigen/Core>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// For a system on a group. Immutable, and for many threads; not for inner loops.
class ChartValues {
 public:
  explicit ChartValues(const System& system);

  std::vector<double> moved(const std::vector<double>& g, const Eigen::VectorXd& xi) const;  ///< g exp(xi)
  Eigen::MatrixXd tangent(const Eigen::VectorXd& xi) const;                                  ///< d exp_xi
  /// Numbers that are no element: by how much, and what to do. Empty where they are one.
  std::vector<Problem> problems(const std::vector<double>& g) const;

 private:
  const std::size_t size_, dimension_;
  Function<double> function_;  // of g; xi: g exp(xi) - g; d exp_xi - 1; what is no element
  Evaluation<double> at(const std::vector<double>& g, const Eigen::VectorXd& xi) const;
};

}  // namespace noslip
