// What a mechanical system shows: Lagrangian or Hamiltonian, constraints, momenta, forces, equations of motion.
#include <fmt/format.h>

#include "model/kind/mechanical_builder.hpp"
#include "model/kind/show.hpp"
#include "model/state_blocks.hpp"

namespace noslip {
namespace {

/// M[x, y] = ..., the upper triangle without zeros.
std::vector<Equation> mass_equations(const System& system, Pen pen) {
  std::vector<Equation> result;
  const auto& names = system.velocity_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::size_t j : system.mass()[i].places()) {
      if (j < i) continue;
      result.push_back({fmt::format("M[{}, {}]", names[i], names[j]), pen.write(system.mass()[i][j])});
    }
  }
  if (result.empty()) result.push_back({"M", "0"});
  return result;
}

std::vector<Equation> nonideal_equations(const System& system, Pen pen) {
  std::vector<Equation> result;
  for (std::size_t i = 0; i < system.nonideal().size(); ++i) {
    if (system.nonideal()[i].is_zero()) continue;
    result.push_back({fmt::format("N({})", system.velocity_names()[i]), pen.write(system.nonideal()[i])});
  }
  return result;
}

class MechanicalShown {
 public:
  MechanicalShown(const System& system, Writer& writer) : system_(system), writer_(writer) {}

  Shown make() {
    variables();
    facts();
    if (writer_.writes_outline()) return std::move(shown_);
    if (system_.has_hamiltonian()) single("Hamiltonian", hamiltonian_equation);
    system_.has_implicit_momenta() ? hamiltonian_form() : lagrangian_form();
    entries();
    return std::move(shown_);
  }

 private:
  void single(std::string title, Equation (*equation)(const System&, Pen)) {
    shown_.sections.push_back(
        {std::move(title), {equation(system_, writer_.text_pen())}, {equation(system_, writer_.latex_pen())}});
  }
  void section(std::string title, std::vector<Equation> (*equations)(const System&, Pen)) {
    add_section(shown_, std::move(title), system_, writer_, equations);
  }
  void text_only(std::string title, std::vector<Equation> equations) {
    shown_.sections.push_back({std::move(title), std::move(equations), {}});
  }

  void variables() {
    if (system_.is_on_group()) {
      shown_.variables = {{"group", {system_.group().name()}},
                          {"coordinates", position_names(system_)},
                          {"velocities", velocity_block()}};
      shown_.moving_one = "velocity";
      shown_.moving_many = "velocities";
    } else {
      shown_.variables = {{"coordinates", system_.blocks().front().names}};
      shown_.moving_one = "coordinate";
      shown_.moving_many = "coordinates";
    }
    if (!system_.states().empty()) shown_.variables.push_back({"states", state_names(system_)});
    shown_.angles = angles_of(system_);
    shown_.residual_label = system_.holonomic().empty() ? "largest |k|" : "largest |k|, |g|";
  }

  std::vector<std::string> velocity_block() const {
    for (const Block& block : system_.blocks()) {
      if (block.role == Role::velocity) return block.names;
    }
    return {};
  }

  void states() {
    if (!system_.states().empty()) section("States, of first order", state_equations);
  }

  void constraints() {
    if (!system_.constraints().empty()) section("Constraints", constraint_equations);
    if (!system_.holonomic().empty()) section("Position constraints", holonomic_equations);
    if (system_.basis().empty()) return;
    section(fmt::format("Basis of the allowed velocities, in the order {}", fmt::join(system_.velocity_names(), ", ")),
            basis_equations);
  }

  void positions() {
    if (system_.is_on_group()) section("Positions, q' from the body velocities", position_equations);
  }

  void turning(bool in_latex) {
    if (turning_equations(system_, writer_.text_pen()).empty()) return;
    section("Turning of the momenta, T = ad*_v p (zero where none is given)", turning_equations);
    if (!in_latex) shown_.sections.back().latex.clear();
  }

  void nonideal() {
    if (!system_.nonideal().empty())
      text_only("Nonideal reactions, N; psi(i) = -lambda_i", nonideal_equations(system_, writer_.text_pen()));
  }

  /// What reactions the equations of motion have: " + K^T lambda + N".
  std::string reactions() const {
    const std::string ideal = system_.velocity_level().empty() ? "" : " + K^T lambda";
    return system_.nonideal().empty() ? ideal : ideal + " + N";
  }
  const char* forces() const { return system_.structure().has_forces ? " + f" : ""; }

  void hamiltonian_form() {
    constraints();
    const std::string title = fmt::format("Velocities, {} = H_p", system_.is_on_group() ? "v" : "q'");
    text_only(title, velocity_equations(system_, writer_.text_pen()));
    positions();
    shown_.sections.push_back({"", {}, velocity_equations(system_, writer_.latex_pen())});
    text_only(fmt::format("Forces, F = -H_q{}", forces()), force_equations(system_, writer_.text_pen()));
    turning(false);
    nonideal();
    section(fmt::format("Equations of motion, p' = {}F{}", system_.is_on_group() ? "ad*_v p + " : "", reactions()),
            momentum_rate_equations);
  }

  void lagrangian_form() {
    single(fmt::format("Lagrangian{}", system_.has_hamiltonian() ? ", L = p . v - H" : ""), lagrangian_equation);
    constraints();
    positions();
    section("Momenta, p = L_v", momentum_equations);
    if (!system_.is_on_group()) shown_.sections.back().latex.clear();
    text_only(fmt::format("Forces, F = L_q{}", forces()), force_equations(system_, writer_.text_pen()));
    turning(system_.is_on_group());
    nonideal();
    text_only("Mass matrix, M = L_vv (symmetric, nonzero entries)", mass_equations(system_, writer_.text_pen()));
    section(fmt::format("Equations of motion, d/dt L_v = {}L_q{}{}", system_.is_on_group() ? "ad*_v L_v + " : "",
                        forces(), reactions()),
            motion_equations);
    if (!system_.velocity_level().empty()) {
      text_only("Constraints, differentiated", acceleration_constraints(system_, writer_.text_pen()));
    }
    states();
    single("Energy, E = v . L_v - L", energy_equation);
  }

  void entries() {
    if (writer_.writes_outline()) return;
    const auto add = [&](const char* key, ShownValue value) { shown_.entries.emplace_back(key, std::move(value)); };
    const std::vector<std::string>& names = system_.velocity_names();
    if (!system_.basis().empty()) add("basis", text_rows(writer_, system_.basis()));
    if (system_.is_on_group()) {
      add("position_rates", texts_by_name(writer_, system_.blocks().front().names,
                                           {system_.position_rates().begin(),
                                            system_.position_rates().begin() +
                                                static_cast<std::ptrdiff_t>(system_.configuration().size())}));
      add("turning", texts_by_name(writer_, names, system_.turning()));
    }
    add("momenta", texts_by_name(writer_, names, system_.momenta()));
    add("forces", texts_by_name(writer_, names, system_.forces()));
    if (!system_.nonideal().empty()) add("nonideal", texts_by_name(writer_, names, system_.nonideal()));
    if (system_.has_implicit_momenta()) {
      add("velocities", texts_by_name(writer_, names, system_.velocities()));
      add("equations", equation_texts(momentum_rate_equations(system_, writer_.text_pen())));
    } else {
      add("mass", text_rows(writer_, dense(system_.mass())));
      add("equations", equation_texts(motion_equations(system_, writer_.text_pen())));
      add("differentiated_constraints", equation_texts(acceleration_constraints(system_, writer_.text_pen())));
    }
    if (!system_.states().empty()) {
      add("states", texts_by_name(writer_, state_names(system_), rates_of(system_.states())));
    }
    add("energy", {writer_.text(system_.energy())});
  }

  void facts() {
    const Structure& structure = system_.structure();
    const auto add = [&](const char* key, const char* label, std::variant<bool, std::vector<std::string>> value,
                         const char* text = "") {
      shown_.facts.push_back({key, label, std::move(value), text});
    };
    const bool is_implicit = system_.has_implicit_momenta();
    add("constant_mass", "mass matrix constant", structure.constant_mass);
    add("diagonal_mass", "mass matrix diagonal", structure.diagonal_mass);
    if (system_.has_hamiltonian()) {
      add("implicit_momenta", "momenta in closed form", is_implicit, is_implicit ? "no" : "yes");
    }
    add("quadratic_in_v", "Lagrangian quadratic in v", structure.quadratic_in_v);
    add("depends_on_time", "depends on time", structure.depends_on_time);
    add("has_forces", "forces beside the Lagrangian", structure.has_forces);
    add("has_nonideal", structure.has_nonideal ? "nonideal reactions" : "", structure.has_nonideal);
    add("angles", shown_.angles.empty() ? "" : "angles, 2 pi periodic", shown_.angles);
    if (!system_.basis().empty()) add("", "basis of the allowed velocities", true, "given");
    add("cyclic", "coordinates that appear nowhere", structure.cyclic);
  }

  const System& system_;
  Writer& writer_;
  Shown shown_;
};

}  // namespace

Shown mechanical_shown(const System& system, Writer& writer) { return MechanicalShown(system, writer).make(); }

}  // namespace noslip
