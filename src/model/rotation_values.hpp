// Elements that a matrix holds, as the numbers by which a user gives them: rotation vectors.
#pragma once

#include <span>
#include <vector>

#include <noslip/core/scalar.hpp>
#include <noslip/model/system.hpp>

namespace noslip {

/// The numbers Factor::given of the element that q holds: the translation, if there is one, and the rotation vector, no
/// longer than pi. Of a coordinate: its value.
std::vector<quad> given_numbers(const Factor& factor, std::span<const quad> q);

/// Puts the element with these numbers into q.
void set_element(const Factor& factor, std::span<const quad> given, std::span<quad> q);

}  // namespace noslip
