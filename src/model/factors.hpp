// Factors of a configuration space as they are written: plain coordinates, and elements of Lie groups.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/lie/group.hpp>
#include <noslip/model/system_text.hpp>

namespace noslip {

struct FactorTexts {
  std::shared_ptr<const Group> group;
  Text name;                   ///< of the element as a whole, R; without text where it has none
  std::vector<Text> names;     ///< of the numbers that hold an element: x; x, y, theta; R11 ... R33
  std::vector<Text> velocity;  ///< of the body velocities; empty for a plain coordinate, whose velocity is x'
  std::vector<Text> at_start;  ///< of the numbers that give an initial element: x; x, y, theta; R(1), R(2), R(3)
  bool is_state = false;       ///< not a coordinate: a state of [states], without a velocity
};

/// What the entries of `coordinates` are: plain ones, and elements of the groups that they name. `names` are for groups
/// whose elements are held by coordinates (SO(2), SE(2)), one `name` for those held by a matrix (SO(3), SE(3)). What is
/// wrong is added to `problems`; the group is unset then.
std::vector<FactorTexts> factors_of(const std::vector<CoordinateText>& coordinates, std::vector<Problem>& problems);

/// A state of [states], which stands behind the coordinates.
FactorTexts state_factor(Text name);

/// An element from the numbers that give it initially: rotation vectors become matrices.
std::vector<Expr> initial_element(const FactorTexts& factor, std::vector<Expr> given);

}  // namespace noslip
