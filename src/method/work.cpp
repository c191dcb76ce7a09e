// W belongs to the differential variables of a system of index 2: W' = v . f - L_t + lambda . (K v - k), and W does not
// act on the others. Like the momenta, it has a right-hand side with multipliers; so the quadrature with the weights of
// the momenta gives it their order, although multipliers at the stages may have a lower one. Symmetric base steps stay
// symmetric, and a composition of them gives W the composed order.
//
// lambda . K v would do as well on the constraint, and off it (Gauss stages have k = O(h^s)) it differs by as much as
// the method's error. The form with K v - k is the one in which ideal linear constraints do no work, to the last digit:
// W is then the work of the forces alone, and E - E0 - W the energy error of the method, as for systems without forces.
#include "method/work.hpp"

#include <cassert>

namespace noslip {

namespace {

/// W += sum_j weights_j terms_j
void add(StepRecipe& recipe, const Weights& weights, const Vector& terms) {
  assert(weights.size() == terms.size());
  Graph& graph = *recipe.graph;
  Vector weighted;
  for (std::size_t j = 0; j < terms.size(); ++j) weighted.push_back(coefficient(graph, weights[j]) * terms[j]);
  Expr& work = recipe.state.back().increment;
  work = work + sum(graph, weighted);
}

}  // namespace

void add_work(StepRecipe& recipe, Expr h, const Weights& weights, const std::vector<Stage>& stages) {
  if (!recipe.has_work) return;
  Vector terms;
  for (const Stage& stage : stages) terms.push_back(h * stage.power);
  add(recipe, weights, terms);
}

void add_reaction_work(StepRecipe& recipe, const Weights& weights, const std::vector<Stage>& stages) {
  if (!recipe.has_work) return;
  Vector ideal, nonideal;
  for (const Stage& stage : stages) {
    ideal.push_back(dot(*recipe.graph, stage.reaction_powers, stage.z));
    if (!stage.friction.empty()) nonideal.push_back(dot(*recipe.graph, stage.v, stage.friction));
  }
  add(recipe, weights, ideal);
  if (!nonideal.empty()) add(recipe, weights, nonideal);
}

void add_reaction_work(StepRecipe& recipe, const Weights& weights, const std::vector<PositionNode>& nodes,
                       const Vectors& y) {
  if (!recipe.has_work) return;
  Vector terms;
  for (std::size_t j = 0; j < nodes.size(); ++j) terms.push_back(dot(*recipe.graph, nodes[j].reaction_powers, y[j]));
  add(recipe, weights, terms);
}

}  // namespace noslip
