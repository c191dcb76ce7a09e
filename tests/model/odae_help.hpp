// Overdetermined systems for the tests.
#pragma once

#include <string>

#include "model/help.hpp"
#include "support/overdetermined.hpp"

namespace noslip::test {

/// With a part of its solution.
inline const std::string jay_text = std::string(testing::jay_problem) + R"toml([exact]
y1 = "exp(2*t)"
z2 = "exp(-t)"
lambda1 = "exp(t)"
)toml";

/// A particle on an ellipsoid that grows, with a metric, in other velocities z than the rates of y, with time in every
/// function; next to the same as a mechanical system. d = exp(t/5), the mass is 1 + x^2/2.
inline const char* const ellipsoid_lagrangian = R"toml(coordinates = ["x", "y", "w"]
lagrangian = "(1 + x^2/2)/2*(x'^2 + y'^2 + w'^2) + t*x'*y - w*y"
holonomic = ["x^2 + 2*y^2 + w^2 = d"]
[definitions]
d = "exp(t/5)"
[forces]
y = "-y'"
)toml";
inline const char* const ellipsoid_text = R"toml(kind = "odae"
y = ["x", "y", "w"]
z = ["a", "b", "c"]
lambda = ["k"]
v = ["vx", "vy", "vw"]
p = ["M*vx + t*y", "M*vy", "M*vw"]
f = ["x/2*(vx^2 + vy^2 + vw^2)", "t*vx - w - vy", "-y"]
r = ["2*x*k*(1 + k^2)", "4*y*k*(1 + k^2)", "2*w*k*(1 + k^2)"]
g = ["x^2 + 2*y^2 + w^2 = d"]
[definitions]
d = "exp(t/5)"
M = "1 + x^2/2"
vx = "a + t*b"
vy = "b - y"
vw = "2*c + x*a"
)toml";

struct OdaeTrial {
  System system;
  std::vector<double> parameters = system.parameter_values();
  InitialState state = system.initial_state(parameters);
  Continuous continuous{system, parameters};

  explicit OdaeTrial(const std::string& toml) : system(System::parse(toml, "s.toml")) {}

  ContinuousState evaluate() const {
    std::vector<Problem> problems;
    ContinuousState result = continuous.evaluate(state, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << to_text(problem);
    return result;
  }
  std::string message() const {
    return refusal([&] { continuous.require_consistent(state); });
  }
};

}  // namespace noslip::test
