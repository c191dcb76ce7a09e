#include <noslip/core/scalar.hpp>

#include <array>
#include <cmath>
#include <locale.h>
#include <new>
#include <quadmath.h>

#include <fmt/format.h>

namespace noslip {
namespace {

/// The sign of a NaN says nothing to a reader, so it is not printed.
template <class T>
const char* text_unless_finite(T x) {
  if (x != x) return "nan";
  if (x - x == 0) return nullptr;
  return x > 0 ? "inf" : "-inf";
}

/// While it lives, the C library reads and prints numbers of this thread as the C locale does. libquadmath has no
/// functions that are told the locale, and a program around us may have set one with a decimal comma.
class PointLocale {
 public:
  PointLocale() : before_(uselocale(point())) {}
  ~PointLocale() { uselocale(before_); }
  PointLocale(const PointLocale&) = delete;
  PointLocale& operator=(const PointLocale&) = delete;

 private:
  static locale_t point() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
    if (locale == nullptr) throw std::bad_alloc();  // the C locale always exists
    return locale;
  }
  locale_t before_;
};

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
  return to_digits(x, 36);
}

std::string to_digits(quad x, int digits, bool keeps_zeros) {
  const PointLocale point;
  std::array<char, 64> buffer;
  quadmath_snprintf(buffer.data(), buffer.size(), keeps_zeros ? "%#.*Qg" : "%.*Qg", digits, x);
  return buffer.data();
}

quad to_quad(const std::string& text) {
  const PointLocale point;
  return strtoflt128(text.c_str(), nullptr);
}

std::string to_short_text(double x, int digits) {
  if (const char* text = text_unless_finite(x)) return text;
  return fmt::format("{:.{}g}", x, digits);
}

}  // namespace noslip
