// What every recipe has: its symbols, sums that keep what rounding takes, lists of unknowns.
#include <noslip/method/recipe.hpp>

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "model/written_functions.hpp"

namespace noslip {

void Solve::seek(const std::vector<Expr>& symbols, const std::vector<Expr>& first_guess,
                 const std::vector<Expr>& next_guess, bool decides_convergence, bool is_explicit) {
  assert(first_guess.size() == symbols.size() && next_guess.size() == symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    unknowns.push_back({symbols[i], first_guess[i], next_guess[i], decides_convergence, is_explicit});
  }
}

void Solve::require(const std::vector<Expr>& what) { residuals.insert(residuals.end(), what.begin(), what.end()); }

std::vector<Expr> Solve::hold(const std::string& stem, std::vector<Expr> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_constant()) continue;
    held_in_matrix.push_back({values[i].graph->symbol(fmt::format("step.{}{}", stem, i + 1)), values[i]});
    values[i] = held_in_matrix.back().symbol;
  }
  return values;
}

Expr StateVariable::total_increment(Graph& graph) const {
  const Expr early = is_compensated ? increment + low : increment;
  return graph.alias(added_last.graph == nullptr ? early : early + added_last);
}

Expr StateVariable::next(Graph& graph) const {
  return value.graph != nullptr ? value : graph.alias(symbol + total_increment(graph));
}

std::vector<Expr> StepRecipe::start(std::size_t first, std::size_t count) const {
  std::vector<Expr> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(state[first + i].symbol);
  return values;
}

std::vector<Expr> StepRecipe::move(std::size_t first, const std::vector<Expr>& increment,
                                   const std::vector<Expr>& added_last, bool stored_as_seen) {
  std::vector<Expr> next;
  for (std::size_t i = 0; i < increment.size(); ++i) {
    StateVariable& variable = state[first + i];
    variable.increment = increment[i];
    if (!added_last.empty()) variable.added_last = added_last[i];
    variable.stored_as_seen = stored_as_seen;
    next.push_back(variable.next(*graph));
  }
  return next;
}

void StepRecipe::store(std::size_t first, const std::vector<Expr>& values, const std::vector<Expr>& low) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    state[first + i].value = values[i];
    if (!low.empty()) state[first + i].value_low = low[i];
  }
}

void StepRecipe::drop_compensation() {
  Substitution put(*graph);
  for (const StateVariable& variable : state) put.replace(variable.low, graph->constant(0));
  const auto drop_one = [&](Expr& expression) {
    if (expression.graph != nullptr) expression = put(expression);
  };
  const auto drop = [&](std::vector<Expr>& expressions) {
    std::for_each(expressions.begin(), expressions.end(), drop_one);
  };
  const auto drop_all = [&](std::vector<std::vector<Expr>>& vectors) {
    std::for_each(vectors.begin(), vectors.end(), drop);
  };
  for (StateVariable& variable : state) {
    variable.is_compensated = false;
    for (Expr* part : {&variable.increment, &variable.added_last, &variable.value}) drop_one(*part);
    variable.value_low = {};
  }
  for (Solve& solve : solves) {
    for (auto* definitions : {&solve.before, &solve.held_in_matrix}) {
      for (Definition& definition : *definitions) drop_one(definition.value);
    }
    for (Unknown& unknown : solve.unknowns) {
      for (Expr* guess : {&unknown.first_guess, &unknown.next_guess}) drop_one(*guess);
    }
    for (auto* expressions : {&solve.residuals, &solve.scale, &solve.background}) drop(*expressions);
  }
  drop(end_multipliers);
  for (auto* vectors : {&stage_velocities, &stage_impulses, &node_impulses}) drop_all(*vectors);
  for (auto* polynomials : {&positions_inside, &momenta_inside}) {
    for (StepPolynomial& polynomial : *polynomials) drop_all(polynomial.changes);
  }
  drop(branch_sides);
}

StepRecipe begin_recipe(const System& system, bool carries_multipliers) {
  StepRecipe recipe;
  recipe.graph = std::make_shared<Graph>();
  Graph& graph = *recipe.graph;
  const auto add_state = [&](const std::string& name) {
    recipe.state.push_back({.symbol = graph.symbol(name), .low = graph.symbol("low." + name), .increment = {}});
  };
  // Names with a dot or a blank cannot collide with names that a user may write.
  recipe.t = graph.symbol("t");
  recipe.h = graph.symbol("step.h");
  for (const Parameter& constant : system.step_constants()) recipe.parameters.push_back(graph.symbol(constant.name));
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
