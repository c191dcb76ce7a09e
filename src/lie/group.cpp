#include <noslip/lie/group.hpp>

#include <cassert>

#include <noslip/expr/derivative.hpp>

namespace noslip {
namespace {

std::vector<Expr> sum_of(std::span<const Expr> a, const std::vector<Expr>& b) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + b[i]);
  return result;
}

}  // namespace

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

std::vector<Expr> times(const ExprMatrix& m, std::span<const Expr> eta) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.push_back(dot(*eta.front().graph, row, eta));
  return result;
}

std::vector<Expr> transposed_times(const ExprMatrix& m, std::span<const Expr> mu) {
  assert(m.size() == mu.size() && !m.empty());
  std::vector<Expr> result, column(m.size());
  for (std::size_t j = 0; j < m.front().size(); ++j) {
    for (std::size_t i = 0; i < m.size(); ++i) column[i] = m[i][j];
    result.push_back(dot(*mu.front().graph, column, mu));
  }
  return result;
}

std::vector<Expr> plus_times(std::span<const Expr> eta, const ExprMatrix& m) { return sum_of(eta, times(m, eta)); }

std::vector<Expr> plus_transposed_times(std::span<const Expr> mu, const ExprMatrix& m) {
  return sum_of(mu, transposed_times(m, mu));
}

}  // namespace noslip
