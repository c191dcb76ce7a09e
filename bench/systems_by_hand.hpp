// The test systems with derivatives written by hand. Each has L = |v|^2/2 - U(q) and one constraint k(q) v = 0:
//   q' = v,  v' = F - k^T psi,  F = -grad U,  psi = (k F + k' v) / (k k^T)    (k' is the derivative of k by the time)
// A system S has
//   N             number of coordinates
//   explicit_end  whether k at the end of a step of mp does not depend on the multiplier of the step
//   start         initial q and v
//   force         F(q)
//   row           k(q)
//   stage         F(q), k(q) and d = grad_q (k(q) V) together, with common sines and cosines
//   acceleration  v'(q, v) with psi eliminated
//   potential     U(q)
#pragma once

#include <cmath>
#include <numbers>

namespace by_hand {

/// q = (x, y, z), U = x^2 + y^2, z' = y x'.
struct Particle {
  static constexpr int N = 3;
  static constexpr bool explicit_end = true;

  static void start(double* q, double* v) {
    q[0] = 1;
    q[1] = q[2] = 0;
    v[0] = v[2] = 0;
    v[1] = 1;
  }
  static void force(const double* q, double* F) {
    F[0] = -2 * q[0];
    F[1] = -2 * q[1];
    F[2] = 0;
  }
  static void row(const double* q, double* k) {
    k[0] = -q[1];
    k[1] = 0;
    k[2] = 1;
  }
  static void stage(const double* q, const double* V, double* F, double* k, double* d) {
    force(q, F);
    row(q, k);
    d[0] = 0;
    d[1] = -V[0];
    d[2] = 0;
  }
  static void acceleration(const double* q, const double* v, double* a) {
    const double psi = (2 * q[0] * q[1] - v[0] * v[1]) / (1 + q[1] * q[1]);
    a[0] = -2 * q[0] + q[1] * psi;
    a[1] = -2 * q[1];
    a[2] = -psi;
  }
  static double potential(const double* q) { return q[0] * q[0] + q[1] * q[1]; }
};

/// q = (x, y, phi), U = -x, cos(phi) y' = sin(phi) x'.
struct Skate {
  static constexpr int N = 3;
  static constexpr bool explicit_end = true;

  static void start(double* q, double* v) {
    q[0] = q[1] = q[2] = 0;
    v[0] = v[1] = 0;
    v[2] = 1;
  }
  static void force(const double*, double* F) {
    F[0] = 1;
    F[1] = F[2] = 0;
  }
  static void row(const double* q, double* k) {
    k[0] = -std::sin(q[2]);
    k[1] = std::cos(q[2]);
    k[2] = 0;
  }
  static void stage(const double* q, const double* V, double* F, double* k, double* d) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    force(q, F);
    k[0] = -s;
    k[1] = c;
    k[2] = 0;
    d[0] = d[1] = 0;
    d[2] = -c * V[0] - s * V[1];
  }
  static void acceleration(const double* q, const double* v, double* a) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    const double psi = -s - (c * v[0] + s * v[1]) * v[2];
    a[0] = 1 + s * psi;
    a[1] = -c * psi;
    a[2] = 0;
  }
  static double potential(const double* q) { return -q[0]; }
};

/// q = (x, w1, w2, w3, z1, z2, z3), 2 U = |q|^2 + z1^2 z2^2 + sum_i wi^2 zi^2, x' + sum_i wi zi' = 0.
struct ChaoticParticles {
  static constexpr int N = 7;
  static constexpr bool explicit_end = true;

  static void start(double* q, double* v) {
    const double angle = 5 * std::numbers::pi / 18;
    q[0] = std::cos(angle);
    q[1] = 0.6;
    q[2] = 0.4;
    q[3] = 0.2;
    q[4] = q[5] = q[6] = 1;
    for (int i = 0; i < N; ++i) v[i] = 0;
    v[1] = std::sin(angle);
  }
  static void force(const double* q, double* F) {
    const double *w = q + 1, *z = q + 4;
    const double ww[3] = {w[0] * w[0], w[1] * w[1], w[2] * w[2]};
    const double zz[3] = {z[0] * z[0], z[1] * z[1], z[2] * z[2]};
    F[0] = -q[0];
    F[1] = -w[0] * (1 + zz[0]);
    F[2] = -w[1] * (1 + zz[1]);
    F[3] = -w[2] * (1 + zz[2]);
    F[4] = -z[0] * (1 + zz[1] + ww[0]);
    F[5] = -z[1] * (1 + zz[0] + ww[1]);
    F[6] = -z[2] * (1 + ww[2]);
  }
  static void row(const double* q, double* k) {
    k[0] = 1;
    k[1] = k[2] = k[3] = 0;
    k[4] = q[1];
    k[5] = q[2];
    k[6] = q[3];
  }
  static void stage(const double* q, const double* V, double* F, double* k, double* d) {
    force(q, F);
    row(q, k);
    d[0] = 0;
    d[1] = V[4];
    d[2] = V[5];
    d[3] = V[6];
    d[4] = d[5] = d[6] = 0;
  }
  static void acceleration(const double* q, const double* v, double* a) {
    const double* w = q + 1;
    force(q, a);
    const double change = v[1] * v[4] + v[2] * v[5] + v[3] * v[6];  // k' v
    const double psi =
        (a[0] + w[0] * a[4] + w[1] * a[5] + w[2] * a[6] + change) / (1 + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    a[0] -= psi;
    a[4] -= w[0] * psi;
    a[5] -= w[1] * psi;
    a[6] -= w[2] * psi;
  }
  static double potential(const double* q) {
    const double *w = q + 1, *z = q + 4;
    double sum = q[0] * q[0];
    for (int i = 0; i < 3; ++i) sum = sum + w[i] * w[i] + z[i] * z[i] + w[i] * w[i] * z[i] * z[i];
    return 0.5 * (sum + z[0] * z[0] * z[1] * z[1]);
  }
};

/// q = (X, Y, theta), the centre of mass and the heading; U = g Y, cos(theta) Y' - sin(theta) X' - theta' = 0.
struct Sleigh {
  static constexpr int N = 3;
  static constexpr bool explicit_end = false;
  static constexpr double g = 0.1;

  static void start(double* q, double* v) {
    q[0] = 2;
    q[1] = q[2] = 0;
    v[0] = v[1] = v[2] = 0;
  }
  static void force(const double*, double* F) {
    F[0] = F[2] = 0;
    F[1] = -g;
  }
  static void row(const double* q, double* k) {
    k[0] = -std::sin(q[2]);
    k[1] = std::cos(q[2]);
    k[2] = -1;
  }
  static void stage(const double* q, const double* V, double* F, double* k, double* d) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    force(q, F);
    k[0] = -s;
    k[1] = c;
    k[2] = -1;
    d[0] = d[1] = 0;
    d[2] = -c * V[0] - s * V[1];
  }
  static void acceleration(const double* q, const double* v, double* a) {
    const double s = std::sin(q[2]), c = std::cos(q[2]);
    const double psi = 0.5 * (-g * c - (c * v[0] + s * v[1]) * v[2]);
    a[0] = s * psi;
    a[1] = -g - c * psi;
    a[2] = psi;
  }
  static double potential(const double* q) { return g * q[1]; }
};

template <class System>
double energy(const double* q, const double* v) {
  double sum = System::potential(q);
  for (int i = 0; i < System::N; ++i) sum = sum + 0.5 * v[i] * v[i];
  return sum;
}

/// The equations of motion as an ordinary differential equation: the rate of x = (q, v).
template <class System>
void rate(const double* x, double* dx) {
  for (int i = 0; i < System::N; ++i) dx[i] = x[System::N + i];
  System::acceleration(x, x + System::N, dx + System::N);
}

}  // namespace by_hand
