#include "model/basis_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <Eigen/QR>
#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/expr/print.hpp>

#include "model/evaluator.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Of the sum of the products |K_i X_i|: entries may have lost some digits before they meet.
constexpr double relative_rounding = 1e-12;
constexpr double smallest_pivot = 1e-10;
constexpr double rounding_unit = 64 * std::numeric_limits<double>::epsilon();

/// The states to look at: the given one first.
std::vector<InitialState> states_around(const InitialState& state) {
  PositionsAround around;
  std::vector<InitialState> states(1 + PositionsAround::count, state);
  for (int i = 1; i <= PositionsAround::count; ++i) {
    states[i].t = around(state.t);
    for (double& q : states[i].q) q = around(q);
  }
  return states;
}

/// Rank with rows and columns in units of their own.
Index rank_of(MatrixXd matrix) {
  for (const bool columns : {true, false}) {
    if (columns) matrix.transposeInPlace();
    for (Index i = 0; i < matrix.rows(); ++i) {
      const double largest = matrix.row(i).cwiseAbs().maxCoeff();
      if (largest > 0) matrix.row(i) /= largest;
    }
    if (columns) matrix.transposeInPlace();
  }
  Eigen::ColPivHouseholderQR<MatrixXd> factors(matrix);
  factors.setThreshold(smallest_pivot);
  return factors.rank();
}

}  // namespace

BasisValues::BasisValues(const System& system, std::vector<double> parameters)
    : system_(system), parameters_(std::move(parameters)) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  const ExprMatrix inputs{{copy(system.t())}, copy(system.q()), copy(parameter_symbols(system))};
  const ExprMatrix X = copied(copy, system.basis());
  const SparseMatrix K = copied(copy, graph, gradients_of(system.constraints()));
  rows_ = Function<double>(inputs, {entries_of(X), entries_of(K)});
  for (std::size_t r = 0; r < K.size(); ++r) {
    for (std::size_t a = 0; a < X.size(); ++a) {
      if (!dot(graph, K[r], X[a]).is_zero()) open_.emplace_back(r, a);
    }
  }
}

BasisValues::Values BasisValues::values(const InitialState& at) const {
  const auto n = static_cast<Index>(system_.dimension());
  const auto rows = static_cast<Index>(system_.basis().size());
  const auto constraints = static_cast<Index>(system_.constraints().size());
  const Evaluation<double> here = rows_({at.t, at.q, parameters_});
  OutputReader read(here);
  Values result;
  result.X = read.matrix(rows, n);
  result.K = read.matrix(constraints, n);
  return result;
}

std::string BasisValues::row_text(Index row) const {
  const std::vector<Expr>& entries = system_.basis()[static_cast<std::size_t>(row)];
  std::vector<std::string> texts;
  for (const Expr entry : entries) texts.push_back(to_text(entry, 60));
  std::string text = fmt::format("row {} of `basis`", row + 1);
  return entries.size() <= 12 ? fmt::format("{}, ({}),", text, fmt::join(texts, ", ")) : text;
}

std::vector<Problem> BasisValues::not_finite(const Values& at) const {
  std::vector<Problem> problems;
  for (Index a = 0; a < at.X.rows(); ++a) {
    if (at.X.row(a).allFinite()) continue;
    problems.push_back({row_text(a) + " is not finite at the initial position",
                        {},
                        "check the row, the initial values and the parameters"});
  }
  return problems;
}

std::vector<Problem> BasisValues::problems(const InitialState& state) const {
  std::vector<Problem> problems;
  std::set<std::pair<Index, Index>> blamed;
  bool is_dependent = false;
  const std::vector<InitialState> states = states_around(state);
  for (const InitialState& there : states) {
    const bool is_start = &there == &states.front();
    const Values at = values(there);
    if (is_start && !at.X.allFinite()) return not_finite(at);
    if (!at.X.allFinite() || !at.K.allFinite()) continue;
    const auto place = [&] {
      std::vector<std::string> numbers;
      for (std::size_t i = 0; i < there.q.size(); ++i) {
        numbers.push_back(fmt::format("{} = {}", system_.coordinates()[i], to_short_text(there.q[i])));
      }
      return is_start || numbers.size() > 12 ? std::string(is_start ? "the initial position" : "a position near it")
                                             : list_of(numbers);
    };
    for (const auto& pair : open_) {
      const auto K = at.K.row(pair.first), X = at.X.row(pair.second);
      const double product = K.dot(X);
      const double allowed =
          std::max(relative_rounding * K.cwiseAbs().dot(X.cwiseAbs()), rounding_unit * K.norm() * X.norm());
      if (std::abs(product) <= allowed || !blamed.insert(pair).second) continue;
      problems.push_back({fmt::format("{} violates constraint '{}': K X is {} at {}", row_text(pair.second),
                                      system_.constraints()[static_cast<std::size_t>(pair.first)].text,
                                      to_short_text(product), place()),
                          {},
                          "every row has to be a velocity that all constraints allow, at all positions"});
    }
    if (is_dependent || rank_of(at.X) == at.X.rows()) continue;
    is_dependent = true;
    problems.push_back({fmt::format("the rows of `basis` depend on each other at {}: rank {} of {}", place(),
                                    rank_of(at.X), at.X.rows()),
                        {},
                        "give rows of which none is a sum of multiples of the others"});
  }
  return problems;
}

}  // namespace noslip
