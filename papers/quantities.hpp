// The quantities of a run as numbers, row by row.
#pragma once

#include <optional>
#include <vector>

#include <noslip/run/columns.hpp>
#include <noslip/run/run.hpp>

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
  enum class Source { energy, constraints, coordinates, expression };
  struct Entry {
    Source source = Source::expression;
    Quantity::As as = Quantity::As::value;
    std::size_t output = 0;  ///< first of the functions: the expression, or exact values of the coordinates
    std::vector<std::size_t> coordinates;  ///< one, or all that have an exact value
    double initial = 0;
  };
  Entry entry_for(const System& system, const Quantity& quantity, Graph& graph, std::vector<Expr>& outputs) const;
  double value_of(const Entry& entry, const Sample& sample) const;

  std::vector<Entry> entries_;
  std::vector<int> angles_;
  std::optional<Columns> functions_;
  std::vector<double> results_, values_;  ///< of the functions, of the quantities
  bool has_begun_ = false;
};

}  // namespace noslip::papers
