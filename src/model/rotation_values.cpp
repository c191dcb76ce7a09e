#include "model/rotation_values.hpp"

#include <algorithm>
#include <array>
#include <quadmath.h>

#include <noslip/lie/quaternion.hpp>

namespace noslip {
namespace {

quad length(quad x, quad y, quad z) { return sqrtq(x * x + y * y + z * z); }

}  // namespace

std::vector<quad> given_numbers(const Factor& factor, std::span<const quad> q) {
  const auto own = q.subspan(factor.first, factor.size);
  if (!factor.is_matrix()) return {own.begin(), own.end()};
  std::vector<quad> result, rotation;
  for (std::size_t i = 0; i < own.size(); ++i) (i % factor.columns() == 3 ? result : rotation).push_back(own[i]);
  // With w >= 0 half the angle is between 0 and pi/2.
  const auto [w, x, y, z] = quaternion_of(std::span<const quad>(rotation));
  const quad sine = length(x, y, z);
  const quad factor_of_axis = sine > 0 ? 2 * atan2q(sine, w) / sine : quad(2);
  for (const quad component : {x, y, z}) result.push_back(factor_of_axis * component);
  return result;
}

void set_element(const Factor& factor, std::span<const quad> given, std::span<quad> q) {
  const auto own = q.subspan(factor.first, factor.size);
  if (!factor.is_matrix()) {
    std::copy(given.begin(), given.end(), own.begin());
    return;
  }
  const auto vector = given.last(3);
  const quad angle = length(vector[0], vector[1], vector[2]);
  const quad scale = angle > 0 ? sinq(angle / 2) / angle : quad(0.5);
  const std::array<quad, 9> rotation =
      rotation_of<quad>({cosq(angle / 2), scale * vector[0], scale * vector[1], scale * vector[2]});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) own[i * factor.columns() + j] = rotation[3 * i + j];
    if (factor.columns() == 4) own[4 * i + 3] = given[i];
  }
}

}  // namespace noslip
