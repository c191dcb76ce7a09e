// The matrices in closed form, with a^ for u -> a x u and the coefficients b and c_k of coefficients.hpp.
//
// A matrix of exp is a power series in ad, so that its upper right block is the derivative of the diagonal block by w
// in the direction v. Those of cay follow from M a^ M^T = det(M) (M^-T a)^ with M = 1 - w^/2. Vectors are multiplied
// with the coefficients before they become matrices: that is fewer multiplications.
#include "lie/rigid.hpp"

#include <cassert>

#include <noslip/expr/derivative.hpp>

#include "lie/coefficients.hpp"

namespace noslip::lie {
namespace {

const Number half = Number::rational(1, 2), quarter = Number::rational(1, 4);

/// The derivative of alpha w^ + beta w^ w^ in the direction v, where s = v.w and the slopes are by |w|^2.
Matrix3 derived(const Vector3& v, const Vector3& w, Expr s, Expr alpha, Expr alpha_slope, Expr beta, Expr beta_slope) {
  return hat(alpha * v + 2 * s * alpha_slope * w) + symmetric_hats(w, beta * v + s * beta_slope * w);
}

/// p(d tau_xi eta), short: coefficients are taken as they come so that they can be symbols.
Expr pairing(Retraction map, std::span<const Expr> c, const Twist& xi, const Twist& eta, const Twist& p) {
  const auto& [v, w] = xi;
  if (map == Retraction::cay) {
    const Vector3 dual = p.w - half * cross(p.v, v);
    return c[0] * (2 * (dot(dual, eta.w) + dot(p.v, eta.v)) - dot(dual, cross(w, eta.w)) - dot(p.v, cross(w, eta.v)) +
                   dot(w, eta.v) * dot(w, p.v) / 2);
  }
  const Vector3 turn = cross(w, eta.w), shift = cross(w, eta.v);
  const Vector3 dual_turn = cross(p.w, w), dual_shift = cross(p.v, w);
  const Expr once = dot(p.v, turn), twice = dot(dual_shift, turn);
  const Vector3 slide = cross(v, eta.w);
  const Expr linear = dot(p.w, turn) + dot(p.v, shift + slide);
  const Expr square = dot(dual_turn, turn) + dot(dual_shift, shift) + dot(cross(p.v, v), turn) + dot(dual_shift, slide);
  return dot(p.w, eta.w) + dot(p.v, eta.v) - c[2] * linear + c[3] * square +
         dot(v, w) * ((c[3] - 2 * c[4]) * once - (c[4] - 3 * c[5]) * twice);
}

std::vector<Expr> symbols(Graph& graph, const std::string& name, std::size_t count) {
  std::vector<Expr> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(graph.symbol(name + std::to_string(i)));
  return result;
}

}  // namespace

Matrix3 rotation_less_one(Retraction map, const Vector3& w) {
  const std::vector<Expr> c = coefficients(map, dot(w, w));
  if (map == Retraction::cay) return hat(2 * c[0] * w) + hats(c[0] * w, w);
  return hat(c[1] * w) + hats(c[2] * w, w);
}

Vector3 translation(Retraction map, const Twist& xi) {
  const auto& [v, w] = xi;
  const std::vector<Expr> c = coefficients(map, dot(w, w));
  const Vector3 turn = cross(w, v);
  if (map == Retraction::cay) return c[0] * (Number(2) * v + turn + dot(w, v) / 2 * w);
  return v + c[2] * turn + c[3] * cross(w, turn);
}

Vector3 velocity(Retraction map, const Vector3& translation, const Vector3& w) {
  const Vector3 turn = cross(w, translation);
  const Vector3 linear = translation - half * turn;
  if (map == Retraction::cay) return linear;
  const std::vector<Expr> c = coefficients(map, dot(w, w));
  return linear + (c[3] - 2 * c[4]) / (2 * c[2]) * cross(w, turn);
}

Twist RigidGroup::twist(std::span<const Expr> xi) const {
  assert(xi.size() == components_.size());
  std::array<Expr, 6> all;
  all.fill(xi.front().graph->constant(0));
  for (std::size_t i = 0; i < xi.size(); ++i) all[components_[i]] = xi[i];
  return {{all[0], all[1], all[2]}, {all[3], all[4], all[5]}};
}

ExprMatrix RigidGroup::matrix(const Blocks& blocks) const {
  const Expr zero = blocks.vv[0][0].graph->constant(0);
  ExprMatrix result;
  for (const std::size_t row : components_) {
    std::vector<Expr>& entries = result.emplace_back();
    for (const std::size_t column : components_) {
      if (row < 3) {
        entries.push_back(column < 3 ? blocks.vv[row][column] : blocks.vw[row][column - 3]);
      } else {
        entries.push_back(column < 3 ? zero : blocks.ww[row - 3][column - 3]);
      }
    }
  }
  return result;
}

ExprMatrix RigidGroup::tangent_less_one(Retraction map, std::span<const Expr> xi) const {
  const auto [v, w] = twist(xi);
  const Expr z = dot(w, w);
  const std::vector<Expr> c = coefficients(map, z);
  if (map == Retraction::cay) {
    const Vector3 bw = c[0] * w, bv = c[0] * v;
    return matrix({.vv = half * hats(bw, w) - hat(bw),
                   .vw = half * hats(bv, w) - hat(bv),
                   .ww = diagonal(-(c[0] * z / 2)) - hat(bw)});
  }
  const Matrix3 turn = hats(c[3] * w, w) - hat(c[2] * w);
  const Matrix3 slide = derived(v, w, dot(v, w), -c[2], -slope(map, c, 2), c[3], slope(map, c, 3));
  return matrix({.vv = turn, .vw = slide, .ww = turn});
}

ExprMatrix RigidGroup::inverse_tangent_less_one(Retraction map, std::span<const Expr> xi) const {
  const auto [v, w] = twist(xi);
  if (map == Retraction::cay) {
    const Matrix3 turn = half * hat(w);
    return matrix({.vv = turn, .vw = half * hat(v) + quarter * hats(w, v), .ww = turn + quarter * outer(w, w)});
  }
  const Expr z = dot(w, w);
  const std::vector<Expr> c = coefficients(map, z);
  // 1 + ad/2 + e ad^2 with e = (c_3 - 2 c_4)/(2 c_2), and the derivative of e by z where 5 c_5 - c_4 is z (c_6 - 5
  // c_7).
  const Expr e = (c[3] - 2 * c[4]) / (2 * c[2]);
  const Expr e_slope = (z * (c[6] - 5 * c[7]) - 8 * c[6]) / (4 * c[2]) + powi(e, 2);
  const Expr one_half = z.graph->constant(half), zero = z.graph->constant(0);
  const Matrix3 turn = half * hat(w) + hats(e * w, w);
  return matrix({.vv = turn, .vw = derived(v, w, dot(v, w), one_half, zero, e, e_slope), .ww = turn});
}

ExprMatrix RigidGroup::adjoint_less_one(Retraction map, std::span<const Expr> xi) const {
  const auto [v, w] = twist(xi);
  const std::vector<Expr> c = coefficients(map, dot(w, w));
  const Expr s = dot(v, w);
  const Matrix3 turn = rotation_less_one(map, w);
  if (map == Retraction::cay) {
    const Matrix3 slide = hat(2 * c[0] * v - c[0] * s / 2 * w) + symmetric_hats(w, c[0] * v);
    return matrix({.vv = turn, .vw = slide, .ww = turn});
  }
  const Matrix3 slide = derived(v, w, s, c[1], slope(map, c, 1), c[2], slope(map, c, 2));
  return matrix({.vv = turn, .vw = slide, .ww = turn});
}

ExprMatrix RigidGroup::ad(std::span<const Expr> xi) const {
  const auto [v, w] = twist(xi);
  return matrix({.vv = hat(w), .vw = hat(v), .ww = hat(w)});
}

std::vector<Expr> RigidGroup::tangent_gradient(Retraction map, std::span<const Expr> xi, std::span<const Expr> eta,
                                               std::span<const Expr> p) const {
  // The coefficients are variables of their own: their derivatives are made of each other, which is much shorter than
  // to differentiate the series.
  const std::size_t n = components_.size();
  Graph graph;
  const std::vector<Expr> x = symbols(graph, "x", n), e = symbols(graph, "e", n), m = symbols(graph, "m", n);
  const std::vector<Expr> values = coefficients(map, dot(twist(xi).w, twist(xi).w));
  const std::vector<Expr> c = symbols(graph, "c", values.size());
  std::vector<Expr> variables = x;
  variables.insert(variables.end(), c.begin(), c.end());
  const std::vector<Expr> parts = gradient(pairing(map, c, twist(x), twist(e), twist(m)), variables);

  Expr by_z = graph.constant(0);
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (!parts[n + k].is_zero()) by_z = by_z + parts[n + k] * slope(map, c, k);
  }
  std::vector<Expr> result;
  for (std::size_t i = 0; i < n; ++i) {
    result.push_back(components_[i] < 3 ? parts[i] : parts[i] + 2 * by_z * x[i]);
  }
  Substitution substitution(*xi.front().graph);
  for (std::size_t i = 0; i < n; ++i) {
    substitution.replace(x[i], xi[i]);
    substitution.replace(e[i], eta[i]);
    substitution.replace(m[i], p[i]);
  }
  for (std::size_t k = 0; k < c.size(); ++k) substitution.replace(c[k], values[k]);
  return substitution(result);
}

}  // namespace noslip::lie
