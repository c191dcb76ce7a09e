// Expressions are compiled once; energy, residuals and coordinates come from the samples as they are.
#include "quantities.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <noslip/core/error.hpp>

namespace noslip::papers {

QuantityReader::Entry QuantityReader::entry_for(const System& system, const Quantity& quantity,
                                                std::vector<Column>& functions) const {
  Entry entry;
  entry.as = quantity.as;
  entry.first_function = functions.size();
  const std::vector<Column> row = row_columns(system);
  if (quantity.as == Quantity::As::error) {
    for (const Column& exact : columns_of(system, {ColumnKind::exact})) {
      const std::size_t place = find_column(row, exact.key);
      const bool is_coordinate = place < row.size() && row[place].kind == ColumnKind::coordinate;
      if (!is_coordinate || (quantity.of != "q" && quantity.of != exact.key)) continue;
      entry.stored.push_back(row[place]);
      functions.push_back(exact);
    }
    if (!entry.stored.empty()) return entry;
    throw InputError(fmt::format("system '{}' has no exact solution of '{}'", system.name(), quantity.of));
  }
  if (quantity.of == "energy") {
    entry.stored = {{"energy", ColumnKind::energy}};
  } else if (quantity.of == "constraint") {
    entry.stored = {{"constraint", ColumnKind::constraint}};
  } else if (const std::size_t place = find_column(row, quantity.of);
             place < row.size() && row[place].kind == ColumnKind::coordinate) {
    entry.stored = {row[place]};
  } else {
    functions.push_back({quantity.name, ColumnKind::expression, 0, quantity.name, quantity.of});
  }
  return entry;
}

QuantityReader::QuantityReader(const Prepared& prepared, const std::vector<Quantity>& quantities)
    : angles_(prepared.system.angles()), values_(quantities.size()) {
  std::vector<Column> functions;
  for (const Quantity& quantity : quantities) entries_.push_back(entry_for(prepared.system, quantity, functions));
  functions_.emplace(prepared.system, std::move(functions), prepared.parameters, "quantity");
}

double QuantityReader::value_of_entry(const Entry& entry, const Sample& sample,
                                      std::span<const double> functions) const {
  if (entry.stored.empty()) return functions[entry.first_function];
  if (entry.as != Quantity::As::error) return value_of(entry.stored.front(), sample);
  const auto error = [&](std::size_t i) {
    return value_of(entry.stored[i], sample) - functions[entry.first_function + i];
  };
  if (entry.stored.size() == 1) return error(0);
  double squares = 0;
  for (std::size_t i = 0; i < entry.stored.size(); ++i) squares += error(i) * error(i);
  return std::sqrt(squares);
}

const std::vector<double>& QuantityReader::read(const Sample& sample) {
  Sample folded = sample;
  for (const int i : angles_) folded.q[i] = std::remainder(folded.q[i], 2 * std::numbers::pi);
  const std::span<const double> functions = (*functions_)(folded);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    const double value = value_of_entry(entry, sample, functions);
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
