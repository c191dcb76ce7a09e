// Lagrangian, constraints and forces of a mechanical system.
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>
#include "model/builder.hpp"

namespace noslip {
namespace {

std::vector<std::string> names_of(const std::vector<Expr>& symbols) {
  std::vector<std::string> names;
  for (const Expr symbol : symbols) names.push_back(symbol.name());
  return names;
}

}  // namespace

void Builder::mechanical() {
  description_.has_hamiltonian ? hamiltonian() : lagrangian();
  constraints();
  holonomic();
  not_too_many_constraints();
  forces();
  nonideal();
  basis();
}

void Builder::lagrangian() {
  data_.lagrangian = zero();
  if (!description_.has_lagrangian) {
    complain("no lagrangian", description_.place,
             "add a line such as lagrangian = \"1/2*m*x'^2 - m*g*x\", or a hamiltonian");
    return;
  }
  if (!description_.lagrangian.document) return;
  if (const auto expression = names_.parse(description_.lagrangian, Rule{})) {
    data_.lagrangian = *expression;
    if (!touches(std::span(&*expression, 1), data_.v)) {
      complain("the Lagrangian contains no velocity", description_.lagrangian.place(),
               is_on_group() ? "the velocities are " + list_of(names_of(data_.v))
                             : "velocities are written with a prime, for example 1/2*m*x'^2");
    }
  }
}

std::vector<Expr> Builder::velocity_symbols() const {
  std::vector<Expr> result = data_.v;
  if (data_.has_implicit_momenta) result.insert(result.end(), data_.p.begin(), data_.p.end());
  return result;
}

void Builder::constraints() {
  const std::vector<Expr> velocities = velocity_symbols();
  Substitution at_rest(*data_.graph);
  for (const Expr v : data_.v) at_rest.replace(v, zero());
  for (const Phrase& phrase : description_.constraints) {
    const auto k = names_.parse(phrase, Rule{}, true);
    if (!k) continue;
    const std::string quoted = "constraint '" + phrase.text + "'";
    if (!touches(std::span(&*k, 1), velocities)) {
      if (k->is_constant()) {
        complain(quoted + (k->is_zero() ? " says nothing: it always holds" : " can never hold"), phrase.place());
      } else {
        complain(quoted + " contains no velocity: it is a position constraint", phrase.place(),
                 "position constraints belong under `holonomic`");
      }
      continue;
    }
    Constraint constraint{phrase.text, *k, ConstraintKind::nonlinear, gradient(*k, data_.v)};
    if (!touches(constraint.K, data_.v) && is_smooth(*k, data_.v)) {
      constraint.kind = at_rest(*k).is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
    }
    data_.constraints.push_back(std::move(constraint));
  }
}

std::optional<Expr> Builder::position_constraint(const Phrase& phrase, const Rule& rule, const std::string& noun) {
  const auto g = names_.parse(phrase, rule, true);
  if (!g) return std::nullopt;
  const std::string quoted = noun + " '" + phrase.text + "'";
  if (is_mechanical() && touches(std::span(&*g, 1), velocity_symbols())) {
    complain(quoted + " contains a velocity or a momentum", phrase.place(),
             "constraints of velocities belong under `constraints`");
  } else if (g->is_constant()) {
    complain(quoted + (g->is_zero() ? " says nothing: it always holds" : " can never hold"), phrase.place());
  } else if (!touches(std::span(&*g, 1), data_.q)) {
    complain(quoted + (is_mechanical() ? " contains no coordinate" : " contains none of the variables y"),
             phrase.place(),
             is_mechanical() ? "it cannot restrict a motion: remove it" : "it cannot restrict them: remove it");
  } else {
    return g;
  }
  return std::nullopt;
}

void Builder::holonomic() {
  for (const Phrase& phrase : description_.holonomic) {
    if (const auto g = position_constraint(phrase, Rule{}, "position constraint")) {
      data_.holonomic.push_back({phrase.text, *g, gradient_along(data_, *g)});
    }
  }
}

void Builder::not_too_many_constraints() {
  std::vector<Phrase> all = description_.constraints;
  all.insert(all.end(), description_.holonomic.begin(), description_.holonomic.end());
  if (const std::size_t n = data_.v.size(); n > 0 && all.size() > n) {
    complain(
        "more constraints (" + std::to_string(all.size()) + ") than " + data_.moving() + " (" + std::to_string(n) + ")",
        all[n].place());
  }
}

void Builder::forces() {
  data_.applied_forces.assign(data_.v.size(), zero());
  for (const auto& [name, value] : description_.forces) {
    const auto expression = names_.parse(value, Rule{});
    const auto coordinate = variable(name, data_.velocity_names);
    if (expression && coordinate) data_.applied_forces[*coordinate] = *expression;
  }
}

void Builder::nonideal() {
  if (description_.nonideal.empty()) return;
  const std::size_t multipliers = data_.multiplier_names.size();
  if (multipliers == 0) {
    complain("[nonideal] without constraints: there are no reactions that could be nonideal",
             description_.nonideal.front().name.place(),
             "forces that do not depend on reactions belong under [forces]");
  }
  Rule rule;
  rule.multipliers = true;
  std::vector<Expr> reactions(data_.v.size(), zero());
  for (const auto& [name, value] : description_.nonideal) {
    const auto expression = names_.parse(value, rule);
    const auto coordinate = variable(name, data_.velocity_names);
    if (expression && coordinate) reactions[*coordinate] = *expression;
  }
  if (std::all_of(reactions.begin(), reactions.end(), [](Expr reaction) { return reaction.is_zero(); })) return;
  data_.nonideal = std::move(reactions);
  for (std::size_t i = 1; i <= multipliers; ++i) data_.psi.push_back(data_.graph->symbol(psi_name(i)));
}

}  // namespace noslip
