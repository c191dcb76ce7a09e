#include <noslip/expr/number.hpp>

#include <cassert>
#include <cstring>
#include <limits>
#include <quadmath.h>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/error.hpp>

namespace noslip {
namespace {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

constexpr wide largest_whole = std::numeric_limits<std::int64_t>::max();

unsigned_wide magnitude(wide x) { return x < 0 ? -static_cast<unsigned_wide>(x) : static_cast<unsigned_wide>(x); }

unsigned_wide greatest_common_divisor(unsigned_wide a, unsigned_wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

/// Lowest terms, positive denominator; nothing if 64 bits do not hold it. The smallest 64-bit integer is left out so
/// that negation never overflows.
std::optional<std::pair<std::int64_t, std::int64_t>> reduced(wide numerator, wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  unsigned_wide n = magnitude(numerator);
  unsigned_wide d = static_cast<unsigned_wide>(denominator);
  const unsigned_wide divisor = greatest_common_divisor(n, d);
  n /= divisor;
  d /= divisor;
  if (n > static_cast<unsigned_wide>(largest_whole) || d > static_cast<unsigned_wide>(largest_whole))
    return std::nullopt;
  const auto signed_n = static_cast<std::int64_t>(n);
  return std::pair{numerator < 0 ? -signed_n : signed_n, static_cast<std::int64_t>(d)};
}

std::optional<Number> exact(wide numerator, wide denominator) {
  if (const auto r = reduced(numerator, denominator)) return Number::rational(r->first, r->second);
  return std::nullopt;
}

/// A decimal literal taken apart: digits without leading and trailing zeros, times ten to the exponent.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::size_t written = 0;  // significant digits including trailing zeros
  long long exponent = 0;
};

std::optional<Decimal> take_apart(std::string_view text) {
  Decimal decimal;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) decimal.negative = text[i++] == '-';
  bool any = false, after_point = false;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !after_point)); ++i) {
    if (text[i] == '.') {
      after_point = true;
      continue;
    }
    any = true;
    if (text[i] != '0' || !decimal.digits.empty()) decimal.digits += text[i];
    if (after_point) --decimal.exponent;
  }
  if (!any) return std::nullopt;
  decimal.written = decimal.digits.size();
  while (!decimal.digits.empty() && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    bool negative = false;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) negative = text[i++] == '-';
    if (i == text.size()) return std::nullopt;
    long long exponent = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (exponent < 1'000'000) exponent = 10 * exponent + (text[i] - '0');
    }
    decimal.exponent += negative ? -exponent : exponent;
  }
  if (i != text.size()) return std::nullopt;
  return decimal;
}

std::optional<Number> exact(const Decimal& decimal) {
  constexpr int most_digits = 37;  // below 2^126
  const auto count = static_cast<long long>(decimal.digits.size());
  if (count > most_digits || decimal.exponent > most_digits - count || decimal.exponent < -most_digits) {
    return std::nullopt;
  }
  wide numerator = 0, denominator = 1;
  for (const char c : decimal.digits) numerator = 10 * numerator + (c - '0');
  for (long long i = 0; i < decimal.exponent; ++i) numerator *= 10;
  for (long long i = 0; i < -decimal.exponent; ++i) denominator *= 10;
  const auto r = reduced(decimal.negative ? -numerator : numerator, denominator);
  if (!r) return std::nullopt;
  return Number::rational(r->first, r->second);
}

/// "9.81" for 981/100, if the denominator has a factor 5 and divides a power of ten that 64 bits hold; halves, quarters
/// and so on read better as fractions.
std::optional<std::string> decimal_text(std::int64_t numerator, std::int64_t denominator) {
  if (denominator % 5 != 0) return std::nullopt;
  std::uint64_t power = 10;
  int places = 1;
  while (power % static_cast<std::uint64_t>(denominator) != 0) {
    if (++places > 18) return std::nullopt;
    power *= 10;
  }
  const unsigned_wide scaled = magnitude(numerator) * (power / static_cast<std::uint64_t>(denominator));
  return fmt::format("{}{}.{:0{}}", numerator < 0 ? "-" : "", static_cast<std::uint64_t>(scaled / power),
                     static_cast<std::uint64_t>(scaled % power), places);
}

}  // namespace

Number::Number(double value) : Number(real(static_cast<quad>(value))) {
  if (!is_finite(value)) throw InputError(fmt::format("a number of an expression is {}", to_text(value)));
}

Number Number::rational(long long numerator, long long denominator) {
  assert(denominator != 0);
  const auto r = reduced(numerator, denominator);
  Number result;
  if (!r) result.value_ = static_cast<quad>(numerator) / static_cast<quad>(denominator);
  result.numerator_ = r ? r->first : 0;
  result.denominator_ = r ? r->second : 0;
  return result;
}

Number Number::real(quad value) {
  if (value == 0) return Number();
  if (finiteq(value)) {
    int exponent = 0;
    const quad fraction = frexpq(value, &exponent);
    auto mantissa = static_cast<wide>(scalbnq(fraction, 113));
    exponent -= 113;
    while (mantissa % 2 == 0) {
      mantissa /= 2;
      ++exponent;
    }
    if (magnitude(mantissa) <= static_cast<unsigned_wide>(largest_whole) && exponent >= -62 && exponent <= 62) {
      wide numerator = mantissa, denominator = 1;
      if (exponent >= 0) {
        numerator *= static_cast<wide>(1) << exponent;
      } else {
        denominator <<= -exponent;
      }
      if (const auto r = reduced(numerator, denominator)) return rational(r->first, r->second);
    }
  }
  Number result;
  result.numerator_ = result.denominator_ = 0;
  result.value_ = value;
  return result;
}

std::optional<Number> Number::parse(std::string_view decimal) {
  const auto parts = take_apart(decimal);
  if (!parts) return std::nullopt;
  if (parts->digits.empty()) return Number();
  // 36 and more written digits are a rounded quadruple (output of noslip): 0.1 in quadruple precision is not 1/10.
  if (parts->written < 36) {
    if (auto number = exact(*parts)) return number;
  }
  const quad value = to_quad(std::string(decimal));
  if (!finiteq(value) || value == 0) return std::nullopt;
  return real(value);
}

quad Number::value() const {
  if (!is_rational()) return value_;
  const auto numerator = static_cast<quad>(numerator_);
  return is_integer() ? numerator : numerator / static_cast<quad>(denominator_);
}

Number operator+(const Number& a, const Number& b) {
  if (long long sum = 0;
      a.is_integer() && b.is_integer() && !__builtin_add_overflow(a.numerator_, b.numerator_, &sum)) {
    return sum;
  }
  if (a.is_rational() && b.is_rational()) {
    const wide numerator =
        static_cast<wide>(a.numerator_) * b.denominator_ + static_cast<wide>(b.numerator_) * a.denominator_;
    if (const auto sum = exact(numerator, static_cast<wide>(a.denominator_) * b.denominator_)) return *sum;
  }
  return Number::real(a.value() + b.value());
}

Number operator-(const Number& a, const Number& b) { return a + (-b); }

Number operator*(const Number& a, const Number& b) {
  if (a.numerator_ == 1 && a.denominator_ == 1) return b;  // most coefficients of a graph are one
  if (b.numerator_ == 1 && b.denominator_ == 1) return a;
  if (long long product = 0;
      a.is_integer() && b.is_integer() && !__builtin_mul_overflow(a.numerator_, b.numerator_, &product)) {
    return product;
  }
  if (a.is_rational() && b.is_rational()) {
    const auto product = exact(static_cast<wide>(a.numerator_) * b.numerator_,
                               static_cast<wide>(a.denominator_) * b.denominator_);
    if (product) return *product;
  }
  return Number::real(a.value() * b.value());
}

Number operator/(const Number& a, const Number& b) {
  assert(!b.is_zero());
  if (a.is_rational() && b.is_rational()) {
    const auto quotient = exact(static_cast<wide>(a.numerator_) * b.denominator_,
                                static_cast<wide>(a.denominator_) * b.numerator_);
    if (quotient) return *quotient;
  }
  return Number::real(a.value() / b.value());
}

Number operator-(const Number& a) {
  Number result = a;
  result.numerator_ = -a.numerator_;
  result.value_ = -a.value_;
  return result;
}

bool operator==(const Number& a, const Number& b) {
  if (a.denominator_ != b.denominator_) return false;
  if (a.is_rational()) return a.numerator_ == b.numerator_;
  return std::memcmp(&a.value_, &b.value_, sizeof(quad)) == 0;
}

std::size_t Number::hash() const {
  std::uint64_t words[2] = {static_cast<std::uint64_t>(numerator_), static_cast<std::uint64_t>(denominator_)};
  if (!is_rational()) std::memcpy(words, &value_, sizeof words);
  const std::uint64_t mixed = words[0] * 0x9E3779B97F4A7C15u ^ (words[1] * 0xC2B2AE3D27D4EB4Fu + (words[0] >> 29));
  return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

std::string to_text(const Number& number) {
  if (number.is_integer()) return fmt::format("{}", number.numerator());
  if (number.is_rational()) {
    if (auto text = decimal_text(number.numerator(), number.denominator())) return *text;
    return fmt::format("{}/{}", number.numerator(), number.denominator());
  }
  if (!finiteq(number.value())) return to_text(number.value());
  for (const int digits : {3, 9, 17}) {
    std::string text = to_digits(number.value(), digits);
    if (Number::parse(text) == number) return text;
  }
  // Trailing zeros are kept: they say that the number is not exact.
  return to_digits(number.value(), 36, true);
}

Number floor(const Number& number) {
  if (!number.is_rational()) return Number::real(floorq(number.value()));
  const std::int64_t quotient = number.numerator() / number.denominator();
  const bool is_below = number.numerator() < 0 && number.numerator() % number.denominator() != 0;
  return quotient - (is_below ? 1 : 0);
}

}  // namespace noslip
