// Accelerations and multipliers where reactions are not K^T lambda but a function of lambda:
//   M a = g + R(lambda),   K a = gamma.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>

#include "model/regularity.hpp"

namespace noslip {

struct ReactionProblem {
  struct Reaction {
    Eigen::VectorXd force;       ///< R
    Eigen::MatrixXd derivative;  ///< R_lambda
  };
  Eigen::MatrixXd mass, K;  ///< M regular, not always symmetric
  Eigen::VectorXd g, gamma;
  std::function<Reaction(const Eigen::VectorXd& lambda)> reaction;
};

/// Newton's method, with shortened steps where a full one would lead away. Nothing where it does not arrive.
std::optional<SaddleSolution> solve_reactions(const ReactionProblem& problem, const Eigen::VectorXd& first_lambda);

}  // namespace noslip
