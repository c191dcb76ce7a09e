// The scalar types that noslip computes in, and how numbers become text and back. A decimal point is a point in every
// locale.
#pragma once

#include <limits>
#include <string>

namespace noslip {

/// Quadruple precision (113 bits). Exact constants are kept in it until the scalar type of a run is known.
__extension__ typedef __float128 quad;

enum class Precision { double_precision, long_double, quadruple };
/// The words of the option `precision`: double, long, quad.
std::string to_text(Precision precision);

/// The precision of a scalar type.
template <class T>
constexpr Precision precision_of = Precision::double_precision;
template <>
inline constexpr Precision precision_of<long double> = Precision::long_double;
template <>
inline constexpr Precision precision_of<quad> = Precision::quadruple;

/// The distance from one to the next number.
template <class T>
constexpr T epsilon() {
  return std::numeric_limits<T>::epsilon();
}
template <>
constexpr quad epsilon<quad>() {
  return quad(1) / (quad(1ULL << 56) * quad(1ULL << 56));
}

template <class T>
bool is_finite(T x) {
  return x - x == 0;
}

/// |x|, for every scalar type.
template <class T>
T size_of(T x) {
  return x < 0 ? -x : x;
}

/// Text that reads back as the same number: 17 significant digits for double, 21 for long double, 36 for quad.
/// "nan", "inf" and "-inf" for what is not finite.
std::string to_text(double x);
std::string to_text(long double x);
std::string to_text(quad x);

/// So many significant digits of a finite number, as %Qg of quadmath_snprintf has them; `keeps_zeros`: %#Qg.
std::string to_digits(quad x, int digits, bool keeps_zeros = false);
/// The decimal number at the start of a text (12, 0.1, 1e-3), rounded to quadruple precision; zero where there is none.
quad to_quad(const std::string& text);

/// Short text for people: `digits` significant digits.
std::string to_short_text(double x, int digits = 6);

}  // namespace noslip
