// Copies the derived expressions of a system to a point of a step.
#include <noslip/method/stage.hpp>

#include <algorithm>

#include "method/vectors.hpp"

namespace noslip {

namespace {

/// Rows over the velocities as rows over velocities and derivatives of the states, on which nothing acts.
SparseMatrix widened(SparseMatrix rows, Graph& graph, std::size_t size) {
  for (SparseRow& row : rows) {
    if (row.size() == size) continue;
    SparseRow wide(graph, size);
    for (std::size_t k = 0; k < row.places().size(); ++k) wide.append(row.places()[k], row.values()[k]);
    row = std::move(wide);
  }
  return rows;
}

}  // namespace

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
    for (std::size_t i = 0; i < std::min(symbols.size(), values.size()); ++i) at_point.replace(symbols[i], values[i]);
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
  const std::size_t n = system.v().size(), states = system.states().size();
  for (std::size_t i = 0; i < states; ++i) {
    stage.p.push_back(v[n + i] - at_point(system.states()[i].rate));
    stage.force.push_back(graph.constant(0));
    if (!stage.nonideal.empty()) stage.nonideal.push_back(graph.constant(0));
  }
  stage.K = widened(std::move(stage.K), graph, n + states);
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
  node.G = widened(std::move(node.G), graph, system.v().size() + system.states().size());
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
  const std::size_t n = system.momenta().size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_variable = !system.velocities().empty() && system.momenta()[i] == z[i];
    difference.push_back(is_variable ? increment[i]
                         : is_plain  ? dot(graph, system.mass()[i].with(graph, copy(system.mass()[i].values())), increment.first(n))
                                     : point.p[i] - start.p[i]);
  }
  difference.insert(difference.end(), point.p.begin() + static_cast<std::ptrdiff_t>(n), point.p.end());
  return difference;
}

}  // namespace noslip
