// From a sample of a run to the numbers of a row.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/columns.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// Of a column that samples hold; NaN if this one does not have it.
double value_of(const Column& column, const Sample& sample);

/// Reads one row after the other. One object per thread.
class RowReader {
 public:
  /// Columns that samples hold (Column::is_stored; assert).
  explicit RowReader(std::vector<Column> columns);
  /// Any columns but labels. InputError, with all problems at once, for texts of expressions that are wrong; `what` is
  /// what they are called there ("column"). `parameters`: values as System::parameter_values has
  /// them; inputs are those of the samples.
  RowReader(const System& system, std::vector<Column> columns, std::span<const double> parameters,
            const std::string& what = "column");
  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  const std::vector<Column>& columns() const { return columns_; }

  /// One number per column, until the next call.
  std::span<const double> operator()(const Sample& sample) { return (*this)(sample, sample); }
  /// The same of a sample that is shown in another way (run/rotations.hpp): functions are those of the sample as it was
  /// computed.
  std::span<const double> operator()(const Sample& sample, const Sample& computed);

 private:
  struct Functions;
  std::vector<Column> columns_;
  std::unique_ptr<Functions> functions_;  ///< of the columns that are functions; null without them
  std::vector<double> row_;
};

}  // namespace noslip
