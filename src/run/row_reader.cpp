// Columns are read from a sample as it is; those that are functions of it are compiled together.
#include <noslip/run/row_reader.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "run/state_functions.hpp"

namespace noslip {

namespace {

/// Functions of the state in a graph of their own.
struct ColumnFunctions {
  ColumnFunctions(const System& system, std::span<const Column> columns, const std::string& what);
  Graph graph;
  std::vector<Expr> functions, multipliers;
};

Expr function_of(const System& system, const Column& column, Graph& graph, const std::string& what) {
  switch (column.kind) {
    case ColumnKind::momentum: return graph.counterpart(system.momenta()[column.index]);
    case ColumnKind::invariant: return graph.counterpart(system.invariants()[column.index].second);
    case ColumnKind::exact: return graph.counterpart(system.exact()[column.index].second);
    default: return system.expression(graph, column.text, what);
  }
}

ColumnFunctions::ColumnFunctions(const System& system, std::span<const Column> columns, const std::string& what)
    : graph(system.graph()), multipliers(system.multipliers(graph)) {
  std::vector<Problem> problems;
  for (const Column& column : columns) {
    if (column.is_stored()) continue;
    assert(column.kind != ColumnKind::label);
    try {
      functions.push_back(function_of(system, column, graph, what));
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

struct RowReader::Functions {
  System system;
  std::vector<double> parameters;  // and inputs
  StateFunctions<double> functions;
  std::vector<double> multipliers = {};  // where they are not part of the state

  Functions(const System& of, const ColumnFunctions& columns, std::span<const double> values)
      : system(of),
        parameters(values.begin(), values.end()),
        functions(StateFunctions<double>::function(of, columns.functions, Backend::interpreter, columns.multipliers), values) {}

  std::span<const double> operator()(const Sample& sample);
};

std::span<const double> RowReader::Functions::operator()(const Sample& sample) {
  if (!sample.inputs.empty()) {
    std::copy(sample.inputs.begin(), sample.inputs.end(),
              parameters.end() - static_cast<std::ptrdiff_t>(sample.inputs.size()));
    functions.set(parameters);
  }
  std::vector<double> state = sample.q;
  state.insert(state.end(), sample.v.begin(), sample.v.end());
  if (system.has_implicit_momenta()) {
    Settings velocities;
    for (std::size_t i = 0; i < sample.v.size(); ++i) velocities[system.v()[i].name()] = sample.v[i];
    const InitialState here{sample.t, sample.q, sample.v, std::vector<double>(system.z().size())};
    const std::vector<double> momenta = system.with_initial(here, velocities, parameters).z;
    state.insert(state.end(), momenta.begin(), momenta.end());
  } else {
    state.insert(state.end(), sample.multipliers.begin(), sample.multipliers.end());
  }
  state.resize(system.q().size() + system.v().size() + system.z().size(), std::numeric_limits<double>::quiet_NaN());
  if (system.offers().multiplier_variables) return functions(sample.t, state);
  multipliers = sample.multipliers;
  multipliers.resize(system.multiplier_names().size(), std::numeric_limits<double>::quiet_NaN());
  return functions(sample.t, state, multipliers);
}

RowReader::RowReader(std::vector<Column> columns) : columns_(std::move(columns)), row_(columns_.size()) {
  assert(std::all_of(columns_.begin(), columns_.end(), [](const Column& column) { return column.is_stored(); }));
}

RowReader::RowReader(const System& system, std::vector<Column> columns, std::span<const double> parameters,
                     const std::string& what)
    : columns_(std::move(columns)), row_(columns_.size()) {
  if (std::all_of(columns_.begin(), columns_.end(), [](const Column& column) { return column.is_stored(); })) return;
  system.require_parameter_count(parameters.size());
  functions_ = std::make_unique<Functions>(system, ColumnFunctions(system, columns_, what), parameters);
}

RowReader::~RowReader() = default;
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;

double value_of(const Column& column, const Sample& sample) {
  const auto entry = [&](const std::vector<double>& values) {
    return column.index < values.size() ? values[column.index] : std::numeric_limits<double>::quiet_NaN();
  };
  switch (column.kind) {
    case ColumnKind::time: return sample.t;
    case ColumnKind::coordinate:
    case ColumnKind::state: return entry(sample.q);
    case ColumnKind::velocity: return entry(sample.v);
    case ColumnKind::multiplier: return entry(sample.multipliers);
    case ColumnKind::energy: return sample.energy;
    case ColumnKind::work: return sample.work;
    case ColumnKind::input: return entry(sample.inputs);
    case ColumnKind::constraint: return sample.max_constraint;
    case ColumnKind::output: return entry(sample.outputs);
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

std::span<const double> RowReader::operator()(const Sample& sample, const Sample& computed) {
  const std::span<const double> functions = functions_ ? (*functions_)(computed) : std::span<const double>();
  std::size_t next = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    row_[i] = columns_[i].is_stored() ? value_of(columns_[i], sample) : functions[next++];
  }
  return row_;
}

}  // namespace noslip
