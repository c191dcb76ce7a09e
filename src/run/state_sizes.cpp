#include "run/state_sizes.hpp"

namespace noslip {

namespace {

Expr largest_of(Graph& graph, const std::vector<Expr>& values) {
  Expr largest = graph.constant(0);
  for (const Expr& value : values) largest = max(largest, abs(value));
  return largest;
}

/// sqrt(total/M_jj) for every j, where there is a mass to compare with.
std::vector<Expr> shares(Graph& graph, Expr total, const std::vector<Expr>& masses) {
  std::vector<Expr> result;
  for (const Expr& mass : masses) {
    result.push_back(mass.is_zero() ? graph.constant(0) : graph.alias(sqrt(total / mass)));
  }
  return result;
}

}  // namespace

std::vector<std::pair<Expr, Expr>> sizes_of_state(const System& system, Substitution& copy, Expr h, quad epsilon) {
  Graph& graph = *h.graph;
  const std::vector<Expr> q = copy(system.q()), v = copy(system.v());
  std::vector<Expr> masses, speeds;
  for (std::size_t j = 0; j < v.size(); ++j) masses.push_back(abs(copy(system.mass()[j][j])));
  if (!v.empty()) {
    Expr total = graph.constant(0);
    for (std::size_t j = 0; j < v.size(); ++j) {
      total = total + masses[j] * v[j] * v[j];
      if (!masses[j].is_zero()) total = total + powi(h * copy(system.acceleration_rhs()[j]), 2) / masses[j];
    }
    speeds = shares(graph, graph.alias(total), masses);
  }
  const bool is_measured = system.offers().lagrangian && !system.is_on_group();
  std::vector<Expr> places, moves;
  if (is_measured) {
    Expr total = graph.constant(0);
    for (std::size_t j = 0; j < masses.size(); ++j) total = total + masses[j] * q[j] * q[j];
    places = shares(graph, graph.alias(total), masses);
    moves = speeds;
    for (const FirstOrderState& state : system.states()) {
      places.push_back(graph.constant(0));
      moves.push_back(abs(copy(state.rate)));
    }
  } else {
    places.assign(q.size(), graph.alias(largest_of(graph, q)));
    moves.assign(q.size(), graph.alias(largest_of(graph, copy(system.position_rates()))));
  }
  if (!system.holonomic().empty()) {
    const Expr rate = graph.alias(graph.constant(Number::real(epsilon)) / abs(h));
    for (std::size_t j = 0; j < v.size(); ++j) speeds[j] = speeds[j] + rate * (is_measured ? places[j] : places.front());
  }
  std::vector<std::pair<Expr, Expr>> sizes;
  for (std::size_t j = 0; j < q.size(); ++j) {
    sizes.emplace_back(q[j], graph.alias(abs(q[j]) + places[j] + abs(h) * moves[j]));
  }
  for (std::size_t j = 0; j < v.size(); ++j) sizes.emplace_back(v[j], graph.alias(abs(v[j]) + speeds[j]));
  return sizes;
}

}  // namespace noslip
