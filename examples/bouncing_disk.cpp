// An event that changes the state: a spinning disk that falls, bounces and begins to roll at its first impact.
#include <cmath>
#include <cstdio>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System disk = noslip::System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "m/2*(x'^2 + y'^2) + m*r^2/4*theta'^2 - m*g*y"
    [parameters]
    m = 1
    g = 9.81
    r = 0.5
    [initial]
    q = [0, 1.5, 0]
    v = [1, 0, 3]
  )toml");
  const double g = 9.81, r = 0.5, restitution = 0.99;
  noslip::Event impact;
  impact.when = "y - r";
  impact.direction = noslip::Crossing::down;
  impact.act = [&](noslip::EventChange& now) {
    const double slip = now.v[0] + r * now.v[2];  // of the lowest point; the impulse of friction ends it
    now.v = {now.v[0] - slip / 3, -restitution * now.v[1], now.v[2] - 2 * slip / (3 * r)};
  };
  const auto run = noslip::integrate(disk, {.method = "gauss:2", .step = 0.05, .until = 10, .events = {impact}});
  // The closed form: the first fall, and then flights of which each is shorter than the one before.
  double t = std::sqrt(2 / g), flight = 2 * t, worst = 0;
  for (const noslip::EventHit& hit : run.hits) {
    worst = std::fmax(worst, std::fabs(hit.state.t - t));
    flight *= restitution;
    t += flight;
  }
  std::printf("%zu impacts, times off by at most %.1e, energy balance by %.1e, speed at the contact %.1e\n",
              run.hits.size(), worst, run.balance.max_abs_error, run.last.v[0] + r * run.last.v[2]);
  const bool is_right = run.hits.size() > 10 && worst < 1e-12 && run.balance.max_abs_error < 1e-12;
  return is_right ? 0 : 1;
}
