// Texts of a mechanical system as expressions: Lagrangian or Hamiltonian, constraints, forces.
#pragma once

#include "model/builder.hpp"

namespace noslip {

class MechanicalBuilder final : public Builder {
 public:
  using Builder::Builder;

 private:
  void own_symbols() override;
  void equations() override;
  void initial() override;
  std::vector<std::string> exact_names() const override { return data_.coordinates; }
  std::vector<Expr> velocity_symbols() const override;
  bool has_energy() const override { return true; }

  void names_of_constraints();
  void lagrangian();
  void constraints();
  void holonomic();
  void not_too_many_constraints();
  /// One expression per velocity, zero for those that the table does not name.
  std::vector<Expr> by_velocity(const std::vector<NamedText>& table, const Rule& rule);
  void states();
  void forces();
  void nonideal();

  void basis();  // mechanical_basis.cpp

  void hamiltonian();  // mechanical_hamiltonian.cpp
  void legendre_transform();
  void initial_velocities();
};

/// Vector fields span what constraints allow only where these are linear in the velocities: problems of those that are
/// not.
void require_linear_constraints(const SystemText& text, const SystemData& data, std::vector<Problem>& problems);

void derive_mechanical(SystemData& data);
Shown mechanical_shown(const System& system, Writer& writer);

}  // namespace noslip
