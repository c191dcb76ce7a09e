#include "model/written_functions.hpp"

#include <algorithm>

#include <noslip/expr/degree.hpp>

namespace noslip {

std::vector<Expr> written_functions(const System& system) {
  std::vector<Expr> written;
  const auto add = [&](const std::vector<Expr>& list) { written.insert(written.end(), list.begin(), list.end()); };
  if (system.lagrangian().graph != nullptr) written.push_back(system.lagrangian());
  if (system.kind() == SystemKind::skew_gradient) written.push_back(system.energy());
  if (system.kind() == SystemKind::odae) {
    add(system.forces());
    add(system.momenta());
    add(system.velocities());
    add(system.position_reactions());
  } else {
    add(system.applied_forces());
  }
  add(system.nonideal());
  for (const std::vector<Expr>& part : system.parts()) add(part);
  for (const std::vector<Expr>& row : system.structure_matrix()) add(row);
  for (const std::vector<Expr>& row : system.basis()) add(row);
  for (const Constraint& constraint : system.constraints()) written.push_back(constraint.k);
  for (const HolonomicConstraint& constraint : system.holonomic()) written.push_back(constraint.g);
  return written;
}

bool has_corners(const System& system) {
  std::vector<Expr> variables{system.t()};
  for (const auto& symbols : {system.q(), system.v(), system.z(), system.psi()}) {
    variables.insert(variables.end(), symbols.begin(), symbols.end());
  }
  const std::vector<bool> smooth = are_smooth(written_functions(system), variables);
  return std::find(smooth.begin(), smooth.end(), false) != smooth.end();
}

}  // namespace noslip
