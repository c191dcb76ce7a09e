// Motions of a rigid body: what SO(2), SO(3), SE(2) and SE(3) have in common.
//
// The algebra of SE(3) is v1, v2, v3, w1, w2, w3; those of the others are some of these components, the rest zero. Maps
// of the algebra are written for SE(3); the others take their rows and columns. Only the numbers that hold an element
// differ.
#pragma once

#include <noslip/lie/group.hpp>

#include "lie/vectors.hpp"

namespace noslip::lie {

struct Twist {
  Vector3 v, w;
};

/// tau(w) - 1, of rotations.
Matrix3 rotation_less_one(Retraction map, const Vector3& w);
/// The translation of tau(v, w).
Vector3 translation(Retraction map, const Twist& xi);
/// The v of which it is the translation.
Vector3 velocity(Retraction map, const Vector3& translation, const Vector3& w);

class RigidGroup : public Group {
 public:
  int dimension() const final { return static_cast<int>(components_.size()); }
  bool is_vector_space() const final { return false; }
  ExprMatrix tangent_less_one(Retraction map, std::span<const Expr> xi) const final;
  ExprMatrix inverse_tangent_less_one(Retraction map, std::span<const Expr> xi) const final;
  ExprMatrix adjoint_less_one(Retraction map, std::span<const Expr> xi) const final;
  ExprMatrix ad(std::span<const Expr> xi) const final;
  std::vector<Expr> tangent_gradient(Retraction map, std::span<const Expr> xi, std::span<const Expr> eta,
                                     std::span<const Expr> p) const final;

 protected:
  /// Which of v1, v2, v3, w1, w2, w3 the algebra consists of.
  explicit RigidGroup(std::vector<std::size_t> components) : components_(std::move(components)) {}
  Twist twist(std::span<const Expr> xi) const;

 private:
  struct Blocks {
    Matrix3 vv, vw, ww;
  };
  ExprMatrix matrix(const Blocks& blocks) const;

  std::vector<std::size_t> components_;
};

}  // namespace noslip::lie
