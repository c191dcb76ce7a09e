// Do the vector fields of a basis satisfy the constraints, and are they independent? Answered with numbers.
#pragma once

#include <utility>
#include <vector>

#include <Eigen/Core>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

class BasisValues {
 public:
  BasisValues(const System& system, std::vector<double> parameters);

  /// At the position of the state, and at a few positions and times around it, always the same; of those the ones
  /// where something is not finite say nothing. At most one problem for each row and constraint.
  std::vector<Problem> problems(const InitialState& state) const;

 private:
  struct Values {
    Eigen::MatrixXd X, K;  ///< one row per vector field, one per constraint
  };
  Values values(const InitialState& at) const;
  std::string row_text(Eigen::Index row) const;
  std::vector<Problem> not_finite(const Values& at) const;

  System system_;
  std::vector<double> parameters_;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> open_;  // constraint, row: not zero by form alone
  Function<double> rows_;                                    // of t; q; parameters: X; K
};

}  // namespace noslip
