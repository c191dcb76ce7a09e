// noslip show: the equations that were derived.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <noslip/expr/print.hpp>

#include "equations.hpp"
#include "options.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace noslip::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* show_examples = R"(Examples:
  noslip show sleigh
  noslip show my-robot.toml --latex > equations.tex

The LaTeX is one align* environment (package amsmath) for a document of yours.
)";

std::string lines_of(const std::vector<Equation>& equations) {
  std::string text;
  for (const Equation& equation : equations) text += fmt::format("  {} = {}\n", equation.left, equation.right);
  return text;
}

std::string mass_text(const System& system) {
  std::string text;
  const auto& names = system.velocity_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i; j < names.size(); ++j) {
      if (system.mass()[i][j].is_zero()) continue;
      text += fmt::format("  M[{}, {}] = {}\n", names[i], names[j], to_text(system.mass()[i][j]));
    }
  }
  return text.empty() ? "  M = 0\n" : text;
}

/// What reactions the equations of motion have: " + K^T lambda + N".
std::string reactions_text(const System& system) {
  std::string text = system.velocity_level().empty() ? "" : " + K^T lambda";
  return system.nonideal().empty() ? text : text + " + N";
}

std::string nonideal_text(const System& system) {
  if (system.nonideal().empty()) return "";
  std::string text = "\nNonideal reactions, N; psi(i) = -lambda_i\n";
  for (std::size_t i = 0; i < system.nonideal().size(); ++i) {
    if (system.nonideal()[i].is_zero()) continue;
    text += fmt::format("  N({}) = {}\n", system.velocity_names()[i], to_text(system.nonideal()[i]));
  }
  return text;
}

/// What the file says about velocities and positions, beside the Lagrangian or the Hamiltonian.
std::string constraints_text(const System& system) {
  std::string text;
  if (!system.constraints().empty()) {
    text += "\nConstraints\n" + lines_of(constraint_equations(system, Notation::text));
  }
  if (!system.holonomic().empty()) {
    text += "\nPosition constraints\n" + lines_of(holonomic_equations(system, Notation::text));
  }
  if (!system.basis().empty()) {
    text +=
        fmt::format("\nBasis of the allowed velocities, in the order {}\n", fmt::join(system.velocity_names(), ", "));
    text += lines_of(basis_equations(system, Notation::text));
  }
  return text;
}

/// What else there is in the equations of a system on a group.
std::string positions_text(const System& system) {
  if (!system.is_on_group()) return "";
  return "\nPositions, q' from the body velocities\n" + lines_of(position_equations(system, Notation::text));
}

std::string turning_text(const System& system) {
  const std::vector<Equation> equations = turning_equations(system, Notation::text);
  return equations.empty() ? ""
                           : "\nTurning of the momenta, T = ad*_v p (zero where none is given)\n" + lines_of(equations);
}

const char* turning_term(const System& system, const char* term) { return system.is_on_group() ? term : ""; }

std::string hamiltonian_text(const System& system) {
  std::string text = "\nHamiltonian\n" + lines_of({hamiltonian_equation(system, Notation::text)});
  text += constraints_text(system);
  text += fmt::format("\nVelocities, {} = H_p\n", system.is_on_group() ? "v" : "q'");
  text += lines_of(velocity_equations(system, Notation::text)) + positions_text(system);
  text += fmt::format("\nForces, F = -H_q{}\n", system.structure().has_forces ? " + f" : "");
  text += lines_of(force_equations(system, Notation::text));
  text += turning_text(system) + nonideal_text(system);
  text +=
      fmt::format("\nEquations of motion, p' = {}F{}\n", turning_term(system, "ad*_v p + "), reactions_text(system));
  return text + lines_of(momentum_rate_equations(system, Notation::text));
}

std::string mechanical_text(const System& system) {
  if (system.has_implicit_momenta()) return hamiltonian_text(system);
  std::string text;
  if (system.has_hamiltonian()) text += "\nHamiltonian\n" + lines_of({hamiltonian_equation(system, Notation::text)});
  text += fmt::format("\nLagrangian{}\n", system.has_hamiltonian() ? ", L = p . v - H" : "");
  text += lines_of({lagrangian_equation(system, Notation::text)});
  text += constraints_text(system);
  text += positions_text(system);
  text += "\nMomenta, p = L_v\n" + lines_of(momentum_equations(system, Notation::text));
  text += fmt::format("\nForces, F = L_q{}\n", system.structure().has_forces ? " + f" : "");
  text += lines_of(force_equations(system, Notation::text));
  text += turning_text(system) + nonideal_text(system);
  text += "\nMass matrix, M = L_vv (symmetric, nonzero entries)\n" + mass_text(system);
  text += fmt::format("\nEquations of motion, d/dt L_v = {}L_q{}{}\n", turning_term(system, "ad*_v L_v + "),
                      system.structure().has_forces ? " + f" : "", reactions_text(system));
  text += lines_of(motion_equations(system, Notation::text));
  if (!system.velocity_level().empty()) {
    text += "\nConstraints, differentiated\n" + lines_of(acceleration_constraints(system, Notation::text));
  }
  text += "\nEnergy, E = v . L_v - L\n" + lines_of({energy_equation(system, Notation::text)});
  return text;
}

std::string index_two_text(const System& system) {
  std::string text = "\nDifferential equations, y' = f(t, y, z)\n" + lines_of(rate_equations(system, Notation::text));
  for (std::size_t part = 0; part < system.parts().size(); ++part) {
    const std::vector<Equation> equations = part_equations(system, part, Notation::text);
    if (!equations.empty()) text += fmt::format("\nPart {} of f\n", part_names[part]) + lines_of(equations);
  }
  if (!system.constraints().empty()) {
    text += "\nConstraints, g(t, y) = 0\n" + lines_of(constraint_equations(system, Notation::text));
    text += "\nHidden constraints, g_t + g_y f = 0\n" + lines_of(hidden_equations(system, Notation::text));
  }
  return text;
}

std::string overdetermined_text(const System& system) {
  std::string text = "\nRates, y' = v(t, y, z)\n" + lines_of(velocity_equations(system, Notation::text));
  text += "\nMomenta, d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda)\n";
  text += lines_of(reaction_equations(system, Notation::text));
  if (!system.holonomic().empty()) {
    text += "\nConstraints, g(t, y) = 0\n" + lines_of(holonomic_equations(system, Notation::text));
    text += "\nTheir derivatives, g_t + g_y v = 0\n" + lines_of(rate_constraint_equations(system, Notation::text));
  }
  return text;
}

std::string skew_gradient_text(const System& system) {
  return "\nHamiltonian\n" + lines_of({hamiltonian_equation(system, Notation::text)}) +
         "\nStructure, Pi(x), row by row\n" + lines_of(matrix_equations(system, Notation::text)) +
         "\nDifferential equations, x' = Pi(x) grad H(x)\n" + lines_of(rate_equations(system, Notation::text));
}

std::string show_text(const System& system) {
  std::string text = system.name() + "\n";
  for (const Variables& variables : variables_of(system)) {
    if (variables.names.empty()) continue;
    text += two_columns(variables.letter, fmt::format("{}", fmt::join(variables.names, ", ")), 16);
  }
  if (!system.angles().empty())
    text += two_columns("angles", fmt::format("{}", fmt::join(angles_of(system), ", ")), 16);
  std::string parameters;
  for (const Parameter& parameter : system.parameters()) {
    parameters +=
        fmt::format("{}{} = {}", parameters.empty() ? "" : ", ", parameter.name, to_text(parameter.default_value));
  }
  if (!parameters.empty()) text += two_columns("parameters", parameters, 16);
  switch (system.kind()) {
    case SystemKind::mechanical: return text + mechanical_text(system);
    case SystemKind::dae2: return text + index_two_text(system);
    case SystemKind::odae: return text + overdetermined_text(system);
    case SystemKind::skew_gradient: return text + skew_gradient_text(system);
  }
  return text;
}

std::string as_latex(const System& system) {
  std::vector<Equation> equations;
  const auto add = [&](const std::vector<Equation>& more) {
    equations.insert(equations.end(), more.begin(), more.end());
  };
  if (system.has_hamiltonian()) add({hamiltonian_equation(system, Notation::latex)});
  if (system.has_implicit_momenta()) {
    add(constraint_equations(system, Notation::latex));
    add(holonomic_equations(system, Notation::latex));
    add(basis_equations(system, Notation::latex));
    if (system.is_on_group()) add(position_equations(system, Notation::latex));
    add(velocity_equations(system, Notation::latex));
    add(momentum_rate_equations(system, Notation::latex));
  } else if (system.kind() == SystemKind::odae) {
    add(velocity_equations(system, Notation::latex));
    add(reaction_equations(system, Notation::latex));
    add(holonomic_equations(system, Notation::latex));
    add(rate_constraint_equations(system, Notation::latex));
  } else if (system.kind() == SystemKind::mechanical) {
    add({lagrangian_equation(system, Notation::latex)});
    add(constraint_equations(system, Notation::latex));
    add(holonomic_equations(system, Notation::latex));
    add(basis_equations(system, Notation::latex));
    if (system.is_on_group()) {
      add(position_equations(system, Notation::latex));
      add(momentum_equations(system, Notation::latex));
      add(turning_equations(system, Notation::latex));
    }
    add(motion_equations(system, Notation::latex));
    add({energy_equation(system, Notation::latex)});
  } else if (system.kind() == SystemKind::skew_gradient) {
    add({hamiltonian_equation(system, Notation::latex)});
    add(matrix_equations(system, Notation::latex));
    add(rate_equations(system, Notation::latex));
  } else {
    add(rate_equations(system, Notation::latex));
    add(constraint_equations(system, Notation::latex));
    add(hidden_equations(system, Notation::latex));
  }
  std::string text = "\\begin{align*}\n";
  for (std::size_t i = 0; i < equations.size(); ++i) {
    text +=
        fmt::format("  {} &= {}{}\n", equations[i].left, equations[i].right, i + 1 < equations.size() ? " \\\\" : "");
  }
  return text + "\\end{align*}\n";
}

Json list_of_equations(const std::vector<Equation>& equations) {
  Json list = Json::array();
  for (const Equation& equation : equations) list.push_back(equation.left + " = " + equation.right);
  return list;
}

Json texts_by_name(const std::vector<std::string>& names, const std::vector<Expr>& expressions) {
  Json object = Json::object();
  for (std::size_t i = 0; i < expressions.size(); ++i) object[names[i]] = to_text(expressions[i]);
  return object;
}

Json texts_by_coordinate(const System& system, const std::vector<Expr>& expressions) {
  return texts_by_name(system.coordinates(), expressions);
}

Json list_of_texts(const std::vector<Expr>& expressions) {
  Json list = Json::array();
  for (const Expr expression : expressions) list.push_back(to_text(expression));
  return list;
}

Json matrix_of_texts(const std::vector<std::vector<Expr>>& matrix) {
  Json rows = Json::array();
  for (const std::vector<Expr>& row : matrix) rows.push_back(list_of_texts(row));
  return rows;
}

void add_mechanical(Json& document, const System& system) {
  if (!system.basis().empty()) {
    Json basis = Json::array();
    for (const std::vector<Expr>& row : system.basis()) basis.push_back(list_of_texts(row));
    document["basis"] = std::move(basis);
  }
  if (system.is_on_group()) {
    document["position_rates"] = texts_by_coordinate(system, system.position_rates());
    document["turning"] = texts_by_name(system.velocity_names(), system.turning());
  }
  document["momenta"] = texts_by_name(system.velocity_names(), system.momenta());
  document["forces"] = texts_by_name(system.velocity_names(), system.forces());
  if (!system.nonideal().empty()) document["nonideal"] = texts_by_name(system.velocity_names(), system.nonideal());
  if (system.has_implicit_momenta()) {
    document["velocities"] = texts_by_name(system.velocity_names(), system.velocities());
    document["equations"] = list_of_equations(momentum_rate_equations(system, Notation::text));
    document["energy"] = to_text(system.energy());
    return;
  }
  document["mass"] = matrix_of_texts(system.mass());
  document["equations"] = list_of_equations(motion_equations(system, Notation::text));
  document["differentiated_constraints"] = list_of_equations(acceleration_constraints(system, Notation::text));
  document["energy"] = to_text(system.energy());
}

void add_index_two(Json& document, const System& system) {
  Json parts = Json::object();
  for (std::size_t i = 0; i < system.parts().size(); ++i) {
    if (!system.parts()[i].empty()) parts[part_names[i]] = texts_by_coordinate(system, system.parts()[i]);
  }
  document["parts"] = std::move(parts);
  document["rates"] = texts_by_coordinate(system, system.rates());
  document["equations"] = list_of_equations(rate_equations(system, Notation::text));
  document["hidden_constraints"] = list_of_equations(hidden_equations(system, Notation::text));
}

void add_overdetermined(Json& document, const System& system) {
  document["z"] = system.velocity_names();
  document["velocities"] = texts_by_coordinate(system, system.velocities());
  document["momenta"] = list_of_texts(system.momenta());
  document["forces"] = list_of_texts(system.forces());
  document["reactions"] = list_of_texts(system.position_reactions());
  document["equations"] = list_of_equations(reaction_equations(system, Notation::text));
  document["differentiated_constraints"] = list_of_equations(rate_constraint_equations(system, Notation::text));
}

void add_skew_gradient(Json& document, const System& system) {
  document["hamiltonian"] = to_text(system.hamiltonian());
  document["structure"] = matrix_of_texts(system.structure_matrix());
  document["rates"] = texts_by_coordinate(system, system.rates());
  document["equations"] = list_of_equations(rate_equations(system, Notation::text));
  document["energy"] = to_text(system.energy());
}

std::string as_json(const System& system) {
  const bool is_mechanical = system.kind() == SystemKind::mechanical;
  Json document;
  document["system"] = system.name();
  document["kind"] = to_text(system.kind());
  document["coordinates"] = system.coordinates();
  if (system.is_on_group()) {
    document["group"] = system.group().name();
    document["velocity_names"] = system.velocity_names();
  }
  if (!system.angles().empty()) document["angles"] = angles_of(system);
  document["multiplier_names"] = system.multiplier_names();
  Json parameters = Json::object();
  for (const Parameter& parameter : system.parameters()) parameters[parameter.name] = to_text(parameter.default_value);
  document["parameters"] = std::move(parameters);
  if (system.has_hamiltonian()) document["hamiltonian"] = to_text(system.hamiltonian());
  if (is_mechanical) document["lagrangian"] = to_text(system.lagrangian());
  Json constraints = Json::array();
  for (const Constraint& constraint : system.constraints()) {
    constraints.push_back(
        {{"text", constraint.text}, {"kind", to_text(constraint.kind)}, {"k", to_text(constraint.k)}});
  }
  document["constraints"] = std::move(constraints);
  Json holonomic = Json::array();
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    holonomic.push_back({{"text", constraint.text}, {"g", to_text(constraint.g)}});
  }
  document["holonomic"] = std::move(holonomic);
  switch (system.kind()) {
    case SystemKind::mechanical: add_mechanical(document, system); break;
    case SystemKind::dae2: add_index_two(document, system); break;
    case SystemKind::odae: add_overdetermined(document, system); break;
    case SystemKind::skew_gradient: add_skew_gradient(document, system); break;
  }
  document["latex"] = as_latex(system);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

int show_verb(const Words& words) {
  Arguments arguments("show", "Prints the equations that were derived from a system.");
  arguments.usage("SYSTEM [options]");
  declare_system(arguments);
  arguments.flag("--latex", "as LaTeX");
  arguments.flag("--json", "as one JSON document");
  arguments.epilogue(show_examples);
  if (!arguments.parse(words)) return exit_done;
  if (arguments.has("--latex") && arguments.has("--json")) {
    arguments.problem("--latex and --json are both given", "--json has the LaTeX under the key latex");
  }
  const System system = choose_system(arguments).system;
  print(arguments.has("--json") ? as_json(system) : arguments.has("--latex") ? as_latex(system) : show_text(system));
  return exit_done;
}

}  // namespace noslip::app
