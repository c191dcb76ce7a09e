// Overdetermined systems: members, the continuous problem, projection.
#include <cmath>
#include <random>

#include <noslip/expr/print.hpp>

#include "model/odae_help.hpp"

namespace noslip::test {
namespace {

TEST(Odae, Members) {
  const System system = System::parse(jay_text);
  EXPECT_STREQ(system.kind(), "odae");
  EXPECT_EQ(system.coordinates(), (std::vector<std::string>{"y1", "y2"}));
  EXPECT_EQ(system.velocity_names(), (std::vector<std::string>{"z1", "z2"}));
  EXPECT_EQ(system.multiplier_names(), std::vector<std::string>{"lambda1"});
  EXPECT_EQ(system.v()[1].name(), "z2");
  EXPECT_EQ(system.z()[0].name(), "lambda1");
  EXPECT_EQ(to_text(system.velocities()[0]), "2*z1");
  EXPECT_EQ(system.momenta(), system.v());
  EXPECT_TRUE(system.mass()[0][0].is_one());
  EXPECT_TRUE(system.mass()[0][1].is_zero());
  EXPECT_EQ(to_text(system.position_reactions()[1]), "-lambda1*sqrt(y1)");
  EXPECT_TRUE(system.constraints().empty());
  ASSERT_EQ(system.holonomic().size(), 1U);
  EXPECT_EQ(system.holonomic()[0].text, "y1*y2^2 = 1");
  ASSERT_EQ(system.velocity_level().size(), 1U);
  EXPECT_EQ(system.velocity_level()[0].kind, ConstraintKind::linear);
  EXPECT_FALSE(system.has_energy());
  EXPECT_TRUE(system.structure().constant_mass);
  EXPECT_TRUE(system.structure().diagonal_mass);
  EXPECT_FALSE(system.structure().depends_on_time);
  EXPECT_EQ(system.exact().size(), 3U);
  const std::map<std::string, double> at{{"y1", 2}, {"y2", 3}, {"z1", 5}, {"z2", 7}};
  EXPECT_DOUBLE_EQ(value(system.velocity_level()[0].k, at), 2 * 3 * (5 * 3 - 2 * 7));  // (6.1d)
  EXPECT_DOUBLE_EQ(value(system.velocity_level()[0].K[1], at), -2 * 3 * 2);
}

TEST(Odae, JayOnItsSolution) {
  OdaeTrial trial(jay_text);
  EXPECT_EQ(trial.state.z, std::vector<double>{0});
  for (const double t : {0.0, 0.5, 1.0}) {
    trial.state = {t, {std::exp(2 * t), std::exp(-t)}, {std::exp(2 * t), std::exp(-t)}, {0}};
    const ContinuousState result = trial.evaluate();
    EXPECT_NEAR(result.multipliers[0], std::exp(t), 1e-13);
    EXPECT_NEAR(result.accelerations[0], 2 * std::exp(2 * t), 1e-12);
    EXPECT_NEAR(result.accelerations[1], -std::exp(-t), 1e-13);
    EXPECT_NEAR(result.rates[0], 2 * std::exp(2 * t), 1e-13);
    EXPECT_TRUE(std::isnan(result.energy));
    EXPECT_EQ(result.constraint_rank, 1);
    EXPECT_EQ(trial.message(), "");
  }
}

TEST(Odae, TheGivenMultiplierChoosesTheBranch) {
  OdaeTrial trial(jay_text);
  trial.state.z = {-3};
  EXPECT_NEAR(trial.evaluate().multipliers[0], -2, 1e-14);
  OdaeTrial given(std::string(jay_text).replace(jay_text.find("z = [1, 1]"), 10, "lambda = [\"-1 - 1\"]\nz = [1, 1]"));
  EXPECT_EQ(given.state.z, std::vector<double>{-2});
  EXPECT_EQ(given.evaluate().multipliers[0], -2);
}

TEST(Odae, AgreesWithTheMechanicalSystem) {
  const System mechanical = System::parse(ellipsoid_lagrangian), odae = System::parse(ellipsoid_text);
  EXPECT_TRUE(odae.structure().depends_on_time);
  EXPECT_FALSE(odae.structure().constant_mass);
  const Continuous first(mechanical, {}), second(odae, {});
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    const double t = number(random);
    InitialState there{t, {}, {}, {0.1}};
    for (int i = 0; i < 3; ++i) {
      there.q.push_back(number(random));
      there.v.push_back(number(random));
    }
    const double x = there.q[0], y = there.q[1], a = there.v[0], b = there.v[1], c = there.v[2];
    const InitialState here{t, there.q, {a + t * b, b - y, 2 * c + x * a}, {}};
    std::vector<Problem> problems;
    const ContinuousState expected = first.evaluate(here, problems), result = second.evaluate(there, problems);
    for (const Problem& problem : problems) FAIL() << to_text(problem);
    const double k = result.multipliers[0], scale = 1 + std::abs(expected.multipliers[0]);
    EXPECT_NEAR(k + k * k * k, expected.multipliers[0], 1e-13 * scale);
    const double da = result.accelerations[0], db = result.accelerations[1], dc = result.accelerations[2];
    EXPECT_NEAR(da + b + t * db, expected.accelerations[0], 2e-13 * scale);
    EXPECT_NEAR(db - (b - y), expected.accelerations[1], 2e-13 * scale);
    EXPECT_NEAR(2 * dc + here.v[0] * a + x * da, expected.accelerations[2], 2e-13 * scale);
    EXPECT_NEAR(result.constraints[0], expected.constraints[0], 1e-14 * 10);
    EXPECT_NEAR(result.positions[0], expected.positions[0], 1e-14);
  }
}

TEST(Odae, NumbersOfVariablesMayDiffer) {
  // y on a circle driven by a single z: y' = (-y2, y1) z. The constraint holds by itself, so there is none.
  OdaeTrial trial(
      "kind = 'odae'\ny = ['a', 'b']\nz = ['w']\nv = ['-b*w', 'a*w']\np = ['2*w']\nf = ['-b']\n[initial]\ny = [0.6, "
      "0.8]");
  EXPECT_EQ(trial.message(), "");
  EXPECT_EQ(trial.evaluate().accelerations, std::vector<double>{-0.4});
  EXPECT_TRUE(trial.evaluate().multipliers.empty());
}

TEST(Odae, InconsistentDataAreRefusedWithTheirSize) {
  OdaeTrial trial(jay_text);
  trial.state.q = {1.25, 1};
  trial.state.v = {1.5, 1};
  EXPECT_EQ(trial.message(),
            "constraint 'y1*y2^2 = 1' is violated by 0.25 at the initial state\n"
            "  give consistent y, or use `project` to take the nearest\n"
            "the derivative g_t + g_y v = 0 of 'y1*y2^2 = 1' is violated by 0.5 at the initial state\n"
            "  give consistent z, or use `project` to take the nearest");
}

TEST(Odae, Projection) {
  for (const std::string& text : {jay_text, std::string(ellipsoid_text)}) {
    OdaeTrial trial(text);
    for (std::size_t i = 0; i < trial.state.q.size(); ++i) {
      trial.state.q[i] += 0.9 + 0.1 * static_cast<double>(i);
      trial.state.v[i] += 0.3 - 0.2 * static_cast<double>(i);
    }
    const InitialState result = trial.continuous.project(trial.state);
    EXPECT_EQ(refusal([&] { trial.continuous.require_consistent(result); }), "");
    EXPECT_EQ(result.z, trial.state.z);
    // Nearest: the changes are multiples of g_y and of k_z at the result.
    std::map<std::string, double> there{{"t", result.t}};
    for (std::size_t i = 0; i < result.q.size(); ++i) {
      there[trial.system.q()[i].name()] = result.q[i];
      there[trial.system.v()[i].name()] = result.v[i];
    }
    const auto expect_parallel = [&](const std::vector<double>& from, const std::vector<double>& to,
                                     const SparseRow& direction) {
      for (std::size_t i = 1; i < from.size(); ++i) {
        EXPECT_NEAR((to[i] - from[i]) * value(direction[0], there), (to[0] - from[0]) * value(direction[i], there),
                    1e-13);
      }
    };
    expect_parallel(trial.state.q, result.q, trial.system.holonomic()[0].G);
    expect_parallel(trial.state.v, result.v, trial.system.velocity_level()[0].K);
  }
  EXPECT_TRUE(contains(refusal([] {
                         const OdaeTrial never(
                             "kind = 'odae'\ny = ['a']\nz = ['b']\nlambda = ['c']\nv = ['b']\nf = ['0']\nr = ['c']\n"
                             "g = ['a^2 + 1']\n[initial]\ny = [1]");
                         never.continuous.project(never.state);
                       }),
                       "no y that satisfies the constraints was found near the given one"));
}

TEST(Odae, InitialValues) {
  const System system = System::parse(jay_text);
  const InitialState start = system.initial_state({});
  const InitialState state = system.with_initial(start, {{"y2", 3}, {"z1", 4}, {"lambda1", 5}, {"t", 6}});
  EXPECT_EQ(state.t, 6);
  EXPECT_EQ(state.q, (std::vector<double>{1, 3}));
  EXPECT_EQ(state.v, (std::vector<double>{4, 1}));
  EXPECT_EQ(state.z, std::vector<double>{5});
  EXPECT_TRUE(contains(refusal([&] { system.with_initial(start, {{"z3", 1}}); }), "unknown initial value 'z3'"));
  const InitialStateQuad exact =
      System::parse(jay_text + "[parameters]\nc = 0.1\n").initial_state_quad(std::vector<quad>{1});
  EXPECT_EQ(exact.v.size(), 2U);
}

}  // namespace
}  // namespace noslip::test
