// Differences of positions and the symplectic form in the frame of the body, as numbers.
#pragma once

#include <vector>

#include <noslip/exec/function.hpp>
#include <noslip/lie/group.hpp>

namespace noslip {

class BodyFrame {
 public:
  using Numbers = std::vector<quad>;

  explicit BodyFrame(const Group& group);

  /// g cay(xi)
  Numbers moved(const Numbers& g, const Numbers& xi) const;
  /// xi with g cay(xi) = to
  Numbers between(const Numbers& g, const Numbers& to) const;

  /// A tangent vector of the cotangent bundle: the change of the position seen from the body, g^-1 dg, and that of the
  /// momentum mu of the body.
  struct Tangent {
    Numbers xi, change;
  };
  /// omega = -d(mu_a theta^a) with theta = g^-1 dg: xi_a(change_b) - xi_b(change_a) + mu([xi_a, xi_b]). In a vector
  /// space it is sum_i dq_i ^ dp_i.
  quad form(const Numbers& mu, const Tangent& a, const Tangent& b) const;

 private:
  std::size_t size_, dimension_;
  Function<quad> increment_, between_, bracket_;  // of two lists of numbers
};

}  // namespace noslip
