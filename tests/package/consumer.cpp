// The example of the documentation, compiled against an installed noslip, checked against the closed solution:
// the skate turns at unit rate and gravity pulls along x, so x = sin(t)^2/2 and y = t/2 - sin(2t)/4.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System sleigh = noslip::System::parse(R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"
      constraints = ["y'*cos(theta) = x'*sin(theta)"] )toml");
  const noslip::Trajectory run =
      noslip::integrate(sleigh, {.q = {0, 0, 0}, .v = {0, 0, 1}}, {.method = "gauss:3", .step = 0.1, .until = 100});
  std::cout << run.summary();
  const double t = run.last.t;
  const double x = std::sin(t) * std::sin(t) / 2, y = t / 2 - std::sin(2 * t) / 4;
  const double error =
      std::max({std::abs(run.last.q[0] - x), std::abs(run.last.q[1] - y), std::abs(run.last.q[2] - t)});
  std::cout << "error at t = " << t << ": " << error << "\n";
  const bool good = run.outcome.status == noslip::Status::done && run.steps == 1000 && std::abs(t - 100) < 1e-12 &&
                    error < 1e-7 && run.constraints.max_abs < 1e-13 && run.energy.max_abs_error < 1e-8;
  return good ? 0 : 1;
}
