#include "run/start_conditions.hpp"

#include <noslip/expr/derivative.hpp>

#include "model/state_blocks.hpp"

namespace noslip {

bool is_linear_mechanics(const System& system) {
  return system.offers().lagrangian && !system.has_hamiltonian() && system.nonideal().empty() &&
         system.basis().empty() && (!system.is_on_group() || system.holonomic().empty());
}

StartConditions::StartConditions(const System& system)
    : system_(system),
      graph_(system.graph()),
      q_(graph_.counterparts(system.q())),
      v_(graph_.counterparts(system.v())),
      z_(graph_.counterparts(system.z())) {
  const Offers& offers = system.offers();
  if (offers.skew_form) {
    add_structure();
  } else if (offers.given_multipliers) {
    add_index_two();
  } else {
    add_mechanics();
  }
  for (const Expr& defect : system.group_defect()) vanish(graph_.counterpart(defect), graph_.constant(1));
}

void StartConditions::vanish(Expr residual, Expr size) {
  residuals.push_back(residual);
  sizes.push_back(size);
}

void StartConditions::vanish(const std::vector<Expr>& functions, const std::vector<Expr>& variables) {
  Gradients slopes(graph_, variables);
  for (const Expr& function : graph_.counterparts(functions)) {
    const SparseRow slope = slopes(function);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < slope.places().size(); ++i) {
      terms.push_back(abs(slope.values()[i] * variables[slope.places()[i]]));
    }
    vanish(function, sum(graph_, terms));
  }
}

void StartConditions::be_finite(std::span<const Expr> expressions) {
  for (const Expr& expression : expressions) finite.push_back(graph_.counterpart(expression));
}

std::vector<Expr> StartConditions::slopes(const std::vector<Expr>& functions, const std::vector<Expr>& variables) {
  return dense_jacobian(graph_, graph_.counterparts(functions), variables);
}

void StartConditions::add_structure() {
  be_finite(std::vector{system_.energy()});
  be_finite(system_.position_rates());
  const std::vector<std::vector<Expr>>& structure = system_.structure_matrix();
  for (std::size_t i = 0; i < structure.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Expr entry = graph_.counterpart(structure[i][j]), sum = entry + graph_.counterpart(structure[j][i]);
      if (!sum.is_zero()) vanish(sum, abs(entry));
    }
  }
}

void StartConditions::add_index_two() {
  be_finite(system_.position_rates());
  const std::vector<Expr> t{graph_.counterpart(system_.t())};
  const std::vector<Expr> g = values_of(system_.constraints()), &hidden = system_.hidden_constraints();
  vanish(g, q_);
  vanish(hidden, entries_of({q_, z_}));
  A = slopes(g, q_);
  B = slopes(system_.position_rates(), z_);
  for (const std::vector<Expr>* values : {&A, &B}) be_finite(*values);
  be_finite(slopes(g, t));
  be_finite(slopes(hidden, t));
  be_finite(slopes(hidden, q_));
}

void StartConditions::add_mechanics() {
  const std::vector<Expr> none, &p = system_.has_implicit_momenta() ? z_ : none;
  if (system_.offers().energy) be_finite(std::vector{system_.energy()});
  if (!system_.position_reactions().empty()) {
    be_finite(system_.velocities());
    be_finite(system_.momenta());
    be_finite(system_.forces());
    be_finite(system_.position_reactions());
  }
  be_finite(rates_of(system_.states()));
  vanish(values_of(system_.velocity_level()), entries_of({v_, p}));
  vanish(values_of(system_.holonomic()), q_);
  for (const HolonomicConstraint& constraint : system_.holonomic()) be_finite(constraint.G.values());
  mass = graph_.counterparts(noslip::values_of(system_.mass()));
  if (!p.empty()) add_velocities();
}

void StartConditions::add_velocities() {
  const std::vector<Expr> inverse_mass = slopes(system_.velocities(), z_);
  be_finite(inverse_mass);
  for (std::size_t i = 0; i < v_.size(); ++i) {
    const Expr of_momenta = graph_.counterpart(system_.velocities()[i]);
    std::vector<Expr> terms{abs(of_momenta)};
    for (std::size_t j = 0; j < z_.size(); ++j) terms.push_back(abs(inverse_mass[i * z_.size() + j] * z_[j]));
    vanish(v_[i] - of_momenta, sum(graph_, terms));
  }
}

}  // namespace noslip
