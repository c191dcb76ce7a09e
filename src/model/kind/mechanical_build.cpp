// Lagrangian, constraints and forces of a mechanical system.
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/degree.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/kind/mechanical_builder.hpp"
#include "model/words.hpp"

namespace noslip {
namespace {

/// constraint 'y' = 0', or with a name: constraint roll, 'y' = 0'
std::string quoted_constraint(const std::string& noun, const TextList& list, std::size_t i) {
  const std::string name = list.names.empty() ? "" : " " + list.names[i].text + ",";
  return noun + name + " '" + shown_text(list[i]) + "'";
}

std::vector<std::string> names_of(const std::vector<Expr>& symbols) {
  std::vector<std::string> names;
  for (const Expr symbol : symbols) names.push_back(symbol.name());
  return names;
}

}  // namespace

void MechanicalBuilder::own_symbols() {
  std::vector<std::shared_ptr<const Group>> groups;
  std::size_t first = 0;
  int plain = 0;
  const auto merge_plain = [&] {  // neighbours are one vector space
    if (plain > 0) groups.push_back(vector_space(plain));
    plain = 0;
  };
  for (const FactorTexts& factor : factors_) {
    if (factor.is_state) {
      data_.states.push_back({factor.names.front().text, data_.graph->symbol(factor.names.front().text), zero(), ""});
      continue;
    }
    const auto dimension = static_cast<std::size_t>(factor.group->dimension());
    const bool is_plain = factor.velocity.empty();
    data_.factors.push_back({is_plain ? "" : factor.group->name(), factor.name.text, first, factor.names.size(),
                             data_.v.size(), dimension, texts_of(factor.at_start)});
    first += factor.names.size();
    if (is_plain) {
      ++plain;
    } else {
      merge_plain();
      groups.push_back(factor.group);
    }
    for (const Text& name : factor.velocity) {
      data_.velocity_names.push_back(name.text);
      data_.v.push_back(data_.graph->symbol(name.text));
    }
    if (!is_plain) continue;
    data_.velocity_names.push_back(factor.names.front().text);
    data_.v.push_back(data_.graph->symbol(factor.names.front().text + "'"));
  }
  merge_plain();
  data_.group = product(std::move(groups));
  data_.position_rates =
      data_.group->is_vector_space() ? data_.v : times(data_.group->frame(data_.configuration()), data_.v);
  data_.multiplier_names = multiplier_names(text_);
  names_of_constraints();
}

void MechanicalBuilder::names_of_constraints() {
  std::set<std::string> seen;
  for (const TextList* list : {&text_.constraints, &text_.holonomic}) {
    for (const Text& name : list->names) {
      if (const std::string reason = why_not_a_name_or_element(name.text); !reason.empty()) {
        complain(reason, name.place(), "choose another name for the constraint");
      } else if (!seen.insert(name.text).second) {
        complain("two constraints have the name '" + name.text + "'", name.place(), "choose another name");
      }
    }
  }
}

void MechanicalBuilder::equations() {
  text_.hamiltonian.is_given ? hamiltonian() : lagrangian();
  states();
  constraints();
  holonomic();
  not_too_many_constraints();
  forces();
  nonideal();
  basis();
}

void MechanicalBuilder::initial() {
  initial_positions(text_.q0);
  std::vector<std::string> states;
  for (const FirstOrderState& state : data_.states) states.push_back(state.name);
  initial_values(text_.states0, states, "states");
  initial_velocities();
}

void MechanicalBuilder::lagrangian() {
  data_.lagrangian = zero();
  if (!text_.lagrangian.is_given) {
    complain("no lagrangian", text_.place, "add a line such as lagrangian = \"1/2*m*x'^2 - m*g*x\", or a hamiltonian");
    return;
  }
  if (!text_.lagrangian.document) return;
  if (const auto expression = names_.parse(text_.lagrangian, Rule{})) {
    data_.lagrangian = *expression;
    if (!touches(std::span(&*expression, 1), data_.v)) {
      complain("the Lagrangian contains no velocity", text_.lagrangian.place(),
               is_on_group() ? "the velocities are " + list_of(names_of(data_.v))
                             : "velocities are written with a prime, for example 1/2*m*x'^2");
    }
  }
}

std::vector<Expr> MechanicalBuilder::velocity_symbols() const {
  std::vector<Expr> result = data_.v;
  if (data_.has_implicit_momenta) result.insert(result.end(), data_.p.begin(), data_.p.end());
  return result;
}

void MechanicalBuilder::constraints() {
  const std::vector<Expr> velocities = velocity_symbols();
  Substitution at_rest(*data_.graph);
  for (const Expr v : data_.v) at_rest.replace(v, zero());
  Gradients slopes(*data_.graph, data_.v);
  for (std::size_t i = 0; i < text_.constraints.size(); ++i) {
    const Text& each = text_.constraints[i];
    const std::string quoted = quoted_constraint("constraint", text_.constraints, i);
    Rule rule;
    rule.inputs = false;
    rule.constraint = quoted;
    const auto k = names_.parse(each, rule, true);
    if (!k) continue;
    if (!touches(std::span(&*k, 1), velocities)) {
      if (k->is_constant()) {
        complain(quoted + (k->is_zero() ? " says nothing: it always holds" : " can never hold"), each.place());
      } else {
        complain(quoted + " contains no velocity: it is a position constraint", each.place(),
                 "position constraints belong under `holonomic`");
      }
      continue;
    }
    Constraint constraint{shown_text(each), *k, ConstraintKind::nonlinear, slopes(*k)};
    if (!touches(constraint.K.values(), data_.v) && is_smooth(*k, data_.v)) {
      constraint.kind = at_rest(*k).is_zero() ? ConstraintKind::linear : ConstraintKind::affine;
    }
    if (!text_.constraints.names.empty()) constraint.name = text_.constraints.names[i].text;
    data_.constraints.push_back(std::move(constraint));
  }
}

void MechanicalBuilder::holonomic() {
  Gradients slopes(*data_.graph, data_.configuration());
  Rule rule;
  rule.states = false;
  rule.allowed = "position constraints restrict coordinates; a constraint of velocities may use states";
  for (std::size_t i = 0; i < text_.holonomic.size(); ++i) {
    const Text& each = text_.holonomic[i];
    const auto g = position_constraint(each, rule, quoted_constraint("position constraint", text_.holonomic, i));
    if (!g) continue;
    const bool is_flat = data_.group->is_vector_space();
    data_.holonomic.push_back({shown_text(each), *g, is_flat ? slopes(*g) : SparseRow(gradient_along(data_, *g)),
                               text_.holonomic.names.empty() ? std::string() : text_.holonomic.names[i].text});
  }
}

void MechanicalBuilder::not_too_many_constraints() {
  std::vector<Text> all = text_.constraints.texts;
  all.insert(all.end(), text_.holonomic.begin(), text_.holonomic.end());
  if (const std::size_t n = data_.v.size(); n > 0 && all.size() > n) {
    complain(
        "more constraints (" + std::to_string(all.size()) + ") than " + data_.moving() + " (" + std::to_string(n) + ")",
        all[n].place());
  }
}

std::vector<Expr> MechanicalBuilder::by_velocity(const std::vector<NamedText>& table, const Rule& rule) {
  std::vector<Expr> result(data_.v.size(), zero());
  const VariablePlaces places(data_.velocity_names);
  std::set<std::size_t> seen;
  for (const auto& [name, value] : table) {
    const auto expression = names_.parse(value, rule);
    const auto coordinate = variable(name, places);
    if (!coordinate) continue;
    // A family may name what another line names, too.
    if (!seen.insert(*coordinate).second && element_of(name.text)) {
      complain("'" + name.text + "' is given twice", name.place(), "give it once");
    }
    if (expression) result[*coordinate] = *expression;
  }
  return result;
}

void MechanicalBuilder::states() {
  Rule rule;
  rule.allowed = "the derivative of a state may use t, coordinates, velocities, states, inputs and parameters";
  for (std::size_t i = 0; i < data_.states.size(); ++i) {
    FirstOrderState& state = data_.states[i];
    state.text = shown_text(text_.states[i].value);
    state.rate = names_.parse(text_.states[i].value, rule).value_or(zero());
    data_.position_rates.push_back(state.rate);
  }
  if (data_.states.empty() || !data_.has_implicit_momenta) return;
  complain("[states] beside a Hamiltonian whose momenta have no closed form", text_.states.front().name.place(),
           "give the Lagrangian instead");
}

void MechanicalBuilder::forces() { data_.applied_forces = by_velocity(text_.forces, Rule{}); }

void MechanicalBuilder::nonideal() {
  if (text_.nonideal.empty()) return;
  const std::size_t multipliers = data_.multiplier_names.size();
  if (multipliers == 0) {
    complain("[nonideal] without constraints: there are no reactions that could be nonideal",
             text_.nonideal.front().name.place(), "forces that do not depend on reactions belong under [forces]");
  }
  Rule rule;
  rule.multipliers = true;
  std::vector<Expr> reactions = by_velocity(text_.nonideal, rule);
  if (std::all_of(reactions.begin(), reactions.end(), [](Expr reaction) { return reaction.is_zero(); })) return;
  data_.nonideal = std::move(reactions);
  for (std::size_t i = 1; i <= multipliers; ++i) data_.psi.push_back(data_.graph->symbol(psi_name(i)));
}

}  // namespace noslip
