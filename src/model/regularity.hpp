// Are [M -K^T; K 0] and g_y f_z regular, and if not, whose fault is it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>
#include <noslip/model/system.hpp>

#include "model/sparse_cholesky.hpp"

namespace noslip {

/// Problems of a singular H_pp of a Hamiltonian, by the names of the coordinates; empty where it is regular.
std::vector<Problem> singular_inverse_mass(const Eigen::MatrixXd& inverse_mass,
                                           const std::vector<std::string>& coordinates);

/// Whether a matrix of the equations of motion is regular, in units that it suggests itself.
struct Regularity {
  int rank = 0;  ///< of the constraints, or of g_y f_z
  double condition = std::numeric_limits<double>::infinity();
  std::string cause;              ///< of a large condition: "constraint 2 '...' nearly depends on constraint 1"
  std::vector<Problem> problems;  ///< why it is singular, and whose fault that is; empty if it is regular
};

/// [L_vv -K^T; K 0], with L_vv definite or not: a singular L_vv, constraints that depend on each other, and constraints
/// that leave a motion without inertia.
Regularity saddle_regularity(const SparseRows& mass, const SparseRows& K, const System& system);
/// How small or full systems are analysed, and how large ones are.
Regularity dense_saddle_regularity(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K, const System& system);
Regularity sparse_saddle_regularity(const SparseRows& mass, const SparseRows& K, const System& system);

/// g_y f_z.
Regularity index_regularity(const Eigen::MatrixXd& g_y, const Eigen::MatrixXd& f_z,
                            const std::vector<Constraint>& constraints);

/// [M -R; K 0] with a regular M and R the derivatives of the reactions by the multipliers.
Regularity reaction_regularity(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& K, const Eigen::MatrixXd& reaction,
                               const std::vector<Constraint>& constraints);

/// p_z of an odae system.
Regularity momentum_regularity(const Eigen::MatrixXd& p_z, const std::vector<std::string>& names);

}  // namespace noslip
