// A function of one argument that is given by points: straight lines between them, or a cubic spline.
//
//   const Table road("road", {0, 1, 2}, {0, 0.1, 0}, {.kind = Table::Kind::cubic});
//   const Expr height = road(x);
//
// The spline has two continuous derivatives; its third one is also continuous at the second point and at the last but
// one (not-a-knot), so that points of a cubic polynomial give this polynomial back. Two points give a line, three a
// parabola. Before the first and behind the last point a table keeps the value there, with slope zero, or it has no
// value at all.
//
// In every interval it is a polynomial with coefficients in quadruple precision. Operations of a tape find the interval
// and a coefficient, everything else is arithmetic: derivatives are exact in all precisions and back ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <noslip/core/scalar.hpp>

namespace noslip {

struct Expr;

struct TableOptions;

/// Immutable; copies share the data, and are equal. Any number of threads may read it.
class Table {
 public:
  enum class Kind : std::uint8_t { linear, cubic };
  enum class Outside : std::uint8_t { hold, error };  ///< the value at the end, or none

  /// InputError for fewer than two points, another number of values, numbers that are not finite, arguments that do not
  /// grow, a name that expressions cannot have.
  Table(std::string name, std::vector<quad> x, std::vector<quad> y, const TableOptions& options);
  Table(std::string name, std::vector<quad> x, std::vector<quad> y);
  Table(std::string name, const std::vector<double>& x, const std::vector<double>& y, const TableOptions& options);

  const std::string& name() const;
  Kind kind() const;
  Outside outside() const;
  std::size_t size() const;  ///< of points
  quad x(std::size_t i) const;
  quad y(std::size_t i) const;
  int degree() const { return kind() == Kind::linear ? 1 : 3; }
  std::uint64_t fingerprint() const;  ///< of name, numbers and options

  /// 0 before the first point, i between the points i - 1 and i, size() behind the last one, which belongs to the
  /// interval before it. Not a number for what is none. T is double, long double or quad; the points are rounded to it.
  template <class T>
  T interval(T x) const;
  /// Of an interval: column 0 is where its polynomial starts, x0; 1 to 4 are the coefficients of 1, (x - x0), ...
  template <class T>
  T entry(T interval, int column) const;
  static constexpr int columns = 5;
  /// Or a derivative.
  template <class T>
  T value(T x, int derivative = 0) const;

  /// An expression.
  Expr operator()(Expr argument) const;

  friend bool operator==(const Table& a, const Table& b) { return a.data_ == b.data_; }

  struct Data;

 private:
  std::shared_ptr<const Data> data_;
};

struct TableOptions {
  Table::Kind kind = Table::Kind::linear;
  Table::Outside outside = Table::Outside::hold;
};

extern template double Table::value(double, int) const;
extern template quad Table::value(quad, int) const;
extern template double Table::interval(double) const;
extern template long double Table::interval(long double) const;
extern template quad Table::interval(quad) const;
extern template double Table::entry(double, int) const;
extern template long double Table::entry(long double, int) const;
extern template quad Table::entry(quad, int) const;

/// What stands in the operand of a lookup in a tape: the table and the column.
inline int place_in_tables(std::size_t table, int column) { return static_cast<int>(table) * 8 + column; }

/// A lookup as tapes have it; not a number where `place` names nothing.
template <class T>
inline T interval_in(const std::vector<Table>& tables, T x, T place) {
  const int index = place >= 0 && place < T(8) * T(tables.size()) ? static_cast<int>(place) / 8 : -1;
  return index < 0 ? T(__builtin_nan("")) : tables[static_cast<std::size_t>(index)].template interval<T>(x);
}
template <class T>
inline T entry_in(const std::vector<Table>& tables, T interval, T place) {
  const int number = place >= 0 && place < T(8) * T(tables.size()) ? static_cast<int>(place) : -1;
  if (number < 0 || number % 8 >= Table::columns) return T(__builtin_nan(""));
  return tables[static_cast<std::size_t>(number / 8)].template entry<T>(interval, number % 8);
}

}  // namespace noslip
