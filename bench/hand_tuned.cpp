// Times the hand-tuned programs as they come, compiled with their own flags.
#include "hand_tuned.hpp"

#include <cmath>

#include <limit.hpp>

namespace {

template <class P, class Method>
double measure(double h) {
  const long steps = std::lround(P::T / h);
  double q[P::N], v[P::N];
  const double seconds = nh::tmin(
      [&] {
        Method method;
        P::init(q, v);
        method.advance(q, v, h, steps);
        // The compiler must believe that somebody looks at the result.
        asm volatile("" : : "r"(q), "r"(v) : "memory");
      },
      0.2, 20);
  return seconds / static_cast<double>(steps) * 1e9;
}

template <class P>
double measure(const std::string& method, double h) {
  if (method == "gauss:2") return measure<P, nh::Spark<P, 2>>(h);
  if (method == "gauss:3") return measure<P, nh::Spark<P, 3>>(h);
  if (method == "mp:4") return measure<P, nh::Comp<nh::C4, P>>(h);
  if (method == "mp:6") return measure<P, nh::Comp<nh::C6, P>>(h);
  if (method == "mp:8") return measure<P, nh::Comp<nh::C8, P>>(h);
  return measure<P, nh::Comp<nh::C2, P>>(h);
}

}  // namespace

double hand_tuned_nanoseconds(int problem, const std::string& method, double h) {
  switch (problem) {
    case 1: return measure<nh::P1>(method, h);
    case 2: return measure<nh::P2>(method, h);
    case 3: return measure<nh::P3>(method, h);
    default: return measure<nh::P4>(method, h);
  }
}
