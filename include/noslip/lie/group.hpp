// Lie groups as configuration spaces: SO(2), SO(3), SE(2), SE(3), vector spaces and products of them, with retractions
// tau from the algebra to the group, recorded as expressions. One recording serves every precision, lanes, machine code
// and derivatives.
//
// An element g is held by size() numbers, an element xi or eta of the algebra by dimension() numbers, a momentum mu (of
// the dual of the algebra) likewise, with mu(eta) = sum mu_a eta_a. Velocities are those of the body
// (left-trivialised): g' = g eta.
//
//   group   element                                          algebra
//   R^n     the n coordinates                                their rates
//   SO(2)   theta                                            omega
//   SO(3)   the matrix R by rows, R11 ... R33                w1, w2, w3:         R' = R w^,  w^ u = w x u
//   SE(2)   x, y, theta                                      v1, v2, omega:      (x', y') = Rot(theta) (v1, v2)
//   SE(3)   the rows of (R | x), g11 ... g34                 v1, v2, v3, w1, w2, w3:   x' = R v,  R' = R w^
//
// Retractions are exp and cay, cay(xi) = (1 - xi/2)^-1 (1 + xi/2) with matrices; of R^n both are the identity. For
// both, tau(-xi) is the inverse of tau(xi). The left-trivialised tangent is d tau_xi eta = tau(xi)^-1 (d/de) tau(xi + e
// eta). exp is recorded as a series, without branches and functions: good to rounding in every precision for rotations
// up to pi, with two digits less at 2 pi, where d exp is singular, and of no use beyond. (SO(2) needs no series.)
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/expr/matrix.hpp>

namespace noslip {

enum class Retraction { cay, exp };
const char* to_text(Retraction map);

class Group {
 public:
  virtual ~Group() = default;

  virtual std::string name() const = 0;  ///< "SO(3)", "R^2", "SO(3) x R^2"
  virtual int dimension() const = 0;     ///< of the algebra
  virtual int size() const = 0;          ///< numbers that hold an element
  virtual bool is_vector_space() const = 0;

  virtual std::vector<Expr> identity(Graph& graph) const = 0;
  /// g' = frame(g) eta: size() rows, dimension() columns.
  virtual ExprMatrix frame(std::span<const Expr> g) const = 0;
  /// What vanishes for numbers that are an element: the upper triangle of R^T R - 1 by rows. Empty where all numbers
  /// are.
  virtual std::vector<Expr> defect(std::span<const Expr> g) const = 0;

  /// g tau(xi) - g, without cancellation. Rotations by cay are good to rounding of 1 + |w|^2/4: steps are short.
  virtual std::vector<Expr> increment(Retraction map, std::span<const Expr> g, std::span<const Expr> xi) const = 0;
  /// tau^-1(g^-1 to), for rotations between them by less than pi.
  virtual std::vector<Expr> between(Retraction map, std::span<const Expr> g, std::span<const Expr> to) const = 0;

  // Matrices, dimension() x dimension(), less the unit matrix and without cancellation where they are close to it.
  /// d tau_xi - 1
  virtual ExprMatrix tangent_less_one(Retraction map, std::span<const Expr> xi) const = 0;
  /// (d tau_xi)^-1 - 1
  virtual ExprMatrix inverse_tangent_less_one(Retraction map, std::span<const Expr> xi) const = 0;
  /// Ad_tau(xi) - 1, where Ad_g eta = g eta g^-1. (Of the inverse element: Ad_tau(-xi).)
  virtual ExprMatrix adjoint_less_one(Retraction map, std::span<const Expr> xi) const = 0;
  /// ad_xi: ad_xi eta = [xi, eta].
  virtual ExprMatrix ad(std::span<const Expr> xi) const = 0;

  /// The gradient by xi of p(d tau_xi eta).
  virtual std::vector<Expr> tangent_gradient(Retraction map, std::span<const Expr> xi, std::span<const Expr> eta,
                                             std::span<const Expr> p) const = 0;
  /// The second left-trivialised tangent (Martin de Diego and Sato 2022, sec. 6.1): the derivative of d tau_xi eta by
  /// xi, in the direction delta, is d tau_xi second_tangent(xi, eta, delta).
  std::vector<Expr> second_tangent(Retraction map, std::span<const Expr> xi, std::span<const Expr> eta,
                                   std::span<const Expr> delta) const;
};

std::shared_ptr<const Group> vector_space(int n);
std::shared_ptr<const Group> so2();
std::shared_ptr<const Group> so3();
std::shared_ptr<const Group> se2();
std::shared_ptr<const Group> se3();
/// Elements and vectors of the factors one after the other.
std::shared_ptr<const Group> product(std::vector<std::shared_ptr<const Group>> factors);

/// The rotation by |u| about u, by rows, for vectors of any length.
std::vector<Expr> rotation_by(std::span<const Expr> u);

}  // namespace noslip
