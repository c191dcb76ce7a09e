// The quantities of a run as numbers, row by row.
#pragma once

#include <optional>
#include <vector>

#include <noslip/run/row_reader.hpp>

#include "prepare.hpp"

namespace noslip::papers {

/// A quantity as the machine sees it.
class QuantityReader {
 public:
  /// InputError for an expression that cannot be read, or an error without exact solution.
  QuantityReader(const Prepared& prepared, const std::vector<Quantity>& quantities);

  /// The values at a stored state, in the order of the quantities. Changes count from the first state that was read.
  const std::vector<double>& read(const Sample& sample);

 private:
  struct Entry {
    Quantity::As as = Quantity::As::value;
    std::vector<Column> stored;      ///< as the run gives them: an angle counts its turns
    std::size_t first_function = 0;  ///< the expression, or exact values of the stored coordinates
    double initial = 0;
  };
  Entry entry_for(const System& system, const Quantity& quantity, std::vector<Column>& functions) const;
  double value_of_entry(const Entry& entry, const Sample& sample, std::span<const double> functions) const;

  std::vector<Entry> entries_;
  std::vector<int> angles_;
  std::optional<RowReader> functions_;
  std::vector<double> values_;  ///< of the quantities
  bool has_begun_ = false;
};

}  // namespace noslip::papers
