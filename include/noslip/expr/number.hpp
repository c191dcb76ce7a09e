// Constants of expressions: exact rationals as long as 64 bits hold them, quadruple precision otherwise.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <noslip/core/scalar.hpp>

namespace noslip {

class Number {
 public:
  Number() = default;         ///< zero
  Number(long long integer)  // NOLINT: implicit on purpose, `2 * x` has to read well
      : numerator_(integer) {
    if (integer == smallest) *this = real(static_cast<quad>(integer));
  }
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  Number(Integer integer)  // NOLINT
      : Number(std::in_range<long long>(integer) ? Number(static_cast<long long>(integer))
                                                 : real(static_cast<quad>(integer))) {}
  /// That double, as real() has it; an InputError where it is not finite.
  Number(double value);  // NOLINT
  static Number rational(long long numerator, long long denominator);
  /// The exact rational of a double when 64 bits hold it (0.5, 0.1 is 3602879701896397/2^55), else its value.
  static Number real(quad value);
  /// A decimal literal such as `12`, `0.1`, `1e-3`: exact where 64 bits hold numerator and denominator.
  static std::optional<Number> parse(std::string_view decimal);

  bool is_rational() const { return denominator_ != 0; }
  bool is_integer() const { return denominator_ == 1; }
  // A number that is not a rational is neither zero nor one in size.
  bool is_zero() const { return numerator_ == 0 && denominator_ == 1; }
  bool is_one() const { return numerator_ == 1 && denominator_ == 1; }
  bool is_minus_one() const { return numerator_ == -1 && denominator_ == 1; }
  bool is_negative() const { return is_rational() ? numerator_ < 0 : value_ < 0; }
  std::int64_t numerator() const { return numerator_; }
  std::int64_t denominator() const { return denominator_; }  ///< 0 where the number is not a rational
  quad value() const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator/(const Number& a, const Number& b);  ///< b must not be zero
  friend Number operator-(const Number& a);
  /// Same representation, not only same value.
  friend bool operator==(const Number& a, const Number& b);

  std::size_t hash() const;

 private:
  static constexpr long long smallest = std::numeric_limits<long long>::min();  // its negative does not exist

  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  quad value_ = 0;  // where the number is not a rational
};

/// The largest whole number that is not above it.
Number floor(const Number& number);

/// "3", "-1/2", "0.1" (where the denominator divides a power of ten), or 36 digits.
std::string to_text(const Number& number);

}  // namespace noslip
