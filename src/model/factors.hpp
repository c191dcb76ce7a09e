// Factors of a configuration space as they are written: plain coordinates, and elements of Lie groups.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <noslip/lie/group.hpp>
#include "model/document.hpp"

namespace noslip {

struct FactorPhrases {
  std::shared_ptr<const Group> group;
  Phrase name;                   ///< of the element as a whole, R; without text where it has none
  std::vector<Phrase> names;     ///< of the numbers that hold an element: x; x, y, theta; R11 ... R33
  std::vector<Phrase> velocity;  ///< of the body velocities; empty for a plain coordinate, whose velocity is x'
  std::vector<Phrase> at_start;  ///< of the numbers that give an initial element: x; x, y, theta; R(1), R(2), R(3)
};

/// A plain coordinate.
FactorPhrases coordinate_factor(Phrase name);

/// An element of the group that the phrase names, as a user describes it: `names` for groups whose elements are held by
/// coordinates (SO(2), SE(2)), one `name` for those held by a matrix (SO(3), SE(3)). What is wrong is added to
/// `problems`; the group is unset then.
struct GroupPhrases {
  Phrase group;
  Place place;  ///< of the whole entry, for what is missing
  bool has_name = false, has_names = false, has_velocity = false;
  bool is_readable = true;  ///< false where something is wrong that has been said already
  Phrase name;
  std::vector<Phrase> names, velocity;
};
FactorPhrases group_factor(const GroupPhrases& given, std::vector<Problem>& problems);

/// An element from the numbers that give it initially: rotation vectors become matrices.
std::vector<Expr> initial_element(const FactorPhrases& factor, std::vector<Expr> given);

}  // namespace noslip
