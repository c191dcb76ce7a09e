// The equations of a mechanical system with the multipliers eliminated, as an ordinary differential equation:
//   M a = g + K^T lambda,  K a = gamma    (K: velocity constraints and derivatives of position constraints)
// The entries are one compiled function with all parameters folded in, as a careful user would generate them; M and K
// M^-1 K^T are factorised by Cholesky with sizes known to the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Cholesky>

#include <noslip/exec/function.hpp>
#include <noslip/model/system.hpp>

/// M (upper triangle by rows), K by rows, g, gamma.
class IndexReducedEntries {
 public:
  IndexReducedEntries(const noslip::System& system, const std::vector<double>& parameters);
  /// The entries at (t, q, v); q and v stand behind one another in x.
  const double* at(double t, const double* x);

 private:
  noslip::Evaluation<double> entries_;  // of t; q and v
  std::size_t state_count_;
};

/// N coordinates and C constraints.
template <int N, int C>
class IndexReduced {
 public:
  using State = std::array<double, 2 * N>;

  IndexReduced(const noslip::System& system, const std::vector<double>& parameters) : entries_(system, parameters) {}

  void operator()(const State& x, State& rate, double t) {
    const double* entry = entries_.at(t, x.data());
    Eigen::Matrix<double, N, N> mass;
    for (int i = 0; i < N; ++i) {
      for (int j = i; j < N; ++j) mass(j, i) = *entry++;
    }
    const Eigen::Map<const Eigen::Matrix<double, C, N, Eigen::RowMajor>> K(entry);
    const Eigen::Map<const Eigen::Matrix<double, N, 1>> g(entry + C * N);
    const Eigen::Map<const Eigen::Matrix<double, C, 1>> gamma(entry + C * N + N);
    // With M = L L^T and W = L^-1 K^T: a = L^-T (L^-1 g + W lambda), W^T W lambda = gamma - W^T L^-1 g.
    const Eigen::LLT<Eigen::Ref<Eigen::Matrix<double, N, N>>> cholesky(mass);
    const Eigen::Matrix<double, N, C> W = cholesky.matrixL().solve(K.transpose());
    Eigen::Matrix<double, N, 1> a = cholesky.matrixL().solve(g);
    const Eigen::LLT<Eigen::Matrix<double, C, C>> schur(W.transpose() * W);
    a += W * schur.solve(gamma - W.transpose() * a);
    cholesky.matrixU().solveInPlace(a);
    for (int i = 0; i < N; ++i) {
      rate[i] = x[N + i];
      rate[N + i] = a[i];
    }
  }

 private:
  IndexReducedEntries entries_;
};
