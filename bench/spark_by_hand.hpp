// Gauss SPARK methods with two and three stages, tuned by hand for the systems of systems_by_hand.hpp. One step
// (L. O. Jay, Lagrange-d'Alembert SPARK integrators, 2009, section 6), with mu = h psi:
//   Q_i = q0 + h sum_j A_ij V_j    V_i = v0 + sum_j A_ij (h F(Q_j) - k(Q_j)^T mu_j)
//   q1  = q0 + h sum_j b_j V_j     v1  = v0 + sum_j b_j (h F(Q_j) - k(Q_j)^T mu_j)
//   sum_i b_i p(c_i) k(Q_i) V_i = 0 for polynomials p of degree up to S - 2,    k(q1) v1 = 0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "systems_by_hand.hpp"

namespace by_hand {

template <int S>
struct Gauss;

template <>
struct Gauss<2> {
  static constexpr double r = 0.28867513459481288225;  // sqrt(3)/6
  static constexpr double A[2][2] = {{.25, .25 - r}, {.25 + r, .25}}, b[2] = {.5, .5}, c[2] = {.5 - r, .5 + r};
};

template <>
struct Gauss<3> {
  static constexpr double r = 3.87298334620741688518;  // sqrt(15)
  static constexpr double A[3][3] = {{5 / 36., 2 / 9. - r / 15, 5 / 36. - r / 30},
                                     {5 / 36. + r / 24, 2 / 9., 5 / 36. - r / 24},
                                     {5 / 36. + r / 30, 2 / 9. + r / 15, 5 / 36.}};
  static constexpr double b[3] = {5 / 18., 4 / 9., 5 / 18.}, c[3] = {.5 - r / 10, .5, .5 + r / 10};
};

/// B x = r by Cramer's rule.
inline void solve(const double B[2][2], const double* r, double* x) {
  const double D = 1 / (B[0][0] * B[1][1] - B[0][1] * B[1][0]);
  x[0] = (r[0] * B[1][1] - r[1] * B[0][1]) * D;
  x[1] = (B[0][0] * r[1] - B[1][0] * r[0]) * D;
}

inline void solve(const double B[3][3], const double* r, double* x) {
  const double c0 = B[1][1] * B[2][2] - B[1][2] * B[2][1];
  const double c1 = B[1][2] * B[2][0] - B[1][0] * B[2][2];
  const double c2 = B[1][0] * B[2][1] - B[1][1] * B[2][0];
  const double D = 1 / (B[0][0] * c0 + B[0][1] * c1 + B[0][2] * c2);
  x[0] = D * (r[0] * c0 + B[0][1] * (B[1][2] * r[2] - r[1] * B[2][2]) + B[0][2] * (r[1] * B[2][1] - B[1][1] * r[2]));
  x[1] = D * (B[0][0] * (r[1] * B[2][2] - B[1][2] * r[2]) + r[0] * c1 + B[0][2] * (B[1][0] * r[2] - r[1] * B[2][0]));
  x[2] = D * (B[0][0] * (B[1][1] * r[2] - r[1] * B[2][1]) + B[0][1] * (r[1] * B[2][0] - B[1][0] * r[2]) + r[0] * c2);
}

/// The iteration holds F and k^T mu at the last iterate and linearises the constraints exactly, which gives S linear
/// equations for mu; its contraction is O(h^2).
template <class System, int S>
class GaussSpark {
 public:
  GaussSpark() {
    // Lagrange polynomials of the nodes 0, c_1 ... c_S, 1 at 1 + c_i.
    double nodes[S + 2];
    nodes[0] = 0;
    for (int i = 0; i < S; ++i) nodes[i + 1] = G::c[i];
    nodes[S + 1] = 1;
    for (int i = 0; i < S; ++i) {
      for (int j = 0; j < S + 2; ++j) {
        double product = 1;
        for (int k = 0; k < S + 2; ++k) {
          if (k != j) product *= (1 + G::c[i] - nodes[k]) / (nodes[j] - nodes[k]);
        }
        extrapolation_[i][j] = product;
      }
    }
  }

  /// Many steps at once: copies that nobody else sees stay in registers.
  [[gnu::noinline]] void advance(double* q, double* v, double h, long steps) {
    double q_here[N], v_here[N];
    for (int n = 0; n < N; ++n) {
      q_here[n] = q[n];
      v_here[n] = v[n];
    }
    GaussSpark here(*this);
    for (long step = 0; step < steps; ++step) here.step(q_here, v_here, h);
    *this = here;
    for (int n = 0; n < N; ++n) {
      q[n] = q_here[n];
      v[n] = v_here[n];
    }
  }

 private:
  static constexpr int N = System::N;
  using G = Gauss<S>;

  /// Everything at the last iterate. W and w1 are the velocities of stages and end without reactions.
  struct Iterate {
    double dQ[S][N], F[S][N], k[S][N], d[S][N], W[S][N];
    double dq1[N], k1[N], d1[N], w1[N];
  };

  [[gnu::always_inline]] inline void step(double* q, double* v, double h) {
    guess(q, v, h);
    double v1[N], last_change = 1e300;
    for (int n = 0; n < N; ++n) v1[n] = V_[S - 1][n];
    for (int iteration = 1; iteration <= 50; ++iteration) {
      Iterate at;
      evaluate(q, v, v1, h, at);
      double mu[S];
      multipliers(at, h, mu);
      const double change = update(at, mu, v1);
      // The next change is far below rounding; 5e-17 here would be a drift of the energy by 8e-18 per step.
      if (change < 2e-16 || (iteration > 1 && change * std::min(1.0, change / last_change) < 5e-18)) break;
      if (iteration > 4 && change < 1e-14 && change >= last_change) break;
      last_change = change;
    }
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int j = 0; j < S; ++j) sum += G::b[j] * V_[j][n];
      q[n] += h * sum;
    }
    // The constraint at the end was linearised at the last q1: one projection satisfies it to rounding.
    double k1[N], kv = 0, kk = 0;
    System::row(q, k1);
    for (int n = 0; n < N; ++n) {
      kv += k1[n] * v1[n];
      kk += k1[n] * k1[n];
    }
    kv /= kk;
    for (int n = 0; n < N; ++n) v[n] = v1[n] - kv * k1[n];
    has_step_ = true;
  }

  /// V_i from the polynomial through the velocities of the previous step; in the first step from the acceleration.
  [[gnu::always_inline]] inline void guess(const double* q, const double* v, double h) {
    double guessed[S][N];
    if (has_step_) {
      for (int i = 0; i < S; ++i) {
        for (int n = 0; n < N; ++n) {
          double sum = extrapolation_[i][0] * v_before_[n] + extrapolation_[i][S + 1] * v[n];
          for (int j = 0; j < S; ++j) sum += extrapolation_[i][j + 1] * V_[j][n];
          guessed[i][n] = sum;
        }
      }
    } else {
      double a[N];
      System::acceleration(q, v, a);
      for (int i = 0; i < S; ++i) {
        for (int n = 0; n < N; ++n) guessed[i][n] = v[n] + h * G::c[i] * a[n];
      }
    }
    for (int n = 0; n < N; ++n) v_before_[n] = v[n];
    std::memcpy(V_, guessed, sizeof V_);
  }

  [[gnu::always_inline]] inline void evaluate(const double* q, const double* v, const double* v1, double h,
                                              Iterate& at) {
    for (int i = 0; i < S; ++i) {
      double Q[N];
      for (int n = 0; n < N; ++n) {
        double sum = 0;
        for (int j = 0; j < S; ++j) sum += G::A[i][j] * V_[j][n];
        at.dQ[i][n] = h * sum;
        Q[n] = q[n] + at.dQ[i][n];
      }
      System::stage(Q, V_[i], at.F[i], at.k[i], at.d[i]);
    }
    double q1[N], unused[N];
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int j = 0; j < S; ++j) sum += G::b[j] * V_[j][n];
      at.dq1[n] = h * sum;
      q1[n] = q[n] + at.dq1[n];
    }
    System::stage(q1, v1, unused, at.k1, at.d1);
    for (int n = 0; n < N; ++n) {
      for (int i = 0; i < S; ++i) {
        double sum = 0;
        for (int j = 0; j < S; ++j) sum += G::A[i][j] * at.F[j][n];
        at.W[i][n] = v[n] + h * sum;
      }
      double sum = 0;
      for (int j = 0; j < S; ++j) sum += G::b[j] * at.F[j][n];
      at.w1[n] = v[n] + h * sum;
    }
  }

  /// With V_l(mu) = W_l - sum_m A_lm k_m mu_m and Q_l(mu) - q0 = h sum_j A_lj V_j(mu), the constraint at stage l is
  ///   k_l V_l(mu) + d_l (Q_l(mu) - Q_l) = kW_l + dW_l - sum_m (A_lm k_l k_m + h (A A)_lm d_l k_m) mu_m,
  /// and the one at the end is the same with b in place of the row l of A.
  [[gnu::always_inline]] inline void multipliers(const Iterate& at, double h, double* mu) {
    double kk[S][S], dk[S][S], kW[S], dW[S], k1k[S], d1k[S], k1w1 = 0, d1w1 = 0;
    for (int l = 0; l < S; ++l) {
      for (int m = 0; m < S; ++m) {
        kk[l][m] = dot(at.k[l], at.k[m]);
        dk[l][m] = dot(at.d[l], at.k[m]);
      }
      k1k[l] = dot(at.k1, at.k[l]);
      d1k[l] = dot(at.d1, at.k[l]);
      kW[l] = dot(at.k[l], at.W[l]);
      dW[l] = 0;
      for (int n = 0; n < N; ++n) {
        double sum = 0;
        for (int j = 0; j < S; ++j) sum += G::A[l][j] * at.W[j][n];
        dW[l] += at.d[l][n] * (h * sum - at.dQ[l][n]);
      }
    }
    for (int n = 0; n < N; ++n) {
      k1w1 += at.k1[n] * at.w1[n];
      double sum = 0;
      for (int j = 0; j < S; ++j) sum += G::b[j] * at.W[j][n];
      d1w1 += at.d1[n] * (h * sum - at.dq1[n]);
    }

    double AA[S][S], bA[S];
    for (int m = 0; m < S; ++m) {
      bA[m] = 0;
      for (int j = 0; j < S; ++j) bA[m] += G::b[j] * G::A[j][m];
      for (int l = 0; l < S; ++l) {
        AA[l][m] = 0;
        for (int j = 0; j < S; ++j) AA[l][m] += G::A[l][j] * G::A[j][m];
      }
    }

    double B[S][S], r[S];
    for (int degree = 0; degree < S - 1; ++degree) {  // p(c) = (2 c - 1)^degree
      r[degree] = 0;
      for (int m = 0; m < S; ++m) B[degree][m] = 0;
      for (int l = 0; l < S; ++l) {
        double weight = G::b[l];
        for (int power = 0; power < degree; ++power) weight *= 2 * G::c[l] - 1;
        r[degree] += weight * (kW[l] + dW[l]);
        for (int m = 0; m < S; ++m) B[degree][m] += weight * (G::A[l][m] * kk[l][m] + h * AA[l][m] * dk[l][m]);
      }
    }
    r[S - 1] = k1w1 + d1w1;
    for (int m = 0; m < S; ++m) B[S - 1][m] = G::b[m] * k1k[m] + h * bA[m] * d1k[m];
    solve(B, r, mu);
  }

  /// Velocities with the new multipliers; returns the largest change of V.
  [[gnu::always_inline]] inline double update(const Iterate& at, const double* mu, double* v1) {
    double largest = 0;
    for (int i = 0; i < S; ++i) {
      for (int n = 0; n < N; ++n) {
        double sum = 0;
        for (int m = 0; m < S; ++m) sum += G::A[i][m] * at.k[m][n] * mu[m];
        const double V = at.W[i][n] - sum;
        largest = std::max(largest, std::fabs(V - V_[i][n]));
        V_[i][n] = V;
      }
    }
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int m = 0; m < S; ++m) sum += G::b[m] * at.k[m][n] * mu[m];
      v1[n] = at.w1[n] - sum;
    }
    return largest;
  }

  [[gnu::always_inline]] static inline double dot(const double* a, const double* b) {
    double sum = 0;
    for (int n = 0; n < N; ++n) sum += a[n] * b[n];
    return sum;
  }

  double V_[S][N];         ///< stage velocities of this step, or of the previous one
  double v_before_[N];     ///< velocity at the start of that step
  bool has_step_ = false;  ///< there is a previous step
  double extrapolation_[S][S + 2];
};

}  // namespace by_hand
