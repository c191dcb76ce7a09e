#include "method/spark_multipliers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "method/coefficients.hpp"
#include "method/work.hpp"

namespace noslip {

SparkMultipliers::SparkMultipliers(const System& system, const SparkCoefficients& spark, StepRecipe& recipe)
    : system_(system),
      spark_(spark),
      recipe_(recipe),
      graph_(*recipe.graph),
      m_(static_cast<int>(system.constraints().size())),
      l_(static_cast<int>(system.holonomic().size())) {
  for (int j = 0; j < spark.q.stages(); ++j) z.push_back(new_symbols(graph_, fmt::format("z{}_", j + 1), m_));
  if (spark.first_multiplier_given) z[0] = recipe.h * recipe.start(recipe.first_multiplier, m_);
  const int count = l_ == 0 ? 0 : nodes().last() + 1;
  for (int j = 0; j < count; ++j) y.push_back(new_symbols(graph_, fmt::format("y{}_", j), l_));
}

Vector SparkMultipliers::y_at_stage(int j) const {
  if (l_ == 0 || system_.nonideal().empty()) return {};
  return sum(lagrange_weights(nodes().c, spark_.q.c[j]), y);
}

void SparkMultipliers::add_unknowns(const std::function<Solve&(int)>& of_stage,
                                    const std::function<Solve&(int)>& of_node) const {
  const Vector at_start = recipe_.h * recipe_.multipliers;
  const auto add = [&](Solve& solve, const Vectors& symbols, const Weights& c, int j, int first) {
    const Vector guess = head(tail(at_start, first), symbols[j].size());
    solve.seek(symbols[j], guess, sum(continuation(c, 1 + c[j]), symbols), false);
  };
  for (int j = spark_.first_multiplier_given ? 1 : 0; j < spark_.q.stages(); ++j) add(of_stage(j), z, spark_.q.c, j, 0);
  for (int j = 0; j < node_count(); ++j) add(of_node(j), y, nodes().c, j, m_);
}

void SparkMultipliers::set_at_end() const {
  if (spark_.end_multipliers.empty() && l_ == 0) return;
  recipe_.end_multipliers.resize(m_ + l_);
  const std::size_t first = recipe_.first_multiplier;
  if (!spark_.end_multipliers.empty()) {
    Vector lambda = sum(spark_.end_multipliers, z) / recipe_.h;
    if (spark_.carries_multipliers()) {
      const Vector at_start = recipe_.start(first, m_);
      lambda = lambda + spark_.weight_of_start() * at_start;
      recipe_.move(first, lambda - at_start);
    }
    std::copy(lambda.begin(), lambda.end(), recipe_.end_multipliers.begin());
  }
  if (l_ == 0) return;
  const Vector mu = y.back() / recipe_.h;
  if (nodes().has_end_multiplier) std::copy(mu.begin(), mu.end(), recipe_.end_multipliers.begin() + m_);
  if (system_.offers().multiplier_variables) recipe_.move(first, mu - recipe_.start(first, l_));
}

void SparkMultipliers::add_work(const std::vector<Stage>& stages, const std::vector<PositionNode>& at_nodes) const {
  noslip::add_work(recipe_, recipe_.h, spark_.forces.b, stages);
  add_reaction_work(recipe_, spark_.reactions.b, stages);
  if (l_ == 0) return;
  add_reaction_work(recipe_, nodes().b, at_nodes, y);
  if (nodes().correction.empty()) return;
  add_reaction_work(recipe_, nodes().correction, std::vector(at_nodes.size(), at_nodes.back()), y);
}

}  // namespace noslip
