#include "model/written_functions.hpp"

#include <algorithm>

#include <noslip/expr/degree.hpp>

#include "model/kind/kind.hpp"

namespace noslip {

std::vector<Expr> written_functions(const System& system) {
  std::vector<Expr> written = system.data().kind->written(system.data());
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
