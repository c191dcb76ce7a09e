// Matrices of rotations: what is between two of them, whether they are one, and one from its axis.
#pragma once

#include <noslip/lie/group.hpp>

#include "lie/vectors.hpp"

namespace noslip::lie {

/// tau^-1(a^T b)
Vector3 rotation_between(Retraction map, const Matrix3& a, const Matrix3& b);
/// The rotation by |u| about u.
Matrix3 rotation_about(const Vector3& u);
/// The upper triangle of a^T a - 1, by rows.
std::vector<Expr> orthogonality_defect(const Matrix3& a);
/// a b
Matrix3 operator*(const Matrix3& a, const Matrix3& b);
Matrix3 transposed(const Matrix3& a);

}  // namespace noslip::lie
