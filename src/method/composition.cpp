// Coefficients of symmetric compositions, Phi_h = phi_(g_1 h) ... phi_(g_s h), g_i = g_(s+1-i), of a symmetric phi of
// order 2.
//
// Order 4: M. Suzuki, Phys. Lett. A 146 (1990) 319: g = 1/(4 - 4^(1/3)) four times, 1 - 4 g in the middle.
// Orders 6 and 8: W. Kahan and R.-C. Li, Math. Comput. 66 (1997) 1089, with 9 and 17 parts; also Hairer, Lubich &
// Wanner, Geometric Numerical Integration, V.3.2, (3.11) and (3.13). They are published to 20 digits: errors of these
// methods below about 1e-20 show the digits that are missing.
#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/method/discrete.hpp>

namespace noslip {

namespace {

/// A decimal number as it is printed.
quad decimal(const char* text) {
  quad value = 0, unit = 1;
  const bool is_negative = *text == '-';
  bool is_fraction = false;
  for (const char* c = text + (is_negative ? 1 : 0); *c != '\0'; ++c) {
    if (*c == '.') {
      is_fraction = true;
      continue;
    }
    value = 10 * value + (*c - '0');
    if (is_fraction) unit *= 10;
  }
  return (is_negative ? -value : value) / unit;
}

quad cube_root_of_4() {
  quad x = quad(1.5874010519681994);
  for (int i = 0; i < 3; ++i) x -= (x * x * x - 4) / (3 * x * x);
  return x;
}

/// The middle fraction makes the sum one.
std::vector<quad> symmetric(const std::vector<quad>& half) {
  quad middle = 1;
  for (const quad g : half) middle -= 2 * g;
  std::vector<quad> all = half;
  all.push_back(middle);
  all.insert(all.end(), half.rbegin(), half.rend());
  return all;
}

}  // namespace

Composition symmetric_composition(int order) {
  const char* const kahan_li = "W. Kahan and R.-C. Li, Math. Comput. 66 (1997) 1089";
  switch (order) {
    case 2: return {2, "", {1}};
    case 4: {
      const quad g = 1 / (4 - cube_root_of_4());
      return {4, "M. Suzuki, Phys. Lett. A 146 (1990) 319", symmetric({g, g})};
    }
    case 6:
      return {6, kahan_li,
              symmetric({decimal("0.39216144400731413928"), decimal("0.33259913678935943860"),
                         decimal("-0.70624617255763935981"), decimal("0.08221359629355080023")})};
    case 8:
      return {8, kahan_li,
              symmetric({decimal("0.13020248308889008088"), decimal("0.56116298177510838456"),
                         decimal("-0.38947496264484728641"), decimal("0.15884190655515560090"),
                         decimal("-0.39590389413323757734"), decimal("0.18453964097831570709"),
                         decimal("0.25837438768632204729"), decimal("0.29501172360931029887")})};
    default:
      throw InputError(fmt::format("there is no composition of order {}", order), "the orders are 2, 4, 6 and 8");
  }
}

}  // namespace noslip
