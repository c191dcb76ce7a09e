// A skate on a slope: the Lagrangian and the constraint are all that one writes.
#include <iostream>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System skate = noslip::System::parse(R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"
      constraints = ["y'*cos(theta) = x'*sin(theta)"] )toml");
  const noslip::Trajectory run =
      noslip::integrate(skate, {.q = {0, 0, 0}, .v = {0, 0, 1}}, {.method = "gauss:3", .step = 0.1, .until = 100});
  std::cout << run.summary();
  return run.outcome.status == noslip::Status::done ? 0 : 1;
}
