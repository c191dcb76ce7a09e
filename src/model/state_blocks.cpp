#include "model/state_blocks.hpp"

namespace noslip {

std::vector<Expr> parameter_symbols(const System& system) {
  std::vector<Expr> symbols;
  for (const Parameter& constant : system.step_constants()) symbols.push_back(constant.symbol);
  return symbols;
}

ExprMatrix state_blocks(const System& system) {
  return {{system.t()}, system.q(), system.v(), system.z(), parameter_symbols(system)};
}

ExprMatrix copied(Substitution& copy, const ExprMatrix& blocks) {
  ExprMatrix result;
  for (const std::vector<Expr>& block : blocks) result.push_back(copy(block));
  return result;
}

SparseMatrix gradients_of(const std::vector<Constraint>& constraints) {
  SparseMatrix rows;
  for (const Constraint& constraint : constraints) rows.push_back(constraint.K);
  return rows;
}

std::vector<Expr> values_of(const std::vector<Constraint>& constraints) {
  std::vector<Expr> values;
  for (const Constraint& constraint : constraints) values.push_back(constraint.k);
  return values;
}

std::vector<Expr> values_of(const std::vector<HolonomicConstraint>& constraints) {
  std::vector<Expr> values;
  for (const HolonomicConstraint& constraint : constraints) values.push_back(constraint.g);
  return values;
}

std::vector<Expr> rates_of(const std::vector<FirstOrderState>& states) {
  std::vector<Expr> rates;
  for (const FirstOrderState& state : states) rates.push_back(state.rate);
  return rates;
}

}  // namespace noslip
