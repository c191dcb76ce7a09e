#include "lie/rotation.hpp"

#include <cassert>

#include "lie/coefficients.hpp"

namespace noslip {
namespace lie {
namespace {

/// |a|, kept away from zero by what no result can see: functions of it that are smooth at zero can be evaluated and
/// differentiated there.
Expr length(const Vector3& a) { return sqrt(dot(a, a) + *Number::parse("1e-60")); }

}  // namespace

Matrix3 transposed(const Matrix3& a) {
  return {{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}

Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = transposed(b);
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = dot(a[i], columns[j]);
  }
  return result;
}

std::vector<Expr> orthogonality_defect(const Matrix3& a) {
  const Matrix3 columns = transposed(a);
  std::vector<Expr> result;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = i; j < 3; ++j) result.push_back(dot(columns[i], columns[j]) - (i == j ? 1 : 0));
  }
  return result;
}

/// tau(w) - 1 is w^ + w^2/2, less a part that is smaller by z = |w|^2: only the rounding errors of that part, and those
/// that change with a, make the sum less orthogonal.
Matrix3 turned_less_one(Retraction map, const Matrix3& a, const Vector3& w) {
  const Expr z = dot(w, w);
  const std::vector<Expr> c = coefficients(map, z);
  Graph& graph = *z.graph;
  Matrix3 result;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 once = cross(a[i], w), twice = cross(once, w);
    const Vector3 most = once + Number::rational(1, 2) * twice;
    const Vector3 rest = map == Retraction::cay ? z / (z + 4) * most : z * (c[3] * once + c[4] * twice);
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = graph.alias(most[j]) - graph.alias(rest[j]);
  }
  return result;
}

Vector3 rotation_between(Retraction map, const Matrix3& a, const Matrix3& b) {
  const Matrix3 columns = transposed(a), other = transposed(b);
  const Matrix3 change = other - columns;
  // What is antisymmetric in a^T b is so in a^T (b - a), which does not lose digits where the two are close.
  const auto part = [&](std::size_t i, std::size_t j) {
    return dot(columns[i], change[j]) - dot(columns[j], change[i]);
  };
  const Expr trace = dot(columns[0], other[0]) + dot(columns[1], other[1]) + dot(columns[2], other[2]);
  const Vector3 half = 1 / (trace + 1) * Vector3{part(2, 1), part(0, 2), part(1, 0)};  // the axis times tan(angle/2)
  if (map == Retraction::cay) return Number(2) * half;
  const Expr tangent = length(half);
  return 2 * atan(tangent) / tangent * half;
}

Matrix3 rotation_about(const Vector3& u) {
  const Expr angle = length(u);
  return diagonal(angle.graph->constant(1)) + sin(angle) / angle * hat(u) +
         2 * powi(sin(angle / 2) / angle, 2) * hats(u, u);
}

}  // namespace lie

std::vector<Expr> rotation_by(std::span<const Expr> u) {
  assert(u.size() == 3);
  std::vector<Expr> result;
  for (const lie::Vector3& row : lie::rotation_about({u[0], u[1], u[2]})) {
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

}  // namespace noslip
