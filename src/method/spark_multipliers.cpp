#include "method/spark_multipliers.hpp"

#include <fmt/format.h>

#include "method/coefficients.hpp"
#include "method/work.hpp"

namespace noslip {

using Vector = std::vector<Expr>;

SparkMultipliers::SparkMultipliers(const System& system, const SparkCoefficients& spark, StepRecipe& recipe)
    : system_(system),
      spark_(spark),
      recipe_(recipe),
      graph_(*recipe.graph),
      m_(static_cast<int>(system.constraints().size())),
      l_(static_cast<int>(system.holonomic().size())) {
  for (int j = 0; j < spark.q.stages(); ++j) {
    z.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
    if (j > 0 || !spark.first_multiplier_given) continue;
    for (int r = 0; r < m_; ++r) z[0][r] = recipe.h * carried(r).symbol;
  }
  const int count = l_ == 0 ? 0 : nodes().last() + 1;
  for (int j = 0; j < count; ++j) y.push_back(new_symbols(graph_, fmt::format("y{}_", j), l_));
}

Vector SparkMultipliers::at_stage(int j) const {
  Vector impulses = z[j];
  if (l_ == 0 || system_.nonideal().empty()) return impulses;
  const std::vector<quad> weights = lagrange_weights(nodes().c, spark_.q.c[j]);
  for (int r = 0; r < l_; ++r) impulses.push_back(combine(graph_, weights, y, r));
  return impulses;
}

void SparkMultipliers::add_unknowns(const std::function<Solve&(int)>& of_stage,
                                    const std::function<Solve&(int)>& of_node) const {
  const auto add = [&](Solve& solve, const std::vector<Vector>& symbols, const std::vector<quad>& c, int j, int first) {
    const std::vector<quad> weights = continuation(c, 1 + c[j]);
    for (int r = 0; r < static_cast<int>(symbols[j].size()); ++r) {
      const Expr guess = recipe_.h * recipe_.multipliers[first + r];
      solve.unknowns.push_back({symbols[j][r], guess, combine(graph_, weights, symbols, r), false});
    }
  };
  for (int j = spark_.first_multiplier_given ? 1 : 0; j < spark_.q.stages(); ++j) add(of_stage(j), z, spark_.q.c, j, 0);
  for (int j = 0; j < node_count(); ++j) add(of_node(j), y, nodes().c, j, m_);
}

void SparkMultipliers::set_at_end() const {
  if (spark_.end_multipliers.empty() && l_ == 0) return;
  recipe_.end_multipliers.resize(m_ + l_);
  for (int r = 0; r < m_ && !spark_.end_multipliers.empty(); ++r) {
    Expr value = combine(graph_, spark_.end_multipliers, z, r) / recipe_.h;
    if (spark_.carries_multipliers()) {
      const Expr at_start = carried(r).symbol;
      value = value + coefficient(graph_, spark_.weight_of_start()) * at_start;
      carried(r).increment = value - at_start;
    }
    recipe_.end_multipliers[r] = value;
  }
  for (int r = 0; r < l_; ++r) {
    const Expr value = y.back()[r] / recipe_.h;
    if (nodes().has_end_multiplier) recipe_.end_multipliers[m_ + r] = value;
    if (system_.offers().multiplier_variables) carried(r).increment = value - carried(r).symbol;
  }
}

void SparkMultipliers::add_work(const std::vector<Stage>& stages, const std::vector<PositionNode>& at_nodes,
                                const std::vector<Vector>& friction) const {
  noslip::add_work(recipe_, recipe_.h, spark_.forces.b, stages);
  add_reaction_work(recipe_, spark_.reactions.b, stages, z);
  add_nonideal_work(recipe_, spark_.reactions.b, stages, friction);
  if (l_ == 0) return;
  add_reaction_work(recipe_, nodes().b, at_nodes, y);
  if (nodes().correction.empty()) return;
  add_reaction_work(recipe_, nodes().correction, std::vector(at_nodes.size(), at_nodes.back()), y);
}

}  // namespace noslip
