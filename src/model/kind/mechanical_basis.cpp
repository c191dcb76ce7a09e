// Vector fields that span the velocities which the constraints allow, as the user gives them.
#include <noslip/core/names.hpp>

#include "model/kind/mechanical_builder.hpp"

namespace noslip {
void MechanicalBuilder::basis() {
  const TextRows& given = text_.basis;
  if (!given.is_given || !given.is_readable) return;
  const std::size_t n = data_.v.size(), constraints = text_.constraints.size();
  const std::string one = data_.group->is_vector_space() ? "coordinate" : "velocity";
  if (!text_.holonomic.empty()) {
    complain("`basis` together with position constraints", given.place,
             "a basis spans what velocity constraints allow: remove it, or the position constraints");
  } else if (constraints <= n && given.rows.size() != n - constraints) {
    complain("`basis` has " + counted(given.rows.size(), "row", "rows") + " for " + counted(n, one, data_.moving()) +
                 " and " + counted(constraints, "constraint", "constraints"),
             given.place,
             "give " + counted(n - constraints, "row", "rows") + ", one for each independent motion that is allowed");
  }
  Rule rule;
  rule.allowed = "a basis may use the coordinates and the parameters only";
  rule.time = rule.velocities = rule.momenta = rule.inputs = rule.states = false;
  for (std::size_t a = 0; a < given.rows.size(); ++a) {
    const TextList& row = given.rows[a];
    if (row.is_given && row.texts.size() != n) {
      complain("row " + std::to_string(a + 1) + " of `basis` has " + counted(row.texts.size(), "entry", "entries") +
                   " for " + counted(n, one, data_.moving()),
               row.place, n <= 12 ? "the order is " + list_of(data_.velocity_names) : "");
    }
    std::vector<Expr> entries;
    for (const Text& each : row.texts) entries.push_back(names_.parse(each, rule).value_or(zero()));
    data_.basis.push_back(std::move(entries));
  }
}

void require_linear_constraints(const SystemText& text, const SystemData& data, std::vector<Problem>& problems) {
  for (const Constraint& constraint : data.constraints) {
    if (constraint.kind == ConstraintKind::linear) continue;
    problems.push_back({"`basis` together with constraint '" + constraint.text + "', which is " +
                            to_text(constraint.kind) + " in the velocities",
                        text.basis.place,
                        "vector fields span what linear constraints allow: remove `basis`, or the constraint"});
  }
}

}  // namespace noslip
