// The recorded reflections against algorithm 1 of Celledoni et al. 2019 in numbers, with its indices and derivatives
// corrected.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>

#include "method/householder.hpp"
#include "method/numbers.hpp"

namespace noslip {
namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix zeros(std::size_t rows, std::size_t columns) { return Matrix(rows, std::vector<double>(columns, 0.0)); }

/// Q of a QR factorisation of A(q), n x m, and dQ/dq_i, from A and dA/dq_i; each sign is that of the pivot.
struct Differentiated {
  Matrix Q;
  std::vector<Matrix> dQ;
};

Differentiated qr_diff(const Matrix& A, const std::vector<Matrix>& dA) {
  const std::size_t n = A.size(), m = A[0].size();
  Differentiated result{zeros(n, n), std::vector<Matrix>(n, zeros(n, n))};
  for (std::size_t i = 0; i < n; ++i) result.Q[i][i] = 1;
  Matrix R = A;
  std::vector<Matrix> dR = dA;
  for (std::size_t k = 0; k < m; ++k) {
    const double sign = R[k][k] < 0 ? -1 : 1;
    double length = 0;
    for (std::size_t j = k; j < n; ++j) length += R[j][k] * R[j][k];
    length = std::sqrt(length);
    std::vector<double> w(n, 0.0);
    for (std::size_t j = k; j < n; ++j) w[j] = R[j][k] + (j == k ? sign * length : 0);
    const double size = std::sqrt(2 * (length * length + sign * R[k][k] * length));
    for (double& each : w) each /= size;
    std::vector<double> u(m, 0.0);
    for (std::size_t c = 0; c < m; ++c) {
      for (std::size_t j = 0; j < n; ++j) u[c] += w[j] * R[j][c];
    }
    const auto w_of_Q = [&](const Matrix& Q, std::size_t row, const std::vector<double>& with) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += Q[row][j] * with[j];
      return sum;
    };
    for (std::size_t i = 0; i < n; ++i) {
      double d_length = 0;
      for (std::size_t j = k; j < n; ++j) d_length += dR[i][j][k] * R[j][k] / length;
      std::vector<double> dw(n, 0.0);
      double d_size = 0;
      for (std::size_t j = k; j < n; ++j) {
        dw[j] = dR[i][j][k] + (j == k ? sign * d_length : 0);
        d_size += dw[j] * w[j];
      }
      for (std::size_t j = k; j < n; ++j) dw[j] = (dw[j] - w[j] * d_size) / size;
      std::vector<double> du(m, 0.0);
      for (std::size_t c = 0; c < m; ++c) {
        for (std::size_t j = 0; j < n; ++j) du[c] += dw[j] * R[j][c] + w[j] * dR[i][j][c];
      }
      Matrix& dQ = result.dQ[i];
      for (std::size_t row = 0; row < n; ++row) {
        const double dQw = w_of_Q(dQ, row, w), Qdw = w_of_Q(result.Q, row, dw), Qw = w_of_Q(result.Q, row, w);
        for (std::size_t j = 0; j < n; ++j) dQ[row][j] -= 2 * (dQw * w[j] + Qdw * w[j] + Qw * dw[j]);
        for (std::size_t c = 0; c < m; ++c) dR[i][row][c] -= 2 * (dw[row] * u[c] + w[row] * du[c]);
      }
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double Qw = w_of_Q(result.Q, row, w);
      for (std::size_t j = 0; j < n; ++j) result.Q[row][j] -= 2 * Qw * w[j];
      for (std::size_t c = 0; c < m; ++c) R[row][c] -= 2 * w[row] * u[c];
    }
  }
  return result;
}

/// Constraints of four coordinates, as many rows as wanted, with zeros, constants and directions among the entries.
std::vector<std::vector<Expr>> rows(Graph& graph, const std::vector<Expr>& q, std::size_t count) {
  const Expr zero = graph.constant(0), one = graph.constant(1);
  const std::vector<std::vector<Expr>> all = {
      {-sin(q[2]), cos(q[2]), q[3] * q[0], zero},
      {one, exp(q[1]), zero, q[2] - q[0] * q[3]},
      {q[1], zero, cos(q[0]) + 2, one},
  };
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

TEST(Householder, IsAlgorithmOne) {
  std::mt19937 generator(7);
  for (std::size_t m = 0; m <= 3; ++m) {
    Graph graph;
    std::vector<Expr> q, p, d, y;
    for (int i = 0; i < 4; ++i) {
      q.push_back(graph.symbol(fmt::format("q{}", i)));
      p.push_back(graph.symbol(fmt::format("p{}", i)));
      d.push_back(graph.symbol(fmt::format("d{}", i)));
      if (i < 4 - static_cast<int>(m)) y.push_back(graph.symbol(fmt::format("y{}", i)));
    }
    const auto K = rows(graph, q, m);
    const HouseholderBasis made = householder_basis(graph, K, q);
    ASSERT_EQ(made.basis->size(), 4 - m);
    for (int round = 0; round < 20; ++round) {
      testing::Numbers numbers;
      const std::vector<double> q_values = testing::random_numbers(generator, 4);
      const std::vector<double> p_values = testing::random_numbers(generator, 4);
      const std::vector<double> d_values = testing::random_numbers(generator, 4);
      const std::vector<double> y_values = testing::random_numbers(generator, y.size());
      numbers.set(q, q_values);
      numbers.set(p, p_values);
      numbers.set(d, d_values);
      numbers.set(y, y_values);
      for (const Definition& sign : made.signs) numbers.set(sign.symbol, numbers({sign.value})[0]);

      Matrix A = zeros(4, m);
      std::vector<Matrix> dA(4, zeros(4, m));
      for (std::size_t c = 0; c < m; ++c) {
        for (std::size_t j = 0; j < 4; ++j) {
          A[j][c] = numbers({K[c][j]})[0];
          for (std::size_t i = 0; i < 4; ++i) dA[i][j][c] = numbers({derivative(K[c][j], q[i])})[0];
        }
      }
      const Differentiated expected = qr_diff(A, dA);
      const auto X = [&](std::size_t j, std::size_t a) { return expected.Q[j][m + a]; };
      const auto dX = [&](std::size_t i, std::size_t j, std::size_t a) { return expected.dQ[i][j][m + a]; };
      const AdaptedMomentum momentum{p, {}};
      const auto combined = numbers(made.basis->combine(y)), projected = numbers(made.basis->project(p));
      const auto turning = numbers(made.basis->turning(momentum, d)), slopes = numbers(made.basis->slopes(momentum, y));
      for (std::size_t j = 0; j < 4; ++j) {
        double value = 0, slope = 0;
        for (std::size_t a = 0; a < y.size(); ++a) {
          value += X(j, a) * y_values[a];
          for (std::size_t l = 0; l < 4; ++l) slope += p_values[l] * dX(j, l, a) * y_values[a];
        }
        EXPECT_NEAR(combined[j], value, 1e-14) << m;
        EXPECT_NEAR(slopes[j], slope, 1e-12) << m;
      }
      for (std::size_t a = 0; a < y.size(); ++a) {
        double value = 0, turned = 0;
        for (std::size_t j = 0; j < 4; ++j) {
          value += X(j, a) * p_values[j];
          for (std::size_t i = 0; i < 4; ++i) turned += p_values[j] * dX(i, j, a) * d_values[i];
        }
        EXPECT_NEAR(projected[a], value, 1e-14) << m;
        EXPECT_NEAR(turning[a], turned, 1e-12) << m;
      }
    }
  }
}

TEST(Householder, TakesTheSignThatDoesNotCancel) {
  Graph graph;
  const std::vector<Expr> q = {graph.symbol("q0"), graph.symbol("q1")};
  const HouseholderBasis made = householder_basis(graph, {{q[0], graph.constant(1)}}, q);
  ASSERT_EQ(made.signs.size(), 1u);
  for (const double pivot : {-1e8, -1.0, 0.0, 1.0, 1e8}) {
    testing::Numbers numbers;
    numbers.set(q, {pivot, 0});
    const double sign = numbers({made.signs[0].value})[0];
    EXPECT_EQ(sign, pivot < 0 ? -1 : 1);
    numbers.set(made.signs[0].symbol, sign);
    const auto X = numbers(made.basis->combine(std::vector<Expr>{graph.constant(1)}));
    EXPECT_NEAR(X[0] * pivot + X[1], 0, 4e-16 * std::fabs(X[0] * pivot));
    EXPECT_NEAR(std::hypot(X[0], X[1]), 1, 4e-16);
  }
}

TEST(Householder, DirectionsOfUnitLengthNeedNoRoot) {
  Graph graph;
  const std::vector<Expr> q = {graph.symbol("x"), graph.symbol("y"), graph.symbol("theta")};
  const HouseholderBasis made = householder_basis(graph, {{-sin(q[2]), cos(q[2]), graph.constant(0)}}, q);
  const std::vector<Expr> column = made.basis->combine(std::vector<Expr>{graph.constant(1), graph.constant(0)});
  for (const Expr& entry : column) {
    std::vector<Expr> open{entry};
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      EXPECT_NE(e.op(), Op::sqrt);
      if (arity(e.op()) > 0) open.push_back(e.a());
      if (arity(e.op()) > 1) open.push_back(e.b());
      if (arity(e.op()) > 2) open.push_back(e.c());
    }
  }
}

}  // namespace
}  // namespace noslip
