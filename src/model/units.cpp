// Reading and writing units.
#include <noslip/model/units.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <noslip/core/characters.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {
namespace {

constexpr double tolerance = 1e-9;
constexpr int most_nested = 32;

struct NamedUnit {
  std::string_view name;
  std::array<double, 7> powers;
  double scale = 1;
  bool takes_prefix = true;
};

//                                      m   kg   s   A  K  mol cd
constexpr NamedUnit named_units[] = {
    {"m", {1}},
    {"g", {0, 1}, 1e-3},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"rad", {}},
    {"deg", {}, std::numbers::pi / 180, false},
    {"rev", {}, 2 * std::numbers::pi, false},
    {"N", {1, 1, -2}},
    {"J", {2, 1, -2}},
    {"W", {2, 1, -3}},
    {"Pa", {-1, 1, -2}},
    {"Hz", {0, 0, -1}},
    {"C", {0, 0, 1, 1}},
    {"V", {2, 1, -3, -1}},
    {"ohm", {2, 1, -3, -2}},
    {"Ohm", {2, 1, -3, -2}},
    {"F", {-2, -1, 4, 2}},
    {"H", {2, 1, -2, -2}},
    {"T", {0, 1, -2, -1}},
    {"Wb", {2, 1, -2, -1}},
    {"min", {0, 0, 1}, 60, false},
    {"h", {0, 0, 1}, 3600, false},
    {"d", {0, 0, 1}, 86400, false},
    {"l", {3}, 1e-3},
    {"L", {3}, 1e-3},
    {"t", {0, 1}, 1e3, false},
    {"bar", {-1, 1, -2}, 1e5},
    {"percent", {}, 0.01, false},
};

constexpr std::pair<std::string_view, double> prefixes[] = {{"da", 1e1}, {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3},
                                                            {"u", 1e-6}, {"n", 1e-9}, {"h", 1e2},  {"k", 1e3},
                                                            {"M", 1e6},  {"G", 1e9}};

std::optional<Unit> unit_named(std::string_view name) {
  for (const NamedUnit& each : named_units) {
    if (each.name == name) return Unit{each.powers, each.scale};
  }
  for (const auto& [prefix, factor] : prefixes) {
    if (!name.starts_with(prefix)) continue;
    for (const NamedUnit& each : named_units) {
      if (each.takes_prefix && each.name == name.substr(prefix.size())) return Unit{each.powers, factor * each.scale};
    }
  }
  return std::nullopt;
}

/// product = factor { ("*" | "/") factor };   factor = (name | "1" | "(" product ")") [ "^" exponent ]
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Unit> parse() {
    const auto unit = product();
    skip_blanks();
    return next_ == text_.size() ? unit : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (next_ < text_.size() && text_[next_] == ' ') ++next_;
  }
  bool take(char expected) {
    skip_blanks();
    if (next_ >= text_.size() || text_[next_] != expected) return false;
    ++next_;
    return true;
  }

  std::optional<Unit> product() {
    if (++nested_ > most_nested) return std::nullopt;
    auto result = factor();
    while (result) {
      const bool divides = take('/');
      if (!divides && !take('*')) break;
      const auto other = factor();
      if (!other) return std::nullopt;
      result = divides ? *result / *other : *result * *other;
    }
    --nested_;
    return result;
  }

  std::optional<Unit> factor() {
    std::optional<Unit> unit;
    if (take('(')) {
      unit = product();
      if (!take(')')) return std::nullopt;
    } else if (take('1')) {
      unit = Unit();
    } else {
      skip_blanks();
      const std::size_t first = next_;
      while (next_ < text_.size() && is_letter(text_[next_])) ++next_;
      unit = unit_named(text_.substr(first, next_ - first));
    }
    if (!unit || !take('^')) return unit;
    const auto exponent = number();
    return exponent ? std::optional(power(*unit, *exponent)) : std::nullopt;
  }

  /// 2, -1, (1/2)
  std::optional<double> number() {
    if (take('(')) {
      const auto above = whole();
      const auto below = take('/') ? whole() : std::optional(1.0);
      if (!above || !below || *below == 0 || !take(')')) return std::nullopt;
      return *above / *below;
    }
    return whole();
  }
  std::optional<double> whole() {
    const bool is_negative = take('-');
    skip_blanks();
    const std::size_t first = next_;
    double value = 0;
    while (next_ < text_.size() && is_digit(text_[next_])) value = 10 * value + (text_[next_++] - '0');
    if (next_ == first || next_ - first > 2) return std::nullopt;
    return is_negative ? -value : value;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  int nested_ = 0;
};

bool are_near(double a, double b) { return std::fabs(a - b) <= tolerance; }

std::string exponent_text(double exponent) {
  if (are_near(exponent, 1)) return "";
  const double rounded = std::round(exponent);
  if (are_near(exponent, rounded)) return fmt::format("^{}", static_cast<int>(rounded));
  return fmt::format("^{}", to_short_text(exponent, 4));
}

}  // namespace

bool Unit::has_dimension_of(const Unit& other) const {
  for (std::size_t i = 0; i < powers.size(); ++i) {
    if (!are_near(powers[i], other.powers[i])) return false;
  }
  return true;
}

bool operator==(const Unit& a, const Unit& b) {
  return a.has_dimension_of(b) && std::fabs(a.scale - b.scale) <= tolerance * std::fabs(a.scale);
}

bool Unit::is_number() const { return *this == Unit(); }

Unit operator*(const Unit& a, const Unit& b) {
  Unit result = a;
  for (std::size_t i = 0; i < result.powers.size(); ++i) result.powers[i] += b.powers[i];
  result.scale *= b.scale;
  return result;
}

Unit operator/(const Unit& a, const Unit& b) { return a * power(b, -1); }

Unit power(const Unit& unit, double exponent) {
  Unit result = unit;
  for (double& each : result.powers) each *= exponent;
  result.scale = std::pow(unit.scale, exponent);
  return result;
}

std::optional<Unit> parse_unit(std::string_view text) { return UnitParser(text).parse(); }

std::string to_text(const Unit& unit) {
  constexpr std::string_view base[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
  const std::string scale = are_near(unit.scale, 1) ? "" : to_short_text(unit.scale, 6);
  const auto scaled = [&](const std::string& text) { return scale.empty() ? text : scale + "*" + text; };
  for (const std::string_view name : {"N", "J", "W", "Pa", "V", "ohm", "C"}) {
    if (unit.has_dimension_of(*unit_named(name))) return scaled(std::string(name));
  }
  std::string above, below;
  int factors_below = 0;
  for (const std::size_t i : {1, 0, 2, 3, 4, 5, 6}) {  // kg first
    const double exponent = unit.powers[i];
    if (are_near(exponent, 0)) continue;
    std::string& side = exponent > 0 ? above : below;
    if (!side.empty()) side += '*';
    side += std::string(base[i]) + exponent_text(std::fabs(exponent));
    factors_below += exponent < 0 ? 1 : 0;
  }
  if (above.empty() && below.empty()) return scale.empty() ? "1" : scale;
  std::string text = above.empty() ? "1" : above;
  if (!below.empty()) text += factors_below > 1 ? "/(" + below + ")" : "/" + below;
  return scaled(text);
}

std::string quotient_text(const std::string& unit, const std::string& by) {
  if (unit.empty() || by.empty()) return {};
  const bool is_product = by.find_first_of("*/") != std::string::npos;
  return is_product ? fmt::format("{}/({})", unit, by) : fmt::format("{}/{}", unit, by);
}

}  // namespace noslip
