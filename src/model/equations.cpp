#include "model/equations.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <noslip/expr/print.hpp>

#include "model/system_data.hpp"

namespace noslip {
namespace {

/// A name that is not a symbol of the system.
std::string named(const std::string& name, Pen pen) {
  return !pen.is_latex() ? name : to_latex(Graph().symbol(name));
}

/// x'' of a coordinate, w' of a body velocity.
std::string acceleration_name(const System& system, std::size_t i, Pen pen) {
  const std::string& velocity = system.v()[i].name();
  if (!pen.is_latex() || !velocity.ends_with('\'')) return named(velocity + "'", pen);
  const std::string text = to_latex(system.v()[i]);
  return text.starts_with("\\dot") ? "\\d" + text.substr(1)
                                   : fmt::format("\\ddot{{{}}}", named(system.velocity_names()[i], pen));
}

/// "p(x)" or p_{x}; x is a coordinate or a body velocity.
std::string of_velocity(const char* letter, const System& system, std::size_t i, Pen pen) {
  const std::string name = named(system.velocity_names()[i], pen);
  return pen.is_latex() ? fmt::format("{}_{{{}}}", letter, name) : fmt::format("{}({})", letter, name);
}

/// y' as the left side of an equation; the system has no symbol for it.
std::string rate_name(const System& system, std::size_t i, Pen pen) {
  return !pen.is_latex() ? system.coordinates()[i] + "'"
                                    : fmt::format("\\dot{{{}}}", to_latex(system.q()[i]));
}

std::vector<Equation> as_rates(const System& system, const std::vector<Expr>& rates, Pen pen) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    equations.push_back({rate_name(system, i, pen), pen.write(rates[i])});
  }
  return equations;
}

/// lambda1, or lambda_roll of a constraint with the name roll.
std::string multiplier_name(const System& system, std::size_t i, Pen pen) {
  const std::string numbered = fmt::format("lambda{}", i + 1);
  const std::string& name = system.multiplier_names()[i];
  if (name != numbered && system.offers().lagrangian) return named(name, pen);
  return pen.is_latex() ? fmt::format("\\lambda_{{{}}}", i + 1) : numbered;
}

/// A sum of products coefficient * factor, where the factors are no expressions of the system's graph.
class TextSum {
 public:
  explicit TextSum(Pen pen) : pen_(pen) {}

  void add(Expr coefficient, const std::string& factor) {
    if (coefficient.is_zero()) return;
    if (coefficient.is_one()) return append(factor);
    if (coefficient.is_constant() && coefficient.number().is_minus_one()) return append("-" + factor);
    const std::string text = pen_.write(coefficient);
    const Op op = pen_.writer().image(coefficient).op();
    const bool is_sum = op == Op::add || op == Op::sub;
    if (pen_.is_latex()) {
      append(is_sum ? fmt::format("\\left({}\\right) {}", text, factor) : fmt::format("{}\\, {}", text, factor));
    } else {
      append(is_sum ? fmt::format("({})*{}", text, factor) : fmt::format("{}*{}", text, factor));
    }
  }
  void add(const std::string& term) { append(term); }
  void add(Expr term) {
    if (!term.is_zero()) append(pen_.write(term));
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

  Pen pen_;
  std::string text_;
};

/// Nonideal reactions with the multipliers as they are called elsewhere, lambda = -psi; empty texts where they are
/// zero.
std::vector<std::string> nonideal_texts(const System& system, Pen pen) {
  Graph& graph = pen.writer().graph();
  Substitution with_lambda(graph);
  for (std::size_t i = 0; i < system.psi().size(); ++i) {
    with_lambda.replace(system.psi()[i], -graph.symbol(system.multiplier_names()[i]));
  }
  std::vector<std::string> texts;
  for (const Expr reaction : system.nonideal()) {
    texts.push_back(reaction.is_zero() ? "" : pen.write(with_lambda(reaction)));
  }
  texts.resize(system.v().size());
  return texts;
}

}  // namespace

Writer::Writer(const System& system, Task task) : task_(task), graph_(std::make_unique<Graph>(system.graph())) {}

std::optional<Expr> Writer::image_or_tell(Expr expression) {
  if (shared_) return (*shared_)(graph_->counterpart(expression));
  if (task_ == Task::outline) return {};
  if (is_told_.size() < graph_->size()) is_told_.resize(graph_->size());
  if (!is_told_[expression.id]) told_.push_back(graph_->counterpart(expression));
  is_told_[expression.id] = true;
  return {};
}

std::string Writer::text(Expr expression) {
  const auto image = image_or_tell(expression);
  return image ? to_text(*image) : std::string{};
}

std::string Writer::latex(Expr expression) {
  const auto image = image_or_tell(expression);
  return image ? to_latex(*image) : std::string{};
}

void Writer::share(std::size_t longest, std::span<const std::string> taken) { shared_.emplace(told_, longest, taken); }

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

Equation lagrangian_equation(const System& system, Pen pen) {
  return {"L", pen.write(system.lagrangian())};
}

Equation hamiltonian_equation(const System& system, Pen pen) {
  return {"H", pen.write(system.hamiltonian())};
}

std::vector<Equation> position_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (const Factor& factor : system.factors()) {
    for (std::size_t i = factor.first; i < factor.first + factor.size && !factor.group.empty(); ++i) {
      equations.push_back(
          {named(system.coordinates()[i] + "'", pen), pen.write(system.position_rates()[i])});
    }
  }
  return equations;
}

std::vector<Equation> velocity_equations(const System& system, Pen pen) {
  if (!system.is_on_group()) return as_rates(system, system.velocities(), pen);
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.velocities().size(); ++i) {
    equations.push_back({pen.write(system.v()[i]), pen.write(system.velocities()[i])});
  }
  return equations;
}

std::vector<Equation> state_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  const std::size_t first = system.configuration().size();
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    equations.push_back({rate_name(system, first + i, pen), pen.write(system.states()[i].rate)});
  }
  return equations;
}

std::vector<Equation> turning_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  const std::vector<Expr>& values = system.turning();
  const char* letter = pen.is_latex() ? "(\\mathrm{ad}^*_v p)" : "T";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_zero()) continue;
    equations.push_back({of_velocity(letter, system, i, pen), pen.write(values[i])});
  }
  return equations;
}

std::vector<Equation> momentum_rate_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  const std::vector<std::string> nonideal = nonideal_texts(system, pen);
  const std::vector<Expr>& turned = system.turning();
  for (std::size_t i = 0; i < system.z().size(); ++i) {
    TextSum right(pen);
    if (!turned.empty()) right.add(turned[i]);
    right.add(system.forces()[i]);
    for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
      const Constraint& constraint = system.velocity_level()[k];
      const bool has_momenta =
          std::any_of(system.z().begin(), system.z().end(), [&](Expr p) { return depends_on(constraint.k, p); });
      // With momenta in k, K has the inverse of H_pp in it; written out that is no help.
      if (has_momenta) {
        right.add(fmt::format(fmt::runtime(pen.is_latex() ? "K_{{{}, {}}} {}" : "K[{}, {}]*{}"), k + 1,
                              named(system.velocity_names()[i], pen), multiplier_name(system, k, pen)));
      } else {
        right.add(constraint.K[i], multiplier_name(system, k, pen));
      }
    }
    if (!nonideal[i].empty()) right.add(nonideal[i]);
    const std::string p = pen.write(system.z()[i]);
    equations.push_back({pen.is_latex() ? fmt::format("\\dot{{{}}}", p) : p + "'", right.text()});
  }
  return equations;
}

std::vector<Equation> reaction_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.momenta().size(); ++i) {
    TextSum right(pen);
    right.add(system.forces()[i]);
    right.add(system.position_reactions()[i]);
    const std::string p = pen.write(system.momenta()[i]);
    equations.push_back({pen.is_latex() ? fmt::format("\\frac{{d}}{{dt}}\\left({}\\right)", p)
                                                     : fmt::format("d/dt ({})", p),
                         right.text()});
  }
  return equations;
}

std::vector<Equation> rate_constraint_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (const Constraint& constraint : system.velocity_level()) {
    equations.push_back({pen.write(constraint.k), "0"});
  }
  return equations;
}

Equation energy_equation(const System& system, Pen pen) { return {"E", pen.write(system.energy())}; }

std::vector<Equation> momentum_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.momenta().size(); ++i) {
    equations.push_back({of_velocity("p", system, i, pen), pen.write(system.momenta()[i])});
  }
  return equations;
}

std::vector<Equation> force_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < system.forces().size(); ++i) {
    equations.push_back({of_velocity("F", system, i, pen), pen.write(system.forces()[i])});
  }
  return equations;
}

std::vector<Equation> constraint_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (const Constraint& constraint : system.constraints()) {
    equations.push_back({pen.write(constraint.k), "0"});
  }
  return equations;
}

std::vector<Equation> holonomic_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (const HolonomicConstraint& constraint : system.holonomic()) {
    equations.push_back({pen.write(constraint.g), "0"});
  }
  return equations;
}

std::vector<Equation> basis_equations(const System& system, Pen pen) {
  const bool is_latex = pen.is_latex();
  std::vector<Equation> equations;
  for (const std::vector<Expr>& row : system.basis()) {
    std::vector<std::string> entries;
    for (const Expr entry : row) entries.push_back(pen.write(entry));
    const std::size_t number = equations.size() + 1;
    equations.push_back({is_latex ? fmt::format("X_{{{}}}", number) : fmt::format("X{}", number),
                         fmt::format("{}{}{}", is_latex ? "\\left(" : "(",
                                     fmt::join(entries, is_latex ? ",\\; " : ", "), is_latex ? "\\right)" : ")")});
  }
  return equations;
}

std::vector<Equation> rate_equations(const System& system, Pen pen) {
  return as_rates(system, system.position_rates(), pen);
}

std::vector<Equation> matrix_equations(const System& system, Pen pen) {
  const bool is_latex = pen.is_latex();
  std::vector<Equation> equations;
  std::vector<std::string> rows, variables;
  for (std::size_t i = 0; i < system.structure_matrix().size(); ++i) {
    std::vector<std::string> row;
    for (const Expr entry : system.structure_matrix()[i]) row.push_back(pen.write(entry));
    rows.push_back(fmt::format("{}", fmt::join(row, is_latex ? " & " : ", ")));
    variables.push_back(pen.write(system.q()[i]));
    if (!is_latex) equations.push_back({fmt::format("Pi[{}]", system.coordinates()[i]), "[" + rows.back() + "]"});
  }
  if (!is_latex) return equations;
  return {{"\\Pi", fmt::format("\\begin{{pmatrix}} {} \\end{{pmatrix}}", fmt::join(rows, " \\\\ "))},
          {"\\dot{x}", fmt::format("\\Pi(x)\\, \\nabla H(x), \\quad x = ({})", fmt::join(variables, ", "))}};
}

std::vector<Equation> part_equations(const System& system, std::size_t part, Pen pen) {
  return as_rates(system, system.parts()[part], pen);
}

std::vector<Equation> hidden_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (const Expr hidden : system.hidden_constraints()) equations.push_back({pen.write(hidden), "0"});
  return equations;
}

std::vector<Equation> motion_equations(const System& system, Pen pen) {
  std::vector<Equation> equations;
  const std::vector<std::string> nonideal = nonideal_texts(system, pen);
  const auto n = static_cast<std::size_t>(system.dimension());
  std::vector<std::vector<std::pair<std::size_t, Expr>>> reactions(n);  // columns of K
  for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
    const SparseRow& row = system.velocity_level()[k].K;
    for (std::size_t e = 0; e < row.places().size(); ++e) reactions[row.places()[e]].emplace_back(k, row.values()[e]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    TextSum left(pen), right(pen);
    for (const std::size_t j : system.mass()[i].places()) left.add(system.mass()[i][j], acceleration_name(system, j, pen));
    right.add(system.acceleration_rhs()[i]);
    for (const auto& [k, value] : reactions[i]) right.add(value, multiplier_name(system, k, pen));
    if (!nonideal[i].empty()) right.add(nonideal[i]);
    equations.push_back({left.text(), right.text()});
  }
  return equations;
}

std::vector<Equation> acceleration_constraints(const System& system, Pen pen) {
  std::vector<Equation> equations;
  for (std::size_t k = 0; k < system.velocity_level().size(); ++k) {
    TextSum left(pen);
    const SparseRow& row = system.velocity_level()[k].K;
    for (std::size_t e = 0; e < row.places().size(); ++e) {
      left.add(row.values()[e], acceleration_name(system, row.places()[e], pen));
    }
    equations.push_back({left.text(), pen.write(system.constraint_rhs()[k])});
  }
  return equations;
}

}  // namespace noslip
