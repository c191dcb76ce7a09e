// A basis X_1(q) ... X_r(q) of the velocities that linear constraints K(q) v = 0 allow, with its first derivatives, as
// expressions (E. Celledoni, M. Farre Puiggali, E. H. Hoiseth, D. Martin de Diego, Energy-preserving integrators
// applied to nonholonomic systems (2019), sec. 2.1.1 and 3.3).
//
// What equations in adapted coordinates need of a basis are four products; none of them needs the basis as a matrix.
#pragma once

#include <memory>

#include <noslip/method/recipe.hpp>

#include "method/vectors.hpp"

namespace noslip {

/// A momentum p. Where p = X rho (an orthonormal basis and a mass that is a number times the identity), rho is known,
/// too: products that vanish by symmetry then vanish as expressions.
struct AdaptedMomentum {
  Vector p;
  Vector rho;  ///< empty where p has a part outside of the span of the basis
};

class Basis {
 public:
  virtual ~Basis() = default;
  virtual std::size_t size() const = 0;
  /// X y, a velocity.
  virtual Vector combine(const Vector& y) const = 0;
  /// X^T z.
  virtual Vector project(const Vector& z) const = 0;
  /// p . DX_a[d], one per a: how X^T p changes when q moves along d and p stays.
  virtual Vector turning(const AdaptedMomentum& p, const Vector& d) const = 0;
  /// The gradient of p . X(q) y by q, p and y being constant.
  virtual Vector slopes(const AdaptedMomentum& p, const Vector& y) const = 0;
};

/// A matrix X with the columns X_a, and its derivatives dX_ja/dq_i.
std::unique_ptr<Basis> matrix_basis(Graph& graph, Vectors columns, const Vector& q);
/// The same with central differences of width h in the place of derivatives (Celledoni et al. 2019, remark 3.5).
std::unique_ptr<Basis> differenced_basis(Graph& graph, Vectors columns, const Vector& q, Expr h);

}  // namespace noslip
