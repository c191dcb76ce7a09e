// Times the hand-tuned programs, compiled with flags of their own.
#include "hand_tuned.hpp"

#include "mp_by_hand.hpp"
#include "spark_by_hand.hpp"
#include "timing.hpp"

namespace {

using namespace by_hand;

template <class System, class Method>
double measure(double h, long steps) {
  double q[System::N], v[System::N];
  const double seconds = shortest_seconds(
      [&] {
        Method method;
        System::start(q, v);
        method.advance(q, v, h, steps);
        // The compiler must believe that somebody looks at the result.
        asm volatile("" : : "r"(q), "r"(v) : "memory");
      },
      20, 0.2);
  return seconds / static_cast<double>(steps) * 1e9;
}

template <class System>
double measure(const std::string& method, double h, long steps) {
  if (method == "gauss:2") return measure<System, GaussSpark<System, 2>>(h, steps);
  if (method == "gauss:3") return measure<System, GaussSpark<System, 3>>(h, steps);
  if (method == "mp:4") return measure<System, ComposedMp<Order4, System>>(h, steps);
  if (method == "mp:6") return measure<System, ComposedMp<Order6, System>>(h, steps);
  if (method == "mp:8") return measure<System, ComposedMp<Order8, System>>(h, steps);
  if (method == compensated_mp) return measure<System, CompensatedMp<System>>(h, steps);
  return measure<System, ComposedMp<Order2, System>>(h, steps);
}

}  // namespace

double hand_tuned_nanoseconds(TestCase which, const std::string& method, double h, long steps) {
  switch (which) {
    case TestCase::particle: return measure<Particle>(method, h, steps);
    case TestCase::skate: return measure<Skate>(method, h, steps);
    case TestCase::chaotic_particles: return measure<ChaoticParticles>(method, h, steps);
    default: return measure<Sleigh>(method, h, steps);
  }
}
