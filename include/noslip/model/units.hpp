// Units of measurement, as `units` of a system file has them: products and quotients of SI units with prefixes.
//
//   parse_unit("kg*m^2/s^2") == parse_unit("J")
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace noslip {

struct Unit {
  /// Of m, kg, s, A, K, mol, cd. Angles have no dimension.
  std::array<double, 7> powers{};
  double scale = 1;  ///< in these: 0.001 of mm, pi/180 of deg

  bool is_number() const;  ///< no dimension and the scale 1
  bool has_dimension_of(const Unit& other) const;
  friend bool operator==(const Unit& a, const Unit& b);  ///< up to rounding
};

Unit operator*(const Unit& a, const Unit& b);
Unit operator/(const Unit& a, const Unit& b);
Unit power(const Unit& unit, double exponent);

/// "m", "m/s^2", "N*m", "1/s", "km/h", "rad", "1"; nothing if it cannot be read. Several factors after one `/` need
/// parentheses or a `/` each: "J/(kg*K)", "m/s/s".
std::optional<Unit> parse_unit(std::string_view text);

/// "J", "m/s"; a scale that is not 1 stands before it: "0.001*m".
std::string to_text(const Unit& unit);

/// The text of a unit, divided by another one: m/s of m and s, m/s/s of m/s and s; empty if one of them is empty.
std::string quotient_text(const std::string& unit, const std::string& by);

}  // namespace noslip
