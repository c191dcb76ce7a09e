// The rules are those of model/kind/mechanical_hamiltonian.cpp.
#include "method/closed_momenta.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "model/symbolic_inverse.hpp"

namespace noslip {

namespace {

/// Do positions or the time change the masses of these rows?
bool is_moving(const System& system, const std::vector<std::size_t>& rows) {
  for (const std::size_t row : rows) {
    for (const Expr& symbol : symbols_of(system.mass()[row].values())) {
      const bool is_position = std::find(system.q().begin(), system.q().end(), symbol) != system.q().end();
      if (is_position || symbol == system.t()) return true;
    }
  }
  return false;
}

}  // namespace

std::string why_no_closed_momenta(const System& system) {
  assert(system.has_implicit_momenta());
  if (!system.structure().quadratic_in_v) return "the Hamiltonian is not quadratic in the momenta";
  std::vector<std::size_t> largest;
  for (const std::vector<std::size_t>& block : coupled_blocks(dense(system.mass()))) {
    if (block.size() > largest.size() && is_moving(system, block)) largest = block;
  }
  assert(largest.size() > largest_closed_block);
  std::vector<std::string> names;
  for (const std::size_t i : largest) names.push_back(system.momenta()[i].name());
  return fmt::format(
      "the Hamiltonian couples {} by factors that depend on positions or the time, and closed forms are made of up to "
      "{} coupled momenta (a Lagrangian has no such limit)",
      list_of(names), largest_closed_block);
}

}  // namespace noslip
