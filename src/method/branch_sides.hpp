// What tells a step that has changed to another branch of solutions (model/branches.hpp).
#pragma once

#include <noslip/method/recipe.hpp>

namespace noslip {

/// Fills in StepRecipe::branch_sides.
void add_branch_sides(const System& system, StepRecipe& recipe);

}  // namespace noslip
