// Functions and constraints of an odae system, y' = v(t, y, z), d/dt p(t, y, z) = f(t, y, z) + r(t, y, lambda),
// 0 = g(t, y), 0 = g_t + g_y v.
#include <algorithm>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>
#include "model/builder.hpp"

namespace noslip {
namespace {}  // namespace

void Builder::overdetermined() {
  if (data_.v.empty()) {
    complain("no variables z", description_.place, "add a line such as z = [\"z1\", \"z2\"]");
    return;
  }
  Rule differential;
  differential.allowed = "v, p and f may use t, y, z and the parameters only: reactions belong into r";
  Rule reaction;
  reaction.allowed = "r may use t, y, lambda and the parameters only";
  reaction.algebraic = false;
  reaction.multipliers = true;
  data_.velocities = list(description_.odae_v, "v", differential, data_.coordinates, "y");
  data_.momenta =
      description_.odae_p.is_given ? list(description_.odae_p, "p", differential, data_.velocity_names, "z") : data_.v;
  data_.forces = list(description_.odae_f, "f", differential, data_.velocity_names, "z");
  const bool needs_reactions = !data_.z.empty() || description_.odae_r.is_given;
  data_.position_reactions = needs_reactions ? list(description_.odae_r, "r", reaction, data_.velocity_names, "z")
                                             : std::vector<Expr>(data_.v.size(), zero());
  overdetermined_constraints();
}

std::vector<Expr> Builder::list(const ListPhrases& phrases, const std::string& key, const Rule& rule,
                                const std::vector<std::string>& variables, const std::string& letter) {
  const std::size_t n = variables.size();
  if (!phrases.is_given) {
    complain("no " + key, description_.place,
             "add a line such as " + key + " = [\"...\", \"...\"], with one text per variable " + letter);
  } else if (phrases.texts.size() != n) {
    complain(key + " has " + counted(phrases.texts.size(), "text") + " for " + counted(n, "variable") + " " + letter,
             phrases.place, n <= 12 ? "the order is " + list_of(variables) : "");
  }
  std::vector<Expr> result;
  for (const Phrase& phrase : phrases.texts) result.push_back(names_.parse(phrase, rule).value_or(zero()));
  result.resize(n, zero());
  return result;
}

void Builder::overdetermined_constraints() {
  Rule rule;
  rule.allowed = "g may use t, y and the parameters only: it is differentiated to get g_t + g_y v = 0";
  rule.algebraic = false;
  for (const Phrase& phrase : description_.holonomic) {
    if (const auto g = position_constraint(phrase, rule, "constraint")) {
      data_.holonomic.push_back({phrase.text, *g, gradient(*g, data_.q)});
    }
  }
  const std::size_t equations = description_.holonomic.size(), unknowns = description_.lambda.size();
  if (equations != unknowns) {
    complain(counted(equations, "constraint") + " g for " + counted(unknowns, "multiplier") + " lambda",
             equations > unknowns ? description_.holonomic[unknowns].place() : description_.lambda[equations].place(),
             "there have to be as many constraints g as multipliers lambda");
  }
  if (const std::size_t n = std::min(data_.q.size(), data_.v.size()); equations > n) {
    complain("more constraints g (" + std::to_string(equations) + ") than variables " +
                 (data_.q.size() == n ? "y" : "z") + " (" + std::to_string(n) + ")",
             description_.holonomic[n].place());
  }
}

void require_reactions(const Description& description, const SystemData& data, std::vector<Problem>& problems) {
  for (std::size_t i = 0; i < data.v.size(); ++i) {
    if (touches(data.momenta, std::span(&data.v[i], 1))) continue;
    problems.push_back({"p_z is singular: p does not contain '" + data.velocity_names[i] + "'",
                        description.odae_p.place, "d/dt p has to determine every z"});
  }
  for (std::size_t i = 0; i < data.velocity_level.size(); ++i) {
    if (touches(std::span(&data.velocity_level[i].k, 1), data.v)) continue;
    problems.push_back({"the derivative of constraint '" + data.holonomic[i].text + "' does not contain z",
                        description.holonomic[i].place(), "g_y v_z has to have full rank"});
  }
  for (std::size_t i = 0; i < data.z.size(); ++i) {
    if (touches(data.position_reactions, std::span(&data.z[i], 1))) continue;
    problems.push_back({"no reaction r contains '" + data.multiplier_names[i] + "'", description.lambda[i].place(),
                        "r_lambda has to have full rank"});
  }
}

}  // namespace noslip
