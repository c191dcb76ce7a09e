// Are [M -K^T; K 0] and g_y f_z regular, and if not, whose fault is it; and solutions with these matrices.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include <noslip/core/error.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// Problems of a singular L_vv, by the names of the coordinates; empty where it is regular.
std::vector<Problem> singular_mass(const Eigen::MatrixXd& mass, const System& system);

/// The same for H_pp of a Hamiltonian.
std::vector<Problem> singular_inverse_mass(const Eigen::MatrixXd& inverse_mass,
                                           const std::vector<std::string>& coordinates);

/// Rank of K in the metric of the mass; the units of a constraint do not matter.
int constraint_rank(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K);

/// Problems of constraints that depend on each other in the metric of the mass; empty where the rank is full.
std::vector<Problem> dependent_constraints(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K,
                                           const std::vector<Constraint>& constraints);

/// Rank of g_y f_z; the units of g and z do not matter. Numbers that are rounding errors of their terms count as zero.
int index_rank(const Eigen::MatrixXd& g_y, const Eigen::MatrixXd& f_z);

/// Problems of a singular g_y f_z, by the texts of the constraints; empty where it is regular.
std::vector<Problem> not_of_index_two(const Eigen::MatrixXd& g_y, const Eigen::MatrixXd& f_z,
                                      const std::vector<Constraint>& constraints);

/// Problems of a singular A B, where A are the constraints K M^-1 and B the derivatives of the reactions by the
/// multipliers; by the texts of the constraints. Empty where it is regular.
std::vector<Problem> undetermined(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                  const std::vector<Constraint>& constraints);

/// Problems of a singular p_z of an odae system.
std::vector<Problem> singular_momenta(const Eigen::MatrixXd& p_z, const std::vector<std::string>& names);

/// Solves matrix x = right for a regular matrix, to rounding whatever the units.
Eigen::VectorXd solve_scaled(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);

/// Solves M a - K^T lambda = g, K a = gamma for regular matrices, to rounding whatever the units.
struct SaddleSolution {
  Eigen::VectorXd a, lambda;
};
SaddleSolution solve_saddle(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K, const Eigen::VectorXd& g,
                            const Eigen::VectorXd& gamma);

}  // namespace noslip
