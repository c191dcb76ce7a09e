#include <noslip/core/scalar.hpp>

#include <fmt/format.h>
#include <quadmath.h>

#include <array>
#include <cmath>

namespace noslip {
namespace {

/// The sign of a NaN says nothing to a reader, so it is not printed.
template <class T>
const char* text_unless_finite(T x) {
  if (x != x) return "nan";
  if (x - x == 0) return nullptr;
  return x > 0 ? "inf" : "-inf";
}

}  // namespace

std::string to_text(double x) {
  if (const char* text = text_unless_finite(x)) return text;
  return fmt::format("{}", x);  // the shortest text that reads back as x, at most 17 digits
}

std::string to_text(long double x) {
  if (const char* text = text_unless_finite(x)) return text;
  return fmt::format("{:.21g}", x);
}

std::string to_text(quad x) {
  if (const char* text = text_unless_finite(x)) return text;
  std::array<char, 64> buffer;
  quadmath_snprintf(buffer.data(), buffer.size(), "%.36Qg", x);
  return buffer.data();
}

std::string to_short_text(double x, int digits) {
  if (const char* text = text_unless_finite(x)) return text;
  return fmt::format("{:.{}g}", x, digits);
}

}  // namespace noslip
