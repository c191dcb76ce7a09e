// A digital controller, once in the system file and once as a function in C++: the same motion to rounding error.
#include <cmath>
#include <cstdio>
#include <string>

#include <noslip/noslip.hpp>

int main() {
  const std::string cart = R"toml(
    coordinates = ["x"]
    lagrangian  = "1/2*x'^2"
    [inputs]
    push = 0
    [forces]
    x = "push"
    [initial]
    q = [1]
  )toml";
  const std::string controller = R"toml(
    [sampled]
    every = 0.02
    delay = 0.01
    push  = "-4*x - 3*x'"
  )toml";
  const noslip::RunOptions options{.method = "gauss:2", .step = 0.01, .until = 5};
  const auto written = noslip::integrate(noslip::System::parse(cart + controller), options);

  noslip::RunOptions with_function = options;
  noslip::Controller regulator{.every = 0.02, .delay = 0.01};
  regulator.act = [](double, auto x, auto v, auto inputs) { inputs[0] = -4 * x[0] - 3 * v[0]; };
  with_function.control.controllers = {regulator};
  const auto in_cpp = noslip::integrate(noslip::System::parse(cart), with_function);
  std::printf("x = %.12f and %.12f\n", written.last.q[0], in_cpp.last.q[0]);
  return std::fabs(written.last.q[0] - in_cpp.last.q[0]) < 1e-14 ? 0 : 1;
}
