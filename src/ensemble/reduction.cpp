// What is kept for each expression and row, and the numbers that come out of it.
#include <noslip/ensemble/reduction.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/scalar.hpp>

#include "ensemble/exact_sum.hpp"
#include "ensemble/quantile_sketch.hpp"
#include "ensemble/reduction_check.hpp"
#include "ensemble/spaced.hpp"

namespace noslip {
namespace {

using Kind = MemberReduction::Kind;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of all finite values.
struct Extremes {
  std::uint64_t finite = 0, left_out = 0;
  double min = infinity, max = -infinity;

  void add(std::span<const double> values) {
    double low = min, high = max;
    for (const double x : values) {
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
    min = low, max = high;
    finite += values.size();
  }
  void add(const Extremes& other) {
    finite += other.finite;
    left_out += other.left_out;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
  void carry(Archive& archive) {
    archive(finite, left_out, min, max);
    if (!archive.loads()) return;
    require_counter(finite);
    require_counter(left_out);
    require_saved(finite == 0 ? min == infinity && max == -infinity : min <= max && is_finite(min) && is_finite(max));
  }
};

/// A histogram of all rows.
class Bins {
 public:
  Bins(const MemberReduction& reduction, std::size_t rows)
      : low_(reduction.low), high_(reduction.high), bins_(reduction.bins), counts_(rows * (bins_ + 2)) {
    const Spaced spaced(low_, high_, bins_ + 1);
    for (std::size_t k = 0; k <= bins_; ++k) edges_.push_back(spaced[k]);
    scale_ = static_cast<double>(bins_) / (high_ - low_);
  }

  void add(std::size_t row, std::span<const double> values) {
    std::uint64_t* counts = counts_.data() + row * (bins_ + 2);
    for (const double x : values) ++counts[place_of(x)];
  }
  void add(const Bins& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  void carry(Archive& archive) { archive.fixed(counts_); }

  Histogram at(std::size_t row) const {
    const std::uint64_t* counts = counts_.data() + row * (bins_ + 2);
    return {counts[0], std::vector<std::uint64_t>(counts + 1, counts + 1 + bins_), counts[bins_ + 1]};
  }
  const std::vector<double>& edges() const { return edges_; }

 private:
  /// 0 below, then the bins, then above. The edges decide, not the rounding of a quotient.
  std::size_t place_of(double x) const {
    if (x < low_) return 0;
    if (x > high_) return bins_ + 1;
    auto k = std::min(static_cast<std::size_t>((x - low_) * scale_), bins_ - 1);
    while (x < edges_[k]) --k;
    while (k + 1 < bins_ && x >= edges_[k + 1]) ++k;
    return k + 1;
  }

  double low_, high_, scale_ = 0;
  std::size_t bins_;
  std::vector<double> edges_;
  std::vector<std::uint64_t> counts_;
};

/// One expression: what its reductions need, by row. What they do not need is empty.
struct Reduced {
  std::vector<Extremes> extremes;
  std::vector<ExactSum> sums, squares;
  std::vector<QuantileSketch> sketches;
  std::vector<Bins> bins;

  void add(std::size_t row, std::span<const double> finite) {
    extremes[row].add(finite);
    if (!sums.empty()) {
      for (const double x : finite) sums[row].add(x);
    }
    if (!squares.empty()) {
      for (const double x : finite) squares[row].add_square(x);
    }
    if (!sketches.empty()) {
      for (const double x : finite) sketches[row].add(x);
    }
    for (Bins& histogram : bins) histogram.add(row, finite);
  }
  void add(const Reduced& other) {
    const auto add_all = [](auto& list, const auto& others) {
      for (std::size_t i = 0; i < list.size(); ++i) list[i].add(others[i]);
    };
    add_all(extremes, other.extremes);
    add_all(sums, other.sums);
    add_all(squares, other.squares);
    add_all(sketches, other.sketches);
    add_all(bins, other.bins);
  }
  void carry(Archive& archive) {
    archive.fixed(extremes);
    archive.fixed(sums);
    archive.fixed(squares);
    archive.fixed(sketches);
    archive.fixed(bins);
    if (!archive.loads()) return;
    for (std::size_t row = 0; row < extremes.size(); ++row) {
      const std::uint64_t n = extremes[row].finite;
      require_saved(sketches.empty() || sketches[row].count() == n);
      require_saved(sums.empty() || n > 0 || sums[row].digits().digits.empty());
      require_saved(squares.empty() || may_belong_together(sums[row], squares[row], n));
    }
  }
};

/// Between the two values around place p (n - 1) by a straight line.
double quantile_of(const QuantileSketch& sketch, const Extremes& extremes, double p) {
  const double place = p * static_cast<double>(extremes.finite - 1);
  const auto before = std::min(static_cast<std::uint64_t>(place), extremes.finite - 1);
  const double weight = place - static_cast<double>(before);
  auto [low, high] = sketch.at(before);
  const auto ends = [&](double x, std::uint64_t at) {
    if (at == 0) return extremes.min;
    if (at + 1 >= extremes.finite) return extremes.max;
    return std::clamp(x, extremes.min, extremes.max);
  };
  low = ends(low, before);
  high = ends(high, before + 1);
  if (weight == 0 || low == high) return low;
  return std::clamp(low * (1 - weight) + high * weight, low, high);
}

}  // namespace

class Reducer::Data {
 public:
  Data(std::vector<MemberReduction> given, std::size_t row_count) : reductions(std::move(given)), rows(row_count) {
    check_reductions(reductions);
    for (const MemberReduction& reduction : reductions) {
      const auto found = std::find(expressions.begin(), expressions.end(), reduction.expression);
      const auto place = static_cast<std::size_t>(found - expressions.begin());
      if (found == expressions.end()) {
        expressions.push_back(reduction.expression);
        reduced.emplace_back();
        reduced.back().extremes.resize(rows);
      }
      Reduced& of = reduced[place];
      const Kind kind = reduction.kind;
      const bool needs_squares = kind == Kind::variance || kind == Kind::deviation;
      if (needs_squares || kind == Kind::mean) of.sums.resize(rows);
      if (needs_squares) of.squares.resize(rows);
      if (kind == Kind::quantile) of.sketches.resize(rows);
      expression_of.push_back(place);
      bins_of.push_back(of.bins.size());
      if (kind == Kind::histogram) of.bins.emplace_back(reduction, rows);
    }
  }

  /// Tells two lists of reductions apart.
  std::string identity() const {
    std::string text;
    for (const MemberReduction& r : reductions) {
      text += fmt::format("{} {} {} {} {} {} {}\n", static_cast<int>(r.kind), r.text, r.expression, to_text(r.p),
                          to_text(r.low), to_text(r.high), r.bins);
    }
    return text + fmt::format("{} rows", rows);
  }

  const Bins& bins(std::size_t reduction) const {
    assert(reductions[reduction].kind == Kind::histogram);
    return reduced[expression_of[reduction]].bins[bins_of[reduction]];
  }

  std::vector<MemberReduction> reductions;
  std::size_t rows;
  std::vector<std::string> expressions;
  std::vector<Reduced> reduced;            ///< by expression
  std::vector<std::size_t> expression_of;  ///< by reduction
  std::vector<std::size_t> bins_of;        ///< by reduction: which of the histograms of its expression
};

Reducer::Reducer(std::vector<MemberReduction> reductions, std::size_t rows)
    : data_(std::make_unique<Data>(std::move(reductions), rows)) {}
Reducer::~Reducer() = default;
Reducer::Reducer(Reducer&&) noexcept = default;
Reducer& Reducer::operator=(Reducer&&) noexcept = default;
Reducer::Reducer(const Reducer& other) : data_(std::make_unique<Data>(*other.data_)) {}
Reducer& Reducer::operator=(const Reducer& other) { return *this = Reducer(other); }

const std::vector<MemberReduction>& Reducer::reductions() const { return data_->reductions; }
std::size_t Reducer::row_count() const { return data_->rows; }
const std::vector<std::string>& Reducer::expressions() const { return data_->expressions; }
std::size_t Reducer::expression_of(std::size_t reduction) const { return data_->expression_of[reduction]; }

void Reducer::add(std::size_t row, std::size_t expression, std::span<const double> values) {
  assert(row < data_->rows && expression < data_->expressions.size());
  Reduced& reduced = data_->reduced[expression];
  std::array<double, 256> finite;
  while (!values.empty()) {
    const std::span<const double> piece = values.first(std::min(values.size(), finite.size()));
    std::size_t count = 0;
    for (const double x : piece) {
      finite[count] = x == 0 ? 0 : x;  // -0 is 0
      count += x - x == 0 ? 1 : 0;
    }
    reduced.extremes[row].left_out += piece.size() - count;
    reduced.add(row, std::span(finite).first(count));
    values = values.subspan(piece.size());
  }
}

void Reducer::merge(const Reducer& other) {
  if (other.data_->identity() != data_->identity()) {
    throw InputError("reducers with other reductions or rows cannot be merged", "make both with the same arguments");
  }
  for (std::size_t i = 0; i < data_->reduced.size(); ++i) data_->reduced[i].add(other.data_->reduced[i]);
}

void Reducer::carry(Archive& archive) {
  std::string identity = data_->identity();
  archive(identity);
  if (identity != data_->identity()) {
    throw InputError("the saved state is that of other reductions", "give the same reductions and rows");
  }
  archive.fixed(data_->reduced);
}

double Reducer::number(std::size_t row, std::size_t reduction) const {
  const DefaultArithmetic arithmetic;
  const MemberReduction& what = data_->reductions[reduction];
  const Reduced& of = data_->reduced[data_->expression_of[reduction]];
  const Extremes& extremes = of.extremes[row];
  const std::uint64_t n = extremes.finite;
  if (what.kind == Kind::count) return static_cast<double>(n);
  if (n == 0) return nan;
  switch (what.kind) {
    case Kind::mean: return mean_of(of.sums[row], n);
    case Kind::variance: return n == 1 ? nan : spread_of(of.sums[row], of.squares[row], n).variance;
    case Kind::deviation: return n == 1 ? nan : spread_of(of.sums[row], of.squares[row], n).deviation;
    case Kind::min: return extremes.min;
    case Kind::max: return extremes.max;
    case Kind::quantile: return quantile_of(of.sketches[row], extremes, what.p);
    case Kind::count:
    case Kind::histogram: break;
  }
  assert(false);
  return nan;
}

double Reducer::relative_error(std::size_t row, std::size_t reduction) const {
  const MemberReduction& what = data_->reductions[reduction];
  const Extremes& extremes = data_->reduced[data_->expression_of[reduction]].extremes[row];
  const bool is_exact = what.kind != Kind::quantile || what.p == 0 || what.p == 1 || extremes.max == extremes.min ||
                        extremes.finite <= QuantileSketch::most_exact;
  if (is_exact) return 0;
  return std::fabs(number(row, reduction)) / 1024 / (extremes.max - extremes.min);
}

Histogram Reducer::histogram(std::size_t row, std::size_t reduction) const { return data_->bins(reduction).at(row); }

const std::vector<double>& Reducer::edges(std::size_t reduction) const { return data_->bins(reduction).edges(); }

std::uint64_t Reducer::finite_count(std::size_t row, std::size_t expression) const {
  return data_->reduced[expression].extremes[row].finite;
}

std::uint64_t Reducer::left_out(std::size_t row, std::size_t expression) const {
  return data_->reduced[expression].extremes[row].left_out;
}

std::vector<std::string> Reducer::columns() const {
  std::vector<std::string> names;
  for (const MemberReduction& reduction : data_->reductions) {
    if (reduction.kind != Kind::histogram) {
      names.push_back(reduction.text);
      continue;
    }
    names.push_back(reduction.text + "[below]");
    for (std::size_t k = 0; k < reduction.bins; ++k) names.push_back(fmt::format("{}[{}]", reduction.text, k));
    names.push_back(reduction.text + "[above]");
  }
  return names;
}

std::vector<double> Reducer::values(std::size_t row) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < data_->reductions.size(); ++i) {
    if (data_->reductions[i].kind != Kind::histogram) {
      values.push_back(number(row, i));
      continue;
    }
    const Histogram histogram = data_->bins(i).at(row);
    values.push_back(static_cast<double>(histogram.below));
    for (const std::uint64_t count : histogram.counts) values.push_back(static_cast<double>(count));
    values.push_back(static_cast<double>(histogram.above));
  }
  return values;
}

std::vector<Warning> warnings_of(const Reducer& reducer, std::span<const double> times) {
  constexpr double notable_error = 0.01;
  for (std::size_t i = 0; i < reducer.reductions().size(); ++i) {
    for (std::size_t row = 0; row < reducer.row_count(); ++row) {
      const double error = reducer.relative_error(row, i);
      if (!(error > notable_error)) continue;
      const std::string& text = reducer.reductions()[i].text;
      return {{"quantiles",
               fmt::format("{} may be off by {:.1e}, which is {:.0f} % of the range of its values: quantiles of more than "
                           "1000 members have an error of 0.1 % of their value; subtract a constant that is close to them",
                           text, std::fabs(reducer.number(row, i)) / 1024, 100 * error),
               times[row]}};
    }
  }
  return {};
}

}  // namespace noslip
