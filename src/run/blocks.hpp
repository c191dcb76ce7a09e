// Equations that can be solved one part after the other.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/derivative.hpp>
#include <noslip/solve/elimination.hpp>

namespace noslip {

/// Equations (rows) that determine as many unknowns (columns) when the blocks before are solved. Both ascend.
struct EquationBlock {
  std::vector<int> rows, columns;
};

/// The smallest blocks of a Jacobian, in an order in which they can be solved; the pivots pair equations and unknowns.
/// `order` must be regular.
std::vector<EquationBlock> diagonal_blocks(std::span<const Entry> entries, const EliminationOrder& order);

}  // namespace noslip
