// The coefficients of the SPARK methods, and what they satisfy.
#include <algorithm>

#include <noslip/method/spark.hpp>

#include "method/coefficients.hpp"

namespace noslip {

namespace {

using Rows = std::vector<std::vector<quad>>;

/// A weight that is not written but computed, as a sum that may cancel, is zero below this. Coefficients may be right
/// to double precision only.
const quad negligible_weight = quad(1e-14);

bool is_close(const std::vector<quad>& a, const std::vector<quad>& b, double tolerance) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](quad x, quad y) { return size_of(x - y) <= quad(tolerance); });
}

/// omega of (6.1e) and (6.1f): moments of the constraints at the stages, and the constraint at the end.
Rows moments_and_end(const Tableau& tableau) {
  const int s = tableau.stages();
  Rows rows = moments(tableau, s - 1);
  for (std::vector<quad>& row : rows) row.push_back(0);
  rows.emplace_back(s + 1, quad(0));
  rows.back().back() = 1;
  return rows;
}

std::vector<quad> last_stage(const Tableau& tableau) {
  std::vector<quad> weights(tableau.stages(), quad(0));
  weights.back() = 1;
  return weights;
}

bool ends_at_last_stage(const Tableau& tableau) { return tableau.c.back() == 1; }

/// a-tilde from the condition (4.1c) of Jay 2007.
NodeCoefficients symplectic_nodes(const Tableau& q, const std::vector<quad>& c, const std::vector<quad>& b,
                                  const Rows& reach) {
  NodeCoefficients nodes{c, b, reach, Rows(q.b.size())};
  for (std::size_t i = 0; i < q.b.size(); ++i) {
    for (std::size_t j = 0; j < c.size(); ++j) nodes.a[i].push_back(b[j] * (1 - reach[j][i] / q.b[i]));
  }
  return nodes;
}

Tableau one_stage(const char* name, quad c, quad a) {
  return {name, "L. O. Jay, Lagrange-d'Alembert SPARK integrators (2009), sections 7.1 and 7.2", {c}, {1}, {{a}}};
}

}  // namespace

quad SparkCoefficients::weight_of_start() const {
  if (end_multipliers.empty()) return 0;
  quad rest = 1;
  for (const quad weight : end_multipliers) rest -= weight;
  return size_of(rest) > negligible_weight ? rest : quad(0);
}

SparkCoefficients spark(const Tableau& q, const Tableau& forces, const Tableau& reactions) {
  SparkCoefficients result{q, forces, reactions, moments_and_end(q)};
  if (ends_at_last_stage(q)) result.end_multipliers = last_stage(q);
  return result;
}

SparkCoefficients gauss_spark(int stages) {
  const Tableau tableau = gauss(stages);
  SparkCoefficients result = spark(tableau, tableau, tableau);
  const Tableau lobatto = lobatto_quadrature(stages + 1);
  result.nodes = symplectic_nodes(tableau, lobatto.c, lobatto.b, gauss_integrals(stages, lobatto.c));
  return result;
}

SparkCoefficients lobatto_ab_spark(int stages) {
  const Tableau a = lobatto_iiia(stages), b = lobatto_iiib(stages);
  SparkCoefficients result = spark(a, b, b);
  result.nodes = NodeCoefficients{a.c, a.b, a.a, b.a};
  return result;
}

SparkCoefficients lobatto_abd_spark(int stages) {
  return spark(lobatto_iiia(stages), lobatto_iiib(stages), lobatto_iiid(stages));
}

SparkCoefficients lobatto_ad_spark(int stages) {
  const Tableau d = lobatto_iiid(stages);
  return spark(lobatto_iiia(stages), d, d);
}

SparkCoefficients lobatto_d_spark(int stages) {
  const Tableau d = lobatto_iiid(stages);
  return spark(d, d, d);
}

SparkCoefficients lobatto_ab_mid_spark() {
  SparkCoefficients result = lobatto_ab_spark(2);
  result.omega.erase(result.omega.begin());
  result.nodes.reset();
  result.constraint_at_mean = true;
  return result;
}

SparkCoefficients euler_a_spark() {
  const Tableau momenta = one_stage("Euler, momenta at the end", 0, 1);
  return spark(one_stage("Euler, positions at the start", 0, 0), momenta, momenta);
}

SparkCoefficients euler_b_spark() {
  const Tableau momenta = one_stage("Euler, momenta at the start", 1, 0);
  return spark(one_stage("Euler, positions at the end", 1, 1), momenta, momenta);
}

SparkCoefficients euler_natural_spark(quad alpha) {
  SparkCoefficients result = euler_a_spark();
  result.for_positions_only = true;
  result.end_multipliers = {};
  result.nodes = NodeCoefficients{{0, 1}, {alpha, 1 - alpha}, {{0}, {1}}, {{alpha, 0}}};
  // g(q1) = 0 makes the first reaction what moves q by h^2 F, not by h^2 F/2: it is not a value of the multiplier, and
  // neither is the second one.
  result.nodes->has_end_multiplier = false;
  return result;
}

SparkCoefficients euler_true_spark(quad alpha) {
  SparkCoefficients result = euler_natural_spark(alpha);
  result.nodes->b = {alpha, 1};
  result.nodes->correction = {-alpha, 0};
  result.nodes->has_end_multiplier = true;
  return result;
}

SparkCoefficients specialised_spark(const Tableau& tableau) { return spark(tableau, tableau, tableau); }

SparkCoefficients standard_spark(const Tableau& tableau) {
  const int s = tableau.stages();
  SparkCoefficients result{tableau, tableau, tableau, {}};
  const bool starts_at_first_stage =
      std::all_of(tableau.a.front().begin(), tableau.a.front().end(), [](quad a) { return a == 0; });
  result.first_multiplier_given = starts_at_first_stage;
  for (int i = starts_at_first_stage ? 1 : 0; i < s; ++i) {
    result.omega.emplace_back(s + 1, quad(0));
    result.omega.back()[i] = 1;
  }
  if (starts_at_first_stage) {
    result.end_multipliers = last_stage(tableau);
  } else {  // z1 = R(inf) z0 + b^T A^-1 Z, R(inf) = 1 - b^T A^-1 (1, ..., 1)
    const Rows inverse = inverse_matrix(tableau.a);
    for (int j = 0; j < s; ++j) {
      quad weight = 0;
      for (int i = 0; i < s; ++i) weight += tableau.b[i] * inverse[i][j];
      result.end_multipliers.push_back(size_of(weight) > negligible_weight ? weight : quad(0));
    }
  }
  return result;
}

bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients, double tolerance) {
  return defect_symplectic(coefficients.q, coefficients.forces) < tolerance &&
         is_close(coefficients.q.b, coefficients.forces.b, tolerance);
}

bool is_symmetric(const SparkCoefficients& coefficients, double tolerance) {
  return defect_symmetric(coefficients.q) < tolerance && defect_symmetric(coefficients.forces) < tolerance &&
         defect_symmetric(coefficients.reactions) < tolerance;
}

bool is_symplectic_with_positions(const SparkCoefficients& coefficients, double tolerance) {
  if (!coefficients.nodes || !coefficients.nodes->correction.empty()) return false;
  const NodeCoefficients& nodes = *coefficients.nodes;
  const std::vector<quad>& b = coefficients.q.b;
  if (!is_close(coefficients.forces.b, b, tolerance)) return false;                      // (4.1a)
  if (defect_symplectic(coefficients.q, coefficients.forces) > tolerance) return false;  // (4.1b)
  for (std::size_t i = 0; i < nodes.c.size(); ++i) {                                     // (4.1c)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const quad defect = nodes.b[i] * nodes.reach[i][j] + b[j] * nodes.a[j][i] - nodes.b[i] * b[j];
      if (size_of(defect) > tolerance) return false;
    }
  }
  return true;
}

}  // namespace noslip
