// SO(3) and SE(3): elements are matrices by rows.
#include <cassert>

#include "lie/rigid.hpp"
#include "lie/rotation.hpp"

namespace noslip {
namespace lie {
namespace {

class Rotations final : public RigidGroup {
 public:
  Rotations() : RigidGroup({3, 4, 5}) {}
  std::string name() const override { return "SO(3)"; }
  int size() const override { return 9; }

  std::vector<Expr> identity(Graph& graph) const override { return numbers(diagonal(graph.constant(1))); }

  ExprMatrix frame(std::span<const Expr> g) const override {
    ExprMatrix result;
    for (const Vector3& row : rotation(g)) {
      for (const Vector3& change : hat(row)) result.emplace_back(change.begin(), change.end());
    }
    return result;
  }

  std::vector<Expr> defect(std::span<const Expr> g) const override { return orthogonality_defect(rotation(g)); }

  std::vector<Expr> increment(Retraction map, std::span<const Expr> g, std::span<const Expr> xi) const override {
    return numbers(turned_less_one(map, rotation(g), twist(xi).w));
  }

  std::vector<Expr> between(Retraction map, std::span<const Expr> g, std::span<const Expr> to) const override {
    const Vector3 w = rotation_between(map, rotation(g), rotation(to));
    return {w.begin(), w.end()};
  }

 private:
  static Matrix3 rotation(std::span<const Expr> g) {
    assert(g.size() == 9);
    return {{{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}}};
  }
  static std::vector<Expr> numbers(const Matrix3& m) {
    std::vector<Expr> result;
    for (const Vector3& row : m) result.insert(result.end(), row.begin(), row.end());
    return result;
  }
};

class Motions final : public RigidGroup {
 public:
  Motions() : RigidGroup({0, 1, 2, 3, 4, 5}) {}
  std::string name() const override { return "SE(3)"; }
  int size() const override { return 12; }

  std::vector<Expr> identity(Graph& graph) const override {
    const Expr zero = graph.constant(0);
    return numbers(diagonal(graph.constant(1)), {zero, zero, zero});
  }

  ExprMatrix frame(std::span<const Expr> g) const override {
    const Expr zero = g.front().graph->constant(0);
    ExprMatrix result;
    for (const Vector3& row : rotation(g)) {
      for (const Vector3& change : hat(row)) result.push_back({zero, zero, zero, change[0], change[1], change[2]});
      result.push_back({row[0], row[1], row[2], zero, zero, zero});
    }
    return result;
  }

  std::vector<Expr> defect(std::span<const Expr> g) const override { return orthogonality_defect(rotation(g)); }

  std::vector<Expr> increment(Retraction map, std::span<const Expr> g, std::span<const Expr> xi) const override {
    const Twist moved = twist(xi);
    const Matrix3 turn = rotation(g);
    return numbers(turned_less_one(map, turn, moved.w), turn * translation(map, moved));
  }

  std::vector<Expr> between(Retraction map, std::span<const Expr> g, std::span<const Expr> to) const override {
    const Vector3 w = rotation_between(map, rotation(g), rotation(to));
    const Vector3 shift = transposed(rotation(g)) * (position(to) - position(g));
    const Vector3 v = velocity(map, shift, w);
    return {v[0], v[1], v[2], w[0], w[1], w[2]};
  }

 private:
  static Matrix3 rotation(std::span<const Expr> g) {
    assert(g.size() == 12);
    return {{{g[0], g[1], g[2]}, {g[4], g[5], g[6]}, {g[8], g[9], g[10]}}};
  }
  static Vector3 position(std::span<const Expr> g) { return {g[3], g[7], g[11]}; }
  static std::vector<Expr> numbers(const Matrix3& m, const Vector3& x) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < 3; ++i) {
      result.insert(result.end(), m[i].begin(), m[i].end());
      result.push_back(x[i]);
    }
    return result;
  }
};

}  // namespace
}  // namespace lie

std::shared_ptr<const Group> so3() { return std::make_shared<const lie::Rotations>(); }
std::shared_ptr<const Group> se3() { return std::make_shared<const lie::Motions>(); }

}  // namespace noslip
