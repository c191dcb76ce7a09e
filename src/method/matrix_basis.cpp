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
  MatrixBasis(Graph& graph, Vectors columns, std::vector<Slope> slopes, std::size_t dimension)
      : graph_(graph), columns_(std::move(columns)), slopes_(std::move(slopes)), dimension_(dimension) {}

  std::size_t size() const override { return columns_.size(); }

  Vector combine(const Vector& y) const override { return sum(y, columns_); }

  Vector project(const Vector& z) const override { return columns_ * z; }

  Vector turning(const AdaptedMomentum& p, const Vector& d) const override {
    Vectors terms(size());
    for (const Slope& slope : slopes_) terms[slope.a].push_back(p.p[slope.j] * slope.value * d[slope.i]);
    return sums(terms);
  }

  Vector slopes(const AdaptedMomentum& p, const Vector& y) const override {
    Vectors terms(dimension_);
    for (const Slope& slope : slopes_) terms[slope.i].push_back(p.p[slope.j] * slope.value * y[slope.a]);
    return sums(terms);
  }

 private:
  Vector sums(const Vectors& terms) const {
    Vector result;
    for (const Vector& list : terms) result.push_back(sum(graph_, list));
    return result;
  }

  Graph& graph_;
  Vectors columns_;
  std::vector<Slope> slopes_;
  std::size_t dimension_;
};

}  // namespace

std::unique_ptr<Basis> matrix_basis(Graph& graph, Vectors columns, const Vector& q) {
  std::vector<Slope> slopes;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (const Entry& entry : jacobian(columns[a], q)) {
      slopes.push_back({static_cast<std::size_t>(entry.column), static_cast<std::size_t>(entry.row), a, entry.value});
    }
  }
  return std::make_unique<MatrixBasis>(graph, std::move(columns), std::move(slopes), q.size());
}

std::unique_ptr<Basis> differenced_basis(Graph& graph, Vectors columns, const Vector& q, Expr h) {
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
