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
  std::vector<Tape::Input> given;
  const auto read = [&](Expr symbol) { given.push_back({copy(symbol), static_cast<std::uint32_t>(given.size())}); };
  read(system.t());
  for (const auto* symbols : {&system.q(), &system.v(), &system.z()}) {
    for (const Expr symbol : *symbols) read(symbol);
  }
  for (const Parameter& parameter : system.parameters()) read(parameter.symbol);
  for (const Expr psi : system.psi()) read(psi);
  inputs_ = given.size();

  const std::vector<Expr> reactions = copy(system.nonideal()), psi = copy(system.psi());
  std::vector<Expr> derivatives(reactions.size() * psi.size(), graph.constant(0));
  for (const Entry& entry : jacobian(reactions, psi)) {
    derivatives[static_cast<std::size_t>(entry.row) * psi.size() + static_cast<std::size_t>(entry.column)] =
        entry.value;
  }
  std::vector<Tape::Output> outputs;
  for (const auto& list : {reactions, derivatives}) {
    for (const Expr f : list) outputs.push_back({f, static_cast<std::uint32_t>(given.size() + outputs.size())});
  }
  kernel_ = Kernel<double>(Tape(given, outputs), Backend::interpreter);
}

NonidealValues::Reaction NonidealValues::reaction(const InitialState& state, const VectorXd& psi) const {
  std::vector<double> work{state.t};
  for (const auto* values : {&state.q, &state.v, &state.z, &parameters_}) {
    work.insert(work.end(), values->begin(), values->end());
  }
  work.insert(work.end(), psi.begin(), psi.end());
  const auto n = static_cast<Index>(system_.dimension());
  work.resize(inputs_ + static_cast<std::size_t>(n * (1 + psi.size())));
  std::vector<double> scratch(kernel_.scratch_size());
  kernel_(work.data(), scratch.data());
  OutputReader read(work.data() + inputs_);
  Reaction result;
  result.force = read.vector(n);
  result.derivative = read.matrix(n, psi.size());
  return result;
}

Regularity NonidealValues::solve(const InitialState& state, const MatrixXd& mass, const MatrixXd& K, const VectorXd& g,
                                 const VectorXd& gamma, SaddleSolution& solution) const {
  Regularity result;
  std::vector<Problem>& problems = result.problems;
  const Reaction ideal = reaction(state, -solution.lambda);
  for (Index i = 0; i < ideal.force.size(); ++i) {
    if (std::isfinite(ideal.force[i]) && ideal.derivative.row(i).allFinite()) continue;
    problems.push_back({"the nonideal reaction on '" + system_.velocity_names()[static_cast<std::size_t>(i)] +
                            "' is not finite at the initial state",
                        {},
                        "check the initial values and the parameters"});
  }
  if (!problems.empty()) return result;

  ReactionProblem problem{mass, K, g, gamma, [&](const VectorXd& lambda) -> ReactionProblem::Reaction {
                            const Reaction extra = reaction(state, -lambda);
                            return {K.transpose() * lambda + extra.force, K.transpose() - extra.derivative};
                          }};
  const auto found = solve_reactions(problem, solution.lambda);
  // Reactions that N takes back are zero but for rounding.
  const MatrixXd by_psi = reaction(state, -(found ? found->lambda : solution.lambda)).derivative;
  MatrixXd slope = K.transpose() - by_psi;
  const MatrixXd noise = 64 * std::numeric_limits<double>::epsilon() * (K.transpose().cwiseAbs() + by_psi.cwiseAbs());
  slope = (slope.cwiseAbs().array() > noise.array()).select(slope, 0);
  result = reaction_regularity(mass, K, slope, system_.velocity_level());
  if (problems.empty() && !found) {
    std::vector<std::string> values;
    for (const double lambda : solution.lambda) values.push_back(to_short_text(lambda));
    problems.push_back(
        {"no multipliers of the nonideal reactions were found from the ideal ones (" + list_of(values) + ")",
         {},
         "there may be none here: check [nonideal], or start elsewhere"});
  }
  if (problems.empty()) solution = *found;
  return result;
}

}  // namespace noslip
