#include "model/nonideal_values.hpp"

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/expr/derivative.hpp>

#include "model/evaluator.hpp"

namespace noslip {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

NonidealValues::NonidealValues(const System& system, std::vector<double> parameters)
    : system_(system), parameters_(std::move(parameters)) {
  // In a graph of its own: the system's may be in use by other threads.
  Graph graph;
  Substitution copy(graph);
  ExprMatrix inputs = copied(copy, state_blocks(system));
  inputs.push_back(copy(system.psi()));
  const std::vector<Expr> reactions = copy(system.nonideal());
  function_ = Function<double>(inputs, {reactions, dense_jacobian(graph, reactions, inputs.back())});
}

NonidealValues NonidealValues::with_parameters(const std::vector<double>& parameters) const {
  NonidealValues copy(*this);
  copy.parameters_ = parameters;
  return copy;
}

NonidealValues::Reaction NonidealValues::reaction(const InitialState& state, const VectorXd& psi) const {
  const auto count = static_cast<std::size_t>(psi.size());
  const Evaluation<double> here =
      function_({state.t, state.q, state.v, state.z, parameters_, std::span(psi.data(), count)});
  OutputReader read(here);
  Reaction result;
  result.force = read.vector();
  result.derivative = read.matrix(result.force.size(), psi.size());
  return result;
}

Regularity NonidealValues::regularity(const InitialState& state, const MatrixXd& mass, const MatrixXd& K,
                                      const VectorXd& ideal, const VectorXd* found) const {
  Regularity result;
  std::vector<Problem>& problems = result.problems;
  const Reaction first = reaction(state, -ideal);
  for (Index i = 0; i < first.force.size(); ++i) {
    if (std::isfinite(first.force[i]) && first.derivative.row(i).allFinite()) continue;
    problems.push_back({"the nonideal reaction on '" + system_.velocity_names()[static_cast<std::size_t>(i)] +
                            "' is not finite at the initial state",
                        {},
                        "check the initial values and the parameters"});
  }
  if (!problems.empty()) return result;

  // Reactions that N takes back are zero but for rounding.
  const MatrixXd by_psi = reaction(state, -(found != nullptr ? *found : ideal)).derivative;
  MatrixXd slope = K.transpose() - by_psi;
  const MatrixXd noise = 64 * std::numeric_limits<double>::epsilon() * (K.transpose().cwiseAbs() + by_psi.cwiseAbs());
  slope = (slope.cwiseAbs().array() > noise.array()).select(slope, 0);
  result = reaction_regularity(mass, K, slope, system_.velocity_level());
  if (problems.empty() && found == nullptr) {
    std::vector<std::string> values;
    for (const double lambda : ideal) values.push_back(to_short_text(lambda));
    problems.push_back(
        {"no multipliers of the nonideal reactions were found from the ideal ones (" + list_of(values) + ")",
         {},
         "there may be none here: check [nonideal], or start elsewhere"});
  }
  return result;
}

}  // namespace noslip
