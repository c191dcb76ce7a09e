// From a sample to the numbers that were asked for.
#include <noslip/run/columns.hpp>

#include <map>

#include "run/state_functions.hpp"

namespace noslip {

namespace {

/// Texts as expressions, in a graph of their own.
struct ReadTexts {
  ReadTexts(const System& system, const std::vector<std::string>& texts, const std::string& what);
  Graph graph;
  std::vector<Expr> functions;
};

ReadTexts::ReadTexts(const System& system, const std::vector<std::string>& texts, const std::string& what)
    : graph(system.graph()) {
  std::vector<Problem> problems;
  for (const std::string& text : texts) {
    try {
      functions.push_back(system.expression(graph, text, what));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

struct Columns::Data {
  System system;
  std::vector<double> parameters;
  StateFunctions<double> functions;
};

Columns::Columns(const System& system, const std::vector<std::string>& texts, std::span<const double> parameters,
                 const std::string& what)
    : Columns(system, ReadTexts(system, texts, what).functions, parameters) {}

Columns::Columns(const System& system, const std::vector<Expr>& functions, std::span<const double> parameters)
    : data_(std::make_shared<const Data>(Data{
          system, {parameters.begin(), parameters.end()}, StateFunctions<double>(system, functions, parameters)})) {}

std::vector<double> Columns::operator()(const Sample& sample) const {
  const System& system = data_->system;
  std::vector<double> state = sample.q;
  state.insert(state.end(), sample.v.begin(), sample.v.end());
  if (system.has_implicit_momenta()) {
    Settings velocities;
    for (std::size_t i = 0; i < sample.v.size(); ++i) velocities[system.v()[i].name()] = sample.v[i];
    const InitialState here{sample.t, sample.q, sample.v, std::vector<double>(system.z().size())};
    const std::vector<double> momenta = system.with_initial(here, velocities, data_->parameters).z;
    state.insert(state.end(), momenta.begin(), momenta.end());
  } else {
    state.insert(state.end(), sample.multipliers.begin(), sample.multipliers.end());
  }
  state.resize(system.q().size() + system.v().size() + system.z().size());
  const std::span<const double> values = data_->functions(sample.t, state);
  return {values.begin(), values.end()};
}

}  // namespace noslip
