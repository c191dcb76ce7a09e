// Systems on Lie groups: how they are read, what is derived, initial values, and what is refused where.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const char* const top = R"toml(name = "top"
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x"]
lagrangian  = "1/2*(a*w1^2 + b*w2^2 + c*w3^2) + x'^2/2 - k*R33 - x^2/2"
[parameters]
a = 1
b = 2
c = 3
k = 0.7
[forces]
w2 = "0.1*w1"
[initial]
q = { R = [0.3, -0.2, 0.5], x = 2 }
v = { w1 = 0.4, w2 = 0.5, w3 = 0.6, x = 0.1 }
)toml";

const char* const unicycle =
    R"toml(coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] }]
lagrangian  = "m/2*(v1^2 + v2^2) + J/2*omega^2 - x"
constraints = ["v2 = 0"]
[parameters]
m = 2
J = 0.5
[initial]
q = [1, 0.5, 0.3]
v = [0.8, 0, 1.2]
)toml";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

InitialState start_of(const System& system) { return system.initial_state(system.parameter_values()); }

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double result = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) result = std::max(result, std::fabs(a[i] - b[i]));
  return result;
}

TEST(Groups, NamesOfPositionsAndVelocities) {
  const System system = System::parse(top);
  EXPECT_TRUE(system.is_on_group());
  EXPECT_EQ(system.group().name(), "SO(3) x R^1");
  EXPECT_EQ(system.dimension(), 4);
  EXPECT_EQ(system.coordinates(),
            (std::vector<std::string>{"R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33", "x"}));
  EXPECT_EQ(system.velocity_names(), (std::vector<std::string>{"w1", "w2", "w3", "x"}));
  EXPECT_EQ(system.v()[0].name(), "w1");
  EXPECT_EQ(system.v()[3].name(), "x'");
  ASSERT_EQ(system.factors().size(), 2U);
  const Factor& rotation = system.factors()[0];
  EXPECT_EQ(rotation.group, "SO(3)");
  EXPECT_EQ(rotation.name, "R");
  EXPECT_EQ(rotation.columns(), 3U);
  EXPECT_EQ(rotation.given, (std::vector<std::string>{"R(1)", "R(2)", "R(3)"}));
  const Factor& plain = system.factors()[1];
  EXPECT_TRUE(plain.group.empty());
  EXPECT_EQ(plain.first, 9U);
  EXPECT_EQ(plain.first_velocity, 3U);
}

TEST(Groups, AMatrixThatAppearsNowhereIsOneName) {
  EXPECT_TRUE(System::parse(top).structure().cyclic.empty());
  const System free = System::parse(changed(top, " - k*R33 - x^2/2", ""));
  EXPECT_EQ(free.structure().cyclic, (std::vector<std::string>{"R", "x"}));
}

TEST(Groups, TheTextInCppIsTheSameSystem) {
  SystemText text;
  text.name = "top";
  text.coordinates = {CoordinateText("SO(3)", "R", {"w1", "w2", "w3"}), "x"};
  text.lagrangian = "1/2*(a*w1^2 + b*w2^2 + c*w3^2) + x'^2/2 - k*R33 - x^2/2";
  text.parameters = {{"a", "1"}, {"b", "2"}, {"c", "3"}, {"k", "0.7"}};
  text.forces = {{"w2", "0.1*w1"}};
  text.q0 = {"0.3", "-0.2", "0.5", "2"};
  text.v0 = {"0.4", "0.5", "0.6", "0.1"};
  const System system = System::from(text), parsed = System::parse(top);
  EXPECT_EQ(start_of(system).q, start_of(parsed).q);
  std::vector<Problem> problems;
  const Continuous one(system, system.parameter_values()), other(parsed, parsed.parameter_values());
  EXPECT_EQ(one.evaluate(start_of(system), problems).accelerations,
            other.evaluate(start_of(parsed), problems).accelerations);
  EXPECT_TRUE(problems.empty());

  text.coordinates = {CoordinateText("SE(2)", std::vector<std::string>{"x", "y", "theta"}, {"v1", "v2"})};
  text.lagrangian = "v1^2";
  text.forces = text.parameters = {};
  text.q0 = text.v0 = {};
  const std::string message = refusal([&] { System::from(text); });
  EXPECT_TRUE(contains(message, "coordinates[1]")) << message;
  EXPECT_TRUE(contains(message, "2 velocities for SE(2), which has 3")) << message;
}

TEST(Groups, EulerEquationsOfATop) {
  const System system = System::parse(top);
  const InitialState state = start_of(system);
  std::vector<Problem> problems;
  const ContinuousState found = Continuous(system, system.parameter_values()).evaluate(state, problems);
  EXPECT_TRUE(problems.empty());
  // I w' = (I w) x w + moments; R33' = R31 w2 - R32 w1.
  const double w1 = 0.4, w2 = 0.5, w3 = 0.6, k = 0.7, R31 = state.q[6], R32 = state.q[7];
  const std::vector<double> expected = {(2 * w2 * w3 - 3 * w3 * w2 + k * R32) / 1,
                                        (3 * w3 * w1 - 1 * w1 * w3 - k * R31 + 0.1 * w1) / 2,
                                        (1 * w1 * w2 - 2 * w2 * w1) / 3, -2};
  EXPECT_LT(distance(found.accelerations, expected), 1e-15);
}

TEST(Groups, ACarInThePlane) {
  const System system = System::parse(unicycle);
  std::vector<Problem> problems;
  const ContinuousState found = Continuous(system, system.parameter_values()).evaluate(start_of(system), problems);
  EXPECT_TRUE(problems.empty());
  // The force (-1, 0) turned into the frame of the body; sideways m (v2' + omega v1) = f2 + lambda with v2 = 0.
  EXPECT_LT(distance(found.accelerations, {-std::cos(0.3) / 2, 0, 0}), 1e-15);
  EXPECT_LT(distance(found.multipliers, {2 * 1.2 * 0.8 - std::sin(0.3)}), 1e-15);
}

TEST(Groups, EveryFormOfInitialValuesIsTheSame) {
  const std::vector<double> expected = start_of(System::parse(top)).q;
  const std::string given = "q = { R = [0.3, -0.2, 0.5], x = 2 }";
  for (const char* other : {"q = [0.3, -0.2, 0.5, 2]", "q = [[0.3, -0.2, 0.5], 2]"}) {
    EXPECT_EQ(start_of(System::parse(changed(top, given, other))).q, expected) << other;
  }
  const System at_rest = System::parse(changed(top, given, "q = { x = 2 }"));
  EXPECT_EQ(start_of(at_rest).q, (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 2}));
}

TEST(Groups, ComponentsOfARotationVectorAreReplaced) {
  const System system = System::parse(top);
  const InitialState state = start_of(system);
  const System other = System::parse(changed(top, "R = [0.3, -0.2, 0.5]", "R = [0.3, 0.9, 0.5]"));
  EXPECT_LT(distance(system.with_initial(state, {{"R(2)", 0.9}}).q, start_of(other).q), 1e-15);
  EXPECT_LT(distance(system.with_initial(state, {{"R(2)", -0.2}}).q, state.q), 1e-15);
  // What is not named stays, to the last bit.
  const InitialState faster = system.with_initial(state, {{"w2", 7}, {"x", 1}, {"x'", 5}, {"t", 3}});
  EXPECT_EQ(std::vector<double>(faster.q.begin(), faster.q.begin() + 9),
            std::vector<double>(state.q.begin(), state.q.begin() + 9));
  EXPECT_EQ(faster.v, (std::vector<double>{0.4, 7, 0.6, 5}));
  EXPECT_EQ(faster.q[9], 1);
  EXPECT_EQ(faster.t, 3);
  // Half a turn, and no turn at all.
  const InitialState half = system.with_initial(state, {{"R(1)", 0}, {"R(2)", 0}, {"R(3)", std::acos(-1.0)}});
  EXPECT_LT(distance(half.q, {-1, 0, 0, 0, -1, 0, 0, 0, 1, 2}), 2e-16);
  const InitialState none = system.with_initial(half, {{"R(1)", 0}, {"R(2)", 0}, {"R(3)", 0}});
  EXPECT_EQ(none.q, (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 2}));
}

TEST(Groups, TranslationAndRotationOfAMotionAreReplaced) {
  const System system = System::parse(R"toml(
coordinates = [{ group = "SE(3)", name = "g", velocity = ["v1", "v2", "v3", "w1", "w2", "w3"] }]
lagrangian  = "v1^2 + v2^2 + v3^2 + w1^2 + w2^2 + w3^2"
)toml");
  const InitialState moved = system.with_initial(start_of(system), {{"g(2)", 5}, {"g(4)", std::acos(-1.0) / 2}});
  EXPECT_LT(distance(moved.q, {1, 0, 0, 0, 0, 0, -1, 5, 0, 1, 0, 0}), 2e-16);
  const std::string message = refusal([&] { system.with_initial(moved, {{"g14", 1}}); });
  EXPECT_TRUE(contains(message, "its translation and its rotation vector")) << message;
}

TEST(Groups, OverridesThatMakeNoSense) {
  const System system = System::parse(top);
  const auto message_for = [&](const char* name) {
    return refusal([&] { system.with_initial(start_of(system), {{name, 1}}); });
  };
  EXPECT_TRUE(contains(message_for("R11"), "an entry of the matrix R")) << message_for("R11");
  EXPECT_TRUE(contains(message_for("R11"), "give R(1), R(2) and R(3)"));
  EXPECT_TRUE(contains(message_for("R"), "not one number")) << message_for("R");
  EXPECT_TRUE(contains(message_for("R(4)"), "did you mean")) << message_for("R(4)");
  EXPECT_TRUE(contains(message_for("w1'"), "did you mean 'w1'?")) << message_for("w1'");
  EXPECT_FALSE(contains(message_for("w1'"), "R11"));
}

TEST(Groups, ProjectionStaysOnTheGroup) {
  const System system = System::parse(
      changed(changed(top, "[parameters]", "holonomic = [\"R33 = 0.5\"]\n[parameters]"), "x = 0.1 }", "x = 0 }"));
  const Continuous continuous(system, system.parameter_values());
  EXPECT_THROW(continuous.require_consistent(start_of(system)), InputError);
  const InitialState state = continuous.project(start_of(system));
  continuous.require_consistent(state);
  EXPECT_NEAR(state.q[8], 0.5, 2e-14);  // as near as a start has to be
  EXPECT_NEAR(state.q[6] * state.v[1] - state.q[7] * state.v[0], 0, 1e-15);
}

TEST(Groups, ProjectionIsNearestInTheMassMetric) {
  // Near the constraint R31 + 2*R32 = c the nearest element is R exp(xi) with M xi along the gradient (in R^3: the
  // derivative by the body velocities), whose entries are of one size while the inertias are not.
  const System system = System::parse(
      "coordinates = [{ group = 'SO(3)', name = 'R', velocity = ['w1', 'w2', 'w3'] }]\n"
      "lagrangian = \"(w1^2 + 9*w2^2 + 100*w3^2)/2\"\nholonomic = [\"R31 + 2*R32 = c\"]\n[parameters]\nc = 0\n"
      "[initial]\nq = { R = [0.3, -0.2, 0.5] }");
  const InitialState start = start_of(system);
  const auto R = [&](int i, int j) { return start.q[static_cast<std::size_t>(3 * i + j - 4)]; };
  const double change = 1e-5, c = R(3, 1) + 2 * R(3, 2) + change;
  // R' = R hat(w): d(R31) = R32 w3 - R33 w2, d(R32) = R33 w1 - R31 w3.
  const double gradient[] = {2 * R(3, 3), -R(3, 3), R(3, 2) - 2 * R(3, 1)};
  const double inertia[] = {1, 9, 100};
  double scale = 0;
  for (int i = 0; i < 3; ++i) scale += gradient[i] * gradient[i] / inertia[i];
  const InitialState end = Continuous(system, {c}).project(start);
  // hat(xi) = R^T R_end - 1, to first order
  double turn[3][3];
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      turn[i][j] = 0;
      for (std::size_t k = 0; k < 3; ++k) turn[i][j] += start.q[3 * k + i] * end.q[3 * k + j];
    }
  }
  const double xi[] = {turn[2][1], turn[0][2], turn[1][0]};
  for (int i = 0; i < 3; ++i) {
    const double expected = change * gradient[i] / inertia[i] / scale;
    EXPECT_NEAR(xi[i], expected, 1e-4 * change) << i;
  }
}

TEST(Groups, MistakesHaveTheirPlaces) {
  const struct {
    const char *from, *to, *place, *what;
  } cases[] = {
      {"\"SO(3)\"", "\"SO3\"", "s.toml:2:27:", "did you mean 'SO(3)'?"},
      {"\"SO(3)\"", "\"Galilei\"", "s.toml:2:27:", "the groups are SO(2), SO(3), SE(2) and SE(3)"},
      {"group = \"SO(3)\", ", "", "s.toml:2:16:", "needs a group"},
      {", velocity = [\"w1\", \"w2\", \"w3\"]", "", "s.toml:2:16:", "`velocity` is missing"},
      {"\"w2\", \"w3\"]", "\"w2\"]", "s.toml:2:16:", "2 velocities for SO(3), which has 3"},
      {"name = \"R\"", "names = [\"R\"]", "s.toml:2:16:", "write name = \"R\""},
      {"name = \"R\", ", "", "s.toml:2:16:", "`name` is missing"},
      {"\"w2\", \"w3\"]", "\"w1\", \"w3\"]", "s.toml:2:66:", "already the name of a body velocity"},
      {"\"x\"]", "\"w1\"]", "s.toml:", "already the name of"},
      {"\"x\"]", "\"R12\"]", "s.toml:2:81:", "already the name of a coordinate"},
      {"k*R33", "k*R", "s.toml:3:60:", "'R' is a group element"},
      {"k*R33", "k*R33'", "s.toml:3:60:", "has no velocity"},
      {"k*R33", "k*R34", "s.toml:3:60:", "did you mean"},
      {"c*w3^2", "c*w3'^2", "s.toml:3:41:", "'w3' is a body velocity and has no velocity"},
      {"w2 = \"0.1*w1\"", "R = \"0.1*w1\"", "s.toml:10:1:", "'R'"},
      {"w2 = \"0.1*w1\"", "w4 = \"0.1*w1\"", "s.toml:10:1:", "did you mean"},
      {"R = [0.3, -0.2, 0.5]", "R = [0.3, -0.2]", "s.toml:12:", "3"},
      {"R = [0.3, -0.2, 0.5]", "R = 0.3", "s.toml:12:", "R"},
      {"R = [0.3, -0.2, 0.5]", "R11 = 0.3", "s.toml:12:", "R11"},
      {"{ R = [0.3, -0.2, 0.5], x = 2 }", "[0.3, -0.2, 0.5]", "s.toml:12:5:", "3 values for 4"},
  };
  for (const auto& each : cases) {
    const std::string message = refusal([&] { System::parse(changed(top, each.from, each.to), "s.toml"); });
    EXPECT_TRUE(contains(message, each.place)) << each.to << "\n" << message;
    EXPECT_TRUE(contains(message, each.what)) << each.to << "\n" << message;
  }
}

}  // namespace
}  // namespace noslip::test
