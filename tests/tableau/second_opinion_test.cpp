// The same coefficients computed another way in 100-digit arithmetic: zeros by bisection, weights and matrix from
// the collocation conditions themselves (Vandermonde systems, harmless with that many digits).
#include <gtest/gtest.h>

#include <boost/math/special_functions/legendre.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

using Big = boost::multiprecision::cpp_bin_float_100;

/// Exact: a quad is the sum of three doubles.
Big to_big(quad x) {
  Big result = 0;
  for (int part = 0; part < 3; ++part) {
    const auto head = static_cast<double>(x);
    result += head;
    x -= head;
  }
  return result;
}

/// Bisection between sign changes of P_s on a fine grid of angles; slow and simple on purpose.
std::vector<Big> nodes(int s) {
  std::vector<Big> c;
  const auto value = [s](const Big& x) -> Big { return boost::math::legendre_p(s, x); };
  const int cells = 8 * s + 3;  // odd, so that a zero in the middle is no grid point
  const double pi = std::acos(-1.0);
  for (int i = 0; i < cells; ++i) {
    Big low = -std::cos(pi * i / cells), high = -std::cos(pi * (i + 1) / cells);
    if (value(low) * value(high) > 0) continue;
    for (int step = 0; step < 160; ++step) {  // 2^-160 is about 1e-48
      const Big middle = (low + high) / 2;
      (value(low) * value(middle) <= 0 ? high : low) = middle;
    }
    c.push_back((1 + (low + high) / 2) / 2);
  }
  return c;
}

/// The w with sum_j w_j c_j^(k-1) = moments[k-1], k = 1 ... s: the rows of the tableau for several moments at once.
std::vector<std::vector<Big>> solve_moments(const std::vector<Big>& c, std::vector<std::vector<Big>> moments) {
  const std::size_t s = c.size();
  std::vector<std::vector<Big>> m(s, std::vector<Big>(s));
  for (std::size_t j = 0; j < s; ++j) {
    Big power = 1;
    for (std::size_t k = 0; k < s; ++k, power *= c[j]) m[k][j] = power;
  }
  for (std::size_t k = 0; k < s; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < s; ++i) {
      if (abs(m[i][k]) > abs(m[pivot][k])) pivot = i;
    }
    std::swap(m[k], m[pivot]);
    for (auto& right : moments) std::swap(right[k], right[pivot]);
    for (std::size_t i = k + 1; i < s; ++i) {
      const Big factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < s; ++j) m[i][j] -= factor * m[k][j];
      for (auto& right : moments) right[i] -= factor * right[k];
    }
  }
  for (auto& right : moments) {
    for (std::size_t k = s; k-- > 0;) {
      for (std::size_t j = k + 1; j < s; ++j) right[k] -= m[k][j] * right[j];
      right[k] /= m[k][k];
    }
  }
  return moments;
}

class SecondOpinion : public testing::TestWithParam<int> {};

TEST_P(SecondOpinion, AgreesToQuadruplePrecision) {
  const int s = GetParam();
  const Tableau tableau = gauss(s);
  const std::vector<Big> c = nodes(s);
  ASSERT_EQ(c.size(), static_cast<std::size_t>(s));
  std::vector<std::vector<Big>> moments(static_cast<std::size_t>(s) + 1);
  for (std::size_t row = 0; row < moments.size(); ++row) {
    const Big end = row < c.size() ? c[row] : Big(1);
    Big power = end;
    for (int k = 1; k <= s; ++k, power *= end) moments[row].push_back(power / k);
  }
  const std::vector<std::vector<Big>> rows = solve_moments(c, moments);
  Big error_c = 0, error_b = 0, error_a = 0;
  for (int i = 0; i < s; ++i) {
    error_c = std::max<Big>(error_c, abs(to_big(tableau.c[i]) - c[i]));
    error_b = std::max<Big>(error_b, abs(to_big(tableau.b[i]) - rows[s][i]));
    for (int j = 0; j < s; ++j) error_a = std::max<Big>(error_a, abs(to_big(tableau.a[i][j]) - rows[i][j]));
  }
  // One unit in the last place of a number just below one is 9.6e-35.
  EXPECT_LT(error_c.convert_to<double>(), 2e-34);
  EXPECT_LT(error_b.convert_to<double>(), 2e-34);
  EXPECT_LT(error_a.convert_to<double>(), 5e-34);
}

INSTANTIATE_TEST_SUITE_P(Stages, SecondOpinion, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 33, 48, 64));

}  // namespace
}  // namespace noslip
