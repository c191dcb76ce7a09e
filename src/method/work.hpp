// The work W of everything that changes the energy, as one more variable of a step. A method adds it up at its own
// points with its own weights, so that E - E0 - W vanishes up to the order of the method.
//
// Nothing happens here for systems in which nothing does work.
#pragma once

#include <vector>

#include <noslip/method/recipe.hpp>
#include <noslip/method/stage.hpp>

#include "method/vectors.hpp"

namespace noslip {

/// Forces and time: h sum_j weights_j (V_j . f_j - L_t).
void add_work(StepRecipe& recipe, Expr h, const Weights& weights, const std::vector<Stage>& stages);

/// Reactions that act at the stages: sum_j weights_j z_j . (K_j V_j - k_j), z = h lambda, where the brackets are the
/// reaction_powers of the points, and sum_j weights_j V_j . (h N_j) of nonideal ones.
void add_reaction_work(StepRecipe& recipe, const Weights& weights, const std::vector<Stage>& stages);
/// Reactions of position constraints: the same with y = h mu.
void add_reaction_work(StepRecipe& recipe, const Weights& weights, const std::vector<PositionNode>& nodes,
                       const Vectors& y);

}  // namespace noslip
