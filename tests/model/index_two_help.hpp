// A system of index 2 for the tests, and states of it.
#pragma once

#include "model/help.hpp"

namespace noslip::test {

/// y1 = exp(t), y2 = exp(-2 t), z1 = exp(2 t) is a solution; at y1 = y2 = 1 the hidden constraint 2 z1^2 - 3 z1 + 1 = 0
/// has the solutions 1 and 1/2.
inline const char* const branches_text = R"toml(kind = "dae2"
name = "branches"
y = ["y1", "y2"]
z = ["z1"]
f = [[], ["y1*y2^2*z1^2", "y1^2*y2^2 - 3*y2^2*z1"]]
g = ["y1^2*y2 = 1"]
[initial]
y = [1, 1]
z = [1]
)toml";

/// Two constraints, all five parts but C, time and parameters.
inline const char* const five_parts_text = R"toml(kind = "dae2"
y = ["a", "b", "c"]
z = ["u", "w"]
f = [["b*t", "0", "-a"],
     ["u", 0, "w*c"],
     [],
     ["m*u*w", "w", "1"],
     ["0", "0", "s"]]
g = ["a + b = 1 + t", "c^2 = m*b"]
[parameters]
m = 0.1
n = "m + 1"
[definitions]
s = "sin(c)*w"
[invariants]
total = "a + b - t + 0*w"
[initial]
t = "1/3"
y = { c = "n", a = 0.1 }
z = [0.1, "n/3"]
[exact]
w = "exp(-m*t)"
a = "t^2"
)toml";

struct IndexTwoTrial {
  System system;
  std::vector<double> parameters;
  InitialState state;
  Continuous continuous;

  explicit IndexTwoTrial(const std::string& toml, const std::map<std::string, double>& settings = {})
      : system(System::parse(toml, "s.toml")),
        parameters(system.parameter_values(settings)),
        state(system.initial_state(parameters)),
        continuous(system, parameters) {}

  ContinuousState evaluate() const {
    std::vector<Problem> problems;
    ContinuousState result = continuous.evaluate(state, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << to_text(problem);
    return result;
  }
  std::string message() const {
    return refusal([&] { continuous.require_consistent(state); });
  }
  InitialState projected() const {
    InitialState result = continuous.project(state);
    EXPECT_EQ(refusal([&] { continuous.require_consistent(result); }), "");
    return result;
  }
};

}  // namespace noslip::test
