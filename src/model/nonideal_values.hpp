// Nonideal reactions of a mechanical system as numbers: M a = g + K^T lambda + N(t, q, v, psi), psi = -lambda.
#pragma once

#include <vector>

#include <noslip/exec/function.hpp>

#include "model/regularity.hpp"

namespace noslip {

class NonidealValues {
 public:
  NonidealValues(const System& system, std::vector<double> parameters);
  NonidealValues with_parameters(const std::vector<double>& parameters) const;

  /// Of the equations for accelerations and multipliers at these ones, or at those without N where none were `found`.
  /// Problems: N not finite, multipliers that are not determined or not found.
  Regularity regularity(const InitialState& state, const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K,
                        const Eigen::VectorXd& ideal, const Eigen::VectorXd* found) const;

 private:
  struct Reaction {
    Eigen::VectorXd force;       ///< N
    Eigen::MatrixXd derivative;  ///< N_psi
  };
  Reaction reaction(const InitialState& state, const Eigen::VectorXd& psi) const;

  System system_;
  std::vector<double> parameters_;
  Function<double> function_;  // of t; q; v; z; parameters; psi: N; N_psi
};

}  // namespace noslip
