// Times the hand-tuned programs as they come, compiled with their own flags.
#include "hand_tuned.hpp"

#include <cmath>

#include <limit.hpp>

namespace {

template <class P, int Stages>
double measure(double h) {
  const long steps = std::lround(P::T / h);
  double q[P::N], v[P::N];
  const double seconds = nh::tmin(
      [&] {
        nh::Spark<P, Stages> method;
        P::init(q, v);
        method.advance(q, v, h, steps);
      },
      0.2, 20);
  return seconds / static_cast<double>(steps) * 1e9;
}

template <class P>
double measure(int stages, double h) {
  return stages == 2 ? measure<P, 2>(h) : measure<P, 3>(h);
}

}  // namespace

double hand_tuned_nanoseconds(int problem, int stages, double h) {
  switch (problem) {
    case 1: return measure<nh::P1>(stages, h);
    case 2: return measure<nh::P2>(stages, h);
    case 3: return measure<nh::P3>(stages, h);
    default: return measure<nh::P4>(stages, h);
  }
}
