#include "method/state_units.hpp"

namespace noslip {

Expr size_or_one(Graph& graph, const Vector& values) {
  Expr largest = graph.constant(0);
  for (const Expr& value : values) largest = max(largest, abs(value));
  largest = graph.alias(largest);
  return graph.alias(select(largest, largest, graph.constant(1)));
}

Vector state_units(Graph& graph, const Vector& u0, const Vector& rates, Expr h, Expr size) {
  Vector units;
  for (std::size_t i = 0; i < u0.size(); ++i) {
    const Expr own = graph.alias(abs(u0[i] / h) + abs(rates[i]));
    units.push_back(graph.alias(select(own, own, graph.constant(1)) / size));
  }
  return units;
}

Vector in_units(const Vector& units, const Vector& symbols) {
  Vector result;
  for (std::size_t i = 0; i < units.size(); ++i) result.push_back(units[i] * symbols[i]);
  return result;
}

}  // namespace noslip
