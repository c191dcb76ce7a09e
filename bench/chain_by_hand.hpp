// The equations of motion of the chain of springs, as a user of other solvers would write them: with the multiplier
// eliminated from y' = q1 q2', as one loop that the compiler vectorises.
#pragma once

#include <cmath>

#include "chain.hpp"

namespace by_hand {

/// The chain; a state holds the positions q, y and then the velocities.
struct Chain {
  static constexpr int masses = chain_masses, coordinates = masses + 1, size = 2 * coordinates;

  static void start(double* x) {
    for (int i = 0; i < size; ++i) x[i] = 0;
    for (int i = 0; i < masses; ++i) x[i] = std::sin(i + 1.0);
  }

  static void rate(const double* __restrict x, double* __restrict rates) {
    const double *q = x, *v = x + coordinates;
    double* a = rates + coordinates;
    const auto force = [q](int i) {  // of the spring between masses i and i + 1
      const double length = q[i + 1] - q[i];
      return length + length * length * length;
    };
    for (int i = 0; i < coordinates; ++i) rates[i] = v[i];
    a[0] = force(0) - q[0];
    for (int i = 1; i < masses - 1; ++i) a[i] = force(i) - force(i - 1);
    a[masses - 1] = -force(masses - 2);
    const double y = q[masses], lambda = (v[0] * v[1] + q[0] * a[1] + y) / (1 + q[0] * q[0]);
    a[1] -= q[0] * lambda;
    a[masses] = lambda - y;
  }

  static double energy(const double* x) {
    const double *q = x, *v = x + coordinates;
    double sum = (q[0] * q[0] + q[masses] * q[masses]) / 2;
    for (int i = 0; i < coordinates; ++i) sum += v[i] * v[i] / 2;
    for (int i = 1; i < masses; ++i) {
      const double length = q[i] - q[i - 1];
      sum += length * length / 2 + length * length * length * length / 4;
    }
    return sum;
  }
};

}  // namespace by_hand
