// The same coefficients computed another way in 100-digit arithmetic: zeros by bisection, weights and matrices from
// the conditions that define them (Vandermonde systems, harmless with that many digits).
#include <cmath>
#include <vector>

#include <boost/math/special_functions/legendre.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <noslip/tableau/tableau.hpp>

namespace noslip {
namespace {

using Big = boost::multiprecision::cpp_bin_float_100;
using Rows = std::vector<std::vector<Big>>;

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

/// c for the zeros inside (-1, 1), by bisection between sign changes on a fine grid of angles; slow and simple on
/// purpose. The outermost cells, which have no zero inside, are left out because some functions are zero at the ends.
template <class Function>
std::vector<Big> zeros(int count, const Function& value) {
  std::vector<Big> c;
  const int cells = 8 * count + 11;  // odd, so that a zero in the middle is no grid point
  const double pi = std::acos(-1.0);
  for (int i = 1; i + 1 < cells; ++i) {
    Big low = -std::cos(pi * i / cells), high = -std::cos(pi * (i + 1) / cells);
    const bool rising = value(low) < 0;
    if (rising == (value(high) < 0)) continue;
    for (int step = 0; step < 140; ++step) {  // 2^-140 is about 1e-42
      const Big middle = (low + high) / 2;
      (rising == (value(middle) < 0) ? low : high) = middle;
    }
    c.push_back((1 + (low + high) / 2) / 2);
  }
  return c;
}

Big p(int n, const Big& x) { return boost::math::legendre_p(n, x); }

std::vector<Big> gauss_nodes(int s) {
  return zeros(s, [s](const Big& x) -> Big { return p(s, x); });
}

std::vector<Big> radau_nodes(int s, int end) {
  std::vector<Big> c = zeros(s - 1, [s, end](const Big& x) -> Big { return p(s, x) - end * p(s - 1, x); });
  c.insert(end < 0 ? c.begin() : c.end(), Big((1 + end) / 2));
  return c;
}

std::vector<Big> lobatto_nodes(int s) {
  std::vector<Big> c = zeros(s - 2, [s](const Big& x) -> Big { return boost::math::legendre_p_prime(s - 1, x); });
  c.insert(c.begin(), Big(0));
  c.emplace_back(1);
  return c;
}

/// The w with sum_j w_j c_j^(k-1) = moments[k-1], k = 1 ... s: the rows of the tableau for several moments at once.
Rows solve_moments(const std::vector<Big>& c, Rows moments) {
  const std::size_t s = c.size();
  Rows m(s, std::vector<Big>(s));
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

/// end^k/k, k = 1 ... count: what C(count) and B(count) ask of a row.
std::vector<Big> moments(const Big& end, std::size_t count) {
  std::vector<Big> result;
  Big power = end;
  for (std::size_t k = 1; k <= count; ++k, power *= end) result.push_back(power / k);
  return result;
}

std::vector<Big> weights(const std::vector<Big>& c) { return solve_moments(c, {moments(1, c.size())})[0]; }

/// The matrix that C(s) defines.
Rows collocation(const std::vector<Big>& c) {
  Rows right;
  for (const Big& end : c) right.push_back(moments(end, c.size()));
  return solve_moments(c, right);
}

/// The matrix that D(s) defines: column j has b_i a_ij with the moments b_j (1 - c_j^k)/k.
Rows from_d(const std::vector<Big>& c, const std::vector<Big>& b) {
  const std::size_t s = c.size();
  Rows right;
  for (std::size_t j = 0; j < s; ++j) {
    right.push_back(moments(c[j], s));
    for (std::size_t k = 1; k <= s; ++k) right[j][k - 1] = b[j] * (Big(1) / k - right[j][k - 1]);
  }
  const Rows columns = solve_moments(c, right);
  Rows a(s, std::vector<Big>(s));
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j) a[i][j] = columns[j][i] / b[i];
  }
  return a;
}

/// The matrix that C(s - 1) and one column of equal entries define: a_i1 = b_1 (IIIC) or a_is = 0 (IIIC*).
Rows from_c_and_column(std::vector<Big> c, bool first, const Big& entry) {
  const std::size_t count = c.size() - 1;
  Rows right;
  for (const Big& end : c) {
    right.push_back(moments(end, count));
    if (first) right.back()[0] -= entry;  // c_1 = 0 takes part in the first moment only
  }
  c.erase(first ? c.begin() : c.end() - 1);
  Rows a = solve_moments(c, right);
  for (auto& row : a) row.insert(first ? row.begin() : row.end(), entry);
  return a;
}

/// Coefficients are right to a unit or two in the last place of a number between one and two.
void expect_agreement(const Tableau& tableau, const std::vector<Big>& c, const std::vector<Big>& b, const Rows& a) {
  const std::size_t s = tableau.b.size();
  ASSERT_EQ(c.size(), s);
  Big error_c = 0, error_b = 0, error_a = 0;
  for (std::size_t i = 0; i < s; ++i) {
    error_c = std::max<Big>(error_c, abs(to_big(tableau.c[i]) - c[i]));
    error_b = std::max<Big>(error_b, abs(to_big(tableau.b[i]) - b[i]));
    for (std::size_t j = 0; j < s; ++j) error_a = std::max<Big>(error_a, abs(to_big(tableau.a[i][j]) - a[i][j]));
  }
  const double unit = std::ldexp(1, -112);
  EXPECT_LE(error_c.convert_to<double>() / unit, 1) << tableau.name;
  EXPECT_LE(error_b.convert_to<double>() / unit, 1) << tableau.name;
  EXPECT_LE(error_a.convert_to<double>() / unit, 2) << tableau.name;
}

class SecondOpinion : public testing::TestWithParam<int> {};

TEST_P(SecondOpinion, AgreesOnGauss) {
  const int s = GetParam();
  const std::vector<Big> c = gauss_nodes(s);
  expect_agreement(gauss(s), c, weights(c), collocation(c));
}

TEST_P(SecondOpinion, AgreesOnRadau) {
  const int s = GetParam();
  const std::vector<Big> left = radau_nodes(s, -1), right = radau_nodes(s, 1), b = weights(left);
  expect_agreement(radau_ia(s), left, b, from_d(left, b));
  expect_agreement(radau_iia(s), right, weights(right), collocation(right));
}

TEST_P(SecondOpinion, AgreesOnLobatto) {
  const int s = GetParam();
  if (s < 2) return;
  const std::vector<Big> c = lobatto_nodes(s), b = weights(c);
  const Rows iiic = from_c_and_column(c, true, b[0]), star = from_c_and_column(c, false, 0);
  expect_agreement(lobatto_iiia(s), c, b, collocation(c));
  expect_agreement(lobatto_iiib(s), c, b, from_d(c, b));
  expect_agreement(lobatto_iiic(s), c, b, iiic);
  expect_agreement(lobatto_iiic_star(s), c, b, star);
  Rows mean = iiic;
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t j = 0; j < c.size(); ++j) mean[i][j] = (iiic[i][j] + star[i][j]) / 2;
  }
  expect_agreement(lobatto_iiid(s), c, b, mean);
}

INSTANTIATE_TEST_SUITE_P(Stages, SecondOpinion, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 33, 64));

}  // namespace
}  // namespace noslip
