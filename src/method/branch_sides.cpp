// Products of gradients at the start and at the end of a step.
#include "method/branch_sides.hpp"

#include "model/branches.hpp"

namespace noslip {

void add_branch_sides(const System& system, StepRecipe& recipe) {
  Graph own(system.graph());
  const std::vector<std::vector<Expr>> gradients = branch_gradients(system, own);
  if (gradients.empty()) return;
  const std::size_t needed = system.q().size() + system.v().size() + system.z().size();
  if (recipe.state.size() < needed) return;  // the method does not carry the multipliers
  Graph& graph = *recipe.graph;
  Substitution at_start(graph), at_end(graph);
  at_start.replace(own.counterpart(system.t()), recipe.t);
  at_end.replace(own.counterpart(system.t()), recipe.t + recipe.h);
  std::size_t next = 0;
  for (const auto* symbols : {&system.q(), &system.v(), &system.z()}) {
    for (const Expr symbol : *symbols) {
      const StateVariable& variable = recipe.state[next++];
      at_start.replace(own.counterpart(symbol), variable.symbol);
      at_end.replace(own.counterpart(symbol), variable.next(graph));
    }
  }
  for (const std::vector<Expr>& gradient : gradients) {
    recipe.branch_sides.push_back(dot(graph, at_start(gradient), at_end(gradient)));
  }
}

}  // namespace noslip
