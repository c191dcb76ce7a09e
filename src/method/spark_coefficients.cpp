// The coefficients of the SPARK methods, and what they satisfy.
#include <noslip/method/spark.hpp>

#include <algorithm>

#include "method/coefficients.hpp"

namespace noslip {

namespace {

using Rows = std::vector<std::vector<quad>>;

quad size_of(quad x) { return x < 0 ? -x : x; }

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

SparkCoefficients spark(const Tableau& q, const Tableau& forces, const Tableau& reactions) {
  SparkCoefficients result{q, forces, reactions, moments_and_end(q)};
  if (ends_at_last_stage(q)) result.end_multipliers = last_stage(q);
  return result;
}

Tableau one_stage(const char* name, quad c, quad a) {
  return {name, "L. O. Jay, Lagrange-d'Alembert SPARK integrators (2009), sections 7.1 and 7.2", {c}, {1}, {{a}}};
}

}  // namespace

quad SparkCoefficients::weight_of_start() const {
  if (end_multipliers.empty()) return 0;
  quad rest = 1;
  for (const quad weight : end_multipliers) rest -= weight;
  return size_of(rest) > negligible_defect ? rest : quad(0);
}

SparkCoefficients gauss_spark(int stages) {
  const Tableau tableau = gauss(stages);
  return spark(tableau, tableau, tableau);
}

SparkCoefficients lobatto_ab_spark(int stages) {
  const Tableau b = lobatto_iiib(stages);
  return spark(lobatto_iiia(stages), b, b);
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
      result.end_multipliers.push_back(size_of(weight) > negligible_defect ? weight : quad(0));
    }
  }
  return result;
}

bool satisfies_lagrange_dalembert(const SparkCoefficients& coefficients) {
  return defect_symplectic(coefficients.q, coefficients.forces) < negligible_defect &&
         coefficients.q.b == coefficients.forces.b;
}

bool is_symmetric(const SparkCoefficients& coefficients) {
  return defect_symmetric(coefficients.q) < negligible_defect && defect_symmetric(coefficients.forces) < negligible_defect &&
         defect_symmetric(coefficients.reactions) < negligible_defect;
}

}  // namespace noslip
