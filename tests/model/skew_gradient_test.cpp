// Skew-gradient systems: what is read, derived and evaluated.
#include <cmath>

#include "model/help.hpp"
#include "support/skew_gradient.hpp"

namespace noslip::test {
namespace {

using testing::oscillator_text;
using testing::predators_text;
using testing::rigid_body_text;

const std::map<std::string, double> point = {{"m1", 0.3}, {"m2", -0.7}, {"m3", 1.1}, {"I1", 2}, {"I2", 1}, {"I3", 0.5}};

TEST(SkewGradient, WhatAFileSays) {
  const System system = System::parse(rigid_body_text);
  EXPECT_STREQ(system.kind(), "skew-gradient");
  EXPECT_EQ(system.dimension(), 3);
  EXPECT_EQ(system.coordinates(), (std::vector<std::string>{"m1", "m2", "m3"}));
  EXPECT_EQ(system.q().size(), 3U);
  EXPECT_EQ(system.invariants()[0].first, "casimir");
  EXPECT_FALSE(system.structure().depends_on_time);
  EXPECT_FALSE(system.structure().constant_matrix);
  EXPECT_TRUE(system.structure().cyclic.empty());
  EXPECT_TRUE(System::parse(oscillator_text).structure().constant_matrix);
}

TEST(SkewGradient, WhatOtherKindsHaveIsEmpty) {
  const System system = System::parse(rigid_body_text);
  for (const auto* symbols : {&system.v(), &system.z(), &system.psi()}) EXPECT_TRUE(symbols->empty());
  EXPECT_TRUE(system.velocity_names().empty());
  EXPECT_TRUE(system.multiplier_names().empty());
  EXPECT_TRUE(system.constraints().empty());
  EXPECT_TRUE(system.holonomic().empty());
  EXPECT_TRUE(system.hidden_constraints().empty());
  EXPECT_TRUE(system.mass().empty());
  EXPECT_FALSE(system.has_hamiltonian());
  EXPECT_EQ(system.lagrangian().graph, nullptr);
  EXPECT_TRUE(System::parse(sleigh_text).structure_matrix().empty());
}

TEST(SkewGradient, RatesAreThoseOfEuler) {
  const System system = System::parse(rigid_body_text);
  ASSERT_TRUE(system.has_energy());
  EXPECT_EQ(system.energy(), system.hamiltonian());
  EXPECT_DOUBLE_EQ(value(system.energy(), point), (0.09 / 2 + 0.49 + 1.21 / 0.5) / 2);
  ASSERT_EQ(system.structure_matrix().size(), 3U);
  EXPECT_DOUBLE_EQ(value(system.structure_matrix()[0][1], point), -1.1);
  // m' = m x (I^-1 m), component by component
  ASSERT_EQ(system.position_rates().size(), 3U);
  EXPECT_NEAR(value(system.position_rates()[0], point), (1 / 0.5 - 1.0) * -0.7 * 1.1, 1e-15);
  EXPECT_NEAR(value(system.position_rates()[1], point), (1 / 2.0 - 1 / 0.5) * 1.1 * 0.3, 1e-15);
  EXPECT_NEAR(value(system.position_rates()[2], point), (1.0 - 1 / 2.0) * 0.3 * -0.7, 1e-15);
  ASSERT_EQ(system.parts().size(), 5U);
  EXPECT_EQ(system.parts()[1], system.position_rates());
  for (const std::size_t part : {0U, 2U, 3U, 4U}) EXPECT_TRUE(system.parts()[part].empty());
}

TEST(SkewGradient, VariablesThatAppearNowhere) {
  const System system = System::parse(
      "kind = 'skew-gradient'\nx = ['a', 'b', 'c']\nhamiltonian = 'a^2'\n"
      "structure = [[0, 1, 2], [-1, 0, 0], [-2, 0, 0]]");
  EXPECT_EQ(system.structure().cyclic, (std::vector<std::string>{"b", "c"}));
}

TEST(SkewGradient, InitialValues) {
  const System system = System::parse(rigid_body_text);
  const std::vector<double> parameters = system.parameter_values();
  const InitialState start = system.initial_state(parameters);
  ASSERT_EQ(start.q.size(), 3U);
  EXPECT_DOUBLE_EQ(start.q[0], std::cos(1.1));
  EXPECT_EQ(start.q[1], 0);
  EXPECT_DOUBLE_EQ(start.q[2], std::sin(1.1));
  EXPECT_TRUE(start.v.empty());
  EXPECT_TRUE(start.z.empty());
  const InitialState moved = system.with_initial(start, {{"m2", 0.5}, {"t", 3}});
  EXPECT_EQ(moved.t, 3);
  EXPECT_EQ(moved.q[1], 0.5);
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"m2'", 1}}); }), "unknown initial value 'm2''"));
  EXPECT_EQ(System::parse(oscillator_text).initial_state(std::vector<double>{1.5}).q, (std::vector<double>{1, 0}));
}

TEST(SkewGradient, AtOneState) {
  const System system = System::parse(oscillator_text);
  const Continuous continuous(system, {2});
  std::vector<Problem> problems;
  const ContinuousState state = continuous.evaluate({0, {0.5, 3}, {}, {}}, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(state.rates, (std::vector<double>{6, -1}));
  EXPECT_EQ(state.energy, 9.25);
  EXPECT_TRUE(state.accelerations.empty());
  EXPECT_TRUE(state.multipliers.empty());
  EXPECT_EQ(state.max_constraint, 0);
  EXPECT_EQ(state.constraint_rank, 0);
  EXPECT_EQ(continuous.project({0, {0.5, 3}, {}, {}}).q, (std::vector<double>{0.5, 3}));
}

TEST(SkewGradient, NumbersDecideWhereSimplifyingDoesNot) {
  const auto with_entries = [](const std::string& upper, const std::string& lower) {
    return "kind = 'skew-gradient'\nx = ['a', 'b']\nhamiltonian = 'a^2 + b'\nstructure = [['0', '" + upper + "'], ['" +
           lower + "', '0']]\n[initial]\nx = [1, 2]";
  };
  EXPECT_TRUE(problems_of(with_entries("(a + b)^2", "-a^2 - 2*a*b - b^2")).empty());
  EXPECT_TRUE(problems_of(with_entries("sin(2*a)", "-2*sin(a)*cos(a)")).empty());
  EXPECT_TRUE(problems_of(with_entries("log(a*b)", "-log(a) - log(b)")).empty());
  EXPECT_TRUE(problems_of(with_entries("1", "-(sin(a)^2 + cos(a)^2)")).empty());
  // Equal at the initial state only.
  EXPECT_TRUE(contains(problem_of(with_entries("a", "-a^2")), "add up to "));
  EXPECT_TRUE(contains(problem_of(with_entries("a", "-a^2")), " where a = "));
  // Where there is no value there is no objection.
  EXPECT_TRUE(problems_of(with_entries("log(-a^2 - b^2)", "a")).empty());
}

TEST(SkewGradient, OtherParametersMayBreakTheSymmetry) {
  const System system = System::parse(
      "kind = 'skew-gradient'\nx = ['a', 'b']\nhamiltonian = 'a^2 + b'\nstructure = [['0', 'k'], ['-3*l', '0']]\n"
      "[parameters]\nk = 1\nl = 'k/3'");
  const auto message = [&](const std::map<std::string, double>& settings) {
    const std::vector<double> parameters = system.parameter_values(settings);
    return refusal([&] { Continuous(system, parameters).require_consistent(system.initial_state(parameters)); });
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({{"k", 0.7}}), "");
  EXPECT_TRUE(contains(message({{"l", 1}}), "entries (1, 2) and (2, 1) of the structure add up to -2 at the initial"));
}

TEST(SkewGradient, InCppForm) {
  SystemText text;
  text.kind = "skew-gradient";
  text.x = {"q", "p"};
  text.hamiltonian = "w*(q^2 + p^2)/2";
  text.structure = {{"0", "1"}, {"-1", "0"}};
  text.parameters = {{"w", "2"}};
  text.x0 = {"1", "w"};
  const System system = System::from(text);
  EXPECT_EQ(system.initial_state(system.parameter_values()).q, (std::vector<double>{1, 2}));
  EXPECT_DOUBLE_EQ(value(system.position_rates()[1], {{"q", 3}, {"w", 2}}), -6);

  text.structure[1] = {"1", "0"};
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "structure[2][1]:1:1: the structure is not skew-symm"));
  text.lagrangian = "q";
  text.y = {"q"};
  text.lambda = {"q"};
  const std::string message = refusal([&] { System::from(text); });
  for (const char* field : {"lagrangian", "y", "lambda"}) {
    EXPECT_TRUE(contains(message, std::string("`") + field + "` does not belong to a system of kind skew-gradient"));
  }
  for (const char* const kind : {"mechanical", "dae2", "odae"}) {
    text.kind = kind;
    const std::string other = refusal([&] { System::from(text); });
    for (const char* field : {"x", "structure", "x0"}) {
      EXPECT_TRUE(contains(other, std::string("`") + field + "` does not belong to a system of kind " + kind));
    }
  }
}

}  // namespace
}  // namespace noslip::test
