// Outputs and guards live in a copy of the system's graph, where multipliers are symbols.
#include "run/watched_functions.hpp"

#include <algorithm>
#include <limits>

#include <noslip/run/watched.hpp>

namespace noslip {

bool have_reactions(const System& system, Graph& graph, std::span<const Expr> expressions) {
  if (system.offers().multiplier_variables) return false;
  const std::vector<Expr> multipliers = system.multipliers(graph), symbols = symbols_of(expressions);
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr symbol) {
    return std::find(multipliers.begin(), multipliers.end(), symbol) != multipliers.end();
  });
}

template <class T>
WatchedFunctions<T>::WatchedFunctions(const System& system, Backend backend) {
  if (system.outputs().empty() && system.guards().empty()) return;
  Graph graph(system.watched_graph());
  const std::vector<Expr> multipliers = system.multipliers(graph);
  std::vector<Expr> values, conditions;
  for (const auto& [name, expression] : system.outputs()) values.push_back(graph.counterpart(expression));
  for (const Guard& guard : system.guards()) conditions.push_back(graph.counterpart(guard.margin));
  outputs = StateFunctions<T>::function(system, values, backend, multipliers);
  margins = StateFunctions<T>::function(system, conditions, backend, multipliers);
  guards_have_reactions = have_reactions(system, graph, conditions);
}

void watched_values(const System& system, std::span<const double> parameters, const InitialState& state,
                    std::span<const double> multipliers, std::vector<double>& outputs, std::vector<double>& margins) {
  if (system.outputs().empty() && system.guards().empty()) return;
  const WatchedFunctions<double> functions(system, Backend::interpreter);
  std::vector<double> here = state.q, reactions(multipliers.begin(), multipliers.end());
  here.insert(here.end(), state.v.begin(), state.v.end());
  here.insert(here.end(), state.z.begin(), state.z.end());
  here.resize(system.q().size() + system.v().size() + system.z().size(), std::numeric_limits<double>::quiet_NaN());
  reactions.resize(system.multiplier_names().size(), std::numeric_limits<double>::quiet_NaN());
  const auto evaluate = [&](const Function<double>& function, std::vector<double>& to) {
    const StateFunctions<double> values(function, parameters);
    const std::span<const double> found =
        system.offers().multiplier_variables ? values(state.t, here) : values(state.t, here, reactions);
    to.assign(found.begin(), found.end());
  };
  evaluate(functions.outputs, outputs);
  evaluate(functions.margins, margins);
}

template <class T>
WatchedOutputs<T>::WatchedOutputs(const System& system, const WatchedFunctions<T>& functions)
    : multipliers_(system.multiplier_names().size()), are_state_(system.offers().multiplier_variables) {
  if (!system.outputs().empty()) functions_.emplace(functions.outputs);
}

template <class T>
void WatchedOutputs<T>::add_to(Sample& sample, T t, std::span<const T> state, std::span<const T> parameters) {
  if (!functions_) return;
  constants_.assign(parameters.begin(), parameters.end());
  std::copy(sample.inputs.begin(), sample.inputs.end(),
            constants_.end() - static_cast<std::ptrdiff_t>(sample.inputs.size()));
  functions_->set(constants_);
  std::copy_n(sample.multipliers.begin(), std::min(sample.multipliers.size(), multipliers_.size()),
              multipliers_.begin());
  const std::span<const T> values = are_state_ ? (*functions_)(t, state) : (*functions_)(t, state, multipliers_);
  sample.outputs.assign(values.begin(), values.end());
}

template struct WatchedFunctions<double>;
template struct WatchedFunctions<long double>;
template struct WatchedFunctions<quad>;
template class WatchedOutputs<double>;
template class WatchedOutputs<long double>;
template class WatchedOutputs<quad>;

}  // namespace noslip
