// Products of groups: vectors one after the other, matrices as blocks on the diagonal.
#include <algorithm>
#include <cassert>

#include <noslip/lie/group.hpp>

namespace noslip {
namespace {

using Numbers = std::span<const Expr>;

class Product final : public Group {
 public:
  explicit Product(std::vector<std::shared_ptr<const Group>> factors) : factors_(std::move(factors)) {
    assert(!factors_.empty());
    for (const auto& factor : factors_) {
      dimension_ += factor->dimension();
      size_ += factor->size();
    }
  }

  std::string name() const override {
    std::string result;
    for (const auto& factor : factors_) result += (result.empty() ? "" : " x ") + factor->name();
    return result;
  }
  int dimension() const override { return dimension_; }
  int size() const override { return size_; }
  bool is_vector_space() const override {
    return std::all_of(factors_.begin(), factors_.end(), [](const auto& factor) { return factor->is_vector_space(); });
  }

  std::vector<Expr> identity(Graph& graph) const override {
    std::vector<Expr> result;
    for (const auto& factor : factors_) append(result, factor->identity(graph));
    return result;
  }
  ExprMatrix frame(Numbers g) const override {
    return diagonal(g, [&](const Group& group, Place place) { return group.frame(place.element(g)); });
  }
  std::vector<Expr> defect(Numbers g) const override {
    return joined([&](const Group& group, Place place) { return group.defect(place.element(g)); });
  }
  std::vector<Expr> increment(Retraction map, Numbers g, Numbers xi) const override {
    return joined(
        [&](const Group& group, Place place) { return group.increment(map, place.element(g), place.vector(xi)); });
  }
  std::vector<Expr> between(Retraction map, Numbers g, Numbers to) const override {
    return joined(
        [&](const Group& group, Place place) { return group.between(map, place.element(g), place.element(to)); });
  }
  ExprMatrix tangent_less_one(Retraction map, Numbers xi) const override {
    return diagonal(xi, [&](const Group& group, Place place) { return group.tangent_less_one(map, place.vector(xi)); });
  }
  ExprMatrix inverse_tangent_less_one(Retraction map, Numbers xi) const override {
    return diagonal(
        xi, [&](const Group& group, Place place) { return group.inverse_tangent_less_one(map, place.vector(xi)); });
  }
  ExprMatrix adjoint_less_one(Retraction map, Numbers xi) const override {
    return diagonal(xi, [&](const Group& group, Place place) { return group.adjoint_less_one(map, place.vector(xi)); });
  }
  ExprMatrix ad(Numbers xi) const override {
    return diagonal(xi, [&](const Group& group, Place place) { return group.ad(place.vector(xi)); });
  }
  std::vector<Expr> tangent_gradient(Retraction map, Numbers xi, Numbers eta, Numbers p) const override {
    return joined([&](const Group& group, Place place) {
      return group.tangent_gradient(map, place.vector(xi), place.vector(eta), place.vector(p));
    });
  }

 private:
  /// Where the numbers of one factor are.
  struct Place {
    std::size_t element_at, size, vector_at, dimension;
    Numbers element(Numbers g) const { return g.subspan(element_at, size); }
    Numbers vector(Numbers xi) const { return xi.subspan(vector_at, dimension); }
  };

  static void append(std::vector<Expr>& to, const std::vector<Expr>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }

  template <class Function>
  void for_each(Function&& function) const {
    Place place{};
    for (const auto& factor : factors_) {
      place.size = static_cast<std::size_t>(factor->size());
      place.dimension = static_cast<std::size_t>(factor->dimension());
      function(*factor, place);
      place.element_at += place.size;
      place.vector_at += place.dimension;
    }
  }

  template <class Function>
  std::vector<Expr> joined(Function&& function) const {
    std::vector<Expr> result;
    for_each([&](const Group& group, Place place) { append(result, function(group, place)); });
    return result;
  }

  template <class Function>
  ExprMatrix diagonal(Numbers numbers, Function&& function) const {
    const std::vector<Expr> zeros(static_cast<std::size_t>(dimension_), numbers.front().graph->constant(0));
    ExprMatrix result;
    for_each([&](const Group& group, Place place) {
      for (const std::vector<Expr>& row : function(group, place)) {
        std::copy(row.begin(), row.end(),
                  result.emplace_back(zeros).begin() + static_cast<std::ptrdiff_t>(place.vector_at));
      }
    });
    return result;
  }

  std::vector<std::shared_ptr<const Group>> factors_;
  int dimension_ = 0;
  int size_ = 0;
};

}  // namespace

std::shared_ptr<const Group> product(std::vector<std::shared_ptr<const Group>> factors) {
  if (factors.size() == 1) return factors.front();
  return std::make_shared<const Product>(std::move(factors));
}

}  // namespace noslip
