// Hamiltonian and matrix of a skew-gradient system, x' = Pi(x) grad H(x).
#include <noslip/core/names.hpp>
#include "model/builder.hpp"

namespace noslip {
namespace {

/// For H and Pi alike. Time is not among the variables: H would not be constant.
Rule rule_for(const std::string& what) {
  Rule rule;
  rule.allowed = what + " may use x and the parameters only: a system of kind skew-gradient does not depend on time";
  rule.time = false;
  return rule;
}

}  // namespace

void Builder::required_parts() {
  if (!description_.has_hamiltonian) {
    complain("no hamiltonian", description_.place, "add a line such as hamiltonian = \"(x1^2 + x2^2)/2\"");
  }
  if (!description_.structure.is_given) {
    complain("no structure", description_.place,
             "add the skew-symmetric matrix by rows, for example structure = [[\"0\", \"1\"], [\"-1\", \"0\"]]");
  }
}

void Builder::skew_gradient() {
  data_.hamiltonian = zero();
  if (description_.hamiltonian.document) {
    const auto expression = names_.parse(description_.hamiltonian, rule_for("the Hamiltonian"));
    if (expression) {
      data_.hamiltonian = *expression;
      if (!touches(std::span(&*expression, 1), data_.q)) {
        complain("the Hamiltonian contains none of the variables x", description_.hamiltonian.place(),
                 data_.q.size() <= 12 ? "they are " + list_of(data_.coordinates) : "");
      }
    }
  }
  if (description_.structure.is_given) structure_matrix();
}

void Builder::structure_matrix() {
  const std::size_t n = data_.q.size();
  const std::string variables = counted(n, "variable", "variables") + " x";
  const std::string order = n <= 12 ? ", in the order of x: " + list_of(data_.coordinates) : ", in the order of x";
  if (description_.structure.rows.size() != n) {
    complain("the structure has " + counted(description_.structure.rows.size(), "row", "rows") + " for " + variables,
             description_.structure.place, "give one row per variable" + order);
  }
  const Rule rule = rule_for("the structure");
  std::vector<std::vector<Expr>> rows;
  for (const ListPhrases& row : description_.structure.rows) {
    if (row.texts.size() != n) {
      complain("row " + std::to_string(rows.size() + 1) + " of the structure has " +
                   counted(row.texts.size(), "entry", "entries") + " for " + variables,
               row.place, "give one entry per variable" + order);
    }
    rows.emplace_back();
    for (const Phrase& phrase : row.texts) rows.back().push_back(names_.parse(phrase, rule).value_or(zero()));
  }
  // What is wrong so far could make numbers of it that mean nothing.
  if (problems_.empty()) data_.structure_matrix = std::move(rows);
}

}  // namespace noslip
