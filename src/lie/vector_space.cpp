// Vector spaces: everything is the sum.
#include <cassert>

#include <noslip/lie/group.hpp>

namespace noslip {
namespace {

class VectorSpace final : public Group {
 public:
  explicit VectorSpace(int n) : n_(n) { assert(n >= 1); }

  std::string name() const override { return "R^" + std::to_string(n_); }
  int dimension() const override { return n_; }
  int size() const override { return n_; }
  bool is_vector_space() const override { return true; }

  std::vector<Expr> identity(Graph& graph) const override { return zeros(graph); }
  ExprMatrix frame(std::span<const Expr> g) const override {
    ExprMatrix result = zero_matrix(g);
    for (std::size_t i = 0; i < result.size(); ++i) result[i][i] = g.front().graph->constant(1);
    return result;
  }
  std::vector<Expr> defect(std::span<const Expr>) const override { return {}; }
  std::vector<Expr> increment(Retraction, std::span<const Expr>, std::span<const Expr> xi) const override {
    return {xi.begin(), xi.end()};
  }
  std::vector<Expr> between(Retraction, std::span<const Expr> g, std::span<const Expr> to) const override {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < g.size(); ++i) result.push_back(to[i] - g[i]);
    return result;
  }
  ExprMatrix tangent_less_one(Retraction, std::span<const Expr> xi) const override { return zero_matrix(xi); }
  ExprMatrix inverse_tangent_less_one(Retraction, std::span<const Expr> xi) const override { return zero_matrix(xi); }
  ExprMatrix adjoint_less_one(Retraction, std::span<const Expr> xi) const override { return zero_matrix(xi); }
  ExprMatrix ad(std::span<const Expr> xi) const override { return zero_matrix(xi); }
  std::vector<Expr> tangent_gradient(Retraction, std::span<const Expr> xi, std::span<const Expr>,
                                     std::span<const Expr>) const override {
    return zeros(*xi.front().graph);
  }

 private:
  std::vector<Expr> zeros(Graph& graph) const {
    return std::vector<Expr>(static_cast<std::size_t>(n_), graph.constant(0));
  }
  ExprMatrix zero_matrix(std::span<const Expr> numbers) const {
    assert(numbers.size() == static_cast<std::size_t>(n_));
    return ExprMatrix(numbers.size(), zeros(*numbers.front().graph));
  }

  int n_;
};

}  // namespace

std::shared_ptr<const Group> vector_space(int n) { return std::make_shared<const VectorSpace>(n); }

}  // namespace noslip
