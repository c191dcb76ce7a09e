// A skate on a slope with a motor whose pull is a table, and drag: forces that are functions written in C++.
#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <span>

#include <noslip/noslip.hpp>

// The pull of the motor at some speeds, joined by parabolas: its derivative has no jumps.
double motor(double speed) {
  static constexpr std::array pull{2.0, 2.0, 1.5, 0.6, 0.2, 0.0, 0.0, 0.0};
  const double place = std::min(std::abs(speed), 5.5);
  const auto i = static_cast<std::size_t>(place);
  const double s = place - static_cast<double>(i);
  return (pull[i] * (1 - s) * (1 - s) + pull[i + 1] * (1 + 2 * s * (1 - s)) + pull[i + 2] * s * s) / 2;
}

int main() {
  const noslip::Symbols s;
  const auto x = s["x"], y = s["y"], theta = s["theta"];
  const noslip::ExternalFunction pull("pull", 1, [](std::span<const double> v) { return motor(v[0]); });
  const noslip::ExternalFunction drag(
      "drag", 1, [](std::span<const double> v) { return -v[0] * std::abs(v[0]) / 50; },
      {.derivative = [](std::span<const double> v, std::size_t) { return -std::abs(v[0]) / 25; }});

  noslip::SystemText skate;
  skate.name = "skate with a motor";
  skate.coordinates = {x, y, theta};
  skate.lagrangian = (sq(dot(x)) + sq(dot(y)) + sq(dot(theta))) / 2 + x;
  skate.constraints = {equal(dot(y) * cos(theta), dot(x) * sin(theta))};
  const auto speed = dot(x) * cos(theta) + dot(y) * sin(theta);
  const auto thrust = pull(speed) + drag(speed);
  skate.forces = {{x, thrust * cos(theta)}, {y, thrust * sin(theta)}};
  skate.v0 = {0, 0, 1};

  const noslip::Trajectory run =
      noslip::integrate(noslip::System::from(skate), {.method = "gauss:3", .step = 0.05, .until = 20});
  std::cout << run.summary();
  return run.outcome.status == noslip::Status::done && run.constraints.max_abs < 1e-12 ? 0 : 1;
}
