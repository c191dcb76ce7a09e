#include "method/own_coefficients.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "method/coefficients.hpp"

namespace noslip {

namespace {

constexpr int most_stages_of_own = 64;

std::string text_of(quad x) { return to_short_text(static_cast<double>(x), 17); }

}  // namespace

OwnCoefficients::OwnCoefficients(std::string method, const SparkCoefficients& coefficients, int claimed_order)
    : method_(std::move(method)) {
  if (!has_shape(coefficients)) return;
  for (const Tableau* tableau : {&coefficients.q, &coefficients.forces, &coefficients.reactions}) read(*tableau);
  for (const std::vector<quad>& row : coefficients.omega) read(row);
  read(coefficients.end_multipliers);
  if (coefficients.nodes) {
    const NodeCoefficients& nodes = *coefficients.nodes;
    for (const auto* values : {&nodes.c, &nodes.b, &nodes.correction}) read(*values);
    for (const auto* rows : {&nodes.reach, &nodes.a}) {
      for (const std::vector<quad>& row : *rows) read(row);
    }
  }
  set_tolerance();
  if (!is_finite_) return;
  const Tableau &q = coefficients.q, &forces = coefficients.forces, &reactions = coefficients.reactions;
  adds_up("weights q.b", q.b, 1);
  adds_up("weights forces.b", forces.b, 1);
  adds_up("weights reactions.b", reactions.b, 1);
  rows_add_up("q.a", q.a, q.c);
  for (std::size_t i = 0; i < q.c.size(); ++i) {
    if (is_zero(forces.c[i] - q.c[i]) && is_zero(reactions.c[i] - q.c[i])) continue;
    blame(fmt::format("stage {} has the nodes c {} of q, {} of forces and {} of reactions", i + 1, text_of(q.c[i]),
                      text_of(forces.c[i]), text_of(reactions.c[i])),
          "a stage has one time: give all three tableaux the same c");
  }
  if (coefficients.nodes) check_nodes(*coefficients.nodes, q.b);
  if (!coefficients.for_positions_only) check_multipliers(coefficients);
  if (!problems_.empty()) return;
  int proved = 2 * q.stages();
  for (const Tableau* tableau : {&q, &forces, &reactions}) {
    const SimplifyingAssumptions found = simplifying_assumptions(*tableau, tolerance_);
    proved = std::min({proved, found.p, found.q + found.r + 1, 2 * found.q + 2});
  }
  set_order(order_of(q, forces, tolerance_), proved, claimed_order);
}

OwnCoefficients::OwnCoefficients(std::string method, const Tableau& tableau, int claimed_order)
    : method_(std::move(method)) {
  if (!has_shape("", tableau, tableau.b.size())) return;
  read(tableau);
  set_tolerance();
  if (!is_finite_) return;
  adds_up("weights b", tableau.b, 1);
  rows_add_up("a", tableau.a, tableau.c);
  if (!problems_.empty()) return;
  const OrderRange known = order_of(tableau, tolerance_);
  set_order(known, known.least, claimed_order);
}

void OwnCoefficients::blame(std::string what, std::string remedy) {
  problems_.push_back({fmt::format("method '{}': {}", method_, what), {}, std::move(remedy)});
}

bool OwnCoefficients::has_length(const std::string& what, const std::vector<quad>& values, std::size_t length) {
  if (values.size() == length) return true;
  blame(fmt::format("{} has {} numbers in place of {}", what, values.size(), length), "one for every stage or node");
  return false;
}

bool OwnCoefficients::has_shape(const std::string& what, const Rows& rows, std::size_t count, std::size_t length) {
  if (rows.size() != count) {
    blame(fmt::format("{} has {} rows in place of {}", what, rows.size(), count), "see the description of its rows");
    return false;
  }
  bool fits = true;
  for (std::size_t i = 0; i < count; ++i)
    fits = has_length(fmt::format("row {} of {}", i + 1, what), rows[i], length) && fits;
  return fits;
}

bool OwnCoefficients::has_shape(const std::string& what, const Tableau& tableau, std::size_t stages) {
  if (stages < 1 || stages > most_stages_of_own) {
    blame(fmt::format("{}b has {} numbers", what, stages),
          fmt::format("methods have 1 to {} stages", most_stages_of_own));
    return false;
  }
  const bool has_b = has_length(what + "b", tableau.b, stages), has_c = has_length(what + "c", tableau.c, stages);
  return has_shape(what + "a", tableau.a, stages, stages) && has_b && has_c;
}

bool OwnCoefficients::has_shape(const SparkCoefficients& coefficients) {
  const std::size_t s = coefficients.q.b.size();
  bool fits = has_shape("q.", coefficients.q, s);
  if (!fits && (s < 1 || s > most_stages_of_own)) return false;
  fits = has_shape("forces.", coefficients.forces, s) && fits;
  fits = has_shape("reactions.", coefficients.reactions, s) && fits;
  const std::size_t given = (coefficients.constraint_at_mean ? 1 : 0) + (coefficients.first_multiplier_given ? 1 : 0);
  fits = has_shape("omega", coefficients.omega, s - std::min(s, given), s + 1) && fits;
  if (!coefficients.end_multipliers.empty())
    fits = has_length("end_multipliers", coefficients.end_multipliers, s) && fits;
  if (!coefficients.nodes) return fits;
  const NodeCoefficients& nodes = *coefficients.nodes;
  const std::size_t count = nodes.c.size();
  if (count < 2) {
    blame(fmt::format("nodes.c has {}", count == 0 ? "no numbers" : "one number"),
          "nodes of position constraints are at least the start and the end of the step, c = {0, 1}");
    return false;
  }
  fits = has_length("nodes.b", nodes.b, count) && fits;
  fits = has_shape("nodes.reach", nodes.reach, count, s) && fits;
  fits = has_shape("nodes.a", nodes.a, s, count) && fits;
  return (nodes.correction.empty() || has_length("nodes.correction", nodes.correction, count)) && fits;
}

void OwnCoefficients::read(const std::vector<quad>& values) {
  for (const quad value : values) {
    is_finite_ = is_finite_ && is_finite(value);
    are_doubles_ = are_doubles_ && quad(static_cast<double>(value)) == value;
    largest_ = std::max(largest_, size_of(value));
  }
}

void OwnCoefficients::read(const Tableau& tableau) {
  read(tableau.c);
  read(tableau.b);
  for (const std::vector<quad>& row : tableau.a) read(row);
}

void OwnCoefficients::set_tolerance() {
  tolerance_ = (are_doubles_ ? 1e-12 : 1e-26) * static_cast<double>(largest_);
  if (!is_finite_) blame("a coefficient is not finite", "coefficients are numbers");
}

void OwnCoefficients::adds_up(const std::string& what, const std::vector<quad>& values, quad to) {
  const quad sum = std::accumulate(values.begin(), values.end(), quad(0));
  if (is_zero(sum - to)) return;
  blame(fmt::format("the {} add up to {}, not to {}", what, text_of(sum), text_of(to)),
        are_doubles_
            ? "a method is consistent if they do"
            : "a method is consistent if they do; write all coefficients as quad, quad(1)/3, or all as double");
}

void OwnCoefficients::rows_add_up(const std::string& what, const Rows& rows, const std::vector<quad>& to) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    adds_up(fmt::format("numbers in row {} of {}", i + 1, what), rows[i], to[i]);
}

void OwnCoefficients::check_nodes(const NodeCoefficients& nodes, const std::vector<quad>& b) {
  const bool increases = std::adjacent_find(nodes.c.begin(), nodes.c.end(), std::greater_equal<>()) == nodes.c.end();
  if (!increases || nodes.c.front() != 0 || nodes.c.back() != 1) {
    blame("nodes.c do not increase from 0 to 1", "the first node is the start of the step and the last one its end");
  }
  std::vector<quad> weights = nodes.b;
  for (std::size_t j = 0; j < nodes.correction.size(); ++j) weights[j] += nodes.correction[j];
  adds_up(nodes.correction.empty() ? "weights nodes.b" : "weights nodes.b and nodes.correction together", weights, 1);
  rows_add_up("nodes.reach", nodes.reach, nodes.c);
  if (nodes.reach.back() != b) {
    blame("the last row of nodes.reach is not q.b", "the last node is the end of the step: give it that row");
  }
}

void OwnCoefficients::check_multipliers(const SparkCoefficients& coefficients) {
  // What the multipliers z_l = h lambda_l add to the conditions, K M^-1 K^T being one.
  const Tableau& reactions = coefficients.reactions;
  const std::size_t s = reactions.b.size(), first = coefficients.first_multiplier_given ? 1 : 0;
  Rows weights = coefficients.omega;
  if (coefficients.constraint_at_mean) {
    weights.push_back(coefficients.q.b);
    weights.back().push_back(0);
  }
  Rows matrix(weights.size(), std::vector<quad>(s - first, quad(0)));
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t l = first; l < s; ++l) {
      quad& entry = matrix[i][l - first];
      entry = weights[i][s] * reactions.b[l];
      for (std::size_t j = 0; j < s; ++j) entry += weights[i][j] * reactions.a[j][l];
    }
  }
  if (!inverse_matrix(matrix).empty()) return;
  blame(
      "its conditions omega on the constraints do not determine the multipliers: the matrix omega (a, b) of the "
      "reactions is singular",
      "take another tableau for the reactions, or other conditions; explicit methods are for register_runge_kutta");
}

void OwnCoefficients::set_order(OrderRange known, int proved, int claimed) {
  if (claimed < 0 || claimed > known.most) {
    blame(fmt::format("order {} is claimed, but the coefficients have order {}{}", claimed,
                      known.least < known.most ? "at most " : "", known.most),
          "give the order that they have, or none, for what follows from them");
    return;
  }
  when_free_ = known.least;
  order_ = claimed > 0 ? claimed : std::min(proved, known.least);
  if (claimed == 0 && known.least < std::min(proved, known.most)) {
    blame(fmt::format("its order is {} or more, and which one does not follow from the coefficients", known.least),
          fmt::format("say it: .order = {} if that is what converge measures", std::min(proved, known.most)));
  }
  when_free_ = std::max(when_free_, order_);
}

}  // namespace noslip
