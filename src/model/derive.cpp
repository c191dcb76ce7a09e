// What follows from L, k and the forces, or from f and g: every derivative that the methods and the continuous problem
// need.
#include <algorithm>
#include <unordered_set>

#include <noslip/expr/derivative.hpp>
#include "model/system_data.hpp"

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

/// Adds up value * factor(column) over the entries of each row.
template <class Factor>
std::vector<Expr> rows_times(Graph& graph, std::span<const Entry> entries, std::size_t rows, Factor factor) {
  std::vector<std::vector<Expr>> terms(rows);
  for (const Entry& entry : entries) {
    terms[static_cast<std::size_t>(entry.row)].push_back(entry.value * factor(static_cast<std::size_t>(entry.column)));
  }
  std::vector<Expr> result;
  for (const auto& row : terms) result.push_back(sum(graph, row));
  return result;
}

void find_structure(SystemData& data) {
  Structure& structure = data.structure;
  std::vector<Expr> mass_entries;
  structure.diagonal_mass = true;
  for (std::size_t i = 0; i < data.mass.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (data.mass[i][j].is_zero()) continue;
      mass_entries.push_back(data.mass[i][j]);
      if (i != j) structure.diagonal_mass = false;
    }
  }
  const NodeSet in_mass = symbols_in(mass_entries);
  structure.quadratic_in_v = !any_in(data.v, in_mass) && !any_in(data.z, in_mass);
  structure.constant_mass = structure.quadratic_in_v && !any_in(data.q, in_mass) && in_mass.count(data.t.id) == 0;

  std::vector<Expr> everything = data.applied_forces;
  everything.push_back(data.lagrangian);
  for (const Constraint& constraint : data.velocity_level) everything.push_back(constraint.k);
  for (const HolonomicConstraint& constraint : data.holonomic) everything.push_back(constraint.g);
  const NodeSet used = symbols_in(everything);
  structure.depends_on_time = used.count(data.t.id) != 0;
  for (std::size_t i = 0; i < data.q.size(); ++i) {
    if (used.count(data.q[i].id) == 0) structure.cyclic.push_back(data.coordinates[i]);
  }
  structure.has_forces =
      std::any_of(data.applied_forces.begin(), data.applied_forces.end(), [](Expr force) { return !force.is_zero(); });
}

void derive_lagrangian(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.q.size();
  const Expr zero = graph.constant(0);

  std::vector<Expr> state = data.v;
  state.insert(state.end(), data.q.begin(), data.q.end());
  const std::vector<Expr> gradient_of_l = gradient(data.lagrangian, state);
  data.momenta.assign(gradient_of_l.begin(), gradient_of_l.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t i = 0; i < n; ++i) data.forces.push_back(gradient_of_l[n + i] + data.applied_forces[i]);
  data.energy = dot(graph, data.v, data.momenta) - data.lagrangian;

  data.mass.assign(n, std::vector<Expr>(n, zero));
  for (const Entry& entry : jacobian(data.momenta, data.v)) {
    // The two triangles are equal in value, not always in form; one form is kept.
    if (entry.column > entry.row) continue;
    const auto i = static_cast<std::size_t>(entry.row);
    const auto j = static_cast<std::size_t>(entry.column);
    data.mass[i][j] = data.mass[j][i] = entry.value;
  }

  // Along a motion (q, t) moves with (v, 1).
  std::vector<Expr> position = data.q;
  position.push_back(data.t);
  const Expr one = graph.constant(1);
  const auto rate = [&](std::size_t column) { return column < n ? data.v[column] : one; };

  const std::vector<Expr> transport = rows_times(graph, jacobian(data.momenta, position), n, rate);
  for (std::size_t i = 0; i < n; ++i) data.acceleration_rhs.push_back(data.forces[i] - transport[i]);

  std::vector<Expr> k;
  for (const Constraint& constraint : data.constraints) k.push_back(constraint.k);
  for (const Expr change : rows_times(graph, jacobian(k, position), k.size(), rate)) {
    data.constraint_rhs.push_back(-change);
  }
}

/// Position constraints: their derivatives d/dt g = g_t + G v join the velocity constraints, with
/// G a = -d/dt (g_t + G v) at constant v.
void derive_positions(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.q.size(), count = data.holonomic.size();
  std::vector<Expr> position = data.q, g, rates;
  position.push_back(data.t);
  for (const HolonomicConstraint& constraint : data.holonomic) g.push_back(constraint.g);
  const auto along = [&](std::span<const Expr> functions) {
    const auto rate = [&](std::size_t column) { return column < n ? data.v[column] : graph.constant(1); };
    return rows_times(graph, jacobian(functions, position), count, rate);
  };
  rates = along(g);
  data.velocity_level = data.constraints;
  for (std::size_t r = 0; r < count; ++r) {
    const bool moves = symbols_in(std::span(&g[r], 1)).count(data.t.id) != 0;
    data.velocity_level.push_back({data.holonomic[r].text, rates[r],
                                   moves ? ConstraintKind::affine : ConstraintKind::linear, data.holonomic[r].G});
  }
  for (const Expr change : along(rates)) data.constraint_rhs.push_back(-change);
}

void derive_mechanical(SystemData& data) {
  data.has_implicit_momenta ? derive_hamiltonian(data) : derive_lagrangian(data);
  derive_positions(data);
  find_structure(data);
  derive_power(data);
}

/// The hidden constraint is what d/dt g = 0 says: g_t + g_y f = 0.
void derive_index_two(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.q.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms;
    for (const std::vector<Expr>& part : data.parts) {
      if (!part.empty()) terms.push_back(part[i]);
    }
    data.rates.push_back(sum(graph, terms));
  }
  std::vector<Expr> g;
  for (const Constraint& constraint : data.constraints) g.push_back(constraint.k);
  std::vector<Expr> position = data.q;
  position.push_back(data.t);
  const Expr one = graph.constant(1);
  data.hidden_constraints = rows_times(graph, jacobian(g, position), g.size(),
                                       [&](std::size_t column) { return column < n ? data.rates[column] : one; });

  std::vector<Expr> everything = g;
  for (const std::vector<Expr>& part : data.parts) everything.insert(everything.end(), part.begin(), part.end());
  const NodeSet used = symbols_in(everything);
  data.structure.depends_on_time = used.count(data.t.id) != 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (used.count(data.q[i].id) == 0) data.structure.cyclic.push_back(data.coordinates[i]);
  }
}

}  // namespace

void derive(SystemData& data) {
  data.kind == SystemKind::mechanical ? derive_mechanical(data) : derive_index_two(data);
}

}  // namespace noslip
