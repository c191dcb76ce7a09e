// Entries of the reduced equations, evaluated by one function.
#include "index_reduced.hpp"

using noslip::Expr;

IndexReducedEntries::IndexReducedEntries(const noslip::System& system, const std::vector<double>& parameters) {
  noslip::Graph graph(system.graph());
  noslip::Substitution numbers(graph);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    numbers.replace(system.parameters()[i].symbol, graph.constant(noslip::Number::real(parameters[i])));
  }
  std::vector<Expr> state = system.q(), entries;
  state.insert(state.end(), system.v().begin(), system.v().end());
  state_count_ = state.size();
  const auto add = [&](Expr expression) { entries.push_back(numbers(expression)); };
  for (std::size_t i = 0; i < system.q().size(); ++i) {
    for (std::size_t j = i; j < system.q().size(); ++j) add(system.mass()[i][j]);
  }
  for (const noslip::Constraint& constraint : system.velocity_level()) {
    for (const Expr entry : constraint.K.dense()) add(entry);
  }
  for (const Expr g : system.acceleration_rhs()) add(g);
  for (const Expr gamma : system.constraint_rhs()) add(gamma);
  const noslip::Function<double> function({{system.t()}, state}, {entries}, noslip::Backend::automatic);
  entries_ = noslip::Evaluation<double>(function);
}

const double* IndexReducedEntries::at(double t, const double* x) {
  entries_.set(0, t).set(1, std::span(x, state_count_)).run();
  return entries_.output(0).data();
}
