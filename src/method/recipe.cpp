// The symbols that every recipe has.
#include <noslip/method/recipe.hpp>

#include <fmt/format.h>

#include "model/written_functions.hpp"

namespace noslip {

Expr StateVariable::total_increment(Graph& graph) const {
  const Expr early = increment + low;
  return graph.alias(late.graph == nullptr ? early : early + late);
}

Expr StateVariable::next(Graph& graph) const {
  return value.graph != nullptr ? value : graph.alias(symbol + total_increment(graph));
}

StepRecipe begin_recipe(const System& system, bool carries_multipliers) {
  StepRecipe recipe;
  recipe.graph = std::make_shared<Graph>();
  Graph& graph = *recipe.graph;
  const auto add_state = [&](const std::string& name) {
    recipe.state.push_back({graph.symbol(name), graph.symbol("low." + name), {}, {}, false, {}});
  };
  // Names with a dot or a blank cannot collide with names that a user may write.
  recipe.t = graph.symbol("t");
  recipe.h = graph.symbol("step.h");
  for (const Parameter& parameter : system.parameters()) recipe.parameters.push_back(graph.symbol(parameter.name));
  for (const auto& symbols : {system.q(), system.v()}) {
    for (const Expr& x : symbols) add_state(x.name());
  }
  if (system.has_implicit_momenta()) {
    for (const Expr& p : system.z()) add_state(p.name());
  }
  recipe.angles = system.angles();  // q comes first
  recipe.first_multiplier = recipe.state.size();
  const Offers& offers = system.offers();
  const bool is_solved_first = !offers.given_multipliers;
  if (offers.multiplier_variables && is_solved_first) carries_multipliers = true;  // where the next search begins
  for (std::size_t r = 0; r < system.multiplier_names().size(); ++r) {
    if (is_solved_first) recipe.multipliers.push_back(graph.symbol(fmt::format("lambda.{}", r + 1)));
    if (carries_multipliers) add_state(fmt::format("carried.{}", r + 1));
  }
  recipe.has_work = system.structure().does_work;
  if (recipe.has_work) {
    add_state("step.work");
    recipe.state.back().increment = graph.constant(0);
  }
  for (const Expr& v : system.v()) recipe.accelerations.push_back(graph.symbol("acceleration." + v.name()));
  recipe.has_corners = has_corners(system);
  recipe.has_linear_reactions = !offers.multiplier_variables && !system.structure().has_nonideal;
  return recipe;
}

}  // namespace noslip
