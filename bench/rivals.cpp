// Times Boost.odeint as its users would call it.
#include "rivals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <boost/numeric/odeint.hpp>

#include "systems_by_hand.hpp"
#include "timing.hpp"

namespace {

namespace odeint = boost::numeric::odeint;

/// Not finite, also for a compiler that may assume that all numbers are.
bool has_diverged(double x) {
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return (bits >> 52 & 0x7ff) == 0x7ff;
}

/// Rivals for one system.
template <class System>
class Rivals {
 public:
  Rivals(double span, double limit) : span_(span), limit_(limit) {}

  RivalResult best() {
    sweep("dopri5", [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_dopri5<State>()); });
    sweep("fehlberg78",
          [](double t) { return odeint::make_controlled(t, t, odeint::runge_kutta_fehlberg78<State>()); });
    sweep("bulirsch_stoer", [](double t) { return odeint::bulirsch_stoer<State>(t, t); });
    return best_;
  }

 private:
  using State = std::array<double, 2 * System::N>;

  static void rate(const State& x, State& dx, double) { by_hand::rate<System>(x.data(), dx.data()); }
  static void start(State& x) { System::start(x.data(), x.data() + System::N); }
  static double energy(const State& x) { return by_hand::energy<System>(x.data(), x.data() + System::N); }

  template <class Make>
  void sweep(const char* name, Make make) {
    const auto equations = [](const State& x, State& dx, double t) { rate(x, dx, t); };
    for (double tolerance = 1e-8; tolerance > 5e-15; tolerance /= 1.5) {
      State x;
      start(x);
      const double energy_before = energy(x);
      double energy_error = 0;
      bool diverged = false;
      odeint::integrate_adaptive(make(tolerance), equations, x, 0.0, span_, 0.01, [&](const State& y, double) {
        const double error = energy(y) - energy_before;
        diverged = diverged || has_diverged(error);
        energy_error = std::max(energy_error, std::fabs(error));
      });
      if (diverged || !(energy_error <= limit_)) continue;
      const double seconds = shortest_seconds(
          [&] {
            start(x);
            odeint::integrate_adaptive(make(tolerance), equations, x, 0.0, span_, 0.01);
            asm volatile("" : : "r"(&x) : "memory");
          },
          10, 0.2);
      if (best_.seconds > 0 && best_.seconds <= seconds) continue;
      char text[64];
      std::snprintf(text, sizeof text, "%s, tolerance %.1e", name, tolerance);
      best_ = {text, seconds, energy_error};
    }
  }

  double span_, limit_;
  RivalResult best_;
};

}  // namespace

RivalResult best_rival(TestCase which, double span, double limit) {
  switch (which) {
    case TestCase::particle: return Rivals<by_hand::Particle>(span, limit).best();
    case TestCase::skate: return Rivals<by_hand::Skate>(span, limit).best();
    case TestCase::chaotic_particles: return Rivals<by_hand::ChaoticParticles>(span, limit).best();
    default: return Rivals<by_hand::Sleigh>(span, limit).best();
  }
}
