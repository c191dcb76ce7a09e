// SO(2) and SE(2): elements hold the angle itself.
#include <cassert>

#include "lie/rigid.hpp"

namespace noslip {
namespace lie {
namespace {

/// The angle of tau(omega), and back.
Expr angle_of(Retraction map, Expr omega) { return map == Retraction::cay ? 2 * atan(omega / 2) : omega; }
Expr omega_of(Retraction map, Expr angle) { return map == Retraction::cay ? 2 * tan(angle / 2) : angle; }

class PlanarRotations final : public RigidGroup {
 public:
  PlanarRotations() : RigidGroup({5}) {}
  std::string name() const override { return "SO(2)"; }
  int size() const override { return 1; }
  std::vector<Expr> identity(Graph& graph) const override { return {graph.constant(0)}; }
  ExprMatrix frame(std::span<const Expr> g) const override { return {{g.front().graph->constant(1)}}; }
  std::vector<Expr> defect(std::span<const Expr>) const override { return {}; }

  std::vector<Expr> increment(Retraction map, std::span<const Expr>, std::span<const Expr> xi) const override {
    assert(xi.size() == 1);
    return {angle_of(map, xi[0])};
  }

  std::vector<Expr> between(Retraction map, std::span<const Expr> g, std::span<const Expr> to) const override {
    return {omega_of(map, to[0] - g[0])};
  }
};

class PlanarMotions final : public RigidGroup {
 public:
  PlanarMotions() : RigidGroup({0, 1, 5}) {}
  std::string name() const override { return "SE(2)"; }
  int size() const override { return 3; }

  std::vector<Expr> identity(Graph& graph) const override { return std::vector<Expr>(3, graph.constant(0)); }

  ExprMatrix frame(std::span<const Expr> g) const override {
    const Expr c = cos(g[2]), s = sin(g[2]), zero = g[2].graph->constant(0), one = g[2].graph->constant(1);
    return {{c, -s, zero}, {s, c, zero}, {zero, zero, one}};
  }

  std::vector<Expr> defect(std::span<const Expr>) const override { return {}; }

  std::vector<Expr> increment(Retraction map, std::span<const Expr> g, std::span<const Expr> xi) const override {
    assert(g.size() == 3);
    const Vector3 shift = translation(map, twist(xi));
    const Expr c = cos(g[2]), s = sin(g[2]);
    return {c * shift[0] - s * shift[1], s * shift[0] + c * shift[1], angle_of(map, xi[2])};
  }

  std::vector<Expr> between(Retraction map, std::span<const Expr> g, std::span<const Expr> to) const override {
    const Expr zero = g[2].graph->constant(0);
    const Expr c = cos(g[2]), s = sin(g[2]), x = to[0] - g[0], y = to[1] - g[1];
    const Expr omega = omega_of(map, to[2] - g[2]);
    const Vector3 v = velocity(map, {c * x + s * y, c * y - s * x, zero}, {zero, zero, omega});
    return {v[0], v[1], omega};
  }
};

}  // namespace
}  // namespace lie

std::shared_ptr<const Group> so2() { return std::make_shared<const lie::PlanarRotations>(); }
std::shared_ptr<const Group> se2() { return std::make_shared<const lie::PlanarMotions>(); }

}  // namespace noslip
