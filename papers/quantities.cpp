// Expressions are compiled once; energy, residuals and coordinates come from the samples as they are.
#include "quantities.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

namespace noslip::papers {

QuantityReader::Entry QuantityReader::entry_for(const System& system, const Quantity& quantity,
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
      outputs.push_back(expression);
    }
    if (!entry.coordinates.empty()) return entry;
    throw InputError(fmt::format("system '{}' has no exact solution of '{}'", system.name(), quantity.of));
  }
  if (quantity.of == "energy") {
    entry.source = Source::energy;
  } else if (quantity.of == "constraint") {
    entry.source = Source::constraint;
  } else if (const auto place = std::find(names.begin(), names.end(), quantity.of); place != names.end()) {
    // As the run gives it: an angle counts its turns.
    entry.source = Source::coordinates;
    entry.coordinates = {static_cast<std::size_t>(place - names.begin())};
  } else {
    outputs.push_back(system.expression(quantity.of, fmt::format("quantity '{}'", quantity.name)));
  }
  return entry;
}

QuantityReader::QuantityReader(const Prepared& prepared, const std::vector<Quantity>& quantities)
    : angles_(prepared.system.angles()),
      parameter_count_(prepared.parameters.size()),
      has_multipliers_(prepared.system.kind() == SystemKind::dae2 || prepared.system.kind() == SystemKind::odae) {
  const System& system = prepared.system;
  std::vector<Expr> expressions;
  for (const Quantity& quantity : quantities) entries_.push_back(entry_for(system, quantity, expressions));

  std::vector<Tape::Input> inputs;
  const auto place = [&](Expr symbol) { inputs.push_back({symbol, static_cast<std::uint32_t>(inputs.size())}); };
  for (const Parameter& parameter : system.parameters()) place(parameter.symbol);
  place(system.t());
  for (const auto& symbols : {system.q(), system.v(), system.z()}) {
    for (const Expr symbol : symbols) place(symbol);
  }
  first_output_ = inputs.size();
  std::vector<Tape::Output> outputs;
  for (const Expr expression : expressions) {
    outputs.push_back({expression, static_cast<std::uint32_t>(first_output_ + outputs.size())});
  }
  kernel_ = Kernel<double>(Tape(inputs, outputs), Backend::automatic);
  workspace_.assign(prepared.parameters.begin(), prepared.parameters.end());
  workspace_.resize(first_output_ + outputs.size());
  scratch_.resize(kernel_.scratch_size());
  values_.resize(entries_.size());
}

double QuantityReader::value_of(const Entry& entry, const Sample& sample) const {
  const double* outputs = workspace_.data() + first_output_ + entry.output;
  switch (entry.source) {
    case Source::energy: return sample.energy;
    case Source::constraint: return sample.max_constraint;
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
  double* slot = workspace_.data() + parameter_count_;
  *slot++ = sample.t;
  double* q = slot;
  slot = std::copy(sample.q.begin(), sample.q.end(), slot);
  for (const int i : angles_) q[i] = std::remainder(q[i], 2 * std::numbers::pi);
  slot = std::copy(sample.v.begin(), sample.v.end(), slot);
  // z of an index-2 system and lambda of an overdetermined one; momenta of a Hamiltonian are not in a sample.
  if (has_multipliers_) std::copy(sample.multipliers.begin(), sample.multipliers.end(), slot);
  kernel_(workspace_.data(), scratch_.data());
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
