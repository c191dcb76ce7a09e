#include <noslip/expr/matrix.hpp>

#include <cassert>

namespace noslip {
namespace {

std::vector<Expr> sum_of(std::span<const Expr> a, const std::vector<Expr>& b) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + b[i]);
  return result;
}

}  // namespace

std::vector<Expr> times(const ExprMatrix& m, std::span<const Expr> v) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.push_back(dot(*v.front().graph, row, v));
  return result;
}

std::vector<Expr> transposed_times(const ExprMatrix& m, std::span<const Expr> v) {
  assert(m.size() == v.size() && !m.empty());
  std::vector<Expr> result, column(m.size());
  for (std::size_t j = 0; j < m.front().size(); ++j) {
    for (std::size_t i = 0; i < m.size(); ++i) column[i] = m[i][j];
    result.push_back(dot(*v.front().graph, column, v));
  }
  return result;
}

std::vector<Expr> plus_times(std::span<const Expr> v, const ExprMatrix& m) { return sum_of(v, times(m, v)); }

std::vector<Expr> plus_transposed_times(std::span<const Expr> v, const ExprMatrix& m) {
  return sum_of(v, transposed_times(m, v));
}

std::vector<Expr> entries_of(const ExprMatrix& m) {
  std::vector<Expr> result;
  for (const std::vector<Expr>& row : m) result.insert(result.end(), row.begin(), row.end());
  return result;
}

}  // namespace noslip
