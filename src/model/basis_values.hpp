// Do the vector fields of a basis satisfy the constraints, and are they independent? Answered with numbers.
#pragma once

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// Where else than at a given position and time the rows are looked at, always at the same places.
class PositionsAround {
 public:
  static constexpr int count = 5;
  /// A number near this one: to be asked for the time first, then for the positions; so many times.
  double operator()(double value) {
    const double unit = static_cast<double>(random_()) / static_cast<double>(std::minstd_rand::max());
    return value + (2 * unit - 1) * (1 + 0.1 * std::abs(value));
  }

 private:
  std::minstd_rand random_{1};
};

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
