// Entries of the reduced equations, evaluated by one kernel.
#include "index_reduced.hpp"

#include <algorithm>

using noslip::Expr;
using noslip::Tape;

IndexReducedEntries::IndexReducedEntries(const noslip::System& system, const std::vector<double>& parameters) {
  noslip::Graph graph(system.graph());
  noslip::Substitution numbers(graph);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    numbers.replace(system.parameters()[i].symbol, graph.constant(noslip::Number::real(parameters[i])));
  }
  std::vector<Tape::Input> inputs{{system.t(), 0}};
  for (const auto* part : {&system.q(), &system.v()}) {
    for (const Expr symbol : *part) inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())});
  }
  inputs_ = inputs.size();
  std::vector<Tape::Output> outputs;
  const auto add = [&](Expr expression) {
    outputs.push_back({numbers(expression), static_cast<std::uint32_t>(inputs_ + outputs.size())});
  };
  for (std::size_t i = 0; i < system.q().size(); ++i) {
    for (std::size_t j = i; j < system.q().size(); ++j) add(system.mass()[i][j]);
  }
  for (const noslip::Constraint& constraint : system.velocity_level()) {
    for (const Expr entry : constraint.K) add(entry);
  }
  for (const Expr g : system.acceleration_rhs()) add(g);
  for (const Expr gamma : system.constraint_rhs()) add(gamma);
  kernel_ = noslip::Kernel<double>(Tape(inputs, outputs), noslip::Backend::automatic);
  workspace_.resize(inputs_ + outputs.size());
  scratch_.resize(kernel_.scratch_size());
}

const double* IndexReducedEntries::at(double t, const double* x) {
  workspace_[0] = t;
  std::copy(x, x + inputs_ - 1, workspace_.begin() + 1);
  kernel_(workspace_.data(), scratch_.data());
  return workspace_.data() + inputs_;
}
