// What follows from L, k and the forces: every derivative that the methods and the equations of motion need.
#include <algorithm>
#include <unordered_set>

#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/kind/mechanical_builder.hpp"

namespace noslip {
namespace {

using NodeSet = std::unordered_set<NodeId>;

NodeSet symbols_in(std::span<const Expr> roots) {
  NodeSet result;
  for (const Expr symbol : symbols_of(roots)) result.insert(symbol.id);
  return result;
}

bool any_in(std::span<const Expr> symbols, const NodeSet& set) {
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) { return set.count(symbol.id) != 0; });
}

/// Names of what appears nowhere: a coordinate, or a matrix as a whole.
std::vector<std::string> unused(const SystemData& data, const NodeSet& used) {
  std::vector<std::string> result;
  std::vector<bool> belongs_to_matrix(data.q.size(), false);
  std::vector<std::string> names = data.coordinates;
  for (const Factor& factor : data.factors) {
    if (!factor.is_matrix()) continue;
    std::fill_n(belongs_to_matrix.begin() + static_cast<std::ptrdiff_t>(factor.first), factor.size, true);
    if (any_in(std::span(data.q).subspan(factor.first, factor.size), used)) continue;
    belongs_to_matrix[factor.first] = false;
    names[factor.first] = factor.name;
  }
  for (std::size_t i = 0; i < data.configuration().size(); ++i) {
    if (!belongs_to_matrix[i] && used.count(data.q[i].id) == 0) result.push_back(names[i]);
  }
  return result;
}

void find_structure(SystemData& data) {
  Structure& structure = data.structure;
  std::vector<Expr> mass_entries;
  structure.diagonal_mass = true;
  for (std::size_t i = 0; i < data.mass.size(); ++i) {
    const SparseRow& row = data.mass[i];
    for (std::size_t k = 0; k < row.places().size() && row.places()[k] <= i; ++k) {
      mass_entries.push_back(row.values()[k]);
      if (row.places()[k] != i) structure.diagonal_mass = false;
    }
  }
  const NodeSet in_mass = symbols_in(mass_entries);
  structure.quadratic_in_v = !any_in(data.v, in_mass) && !any_in(data.z, in_mass) &&
                             is_smooth(data.lagrangian, data.v) && is_smooth(data.lagrangian, data.z);
  structure.constant_mass = structure.quadratic_in_v && !any_in(data.q, in_mass) && in_mass.count(data.t.id) == 0;

  std::vector<Expr> everything = data.applied_forces;
  everything.insert(everything.end(), data.nonideal.begin(), data.nonideal.end());
  everything.push_back(data.lagrangian);
  for (const FirstOrderState& state : data.states) everything.push_back(state.rate);
  for (const Constraint& constraint : data.velocity_level) everything.push_back(constraint.k);
  for (const HolonomicConstraint& constraint : data.holonomic) everything.push_back(constraint.g);
  const NodeSet used = symbols_in(everything);
  structure.depends_on_time = used.count(data.t.id) != 0;
  structure.cyclic = unused(data, used);
  structure.has_nonideal = !data.nonideal.empty();
  structure.has_forces =
      std::any_of(data.applied_forces.begin(), data.applied_forces.end(), [](Expr force) { return !force.is_zero(); });
}

/// Derivatives by the numbers that hold the positions, as derivatives along the velocities.
std::vector<Expr> along(const SystemData& data, std::span<const Expr> by_position) {
  if (data.group->is_vector_space()) return {by_position.begin(), by_position.end()};
  return transposed_times(data.group->frame(data.configuration()), by_position);
}

void derive_lagrangian(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.v.size();

  std::vector<Expr> state = data.v;
  state.insert(state.end(), data.configuration().begin(), data.configuration().end());
  const std::vector<Expr> gradient_of_l = gradient(data.lagrangian, state);
  data.momenta.assign(gradient_of_l.begin(), gradient_of_l.begin() + static_cast<std::ptrdiff_t>(n));
  const std::vector<Expr> slope = along(data, std::span(gradient_of_l).subspan(n));
  for (std::size_t i = 0; i < n; ++i) data.forces.push_back(slope[i] + data.applied_forces[i]);
  data.energy = dot(graph, data.v, data.momenta) - data.lagrangian;

  data.mass = symmetric_jacobian(graph, data.momenta, data.v);

  const std::vector<Expr> transport = change_in_motion(data, data.momenta, data.position_rates);
  data.turning = turning_of_momenta(data);
  for (std::size_t i = 0; i < n; ++i) data.acceleration_rhs.push_back(data.forces[i] + data.turning[i] - transport[i]);

  std::vector<Expr> k;
  for (const Constraint& constraint : data.constraints) k.push_back(constraint.k);
  for (const Expr change : change_in_motion(data, k, data.position_rates)) data.constraint_rhs.push_back(-change);
}

/// Position constraints: their derivatives d/dt g = g_t + G v join the velocity constraints, with
/// G a = -d/dt (g_t + G v) at constant v.
void derive_positions(SystemData& data) {
  std::vector<Expr> g;
  for (const HolonomicConstraint& constraint : data.holonomic) g.push_back(constraint.g);
  const std::vector<Expr> rates = change_in_motion(data, g, data.position_rates);
  data.velocity_level = data.constraints;
  for (std::size_t r = 0; r < g.size(); ++r) {
    const bool moves = symbols_in(std::span(&g[r], 1)).count(data.t.id) != 0;
    data.velocity_level.push_back({data.holonomic[r].text, rates[r],
                                   moves ? ConstraintKind::affine : ConstraintKind::linear, data.holonomic[r].G});
  }
  for (const Expr change : change_in_motion(data, rates, data.position_rates)) data.constraint_rhs.push_back(-change);
}

}  // namespace

std::vector<Expr> gradient_along(const SystemData& data, Expr function) {
  return along(data, gradient(function, data.configuration()));
}

std::vector<Expr> turning_of_momenta(const SystemData& data) {
  if (data.group->is_vector_space()) return std::vector<Expr>(data.v.size(), data.graph->constant(0));
  return transposed_times(data.group->ad(data.v), data.momenta);
}

std::vector<Expr> change_in_motion(const SystemData& data, std::span<const Expr> functions,
                                   std::span<const Expr> rates) {
  std::vector<Expr> position = data.q;
  position.push_back(data.t);
  std::vector<std::vector<Expr>> terms(functions.size());
  for (const Entry& entry : jacobian(functions, position)) {
    const auto column = static_cast<std::size_t>(entry.column);
    const bool is_time = column == rates.size();
    terms[static_cast<std::size_t>(entry.row)].push_back(is_time ? entry.value : entry.value * rates[column]);
  }
  std::vector<Expr> result;
  for (const auto& row : terms) result.push_back(sum(*data.graph, row));
  return result;
}

void derive_mechanical(SystemData& data) {
  data.offers.lagrangian = data.offers.momenta = data.offers.energy = true;
  std::vector<std::string> given, velocities;
  for (const Factor& factor : data.factors) given.insert(given.end(), factor.given.begin(), factor.given.end());
  for (const Expr v : data.v) velocities.push_back(v.name());
  std::vector<std::string> coordinates = data.coordinates, states;
  for (const FirstOrderState& state : data.states) states.push_back(state.name);
  coordinates.resize(data.configuration().size());
  const char* const count = states.empty() ? "positions" : "positions (coordinates and states)";
  data.blocks = {{Role::position, "q", count, std::move(coordinates), std::move(given)}};
  if (!states.empty()) data.blocks.push_back({Role::state, "states", "states", states, states});
  data.blocks.push_back({Role::velocity, "v", "velocities", velocities, velocities});
  if (data.has_implicit_momenta) {
    std::vector<std::string> momenta;
    for (const Expr p : data.p) momenta.push_back(p.name());
    data.blocks.push_back({Role::momentum, "p", "momenta", momenta, momenta});
  }
  data.has_implicit_momenta ? derive_hamiltonian(data) : derive_lagrangian(data);
  derive_positions(data);
  find_structure(data);
  derive_power(data);
  if (!data.group->is_vector_space()) data.group_defect = data.group->defect(data.configuration());
}

}  // namespace noslip
