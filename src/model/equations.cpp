#include "model/equations.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <noslip/expr/print.hpp>

namespace noslip {
namespace {

std::string written(Expr expression, Notation notation) {
  return notation == Notation::latex ? to_latex(expression) : to_text(expression);
}

/// A name that is not a symbol of the system.
std::string named(const std::string& name, Notation notation) {
  return notation == Notation::text ? name : to_latex(Graph().symbol(name));
}

/// x'' of a coordinate, w' of a body velocity.
std::string acceleration_name(const System& system, std::size_t i, Notation notation) {
  const std::string& velocity = system.v()[i].name();
  if (notation == Notation::text || !velocity.ends_with('\'')) return named(velocity + "'", notation);
  const std::string text = to_latex(system.v()[i]);
  return text.starts_with("\\dot") ? "\\d" + text.substr(1)
                                   : fmt::format("\\ddot{{{}}}", named(system.velocity_names()[i], notation));
}

/// "p(x)" or p_{x}; x is a coordinate or a body velocity.
std::string of_velocity(const char* letter, const System& system, std::size_t i, Notation notation) {
  const std::string name = named(system.velocity_names()[i], notation);
  return notation == Notation::latex ? fmt::format("{}_{{{}}}", letter, name) : fmt::format("{}({})", letter, name);
}

/// y' as the left side of an equation; the system has no symbol for it.
std::string rate_name(const System& system, std::size_t i, Notation notation) {
  return notation == Notation::text ? system.coordinates()[i] + "'"
                                    : fmt::format("\\dot{{{}}}", to_latex(system.q()[i]));
}

std::vector<Equation> as_rates(const System& system, const std::vector<Expr>& rates, Notation notation) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    equations.push_back({rate_name(system, i, notation), written(rates[i], notation)});
  }
  return equations;
}

std::string multiplier_name(std::size_t i, Notation notation) {
  return notation == Notation::latex ? fmt::format("\\lambda_{{{}}}", i + 1) : fmt::format("lambda{}", i + 1);
}

/// A sum of products coefficient * factor, where the factors are no expressions of the system's graph.
class TextSum {
 public:
  explicit TextSum(Notation notation) : notation_(notation) {}

  void add(Expr coefficient, const std::string& factor) {
    if (coefficient.is_zero()) return;
    if (coefficient.is_one()) return append(factor);
    if (coefficient.is_constant() && coefficient.number().is_minus_one()) return append("-" + factor);
    const std::string text = written(coefficient, notation_);
    const bool is_sum = coefficient.op() == Op::add || coefficient.op() == Op::sub;
    if (notation_ == Notation::latex) {
      append(is_sum ? fmt::format("\\left({}\\right) {}", text, factor) : fmt::format("{}\\, {}", text, factor));
    } else {
      append(is_sum ? fmt::format("({})*{}", text, factor) : fmt::format("{}*{}", text, factor));
    }
  }
  void add(const std::string& term) { append(term); }
  void add(Expr term) {
    if (!term.is_zero()) append(written(term, notation_));
  }

  std::string text() const { return text_.empty() ? "0" : text_; }

 private:
  void append(const std::string& term) {
    if (text_.empty()) {
      text_ = term;
    } else if (term.starts_with('-')) {
      text_ += " - " + term.substr(1);
    } else {
      text_ += " + " + term;
    }
  }

  Notation notation_;
  std::string text_;
};

/// Nonideal reactions with the multipliers as they are called elsewhere, lambda = -psi; empty texts where they are
/// zero.
std::vector<std::string> nonideal_texts(const System& system, Notation notation) {
  Graph graph;
  Substitution with_lambda(graph);
  for (std::size_t i = 0; i < system.psi().size(); ++i) {
    with_lambda.replace(system.psi()[i], -graph.symbol(system.multiplier_names()[i]));
  }
  std::vector<std::string> texts;
  for (const Expr reaction : system.nonideal()) {
    texts.push_back(reaction.is_zero() ? "" : written(with_lambda(reaction), notation));
  }
  texts.resize(system.v().size());
  return texts;
}

}  // namespace

std::vector<std::string> angles_of(const System& system) {
  std::vector<std::string> names;
  for (const int i : system.angles()) names.push_back(system.coordinates()[static_cast<std::size_t>(i)]);
  return names;
}

std::vector<std::string> position_names(const System& system) {
  std::vector<std::string> names;
  for (const Factor& factor : system.factors()) {
    const auto own = std::span(system.coordinates()).subspan(factor.first, factor.size);
    if (factor.is_matrix()) {
      names.push_back(fmt::format("{} ({} ... {})", factor.name, own.front(), own.back()));
    } else {
      names.insert(names.end(), own.begin(), own.end());
    }
  }
  return names;
}

Equation lagrangian_equation(const System& system, Notation notation) {
  return {"L", written(system.lagrangian(), notation)};
}

Equation hamiltonian_equation(const System& system, Notation notation) {
  return {"H", written(system.hamiltonian(), notation)};
}

std::vector<Equation> position_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (const Factor& factor : system.factors()) {
    for (std::size_t i = factor.first; i < factor.first + factor.size && !factor.group.empty(); ++i) {
      equations.push_back(
          {named(system.coordinates()[i] + "'", notation), written(system.position_rates()[i], notation)});
    }
  }
  return equations;
}

std::vector<Equation> velocity_equations(const System& system, Notation notation) {
  if (!system.is_on_group()) return as_rates(system, system.velocities(), notation);
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.velocities().size(); ++i) {
    equations.push_back({written(system.v()[i], notation), written(system.velocities()[i], notation)});
  }
  return equations;
}

std::vector<Equation> turning_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  const std::vector<Expr>& values = system.turning();
  const char* letter = notation == Notation::latex ? "(\\mathrm{ad}^*_v p)" : "T";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_zero()) continue;
    equations.push_back({of_velocity(letter, system, i, notation), written(values[i], notation)});
  }
  return equations;
}

std::vector<Equation> momentum_rate_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  const std::vector<std::string> nonideal = nonideal_texts(system, notation);
  const std::vector<Expr>& turned = system.turning();
  for (std::size_t i = 0; i < system.z().size(); ++i) {
    TextSum right(notation);
    if (!turned.empty()) right.add(turned[i]);
    right.add(system.forces()[i]);
    for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
      const Constraint& constraint = system.velocity_level()[k];
      const bool has_momenta =
          std::any_of(system.z().begin(), system.z().end(), [&](Expr p) { return depends_on(constraint.k, p); });
      // With momenta in k, K has the inverse of H_pp in it; written out that is no help.
      if (has_momenta) {
        right.add(fmt::format(fmt::runtime(notation == Notation::latex ? "K_{{{}, {}}} {}" : "K[{}, {}]*{}"), k + 1,
                              named(system.velocity_names()[i], notation), multiplier_name(k, notation)));
      } else {
        right.add(constraint.K[i], multiplier_name(k, notation));
      }
    }
    if (!nonideal[i].empty()) right.add(nonideal[i]);
    const std::string p = written(system.z()[i], notation);
    equations.push_back({notation == Notation::latex ? fmt::format("\\dot{{{}}}", p) : p + "'", right.text()});
  }
  return equations;
}

std::vector<Equation> reaction_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.momenta().size(); ++i) {
    TextSum right(notation);
    right.add(system.forces()[i]);
    right.add(system.position_reactions()[i]);
    const std::string p = written(system.momenta()[i], notation);
    equations.push_back({notation == Notation::latex ? fmt::format("\\frac{{d}}{{dt}}\\left({}\\right)", p)
                                                     : fmt::format("d/dt ({})", p),
                         right.text()});
  }
  return equations;
}

std::vector<Equation> rate_constraint_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (const Constraint& constraint : system.velocity_level()) {
    equations.push_back({written(constraint.k, notation), "0"});
  }
  return equations;
}

Equation energy_equation(const System& system, Notation notation) { return {"E", written(system.energy(), notation)}; }

std::vector<Equation> momentum_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.momenta().size(); ++i) {
    equations.push_back({of_velocity("p", system, i, notation), written(system.momenta()[i], notation)});
  }
  return equations;
}

std::vector<Equation> force_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.forces().size(); ++i) {
    equations.push_back({of_velocity("F", system, i, notation), written(system.forces()[i], notation)});
  }
  return equations;
}

std::vector<Equation> constraint_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (const Constraint& constraint : system.constraints()) {
    equations.push_back({written(constraint.k, notation), "0"});
  }
  return equations;
}

std::vector<Equation> holonomic_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    equations.push_back({written(constraint.g, notation), "0"});
  }
  return equations;
}

std::vector<Equation> basis_equations(const System& system, Notation notation) {
  const bool is_latex = notation == Notation::latex;
  std::vector<Equation> equations;
  for (const std::vector<Expr>& row : system.basis()) {
    std::vector<std::string> entries;
    for (const Expr entry : row) entries.push_back(written(entry, notation));
    const std::size_t number = equations.size() + 1;
    equations.push_back({is_latex ? fmt::format("X_{{{}}}", number) : fmt::format("X{}", number),
                         fmt::format("{}{}{}", is_latex ? "\\left(" : "(",
                                     fmt::join(entries, is_latex ? ",\\; " : ", "), is_latex ? "\\right)" : ")")});
  }
  return equations;
}

std::vector<Equation> rate_equations(const System& system, Notation notation) {
  return as_rates(system, system.position_rates(), notation);
}

std::vector<Equation> matrix_equations(const System& system, Notation notation) {
  const bool is_latex = notation == Notation::latex;
  std::vector<Equation> equations;
  std::vector<std::string> rows, variables;
  for (std::size_t i = 0; i < system.structure_matrix().size(); ++i) {
    std::vector<std::string> row;
    for (const Expr entry : system.structure_matrix()[i]) row.push_back(written(entry, notation));
    rows.push_back(fmt::format("{}", fmt::join(row, is_latex ? " & " : ", ")));
    variables.push_back(written(system.q()[i], notation));
    if (!is_latex) equations.push_back({fmt::format("Pi[{}]", system.coordinates()[i]), "[" + rows.back() + "]"});
  }
  if (!is_latex) return equations;
  return {{"\\Pi", fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(rows, " \\\\ "))},
          {"\\dot{x}", fmt::format("\\Pi(x)\\, \\nabla H(x), \\quad x = ({})", fmt::join(variables, ", "))}};
}

std::vector<Equation> part_equations(const System& system, std::size_t part, Notation notation) {
  return as_rates(system, system.parts()[part], notation);
}

std::vector<Equation> hidden_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (const Expr hidden : system.hidden_constraints()) equations.push_back({written(hidden, notation), "0"});
  return equations;
}

std::vector<Equation> motion_equations(const System& system, Notation notation) {
  std::vector<Equation> equations;
  const std::vector<std::string> nonideal = nonideal_texts(system, notation);
  const auto n = static_cast<std::size_t>(system.dimension());
  for (std::size_t i = 0; i < n; ++i) {
    TextSum left(notation), right(notation);
    for (const std::size_t j : system.mass()[i].places()) left.add(system.mass()[i][j], acceleration_name(system, j, notation));
    right.add(system.acceleration_rhs()[i]);
    for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
      right.add(system.velocity_level()[k].K[i], multiplier_name(k, notation));
    }
    if (!nonideal[i].empty()) right.add(nonideal[i]);
    equations.push_back({left.text(), right.text()});
  }
  return equations;
}

std::vector<Equation> acceleration_constraints(const System& system, Notation notation) {
  std::vector<Equation> equations;
  for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
    TextSum left(notation);
    for (std::size_t j = 0; j < system.v().size(); ++j) {
      left.add(system.velocity_level()[k].K[j], acceleration_name(system, j, notation));
    }
    equations.push_back({left.text(), written(system.constraint_rhs()[k], notation)});
  }
  return equations;
}

}  // namespace noslip
