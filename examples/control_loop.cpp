// A control loop: one step at a time, with an input that is set before each step. A skate turns to a heading.
#include <cmath>
#include <cstdio>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System skate = noslip::System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2)"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [inputs]
    torque = 0
    [forces]
    theta = "torque"
    [initial]
    v = [1, 0, 0]
  )toml");
  noslip::Stepper stepper(noslip::Program(skate, {.method = "gauss:2"}), 0.01);
  for (int i = 0; i < 2000; ++i) {
    stepper.set_input("torque", 4 * (0.5 - stepper.q()[2]) - 4 * stepper.v()[2]);
    if (!stepper.step()) break;
  }
  std::printf("t = %g   heading %.6f   speed %.6f   work %.6f\n", stepper.t(), stepper.q()[2],
              std::hypot(stepper.v()[0], stepper.v()[1]), stepper.work());
  // The speed along the blade does not change, and the torque does no work in the end.
  const bool is_right = std::fabs(stepper.q()[2] - 0.5) < 1e-9 && std::fabs(stepper.work()) < 1e-12 &&
                        std::fabs(stepper.energy() - 0.5) < 1e-12 && stepper.residual() < 1e-14;
  return is_right ? 0 : 1;
}
