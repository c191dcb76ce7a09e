// Expressions are compiled once; energy, residuals and coordinates come from the samples as they are.
#include "quantities.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

namespace noslip::papers {

QuantityReader::Entry QuantityReader::entry_for(const System& system, const Quantity& quantity, Graph& graph,
                                                std::vector<Expr>& outputs) const {
  Entry entry;
  entry.as = quantity.as;
  entry.output = outputs.size();
  const std::vector<std::string>& names = system.coordinates();
  if (quantity.as == Quantity::As::error) {
    entry.source = Source::coordinates;
    for (const auto& [name, expression] : system.exact()) {
      const auto place = std::find(names.begin(), names.end(), name);
      if (place == names.end() || (quantity.of != "q" && quantity.of != name)) continue;
      entry.coordinates.push_back(static_cast<std::size_t>(place - names.begin()));
      outputs.push_back(graph.counterpart(expression));
    }
    if (!entry.coordinates.empty()) return entry;
    throw InputError(fmt::format("system '{}' has no exact solution of '{}'", system.name(), quantity.of));
  }
  if (quantity.of == "energy") {
    entry.source = Source::energy;
  } else if (quantity.of == "constraint") {
    entry.source = Source::constraints;
  } else if (const auto place = std::find(names.begin(), names.end(), quantity.of); place != names.end()) {
    // As the run gives it: an angle counts its turns.
    entry.source = Source::coordinates;
    entry.coordinates = {static_cast<std::size_t>(place - names.begin())};
  } else {
    outputs.push_back(system.expression(graph, quantity.of, fmt::format("quantity '{}'", quantity.name)));
  }
  return entry;
}

QuantityReader::QuantityReader(const Prepared& prepared, const std::vector<Quantity>& quantities)
    : angles_(prepared.system.angles()), values_(quantities.size()) {
  Graph graph(prepared.system.graph());
  std::vector<Expr> expressions;
  for (const Quantity& quantity : quantities) {
    entries_.push_back(entry_for(prepared.system, quantity, graph, expressions));
  }
  functions_.emplace(prepared.system, expressions, prepared.parameters);
}

double QuantityReader::value_of(const Entry& entry, const Sample& sample) const {
  const double* outputs = results_.data() + entry.output;
  switch (entry.source) {
    case Source::energy: return sample.energy;
    case Source::constraints: return sample.max_constraint;
    case Source::expression: return *outputs;
    case Source::coordinates: break;
  }
  if (entry.as != Quantity::As::error) return sample.q[entry.coordinates.front()];
  if (entry.coordinates.size() == 1) return sample.q[entry.coordinates.front()] - *outputs;
  double squares = 0;
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i) {
    const double error = sample.q[entry.coordinates[i]] - outputs[i];
    squares += error * error;
  }
  return std::sqrt(squares);
}

const std::vector<double>& QuantityReader::read(const Sample& sample) {
  Sample folded = sample;
  for (const int i : angles_) folded.q[i] = std::remainder(folded.q[i], 2 * std::numbers::pi);
  results_ = (*functions_)(folded);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const double value = value_of(entry, sample);
    if (!has_begun_) entry.initial = value;
    switch (entry.as) {
      case Quantity::As::value:
      case Quantity::As::error: values_[i] = value; break;
      case Quantity::As::change: values_[i] = value - entry.initial; break;
      case Quantity::As::relative_change: values_[i] = (value - entry.initial) / entry.initial; break;
    }
  }
  has_begun_ = true;
  return values_;
}

}  // namespace noslip::papers
