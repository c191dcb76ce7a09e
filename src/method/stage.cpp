// Copies the derived expressions of a system to a point of a step.
#include <noslip/method/stage.hpp>

#include <algorithm>

#include "method/vectors.hpp"

namespace noslip {

void Stage::react(Graph& graph, Expr h, const Vector& impulses, const Vector& y) {
  z = impulses;
  reactions = sum(z, K);
  if (nonideal.empty()) return;
  Substitution put(graph);
  replace(put, psi, -(joined(z, y) / h));
  friction = h * put(nonideal);
  reactions = reactions + friction;
}

Vector PositionNode::reactions(Graph& graph, Expr h, const Vector& y) const {
  if (r.empty()) return sum(y, G);
  Substitution put(graph);
  replace(put, lambda, y / h);
  return h * put(r);
}

Stage stage_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q, std::span<const Expr> v,
               std::span<const Expr> z) {
  Substitution at_point(graph);
  const auto put = [&](const std::vector<Expr>& symbols, std::span<const Expr> values) {
    for (std::size_t i = 0; i < values.size(); ++i) at_point.replace(symbols[i], values[i]);
  };
  at_point.replace(system.t(), t);
  put(system.q(), q);
  const bool are_momenta = system.has_implicit_momenta();
  if (are_momenta || z.empty()) put(system.v(), v);
  put(are_momenta ? system.z() : system.v(), z);
  Stage stage;
  stage.velocities = at_point(system.velocities());
  stage.v.assign(v.begin(), v.end());
  stage.p = at_point(system.momenta());
  stage.force = at_point(system.forces());
  for (const Constraint& constraint : system.constraints()) {
    stage.k.push_back(at_point(constraint.k));
    stage.K.push_back(copied(at_point, graph, constraint.K));
  }
  for (std::size_t r = system.constraints().size(); r < system.velocity_level().size(); ++r) {
    stage.rates.push_back(at_point(system.velocity_level()[r].k));
  }
  stage.nonideal = at_point(system.nonideal());
  stage.psi = at_point(system.psi());
  if (system.structure().does_work) {
    stage.power = at_point(system.power());
    const std::span<const Expr> powers = system.reaction_powers();
    stage.reaction_powers = at_point(powers.first(system.constraints().size()));
  }
  return stage;
}

PositionNode node_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q) {
  Substitution at_point(graph);
  at_point.replace(system.t(), t);
  for (std::size_t i = 0; i < system.q().size(); ++i) at_point.replace(system.q()[i], q[i]);
  PositionNode node;
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    node.g.push_back(at_point(constraint.g));
    node.G.push_back(copied(at_point, graph, constraint.G));
  }
  if (!system.position_reactions().empty()) {
    node.r = at_point(system.position_reactions());
    node.lambda = at_point(system.z());
  }
  if (system.structure().does_work) {
    const std::span<const Expr> powers = system.reaction_powers();
    node.reaction_powers = at_point(powers.subspan(system.constraints().size()));
  }
  return node;
}

bool has_plain_momenta(const System& system) {
  if (!system.structure().constant_mass || !system.velocities().empty()) return false;
  const std::vector<bool> moves = contain_any(system.momenta(), joined(system.q(), {system.t()}));
  return std::find(moves.begin(), moves.end(), true) == moves.end();
}

std::vector<Expr> momentum_increment(const System& system, Graph& graph, const Stage& point, const Stage& start,
                                     std::span<const Expr> increment) {
  std::vector<Expr> difference;
  Substitution copy(graph);
  const bool is_plain = has_plain_momenta(system);
  const std::vector<Expr>& z = system.has_implicit_momenta() ? system.z() : system.v();
  for (std::size_t i = 0; i < system.momenta().size(); ++i) {
    const bool is_variable = !system.velocities().empty() && system.momenta()[i] == z[i];
    difference.push_back(is_variable ? increment[i]
                         : is_plain  ? dot(graph, system.mass()[i].with(graph, copy(system.mass()[i].values())), increment)
                                     : point.p[i] - start.p[i]);
  }
  return difference;
}

}  // namespace noslip
