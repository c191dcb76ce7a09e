#include "method/flat_spark.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "method/coefficients.hpp"

namespace noslip {

namespace {

SparseMatrix copied(const SparseMatrix& matrix, Graph& graph) {
  Substitution copy(graph);
  return copied(copy, graph, matrix);
}

/// The derivative of a stage's forces by the change at another stage is a sum over all stages, since forces contain
/// positions and these are sums of velocities. With more stages than this, positions at the stages are unknowns, too:
/// derivatives are single terms then.
constexpr int most_stages_without_places = 16;

bool are_different(Weights nodes) {
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end();
}

}  // namespace

FlatSpark::FlatSpark(const System& system, const SparkCoefficients& spark, Constraints constraints)
    : SparkStep(system, spark, constraints),
      has_impulses_(step_.has_plain_momenta && system.states().empty() && spark.forces.a == spark.reactions.a &&
                    spark.forces.b == spark.reactions.b && (!spark.nodes || spark.nodes->correction.empty())),
      mass_(has_impulses_ ? copied(system.mass(), step_.graph) : SparseMatrix{}),
      reach_(row_sums(spark.q)),
      placed_(coordinates_of_places()) {}

std::vector<std::size_t> FlatSpark::coordinates_of_places() const {
  if (has_impulses_ || s_ <= most_stages_without_places) return {};
  Vector functions = step_.system.momenta();
  const auto add = [&](const std::vector<Expr>& more) { functions.insert(functions.end(), more.begin(), more.end()); };
  add(step_.system.forces());
  add(step_.system.velocities());
  add(step_.system.nonideal());
  for (const FirstOrderState& state : step_.system.states()) functions.push_back(state.rate);
  for (const Constraint& constraint : step_.system.constraints()) functions.push_back(constraint.k);
  const Vector used = symbols_of(functions);  // in order
  const auto is_older = [](Expr a, Expr b) { return a.id < b.id; };
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < step_.system.configuration().size(); ++k) {
    if (std::binary_search(used.begin(), used.end(), step_.system.q()[k], is_older)) result.push_back(k);
  }
  return result;
}

Weights FlatSpark::node_weights(int i) const {
  if (l_ == 0) return {};
  return i < s_ ? nodes().a[i] : nodes().b;
}

void FlatSpark::choose_stages() {
  if (!has_impulses_) {
    new_changes();
    for (int i = 1; i <= s_ && !placed_.empty(); ++i) {
      Y_.push_back(new_symbols(step_.graph, fmt::format("Y{}_", i), placed_.size()));
    }
    return;
  }
  const auto new_impulses = [&](const char* name, int j) {
    return new_symbols(step_.graph, fmt::format("{}{}_", name, j), step_.v0.size());
  };
  for (int j = 0; j < s_; ++j) U_.push_back(new_impulses("U", j + 1));
  for (int j = 0; j < node_count(); ++j) X_.push_back(new_impulses("X", j));
  for (int i = 0; i < s_; ++i) D_.push_back({by_impulses(spark_.forces.a[i], node_weights(i)), {}});
  const std::vector<Weights> next = next_impulses(spark_.forces);
  for (int j = 0; j < s_; ++j) of_stage(j).seek(U_[j], step_.h * step_.recipe.accelerations, sum(next[j], U_));
  for (int j = 0; j < node_count(); ++j) {
    of_node(j).seek(X_[j], zeros(step_.graph, X_[j].size()), sum(continuation(nodes().c, 1 + nodes().c[j]), X_));
  }
}

Vector FlatSpark::move(quad total, const Weights& a) const { return step_.h * (total * step_.v0 + sum(a, D_.v)); }

Vector FlatSpark::move_to_stage(int i) const {
  Vector result = move(reach_[i], spark_.q.a[i]);
  if (placed_.empty()) return result;
  Vector v0;
  for (const std::size_t k : placed_) v0.push_back(step_.v0[k]);
  const Vector placed = step_.h * (reach_[i] * v0 + Y_[i]);
  for (std::size_t k = 0; k < placed_.size(); ++k) result[placed_[k]] = placed[k];
  return result;
}

void FlatSpark::seek_places() {
  if (placed_.empty()) return;
  std::unordered_map<NodeId, const Unknown*> unknowns;
  for (const Unknown& unknown : stages_solve_.unknowns) unknowns.emplace(unknown.symbol.id, &unknown);
  Vectors changes, first, next;  // of the coordinates with places
  for (int j = 0; j < s_; ++j) {
    changes.emplace_back();
    first.emplace_back();
    next.emplace_back();
    for (const std::size_t k : placed_) {
      const Unknown& change = *unknowns.at(D_.v[j][k].id);
      changes.back().push_back(change.symbol);
      first.back().push_back(change.first_guess);
      next.back().push_back(change.next_guess);
    }
  }
  for (int i = 0; i < s_; ++i) {
    const Weights& a = spark_.q.a[i];
    stages_solve_.seek(Y_[i], sum(a, first), sum(a, next), false);
    stages_solve_.require(Y_[i] - sum(a, changes));
  }
  stages_solve_.keeps_unknowns = true;
}

void FlatSpark::add_end(Change change, bool stored_as_seen) {
  q1_ = step_.recipe.move(0, move(1, spark_.q.b), {}, stored_as_seen);
  Stage at = step_.end(q1_, change, has_impulses_);
  on_constraint_.push_back({s_, std::move(change), std::move(at)});
}

void FlatSpark::describe_inside() {
  if (step_.conjugate.exists() || !corrections_.empty() || !are_different(spark_.q.c)) return;
  const auto of_system = [this](const Vector& momenta) { return head(momenta, step_.velocities()); };
  StepPolynomial positions{spark_.q.c, {}}, momenta{spark_.q.c, U_};
  for (int j = 0; j < s_; ++j) {
    positions.changes.push_back(step_.h * (step_.v0 + D_.v[j]));
    if (!has_impulses_) momenta.changes.push_back(of_system(step_.h * stages_[j].force + stages_[j].reactions));
  }
  step_.recipe.positions_inside = {std::move(positions)};
  step_.recipe.momenta_inside = {std::move(momenta)};
  step_.recipe.moves_velocities = has_impulses_;
  if (l_ == 0) return;
  Vectors reactions;
  for (const Vector& each : has_impulses_ ? X_ : node_reactions_) reactions.push_back(of_system(each));
  step_.recipe.momenta_inside.push_back({nodes().c, std::move(reactions)});
}

}  // namespace noslip
