// Matrices of rotations: what is between two of them, whether they are one, and one from its axis.
#pragma once

#include <noslip/lie/group.hpp>

#include "lie/vectors.hpp"

namespace noslip::lie {

/// tau^-1(a^T b)
Vector3 rotation_between(Retraction map, const Matrix3& a, const Matrix3& b);
/// The rotation by |u| about u.
Matrix3 rotation_about(const Vector3& u);
/// a tau(w) - a. What rounding makes of it is a rotation to more digits than it has itself: where every step turns a
/// body in the same way, it makes the same error in every step.
Matrix3 turned_less_one(Retraction map, const Matrix3& a, const Vector3& w);
/// The upper triangle of a^T a - 1, by rows.
std::vector<Expr> orthogonality_defect(const Matrix3& a);
/// a b
Matrix3 operator*(const Matrix3& a, const Matrix3& b);
Matrix3 transposed(const Matrix3& a);

}  // namespace noslip::lie
