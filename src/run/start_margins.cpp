// With A = [M K^T; K 0] of n + m rows, by blocks:
//   W = K M^-1,   S = W K^T,   A^-1 = [M^-1 - W^T S^-1 W   W^T S^-1; S^-1 W   -S^-1]
// M and S are positive definite, so that no pivot has to be chosen.
#include "run/start_margins.hpp"

#include <limits>
#include <optional>

#include <noslip/core/scalar.hpp>

#include "model/state_blocks.hpp"
#include "model/symbolic_inverse.hpp"

namespace noslip {
namespace {

constexpr std::size_t most_rows = 12, most_constraints = 6;

Expr product(Graph& graph, std::span<const Expr> a, std::span<const Expr> b) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < a.size(); ++i) terms.push_back(a[i] * b[i]);
  return sum(graph, terms);
}

/// a b^T.
ExprMatrix product_with_transposed(Graph& graph, const ExprMatrix& a, const ExprMatrix& b) {
  ExprMatrix result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const std::vector<Expr>& row : b) result[i].push_back(product(graph, a[i], row));
  }
  return result;
}

ExprMatrix transposed(const ExprMatrix& a, std::size_t columns) {
  ExprMatrix result(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (const std::vector<Expr>& row : a) result[j].push_back(row[j]);
  }
  return result;
}

Expr size_of_row(Graph& graph, const std::vector<Expr>& row) {
  std::vector<Expr> sizes;
  for (const Expr& entry : row) sizes.push_back(abs(entry));
  return sum(graph, sizes);
}

/// Rows of a matrix of two by two blocks.
ExprMatrix joined(const ExprMatrix& a, const ExprMatrix& b, const ExprMatrix& c, const ExprMatrix& d) {
  ExprMatrix result;
  for (const auto& [left, right] : {std::pair{&a, &b}, std::pair{&c, &d}}) {
    for (std::size_t i = 0; i < left->size(); ++i) {
      result.push_back((*left)[i]);
      result.back().insert(result.back().end(), (*right)[i].begin(), (*right)[i].end());
    }
  }
  return result;
}

std::optional<ExprMatrix> saddle_inverse(Graph& graph, const ExprMatrix& M, const ExprMatrix& K) {
  const std::optional<ExprMatrix> inverse_of_M = symbolic_inverse(graph, M);
  if (!inverse_of_M || K.empty()) return inverse_of_M;
  const ExprMatrix W = product_with_transposed(graph, K, *inverse_of_M);
  const std::optional<ExprMatrix> inverse_of_S = symbolic_inverse(graph, product_with_transposed(graph, W, K));
  if (!inverse_of_S) return std::nullopt;
  const ExprMatrix W_transposed = transposed(W, M.size());
  const ExprMatrix right = product_with_transposed(graph, W_transposed, *inverse_of_S);
  ExprMatrix upper = product_with_transposed(graph, right, W_transposed);
  for (std::size_t i = 0; i < upper.size(); ++i) {
    for (std::size_t j = 0; j < upper.size(); ++j) upper[i][j] = (*inverse_of_M)[i][j] - upper[i][j];
  }
  return joined(upper, right, transposed(right, K.size()), *inverse_of_S);
}

/// Pivots of the elimination without exchanges, each less a small part of the entry that it is left of.
std::vector<Expr> margins_of_inertia(ExprMatrix M) {
  const std::size_t n = M.size();
  std::vector<Expr> margins, entries;
  for (std::size_t i = 0; i < n; ++i) entries.push_back(M[i][i]);
  for (std::size_t k = 0; k < n; ++k) {
    margins.push_back(M[k][k] - entries[k] / Number(good_condition));
    for (std::size_t i = k + 1; i < n; ++i) {
      if (M[i][k].is_zero()) continue;
      const Expr factor = M[i][k] / M[k][k];
      for (std::size_t j = k + 1; j < n; ++j) M[i][j] = M[i][j] - factor * M[k][j];
    }
  }
  return margins;
}

}  // namespace

std::vector<Expr> start_margins(const System& system, StartConditions& conditions) {
  const std::size_t n = system.mass().size(), m = system.constraint_rhs().size();
  if (!is_linear_mechanics(system) || n > most_rows || m > most_constraints) return {};
  Graph& graph = conditions.graph();
  const auto here = [&](const SparseMatrix& matrix) {
    ExprMatrix rows = dense(matrix);
    for (std::vector<Expr>& row : rows) row = graph.counterparts(row);
    return rows;
  };
  const ExprMatrix M = here(system.mass()), K = here(gradients_of(system.velocity_level()));
  const std::optional<ExprMatrix> inverse = saddle_inverse(graph, M, K);
  if (!inverse) return {};
  const ExprMatrix A = joined(M, transposed(K, n), K, ExprMatrix(m, std::vector<Expr>(m, graph.constant(0))));

  std::vector<Expr> margins;
  for (std::size_t r = 0; r < conditions.residuals.size(); ++r) {
    margins.push_back(Number(few_units * epsilon<double>()) * conditions.sizes[r] - abs(conditions.residuals[r]));
  }
  std::vector<Expr> finite = conditions.finite, sizes, inverse_sizes;
  for (const auto* values : {&system.q(), &system.v(), &system.acceleration_rhs(), &system.constraint_rhs()}) {
    for (const Expr& value : graph.counterparts(*values)) finite.push_back(value);
  }
  for (const std::vector<Expr>& row : A) sizes.push_back(size_of_row(graph, row));
  for (const std::vector<Expr>& row : *inverse) inverse_sizes.push_back(size_of_row(graph, row));
  finite.insert(finite.end(), sizes.begin(), sizes.end());
  finite.insert(finite.end(), inverse_sizes.begin(), inverse_sizes.end());
  margins.push_back(Number(std::numeric_limits<double>::max()) - size_of_row(graph, finite));

  const std::vector<Expr> inertia = margins_of_inertia(M);
  margins.insert(margins.end(), inertia.begin(), inertia.end());
  const auto largest = [](const std::vector<Expr>& values) {
    Expr most = values.front();
    for (const Expr& value : values) most = max(most, value);
    return most;
  };
  margins.push_back(Number(good_condition) - largest(sizes) * largest(inverse_sizes));
  return margins;
}

}  // namespace noslip
