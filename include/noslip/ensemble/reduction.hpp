// Reductions: numbers over all members of an ensemble at every kept time, in memory that does not grow with the
// members.
//
//   Reducer reducer(read_reductions("mean(x), quantile(abs(x),0.9), histogram(x,-1,1,50)"), rows);
//   reducer.expressions()                         // x, abs(x): whoever has the system evaluates them
//   reducer.add(row, 0, values_of_x);             // in any order, from any number of members
//   reducer.merge(of_another_thread);
//   reducer.columns(), reducer.values(row)        // for a file
//
// Results have the same bits whatever the order of members, and however they were divided among reducers: they depend
// on the set of values alone. Values that are not finite (of members that have failed) are left out and counted.
//
// - mean, variance (over n - 1), deviation (its root): sums are exact. Mean and variance are rounded once.
// - min, max, count (of finite values): exact.
// - quantile(E,p), 0 <= p <= 1, and median(E): between the values around place p (n - 1) in the sorted list (from 0 on)
// by a
//   straight line. Exact for up to 1000 finite values. From 1001 on values are counted in buckets, and each of the two
//   is off by at most 0.1 % of itself, or by 2.2e-311 where it is below 2.3e-308 in size; 0, min (p = 0) and max (p =
//   1) are exact. (Buckets as Masson, Rim and Lee, "DDSketch", 2019, with straight lines in place of logarithms.)
// - histogram(E,low,high,bins): counts of values in equal bins, and below and above them. A bin has its lower end, the
//   last one both.
//
// Cost of a value: some 5 ns for mean, min and max, 10 for variance and for all quantiles of an expression, if several
// are added at once. Memory of a row and expression: 40 bytes, 100 for mean and 300 for variance, 8 for each bin; for
// quantiles up to 8 KB for 1000 values, 20 to 130 KB for more, and at most 8.5 MB, if values fill the whole range of
// doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/core/status.hpp>

namespace noslip {

struct MemberReduction {
  enum class Kind { mean, variance, deviation, min, max, count, quantile, histogram };
  Kind kind = Kind::mean;
  std::string text;        ///< as written; the name of its column
  std::string expression;  ///< what is reduced
  std::size_t offset = 0;  ///< of the expression in the text that was read, in bytes: for messages about it
  double p = 0.5;          ///< of a quantile
  double low = 0, high = 1;
  std::size_t bins = 1;  ///< of a histogram
};

/// "mean(E), max(abs(E)), quantile(E,0.9), histogram(E,-pi,pi,50)": E is any text in which commas stand within
/// brackets. InputError with all problems and their columns; expressions are not looked at.
std::vector<MemberReduction> read_reductions(const std::string& text);

/// How many values lie where.
struct Histogram {
  std::uint64_t below = 0;
  std::vector<std::uint64_t> counts;  ///< by bin
  std::uint64_t above = 0;
};

/// Not for several threads at once: one each, then merge.
class Reducer {
 public:
  /// InputError for reductions that make no sense: a p outside of [0, 1], a histogram without bins, texts that come
  /// twice.
  Reducer(std::vector<MemberReduction> reductions, std::size_t rows);
  ~Reducer();
  Reducer(Reducer&&) noexcept;
  Reducer& operator=(Reducer&&) noexcept;
  Reducer(const Reducer&);
  Reducer& operator=(const Reducer&);

  const std::vector<MemberReduction>& reductions() const;
  std::size_t row_count() const;
  /// What has to be evaluated: each expression once, in the order in which they are first used. Reductions of the same
  /// expression share its sums and buckets.
  const std::vector<std::string>& expressions() const;
  /// The expression of a reduction, as an index into expressions().
  std::size_t expression_of(std::size_t reduction) const;

  /// Values of an expression, of one member or of several. Several at once cost less.
  void add(std::size_t row, std::size_t expression, double value) { add(row, expression, std::span(&value, 1)); }
  void add(std::size_t row, std::size_t expression, std::span<const double> values);
  /// What another one was given. InputError unless it has the same reductions and rows.
  void merge(const Reducer& other);
  /// For checkpoints, and between processes: bytes are the same whenever results are. InputError if the bytes are those
  /// of other reductions or another number of rows.
  void carry(Archive& archive);

  /// Of any kind but a histogram; NaN without finite values, and a variance of one value.
  double number(std::size_t row, std::size_t reduction) const;
  /// By how much number() may be off, beside the distance from the least to the largest value: of quantiles of many values
  /// that differ little. 0 if it is exact.
  double relative_error(std::size_t row, std::size_t reduction) const;
  Histogram histogram(std::size_t row, std::size_t reduction) const;
  /// Of the bins of a histogram, one more than these.
  const std::vector<double>& edges(std::size_t reduction) const;
  /// How many values of an expression were finite, and how many were not.
  std::uint64_t finite_count(std::size_t row, std::size_t expression) const;
  std::uint64_t left_out(std::size_t row, std::size_t expression) const;

  /// Names of what values() has: the text of each reduction; of a histogram it is followed by [below], [0], [1], ...,
  /// [above].
  std::vector<std::string> columns() const;
  std::vector<double> values(std::size_t row) const;

 private:
  class Data;
  std::unique_ptr<Data> data_;
};

/// Quantiles that may be off by more than one percent of the range of their values, if there are any; `times` are those of
/// the rows.
std::vector<Warning> warnings_of(const Reducer& reducer, std::span<const double> times);

}  // namespace noslip
