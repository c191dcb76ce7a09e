#include <noslip/lie/group.hpp>

#include <cassert>

#include <noslip/expr/derivative.hpp>

namespace noslip {
const char* to_text(Retraction map) { return map == Retraction::cay ? "cay" : "exp"; }

std::vector<Expr> Group::second_tangent(Retraction map, std::span<const Expr> xi, std::span<const Expr> eta,
                                        std::span<const Expr> delta) const {
  // The gradient in the direction delta is linear in p; what it multiplies p with is the derivative.
  const auto n = static_cast<std::size_t>(dimension());
  assert(xi.size() == n && eta.size() == n && delta.size() == n);
  Graph graph;
  std::vector<Expr> x, e, d, p;
  Substitution substitution(*xi.front().graph);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string index = std::to_string(i);
    x.push_back(graph.symbol("x" + index));
    e.push_back(graph.symbol("e" + index));
    d.push_back(graph.symbol("d" + index));
    p.push_back(graph.symbol("p" + index));
    substitution.replace(x[i], xi[i]);
    substitution.replace(e[i], eta[i]);
    substitution.replace(d[i], delta[i]);
  }
  const std::vector<Expr> change = gradient(dot(graph, tangent_gradient(map, x, e, p), d), p);
  return plus_times(substitution(change), inverse_tangent_less_one(map, xi));
}

}  // namespace noslip
