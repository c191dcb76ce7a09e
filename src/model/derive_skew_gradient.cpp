// What follows from H and Pi of a skew-gradient system: the rates f = Pi grad H.
#include <algorithm>

#include <noslip/expr/derivative.hpp>
#include "model/builder.hpp"

namespace noslip {

void derive_skew_gradient(SystemData& data) {
  Graph& graph = *data.graph;
  data.energy = data.hamiltonian;
  const std::vector<Expr> slopes = gradient(data.hamiltonian, data.q);
  for (const std::vector<Expr>& row : data.structure_matrix) data.rates.push_back(dot(graph, row, slopes));
  data.parts.assign(part_names.size(), {});
  data.parts[1] = data.rates;

  std::vector<Expr> everything;
  for (const std::vector<Expr>& row : data.structure_matrix) {
    everything.insert(everything.end(), row.begin(), row.end());
  }
  data.structure.constant_matrix = !touches(everything, data.q);
  everything.push_back(data.hamiltonian);
  const std::vector<Expr> used = symbols_of(everything);
  for (std::size_t i = 0; i < data.q.size(); ++i) {
    if (std::find(used.begin(), used.end(), data.q[i]) == used.end()) {
      data.structure.cyclic.push_back(data.coordinates[i]);
    }
  }
}

}  // namespace noslip
