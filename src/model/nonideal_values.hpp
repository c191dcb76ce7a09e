// Nonideal reactions of a mechanical system as numbers: M a = g + K^T lambda + N(t, q, v, psi), psi = -lambda.
#pragma once

#include <vector>

#include <noslip/exec/kernel.hpp>
#include "model/reaction_solver.hpp"

namespace noslip {

class NonidealValues {
 public:
  NonidealValues(const System& system, std::vector<double> parameters);

  /// Replaces the ideal solution by the one with N. Problems: N not finite, multipliers that are not determined or not
  /// found.
  Regularity solve(const InitialState& state, const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K,
                   const Eigen::VectorXd& g, const Eigen::VectorXd& gamma, SaddleSolution& solution) const;

 private:
  struct Reaction {
    Eigen::VectorXd force;       ///< N
    Eigen::MatrixXd derivative;  ///< N_psi
  };
  Reaction reaction(const InitialState& state, const Eigen::VectorXd& psi) const;

  System system_;
  std::vector<double> parameters_;
  Kernel<double> kernel_;  // inputs: t, q, v, z, parameters, psi; outputs behind them: N, N_psi
  std::size_t inputs_ = 0;
};

}  // namespace noslip
