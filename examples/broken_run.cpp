// A run that is broken off and goes on: the trajectory is that of a run without a break, to the last bit.
#include <cstdio>
#include <string>

#include <noslip/run/run.hpp>

int main() {
  const noslip::System system = noslip::System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = [0, 0, 1] )toml");
  noslip::RunOptions options{.method = "gauss:3", .step = 0.1, .until = 100, .every = 10};
  const noslip::Trajectory unbroken = noslip::integrate(system, options);

  std::string saved;
  options.checkpoint = [&](const noslip::Checkpoint& here) { saved = here.state; };
  options.checkpoint_every = 10;  // seconds
  std::stop_source stop;
  options.stop = stop.get_token();
  options.observe = [&](double t, auto, auto) {
    if (t > 40) stop.request_stop();
  };
  const noslip::Trajectory first = noslip::integrate(system, options);  // ends early
  options.stop = {};
  options.observe = {};

  options.from = saved;
  const noslip::Trajectory whole = noslip::integrate(system, options);
  bool is_same = whole.last.q == unbroken.last.q && whole.samples.size() == unbroken.samples.size();
  for (std::size_t i = 0; is_same && i < whole.samples.size(); ++i) is_same = whole.samples[i].q == unbroken.samples[i].q;
  std::printf("%lld steps, then %lld in all; the same bits: %s\n", first.steps, whole.steps, is_same ? "yes" : "no");
  return is_same ? 0 : 1;
}
