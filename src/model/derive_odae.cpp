// What follows from v, p, f, r and g of an odae system. With k = g_t + g_y v, the motion satisfies
//   p_z z' = f + r(lambda) - p_y v - p_t,    k_z z' = -(k_y v + k_t).
#include <algorithm>

#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include "model/builder.hpp"

namespace noslip {
namespace {

void find_structure_of_odae(SystemData& data) {
  Structure& structure = data.structure;
  std::vector<Expr> entries;
  structure.diagonal_mass = true;
  for (std::size_t i = 0; i < data.mass.size(); ++i) {
    for (std::size_t j = 0; j < data.mass.size(); ++j) {
      if (i != j && !data.mass[i][j].is_zero()) structure.diagonal_mass = false;
      entries.push_back(data.mass[i][j]);
    }
  }
  const std::vector<Expr> time{data.t};
  const std::vector<bool> smooth = are_smooth(data.momenta, data.v);
  structure.constant_mass = !touches(entries, data.q) && !touches(entries, data.v) && !touches(entries, time) &&
                            std::find(smooth.begin(), smooth.end(), false) == smooth.end();

  std::vector<Expr> everything;
  for (const auto* part : {&data.velocities, &data.momenta, &data.forces, &data.position_reactions}) {
    everything.insert(everything.end(), part->begin(), part->end());
  }
  for (const HolonomicConstraint& constraint : data.holonomic) everything.push_back(constraint.g);
  structure.depends_on_time = touches(everything, time);
  for (std::size_t i = 0; i < data.q.size(); ++i) {
    if (!touches(everything, std::span(&data.q[i], 1))) structure.cyclic.push_back(data.coordinates[i]);
  }
}

}  // namespace

void derive_odae(SystemData& data) {
  Graph& graph = *data.graph;
  const std::size_t n = data.v.size();
  data.mass.assign(n, std::vector<Expr>(n, graph.constant(0)));
  for (const Entry& entry : jacobian(data.momenta, data.v)) {
    data.mass[static_cast<std::size_t>(entry.row)][static_cast<std::size_t>(entry.column)] = entry.value;
  }
  const std::vector<Expr> transport = change_in_motion(data, data.momenta, data.velocities);
  for (std::size_t i = 0; i < n; ++i) data.acceleration_rhs.push_back(data.forces[i] - transport[i]);

  std::vector<Expr> g;
  for (const HolonomicConstraint& constraint : data.holonomic) g.push_back(constraint.g);
  const std::vector<Expr> k = change_in_motion(data, g, data.velocities);
  Substitution at_zero(graph);
  for (const Expr z : data.v) at_zero.replace(z, graph.constant(0));
  for (std::size_t r = 0; r < k.size(); ++r) {
    Constraint rate{data.holonomic[r].text, k[r], ConstraintKind::nonlinear, gradient(k[r], data.v)};
    if (!touches(rate.K, data.v) && is_smooth(k[r], data.v)) {
      rate.kind = at_zero(k[r]).is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
    }
    data.velocity_level.push_back(std::move(rate));
  }
  for (const Expr change : change_in_motion(data, k, data.velocities)) data.constraint_rhs.push_back(-change);
  find_structure_of_odae(data);
}

}  // namespace noslip
