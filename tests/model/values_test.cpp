// Numbers of parameters and initial data.
#include <cmath>
#include <limits>
#include <quadmath.h>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const char* const text = R"toml(
coordinates = ["x", "y"]
lagrangian  = "m*x'^2 + J*y'^2"
[parameters]
m = 0.1
a = 2
J = "m*a^2"
w = 1_000.5e-1
h = 0x10
third = "1/3"
[initial]
t = "third"
q = { y = "cos(5*pi/18)", x = 0.1 }
v = ["sqrt(J)", -2]
)toml";

TEST(Values, DefaultsFollowTheSettings) {
  const System system = System::parse(text);
  EXPECT_EQ(system.parameter_values(), (std::vector<double>{0.1, 2, 0.4, 100.05, 16, 1.0 / 3}));
  EXPECT_EQ(system.parameter_values({{"m", 3}}), (std::vector<double>{3, 2, 12, 100.05, 16, 1.0 / 3}));
  EXPECT_EQ(system.parameter_values({{"m", 3}, {"J", 1}})[2], 1);
}

TEST(Values, DecimalsAreExactInQuadruplePrecision) {
  const System system = System::parse(text);
  const std::vector<quad> values = system.parameter_values_quad();
  EXPECT_TRUE(values[0] == strtoflt128("0.1", nullptr));
  EXPECT_TRUE(values[2] == strtoflt128("0.4", nullptr));
  EXPECT_TRUE(values[5] == strtoflt128("1", nullptr) / 3);
  const InitialStateQuad state = system.initial_state_quad(values);
  EXPECT_TRUE(state.q[0] == strtoflt128("0.1", nullptr));
  EXPECT_LT(static_cast<double>(fabsq(state.q[1] - cosq(5 * acosq(-1) / 18))), 4e-34);
}

TEST(Values, SettingsAndOverridesAreExact) {
  const System system = System::parse(text);
  const quad third = quad(1) / 3, tenth = quad(1) / 10;
  const std::vector<quad> values = system.parameter_values_quad({{"m", third}, {"w", tenth}});
  EXPECT_TRUE(values[0] == third && values[3] == tenth);
  EXPECT_TRUE(values[2] == third * 4);
  const InitialStateQuad given = system.initial_state_quad(values);
  const InitialStateQuad start = system.with_initial(given, {{"x", third}, {"y'", tenth}});
  EXPECT_TRUE(start.q[0] == third && start.v[1] == tenth);
  EXPECT_TRUE(start.q[1] == given.q[1] && start.v[0] == given.v[0]);
  EXPECT_TRUE(start.t == third);
  const InitialState rounded = to_double(start);
  EXPECT_EQ(rounded.q, (std::vector<double>{1.0 / 3, static_cast<double>(start.q[1])}));
  EXPECT_EQ(rounded.t, 1.0 / 3);
  EXPECT_TRUE(to_quad(rounded).q[0] == quad(1.0 / 3));
  // A map of doubles means these doubles.
  const std::map<std::string, double> doubles{{"m", 0.1}};
  EXPECT_TRUE(system.parameter_values_quad(doubles)[0] == quad(0.1));
}

TEST(Values, InitialStateIsRoundedOnce) {
  const System system = System::parse(text);
  const InitialState state = system.initial_state(system.parameter_values());
  EXPECT_EQ(state.t, 1.0 / 3);
  EXPECT_EQ(state.q[0], 0.1);
  EXPECT_EQ(state.q[1], static_cast<double>(cosq(5 * acosq(-1) / 18)));
  EXPECT_EQ(state.v, (std::vector<double>{std::sqrt(0.4), -2}));
  EXPECT_EQ(system.initial_state(system.parameter_values({{"J", 9}})).v[0], 3);
}

TEST(Values, NothingGivenMeansZero) {
  const System system = System::parse("coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\n[initial]\nv = {y = 2}");
  const InitialState state = system.initial_state(system.parameter_values());
  EXPECT_EQ(state.t, 0);
  EXPECT_EQ(state.q, (std::vector<double>{0, 0}));
  EXPECT_EQ(state.v, (std::vector<double>{0, 2}));
}

TEST(Values, WrongSettings) {
  const System system = System::parse(text);
  EXPECT_EQ(refusal([&] {
              system.parameter_values({{"thrid", 1}});
            }),
            "unknown parameter 'thrid'\n  did you mean 'third'? (the parameters are m, a, J, w, h and third)");
  EXPECT_EQ(refusal([&] {
              system.parameter_values({{"gravity", 1}});
            }),
            "unknown parameter 'gravity'\n  the parameters are m, a, J, w, h and third");
  EXPECT_EQ(refusal([&] {
              system.parameter_values({{"m", NAN}, {"a", -INFINITY}});
            }),
            "parameter 'a' cannot be -inf\n  give a finite number\n"
            "parameter 'm' cannot be nan\n  give a finite number");
  EXPECT_TRUE(contains(refusal([&] { system.initial_state(std::vector<double>{1}); }), "1 parameter values for 6"));
}

TEST(Values, WhatIsNotFiniteIsNamed) {
  const System system = System::parse(text, "s.toml");
  EXPECT_EQ(refusal([&] {
              system.initial_state(system.parameter_values({{"J", -1}}));
            }),
            "s.toml:14:7: the initial value of x' is not finite: 'sqrt(J)' is nan\n"
            "  v = [\"sqrt(J)\", -2]\n        ^\n  check the values of the parameters in it");
  EXPECT_TRUE(contains(refusal([&] { system.parameter_values({{"a", 1e200}}); }), "parameter 'J' is not finite"));
}

TEST(Values, Overrides) {
  const System system = System::parse(text);
  const InitialState start = system.initial_state(system.parameter_values());
  const InitialState state = system.with_initial(start, {{"x", 5}, {"y'", 7}, {"t", -1}});
  EXPECT_EQ(state.t, -1);
  EXPECT_EQ(state.q[0], 5);
  EXPECT_EQ(state.q[1], start.q[1]);
  EXPECT_EQ(state.v[1], 7);
  EXPECT_EQ(refusal([&] {
              system.with_initial(start, {{"X", 1}});
            }),
            "unknown initial value 'X'\n  did you mean 'x'? (the initial values are x, x', y, y' and t)");
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"t'", 1}}); }), "unknown initial value 't''"));
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"", 1}}); }), "unknown initial value ''"));
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"x", NAN}}); }), "cannot be nan"));
  const InitialStateQuad quads =
      system.with_initial(system.initial_state_quad(system.parameter_values_quad()), {{"x'", 2}});
  EXPECT_TRUE(quads.v[0] == 2);
}

}  // namespace
}  // namespace noslip::test
