// The symbols that every recipe of a mechanical system has.
#include <noslip/method/recipe.hpp>

#include <fmt/format.h>

namespace noslip {

StepRecipe begin_recipe(const System& system) {
  StepRecipe recipe;
  recipe.graph = std::make_shared<Graph>();
  Graph& graph = *recipe.graph;
  // Names with a dot or a blank cannot collide with names that a user may write.
  recipe.t = graph.symbol("t");
  recipe.h = graph.symbol("step.h");
  for (const Parameter& parameter : system.parameters()) recipe.parameters.push_back(graph.symbol(parameter.name));
  for (const auto& symbols : {system.q(), system.v()}) {
    for (const Expr& x : symbols) recipe.state.push_back({graph.symbol(x.name()), graph.symbol("low." + x.name()), {}});
  }
  for (const std::string& name : system.coordinates()) {
    recipe.accelerations.push_back(graph.symbol(fmt::format("acceleration.{}", name)));
  }
  for (std::size_t r = 0; r < system.constraints().size(); ++r) {
    recipe.multipliers.push_back(graph.symbol(fmt::format("lambda.{}", r + 1)));
  }
  return recipe;
}

}  // namespace noslip
