// The method of McLachlan and Perlmutter, tuned by hand for the systems of systems_by_hand.hpp, and its symmetric
// compositions. One step (L. O. Jay, Lagrange-d'Alembert SPARK integrators, 2009, eq. (7.3)):
//   Q = q0 + h/2 v0,  v1 = v0 + h F(Q) - k(Q)^T mu,  q1 = Q + h/2 v1,  k(q1) v1 = 0
#pragma once

#include <cmath>

#include "systems_by_hand.hpp"

namespace by_hand {

/// mu, given Q, k(Q) and w = v0 + h F(Q).
template <class System>
[[gnu::always_inline]] inline double mp_multiplier(const double* Q, const double* w, const double* k, double half) {
  constexpr int N = System::N;
  double q1[N], k1[N], mu = 0;
  if constexpr (System::explicit_end) {
    // k(q1) does not depend on mu: one linear equation.
    for (int i = 0; i < N; ++i) q1[i] = Q[i] + half * w[i];
    System::row(q1, k1);
    double kw = 0, kk = 0;
    for (int i = 0; i < N; ++i) {
      kw = kw + k1[i] * w[i];
      kk = kk + k1[i] * k[i];
    }
    mu = kw * (1 / kk);  // the reciprocal is ready before kw is
  } else {
    // Newton iteration for mu alone, with v1 = w - k^T mu.
    double v1[N], unused[N], d[N];
    for (int iteration = 0; iteration < 20; ++iteration) {
      for (int i = 0; i < N; ++i) {
        v1[i] = w[i] - mu * k[i];
        q1[i] = Q[i] + half * v1[i];
      }
      System::stage(q1, v1, unused, k1, d);
      double residual = 0, slope = 0;
      for (int i = 0; i < N; ++i) {
        residual = residual + k1[i] * v1[i];
        slope = slope - (k1[i] + half * d[i]) * k[i];
      }
      const double change = residual / slope;
      mu = mu - change;
      if (std::fabs(change) < 1e-9) break;  // quadratic convergence: the next change is below rounding
    }
  }
  return mu;
}

template <class System>
[[gnu::always_inline]] inline void mp_step(double* q, double* v, double h) {
  constexpr int N = System::N;
  const double half = 0.5 * h;
  double Q[N], F[N], k[N];
  for (int i = 0; i < N; ++i) Q[i] = q[i] + half * v[i];
  System::force(Q, F);
  System::row(Q, k);
  for (int i = 0; i < N; ++i) v[i] = v[i] + h * F[i];
  const double mu = mp_multiplier<System>(Q, v, k, half);
  for (int i = 0; i < N; ++i) {
    v[i] = v[i] - mu * k[i];
    q[i] = Q[i] + half * v[i];
  }
}

/// x + dx with what rounding has taken from it, or added, in earlier sums.
[[gnu::always_inline]] inline void add_compensated(double& x, double& low, double dx) {
  const double whole = dx + low, next = x + whole;
  low = whole - (next - x);
  x = next;
}

/// The same with compensated sums, as noslip adds.
template <class System>
[[gnu::always_inline]] inline void compensated_mp_step(double* q, double* v, double* q_low, double* v_low, double h) {
  constexpr int N = System::N;
  const double half = 0.5 * h;
  double Q[N], F[N], k[N], w[N];
  for (int i = 0; i < N; ++i) Q[i] = q[i] + half * v[i];
  System::force(Q, F);
  System::row(Q, k);
  for (int i = 0; i < N; ++i) w[i] = v[i] + h * F[i];
  const double mu = mp_multiplier<System>(Q, w, k, half);
  for (int i = 0; i < N; ++i) {
    const double v0 = v[i];
    add_compensated(v[i], v_low[i], h * F[i] - mu * k[i]);
    add_compensated(q[i], q_low[i], half * (v0 + v[i]));
  }
}

// Step sizes of the compositions as parts of the whole step; symmetric.

struct Order2 {
  static constexpr double parts[] = {1};
};

struct Order4 {
  static constexpr double a = 0.41449077179437573714;
  static constexpr double parts[] = {a, a, 1 - 4 * a, a, a};
};

struct Order6 {
  static constexpr double a = 0.39216144400731413928, b = 0.33259913678935943860, c = -0.70624617255763935981,
                          d = 0.08221359629355080023, e = 0.79854399093482996340;
  static constexpr double parts[] = {a, b, c, d, e, d, c, b, a};
};

struct Order8 {
  static constexpr double a = 0.13020248308889008088, b = 0.56116298177510838456, c = -0.38947496264484728641,
                          d = 0.15884190655515560090, e = -0.39590389413323757734, f = 0.18453964097831570709,
                          g = 0.25837438768632204729, h = 0.29501172360931029887, i = -0.60550853383003451170;
  static constexpr double parts[] = {a, b, c, d, e, f, g, h, i, h, g, f, e, d, c, b, a};
};

template <class Composition, class System>
inline void composed_step(double* q, double* v, double h) {
#pragma GCC unroll 1
  for (const double part : Composition::parts) mp_step<System>(q, v, part * h);
}

template <class Composition, class System>
struct ComposedMp {
  /// Many steps at once: copies of q and v that nobody else sees stay in registers, which is twice as fast.
  void advance(double* q, double* v, double h, long steps) {
    double q_here[System::N], v_here[System::N];
    for (int i = 0; i < System::N; ++i) {
      q_here[i] = q[i];
      v_here[i] = v[i];
    }
    for (long step = 0; step < steps; ++step) composed_step<Composition, System>(q_here, v_here, h);
    for (int i = 0; i < System::N; ++i) {
      q[i] = q_here[i];
      v[i] = v_here[i];
    }
  }
};

template <class System>
struct CompensatedMp {
  void advance(double* q, double* v, double h, long steps) {
    double q_here[System::N], v_here[System::N], q_low[System::N] = {}, v_low[System::N] = {};
    for (int i = 0; i < System::N; ++i) {
      q_here[i] = q[i];
      v_here[i] = v[i];
    }
    for (long step = 0; step < steps; ++step) compensated_mp_step<System>(q_here, v_here, q_low, v_low, h);
    for (int i = 0; i < System::N; ++i) {
      q[i] = q_here[i];
      v[i] = v_here[i];
    }
  }
};

}  // namespace by_hand
