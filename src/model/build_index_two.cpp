// Right-hand side (in parts) and constraints of a dae2 system, y' = f(t, y, z), 0 = g(t, y).
#include <noslip/core/names.hpp>

#include "model/builder.hpp"

namespace noslip {
namespace {

constexpr std::size_t part_count = part_names.size();

}  // namespace

void Builder::index_two() {
  parts();
  algebraic_constraints();
}

void Builder::parts() {
  const std::size_t n = data_.q.size();
  const std::vector<ListPhrases>& given = description_.parts.rows;
  data_.parts.assign(part_count, {});
  if (!description_.parts.is_given) {
    complain("no right-hand side f", description_.place,
             "add a line such as f = [[], [\"...\", \"...\"]]: the parts A, B, C, C* and D, each with one text per y");
    return;
  }
  if (given.size() > part_count) {
    complain(counted(given.size(), "part") + " of f are too many", given[part_count].place,
             "at most five are known: A, B, C, C* and D");
  }
  bool is_empty = true;
  for (std::size_t m = 0; m < given.size(); ++m) {
    const ListPhrases& part = given[m];
    if (part.texts.empty()) continue;
    is_empty = false;
    if (part.texts.size() != n) {
      const std::string name = m < part_count ? std::string("part ") + part_names[m] : "a part";
      complain(name + " of f has " + counted(part.texts.size(), "text") + " for " + counted(n, "variable") + " y",
               part.place, "give one text per variable y, or [] for a part that is missing");
    }
    std::vector<Expr> rates;
    for (const Phrase& phrase : part.texts) rates.push_back(names_.parse(phrase, Rule{}).value_or(zero()));
    if (m < part_count && rates.size() == n) data_.parts[m] = std::move(rates);
  }
  if (is_empty) {
    complain("all parts of f are missing", description_.parts.place,
             "put the right-hand side into part B: f = [[], [\"...\", \"...\"]]");
  }
}

void Builder::algebraic_constraints() {
  Rule rule;
  rule.allowed = "g may use t, y and the parameters only: 0 = g(t, y) of a system of index 2 does not contain z";
  rule.algebraic = false;
  for (const Phrase& phrase : description_.constraints) {
    if (const auto g = position_constraint(phrase, rule, "constraint")) {
      data_.constraints.push_back({phrase.text, *g, ConstraintKind::algebraic, {}});
    }
  }
  const std::size_t equations = description_.constraints.size(), unknowns = description_.z.size();
  if (equations != unknowns) {
    const bool more_equations = equations > unknowns;
    complain(counted(equations, "constraint") + " g for " + counted(unknowns, "variable") + " z",
             more_equations ? description_.constraints[unknowns].place() : description_.z[equations].place(),
             "a system of index 2 has as many constraints g as variables z");
  }
  if (const std::size_t n = data_.q.size(); equations > n) {
    complain("more constraints g (" + std::to_string(equations) + ") than variables y (" + std::to_string(n) + ")",
             description_.constraints[n].place());
  }
}

void require_index_two(const Description& description, const SystemData& data, std::vector<Problem>& problems) {
  const std::string remedy = "g_y f_z has to be regular: each derivative of g has to determine some of z";
  for (std::size_t i = 0; i < data.hidden_constraints.size(); ++i) {
    if (touches(std::span(&data.hidden_constraints[i], 1), data.z)) continue;
    problems.push_back({"the system is not of index 2: the derivative of constraint '" + data.constraints[i].text +
                            "' does not contain z",
                        description.constraints[i].place(), remedy});
  }
  for (std::size_t i = 0; i < data.z.size() && problems.empty(); ++i) {
    if (touches(data.hidden_constraints, std::span(&data.z[i], 1))) continue;
    problems.push_back(
        {"the system is not of index 2: no derivative of a constraint contains '" + data.multiplier_names[i] + "'",
         description.z[i].place(), remedy});
  }
}

}  // namespace noslip
