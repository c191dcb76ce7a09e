// Copies the derived expressions of a system to a point of a step.
#include <noslip/method/stage.hpp>

#include <algorithm>

namespace noslip {

Expr Stage::reaction(Graph& graph, std::size_t i, std::span<const Expr> z) const {
  std::vector<Expr> terms;
  for (std::size_t r = 0; r < K.size(); ++r) terms.push_back(K[r][i] * z[r]);
  return sum(graph, terms);
}

Stage stage_at(const System& system, Graph& graph, Expr t, std::span<const Expr> q, std::span<const Expr> v) {
  Substitution at_point(graph);
  at_point.replace(system.t(), t);
  for (int i = 0; i < system.dimension(); ++i) {
    at_point.replace(system.q()[i], q[i]);
    at_point.replace(system.v()[i], v[i]);
  }
  Stage stage{{v.begin(), v.end()}, at_point(system.momenta()), at_point(system.forces()), {}, {}, {}, {}};
  for (const Constraint& constraint : system.constraints()) {
    stage.k.push_back(at_point(constraint.k));
    stage.K.push_back(at_point(constraint.K));
  }
  if (system.structure().does_work) {
    stage.power = at_point(system.power());
    stage.reaction_powers = at_point(system.reaction_powers());
  }
  return stage;
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
