// A sweep over a parameter: the program is compiled once, and each run takes microseconds.
#include <cmath>
#include <cstdio>

#include <noslip/noslip.hpp>

int main() {
  const noslip::System skate = noslip::System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + g*x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    g = 1
    [initial]
    v = [0, 0, 1]
  )toml");
  double last = 0;
  for (int i = 1; i <= 5; ++i) {
    const double g = 0.2 * i;
    const auto run = noslip::integrate(skate, {.method = "gauss:3", .step = 0.05, .until = 10, .set = {{"g", g}}});
    last = run.last.q[1];
    std::printf("g = %.1f   drift across the slope %.6f\n", g, last);
  }
  // The closed form: y = g/2 (t - sin(2 t)/2).
  const bool is_right = std::fabs(last - (10 - std::sin(20) / 2) / 2) < 1e-8;
  return is_right && noslip::program_counts().compiled == 1 ? 0 : 1;
}
