// A system of the catalogue at its start, and values of expressions, for the tests in this folder.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/exec/kernel.hpp>
#include <noslip/model/continuous.hpp>

namespace noslip::testing {

struct Start {
  System system;
  std::vector<double> parameters;
  InitialState state;
  ContinuousState continuous;
};

inline Start start_of(const std::string& name, std::map<std::string, double> settings = {}) {
  System system = catalogue_system(name, settings);
  std::vector<double> parameters = system.parameter_values(settings);
  InitialState state = system.initial_state(parameters);
  const Continuous continuous(system, parameters);
  continuous.require_consistent(state);
  std::vector<Problem> problems;
  ContinuousState values = continuous.evaluate(state, problems);
  return {std::move(system), std::move(parameters), std::move(state), std::move(values)};
}

/// The expression as a function of (t, q, v) and the parameters, in that order.
inline std::vector<double> values(const System& system, const std::vector<Expr>& expressions,
                                  const std::vector<double>& at) {
  std::vector<Tape::Input> inputs{{system.t(), 0}};
  const auto slot = [&] { return static_cast<std::uint32_t>(inputs.size()); };
  for (const Expr q : system.q()) inputs.push_back({q, slot()});
  for (const Expr v : system.v()) inputs.push_back({v, slot()});
  for (const Expr z : system.z()) inputs.push_back({z, slot()});
  for (const Parameter& constant : system.step_constants()) inputs.push_back({constant.symbol, slot()});
  std::vector<Tape::Output> outputs;
  for (const Expr expression : expressions) {
    outputs.push_back({expression, static_cast<std::uint32_t>(inputs.size() + outputs.size())});
  }
  std::vector<double> workspace = at;
  workspace.resize(inputs.size() + outputs.size());
  const Kernel<double> kernel(Tape(inputs, outputs), Backend::interpreter);
  std::vector<double> scratch(kernel.scratch_size());
  kernel(workspace.data(), scratch.data());
  return {workspace.begin() + static_cast<std::ptrdiff_t>(inputs.size()), workspace.end()};
}

inline std::vector<double> joined(const InitialState& state, const std::vector<double>& parameters) {
  std::vector<double> result{state.t};
  for (const auto* part : {&state.q, &state.v, &parameters}) result.insert(result.end(), part->begin(), part->end());
  return result;
}

}  // namespace noslip::testing
