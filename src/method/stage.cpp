// Copies the derived expressions of a system to a point of a step.
#include <noslip/method/stage.hpp>

#include <algorithm>

namespace noslip {

namespace {

Expr transposed_times(Graph& graph, const std::vector<std::vector<Expr>>& rows, std::size_t i,
                      std::span<const Expr> factors) {
  std::vector<Expr> terms;
  for (std::size_t r = 0; r < rows.size(); ++r) terms.push_back(rows[r][i] * factors[r]);
  return sum(graph, terms);
}

}  // namespace

Expr Stage::reaction(Graph& graph, std::size_t i, std::span<const Expr> z) const {
  return transposed_times(graph, K, i, z);
}

Expr PositionNode::reaction(Graph& graph, std::size_t i, std::span<const Expr> y) const {
  return transposed_times(graph, G, i, y);
}

Stage stage_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q, std::span<const Expr> v) {
  Substitution at_point(graph);
  at_point.replace(system.t(), t);
  for (int i = 0; i < system.dimension(); ++i) {
    at_point.replace(system.q()[i], q[i]);
    at_point.replace(system.v()[i], v[i]);
  }
  Stage stage{{v.begin(), v.end()}, at_point(system.momenta()), at_point(system.forces()), {}, {}, {}};
  for (const Constraint& constraint : system.constraints()) {
    stage.k.push_back(at_point(constraint.k));
    stage.K.push_back(at_point(constraint.K));
  }
  for (std::size_t r = system.constraints().size(); r < system.velocity_level().size(); ++r) {
    stage.rates.push_back(at_point(system.velocity_level()[r].k));
  }
  return stage;
}

PositionNode node_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q) {
  Substitution at_point(graph);
  at_point.replace(system.t(), t);
  for (int i = 0; i < system.dimension(); ++i) at_point.replace(system.q()[i], q[i]);
  PositionNode node;
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    node.g.push_back(at_point(constraint.g));
    node.G.push_back(at_point(constraint.G));
  }
  return node;
}

bool has_plain_momenta(const System& system) {
  if (!system.structure().constant_mass) return false;
  const std::vector<Expr> used = symbols_of(system.momenta());
  return std::none_of(used.begin(), used.end(), [&](const Expr& symbol) {
    return symbol == system.t() || std::find(system.q().begin(), system.q().end(), symbol) != system.q().end();
  });
}

std::vector<Expr> momentum_increment(const System& system, Graph& graph, const Stage& point, const Stage& start,
                                     std::span<const Expr> increment) {
  std::vector<Expr> difference;
  Substitution copy(graph);
  const bool is_plain = has_plain_momenta(system);
  for (int i = 0; i < system.dimension(); ++i) {
    difference.push_back(is_plain ? dot(graph, copy(system.mass()[i]), increment) : point.p[i] - start.p[i]);
  }
  return difference;
}

}  // namespace noslip
