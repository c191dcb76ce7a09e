#include "model/regularity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <noslip/core/names.hpp>

#include "model/scaled_solution.hpp"
#include "model/sparse_conditioning.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// "1, 2, 3, ... (97 more) and 101"
std::string short_list_of(std::vector<std::string> texts) {
  constexpr std::size_t most = 12, first = 4;
  if (texts.size() <= most) return list_of(texts);
  const std::size_t left_out = texts.size() - first - 1;
  texts.erase(texts.begin() + first, texts.end() - 1);
  texts[first - 1] += ", ... (" + std::to_string(left_out) + " more)";
  return list_of(texts);
}

std::string numbers(const std::vector<Index>& constraints) {
  std::vector<std::string> texts;
  for (const Index i : constraints) texts.push_back(std::to_string(i + 1));
  return (constraints.size() == 1 ? "constraint " : "constraints ") + short_list_of(std::move(texts));
}

std::string quoted(const std::vector<Constraint>& constraints, Index i) {
  return std::to_string(i + 1) + " '" + constraints[static_cast<std::size_t>(i)].text + "'";
}

std::vector<std::string> names_of_zero_rows(const MatrixXd& matrix, const std::vector<std::string>& coordinates) {
  std::vector<std::string> names;
  for (Index i = 0; i < matrix.rows(); ++i) {
    if ((matrix.row(i).array() == 0).all()) names.push_back(coordinates[static_cast<std::size_t>(i)]);
  }
  return names;
}

std::vector<std::string> names_of_zero_rows(const SparseRows& matrix, const std::vector<std::string>& coordinates) {
  std::vector<std::string> names;
  for (Index i = 0; i < matrix.rows(); ++i) {
    bool is_zero = true;
    for (SparseRows::InnerIterator entry(matrix, i); entry; ++entry) is_zero = is_zero && entry.value() == 0;
    if (is_zero) names.push_back(coordinates[static_cast<std::size_t>(i)]);
  }
  return names;
}

/// Names of the variables that directions (columns) contain, in quotes.
std::string involved(const MatrixXd& directions, const std::vector<std::string>& variables) {
  std::vector<std::string> names;
  const double least = 1e-6 * directions.cwiseAbs().maxCoeff();
  for (Index i = 0; i < directions.rows(); ++i) {
    if (directions.row(i).cwiseAbs().maxCoeff() > least) {
      names.push_back("'" + variables[static_cast<std::size_t>(i)] + "'");
    }
  }
  return short_list_of(std::move(names));
}

std::string rank_text(int rank, Index rows) {
  return "(rank " + std::to_string(rank) + " of " + std::to_string(rows) + ")";
}

/// Who is to blame for a large condition: a mass, or constraints.
std::string cause_of(const MassVerdict* mass, const ProductAnalysis& product, const std::vector<std::string>& names,
                     const std::vector<Constraint>& constraints) {
  if (mass && mass->weakest.size() > 0 && mass->condition >= product.condition) {
    return "a motion of " + involved(mass->weakest, names) + " has nearly no inertia";
  }
  if (product.weakest.empty()) return {};
  const Dependence& weakest = product.weakest.front();
  return "constraint " + quoted(constraints, weakest.row) +
         (weakest.on.empty() ? " hardly restricts the motion" : " nearly depends on " + numbers(weakest.on));
}

void add_dependent_constraints(const ProductAnalysis& rows, const std::vector<Constraint>& constraints,
                               std::vector<Problem>& problems) {
  for (const Dependence& dependence : rows.dependences) {
    const std::string reason =
        dependence.on.empty() ? "does not restrict the velocities" : "depends on " + numbers(dependence.on);
    problems.push_back({"constraint " + quoted(constraints, dependence.row) + " " + reason + " at the initial state " +
                            rank_text(rows.rank, static_cast<Index>(constraints.size())),
                        {},
                        "remove it, or start where the constraints are independent"});
  }
}

/// Constraints that are independent, but leave a motion u with K u = 0 whose inertia is nothing but reactions:
/// L_vv u = K^T x. Only where L_vv is indefinite.
void add_motions_without_inertia(const ProductAnalysis& product, const System& system, std::vector<Problem>& problems) {
  std::vector<std::string> velocities;
  for (const Expr v : system.v()) velocities.push_back(v.name());
  const std::vector<Constraint>& constraints = system.velocity_level();
  for (const Dependence& dependence : product.dependences) {
    std::string who = "constraint " + quoted(constraints, dependence.row);
    for (const Index other : dependence.on) who.insert(0, "constraint " + quoted(constraints, other) + " and ");
    problems.push_back({"the equations of motion are singular at the initial state: " + who +
                            (dependence.on.empty() ? " leaves" : " leave") + " a motion of " +
                            involved(product.directions, velocities) +
                            " without inertia (L_vv is indefinite, K L_vv^-1 K^T has rank " +
                            std::to_string(product.rank) + " of " + std::to_string(constraints.size()) + ")",
                        {},
                        "change the Lagrangian or the constraints, or start elsewhere"});
  }
}

/// Problems of a singular L_vv, by the names of the coordinates; empty where it is regular.
template <class Matrix>
std::vector<Problem> singular_mass(const Matrix& mass, const MassVerdict& analysis, const System& system) {
  std::vector<Problem> problems;
  const std::vector<std::string>& names = system.velocity_names();
  for (const std::string& name : names_of_zero_rows(mass, names)) {
    const auto i = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    const std::string& symbol = system.v()[i].name();  // x' of a coordinate, w1 of a body
    problems.push_back({"L_vv is singular: the Lagrangian has no term that is quadratic in the velocity " +
                            std::string(symbol == name ? "'" : "of '") + name + "'",
                        {},
                        "give '" + name + "' an inertia, for example m/2*" + symbol + "^2"});
  }
  if (!problems.empty()) return problems;
  if (analysis.is_singular()) {
    problems.push_back({"L_vv is singular " + rank_text(analysis.rank, mass.rows()) + ": there is a motion of " +
                            involved(analysis.weakest, names) + " without inertia",
                        {},
                        "give it an inertia, or remove a coordinate"});
  }
  return problems;
}

}  // namespace

std::vector<Problem> singular_inverse_mass(const MatrixXd& inverse_mass, const std::vector<std::string>& coordinates) {
  std::vector<Problem> problems;
  const std::string remedy = "v = H_p has to determine the momenta: start elsewhere, or change the Hamiltonian";
  for (const std::string& name : names_of_zero_rows(inverse_mass, coordinates)) {
    problems.push_back({"H_pp is singular at the initial state: the row of p(" + name + ") is zero there", {}, remedy});
  }
  if (!problems.empty()) return problems;
  const MassAnalysis analysis(inverse_mass);
  if (analysis.is_singular()) {
    problems.push_back({"H_pp is singular at the initial state " + rank_text(analysis.rank, inverse_mass.rows()) +
                            " in the momenta of " + involved(analysis.weakest, coordinates),
                        {},
                        remedy});
  }
  return problems;
}

namespace {

/// From the verdicts about the mass matrix and the rows of K; `indefinite` analyses K L_vv^-1 K^T for an L_vv that is not
/// positive.
template <class Indefinite>
Regularity saddle_verdict(std::vector<Problem> mass_problems, const MassVerdict& metric, ProductAnalysis product,
                          const System& system, const Indefinite& indefinite) {
  Regularity result;
  result.problems = std::move(mass_problems);
  result.rank = product.rank;
  if (result.problems.empty()) add_dependent_constraints(product, system.velocity_level(), result.problems);
  if (!result.problems.empty()) return result;
  if (!metric.is_positive && !system.velocity_level().empty()) {
    product = indefinite(product);
    add_motions_without_inertia(product, system, result.problems);
  }
  result.condition = metric.condition * product.condition;
  result.cause = cause_of(&metric, product, system.velocity_names(), system.velocity_level());
  return result;
}

/// Of constraints and the motions that their reactions cause.
ProductAnalysis analyse_reactions(const MatrixXd& constraints, const MatrixXd& reactions) {
  ProductAnalysis product = analyse_product(constraints, reactions, true);
  if (product.directions.size() == 0) {  // reactions that act on none of the constraints
    product.directions.resize(reactions.rows(), 0);
    for (const Dependence& dependence : product.dependences) {
      product.directions.conservativeResize(Eigen::NoChange, product.directions.cols() + 1);
      product.directions.rightCols(1) = reactions.col(dependence.row);
    }
  }
  return product;
}

}  // namespace

Regularity dense_saddle_regularity(const MatrixXd& mass, const MatrixXd& K, const System& system) {
  const MassAnalysis metric(mass);
  const MatrixXd scaled = K * metric.scale.asDiagonal();
  MatrixXd rows = scaled;
  if (metric.is_positive && K.rows() > 0) {
    rows = metric.cholesky.triangularView<Eigen::Lower>().solve(scaled.transpose()).transpose();
  }
  return saddle_verdict(singular_mass(mass, metric, system), metric, analyse_rows(rows), system,
                        [&](const ProductAnalysis&) {
                          return analyse_reactions(scaled, metric.scaled.partialPivLu().solve(scaled.transpose()));
                        });
}

Regularity sparse_saddle_regularity(const SparseRows& mass, const SparseRows& K, const System& system) {
  const SparseMassAnalysis metric(mass);
  const SparseRows scaled = K * metric.scale.asDiagonal();
  return saddle_verdict(singular_mass(mass, metric, system), metric,
                        analyse_rows(metric.is_positive ? metric.cholesky.in_metric(scaled) : scaled), system,
                        [&](const ProductAnalysis& of_rows) { return analyse_saddle(metric.scaled, scaled, of_rows); });
}

Regularity saddle_regularity(const SparseRows& mass, const SparseRows& K, const System& system) {
  if (is_analysed_dense(mass.rows() + K.rows(), mass.nonZeros() + 2 * K.nonZeros())) {
    return dense_saddle_regularity(MatrixXd(mass), MatrixXd(K), system);
  }
  return sparse_saddle_regularity(mass, K, system);
}

Regularity index_regularity(const MatrixXd& g_y, const MatrixXd& f_z, const std::vector<Constraint>& constraints) {
  const ProductAnalysis product = analyse_product(g_y, f_z, true);
  Regularity result{product.rank, product.condition, cause_of(nullptr, product, {}, constraints), {}};
  for (const Dependence& dependence : product.dependences) {
    const std::string reason = dependence.on.empty()
                                   ? "does not determine any z"
                                   : "determines the same z as the derivative of " + numbers(dependence.on);
    result.problems.push_back({"the system is not of index 2 at the initial state: the derivative of constraint " +
                                   quoted(constraints, dependence.row) + " " + reason + " (g_y f_z has rank " +
                                   std::to_string(product.rank) + " of " + std::to_string(g_y.rows()) + ")",
                               {},
                               "start from other values of y and z, or with other constraints g"});
  }
  return result;
}

Regularity reaction_regularity(const MatrixXd& mass, const MatrixXd& K, const MatrixXd& reaction,
                               const std::vector<Constraint>& constraints) {
  MatrixXd over_mass(reaction.rows(), reaction.cols());
  for (Index k = 0; k < reaction.cols(); ++k) over_mass.col(k) = solve_scaled(mass, reaction.col(k));
  const ProductAnalysis product = analyse_product(K, over_mass, true);
  Regularity result{product.rank_of_rows, product.condition, cause_of(nullptr, product, {}, constraints), {}};
  for (const Dependence& dependence : product.dependences) {
    const bool is_zero = dependence.on.empty();
    result.problems.push_back({std::string("the multipliers are not determined at the initial state: ") +
                                   (is_zero ? "no reaction acts on constraint " : "the reactions act on constraint ") +
                                   quoted(constraints, dependence.row) +
                                   (is_zero ? "" : " as on " + numbers(dependence.on)) + " " +
                                   rank_text(product.rank, K.rows()),
                               {},
                               "start elsewhere, or change the reactions or the constraints"});
  }
  return result;
}

Regularity momentum_regularity(const MatrixXd& p_z, const std::vector<std::string>& names) {
  const TwoScalings units(p_z);
  const ProductAnalysis columns =
      analyse_rows((units.rows.asDiagonal() * p_z * units.columns.asDiagonal()).transpose());
  Regularity result{columns.rank, std::sqrt(columns.condition), {}, {}};
  if (!columns.weakest.empty()) {
    result.cause = "p hardly determines '" + names[static_cast<std::size_t>(columns.weakest.front().row)] + "'";
  }
  for (const Dependence& dependence : columns.dependences) {
    const std::string& name = names[static_cast<std::size_t>(dependence.row)];
    result.problems.push_back({"p_z is singular at the initial state " + rank_text(columns.rank, p_z.rows()) +
                                   ": p does not determine '" + name + "'",
                               {},
                               "start elsewhere, or change p"});
  }
  return result;
}

}  // namespace noslip
