// A basis that is given as a matrix.
#include <noslip/expr/derivative.hpp>

#include "method/basis.hpp"

namespace noslip {

namespace {

/// dX_ja/dq_i, where it is not zero.
struct Slope {
  std::size_t i, j, a;
  Expr value;
};

class MatrixBasis final : public Basis {
 public:
  MatrixBasis(Graph& graph, std::vector<std::vector<Expr>> columns, std::vector<Slope> slopes, std::size_t dimension)
      : graph_(graph), columns_(std::move(columns)), slopes_(std::move(slopes)), dimension_(dimension) {}

  std::size_t size() const override { return columns_.size(); }

  std::vector<Expr> combine(std::span<const Expr> y) const override {
    std::vector<Expr> result;
    for (std::size_t j = 0; j < dimension_; ++j) {
      std::vector<Expr> terms;
      for (std::size_t a = 0; a < size(); ++a) terms.push_back(columns_[a][j] * y[a]);
      result.push_back(sum(graph_, terms));
    }
    return result;
  }

  std::vector<Expr> project(std::span<const Expr> z) const override {
    std::vector<Expr> result;
    for (const std::vector<Expr>& column : columns_) result.push_back(dot(graph_, column, z));
    return result;
  }

  std::vector<Expr> turning(const AdaptedMomentum& p, std::span<const Expr> d) const override {
    std::vector<std::vector<Expr>> terms(size());
    for (const Slope& slope : slopes_) terms[slope.a].push_back(p.p[slope.j] * slope.value * d[slope.i]);
    return sums(terms);
  }

  std::vector<Expr> slopes(const AdaptedMomentum& p, std::span<const Expr> y) const override {
    std::vector<std::vector<Expr>> terms(dimension_);
    for (const Slope& slope : slopes_) terms[slope.i].push_back(p.p[slope.j] * slope.value * y[slope.a]);
    return sums(terms);
  }

 private:
  std::vector<Expr> sums(const std::vector<std::vector<Expr>>& terms) const {
    std::vector<Expr> result;
    for (const std::vector<Expr>& list : terms) result.push_back(sum(graph_, list));
    return result;
  }

  Graph& graph_;
  std::vector<std::vector<Expr>> columns_;
  std::vector<Slope> slopes_;
  std::size_t dimension_;
};

}  // namespace

std::unique_ptr<Basis> matrix_basis(Graph& graph, std::vector<std::vector<Expr>> columns, std::span<const Expr> q) {
  std::vector<Slope> slopes;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (const Entry& entry : jacobian(columns[a], q)) {
      slopes.push_back({static_cast<std::size_t>(entry.column), static_cast<std::size_t>(entry.row), a, entry.value});
    }
  }
  return std::make_unique<MatrixBasis>(graph, std::move(columns), std::move(slopes), q.size());
}

std::unique_ptr<Basis> differenced_basis(Graph& graph, std::vector<std::vector<Expr>> columns, std::span<const Expr> q,
                                         Expr h) {
  std::vector<Slope> slopes;
  for (std::size_t i = 0; i < q.size(); ++i) {
    Substitution ahead(graph), behind(graph);
    ahead.replace(q[i], graph.alias(q[i] + h));
    behind.replace(q[i], graph.alias(q[i] - h));
    for (std::size_t a = 0; a < columns.size(); ++a) {
      for (std::size_t j = 0; j < q.size(); ++j) {
        if (!depends_on(columns[a][j], q[i])) continue;
        slopes.push_back({i, j, a, (ahead(columns[a][j]) - behind(columns[a][j])) / (Number(2) * h)});
      }
    }
  }
  return std::make_unique<MatrixBasis>(graph, std::move(columns), std::move(slopes), q.size());
}

}  // namespace noslip
