// Methods that a user registers by their coefficients, in the hands of everything that takes the name of a method.
#include <gtest/gtest.h>

#include <noslip/ensemble/ensemble.hpp>
#include <noslip/method/register.hpp>
#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/structure.hpp>

#include "suite/members.hpp"

namespace noslip {
namespace {

const quad one = 1;

quad root_of_three() {
  quad root = 1.7320508075688772;
  for (int i = 0; i < 3; ++i) root = (root + 3 / root) / 2;
  return root;
}

void register_gauss() {
  const quad r = root_of_three() / 6;
  const Tableau gauss{
      "", "", {one / 2 - r, one / 2 + r}, {one / 2, one / 2}, {{one / 4, one / 4 - r}, {one / 4 + r, one / 4}}};
  register_spark("own-gauss", {gauss, gauss, gauss, {{one / 2, one / 2, 0}, {0, 0, 1}}},
                 {.summary = "Gauss with two stages", .source = "J. C. Butcher (1964)"});
}

/// Lobatto IIIA and IIIB with three stages.
void register_lobatto() {
  const Tableau a{"",
                  "",
                  {0, one / 2, 1},
                  {one / 6, 2 * one / 3, one / 6},
                  {{0, 0, 0}, {5 * one / 24, one / 3, -one / 24}, {one / 6, 2 * one / 3, one / 6}}},
      b{"", "", a.c, a.b, {{one / 6, -one / 6, 0}, {one / 6, one / 3, 0}, {one / 6, 5 * one / 6, 0}}};
  SparkCoefficients pair = spark(a, b, b);
  pair.nodes = NodeCoefficients{a.c, a.b, a.a, b.a};
  register_spark("own-lobatto", pair, {.multiplier_order = 2, .position_multiplier_order = 2});
}

void register_rk4() {
  register_runge_kutta("own-rk4", {"",
                                   "",
                                   {0, one / 2, one / 2, 1},
                                   {one / 6, one / 3, one / 3, one / 6},
                                   {{0, 0, 0, 0}, {one / 2, 0, 0, 0}, {0, one / 2, 0, 0}, {0, 0, 1, 0}}});
}

/// A diagonally implicit method of order three: its stages are solved one after the other.
void register_sdirk() {
  const quad g = (3 + root_of_three()) / 6;
  register_runge_kutta("own-sdirk", {"", "", {g, 1 - g}, {one / 2, one / 2}, {{g, 0}, {1 - 2 * g, g}}});
}

const System& planets() {
  static const System system = System::parse(R"toml(
    coordinates = ["r", "phi"]
    lagrangian  = "(r'^2 + r^2*phi'^2)/2 + 1/r"
    [forces]
    phi = "cos(2*t)/10"
    [initial]
    q = [1, 0]
    v = [0, 1.2])toml");
  return system;
}

void expect_equal_runs(const System& system, const std::string& own, const std::string& theirs) {
  const Trajectory a = integrate(system, testing::options(own, 0.1, 100)),
                   b = integrate(system, testing::options(theirs, 0.1, 100));
  EXPECT_EQ(a.outcome.status, Status::done) << a.outcome.message;
  EXPECT_EQ(a.last.q, b.last.q) << system.name();
  EXPECT_EQ(a.last.v, b.last.v) << system.name();
  EXPECT_EQ(a.last.multipliers, b.last.multipliers) << system.name();
  EXPECT_EQ(a.energy.max_abs_error, b.energy.max_abs_error) << system.name();
  EXPECT_EQ(a.about.order, b.about.order);
}

TEST(OwnMethod, GaussFromItsNumbersIsGauss) {
  register_gauss();
  for (const char* name : {"particle", "skate", "chaotic", "sleigh", "rolling-coin-so3"}) {
    expect_equal_runs(catalogue_system(name), "own-gauss", "gauss:2");
  }
  expect_equal_runs(catalogue_system("sleigh"), "own-gauss,sums=plain", "gauss:2,sums=plain");
  expect_equal_runs(catalogue_system("rolling-coin-so3"), "own-gauss,map=exp,chart=start",
                    "gauss:2,map=exp,chart=start");
  EXPECT_NE(find_method("own-gauss")->why_not(catalogue_system("spherical-pendulum")), "");
}

TEST(OwnMethod, LobattoPairIsLobatto) {
  register_lobatto();
  SparkCoefficients same = spark(lobatto_iiia(3), lobatto_iiib(3), lobatto_iiib(3));
  same.nodes = NodeCoefficients{same.q.c, same.q.b, same.q.a, same.forces.a};
  register_spark("same-lobatto", same, {.multiplier_order = 2, .position_multiplier_order = 2});
  for (const char* name : {"particle", "skate", "chaotic", "sleigh", "spherical-pendulum", "rolling-wheel"}) {
    const System system = catalogue_system(name);
    expect_equal_runs(system, "same-lobatto", "lobatto-ab:3");
    // 1/3 of IIIA and 1/3 of IIIB are one number here and differ in the last digit where they are computed. What is one
    // number is computed once, and rounding goes another way.
    const Trajectory a = integrate(system, testing::options("own-lobatto", 0.1, 10)),
                     b = integrate(system, testing::options("lobatto-ab:3", 0.1, 10));
    EXPECT_LT(testing::distance(a.last.q, b.last.q), 1e-13) << name;
    EXPECT_LT(testing::distance(a.last.v, b.last.v), 1e-12) << name;
  }
}

TEST(OwnMethod, ClassicalRungeKuttaHasItsOrderAndKeepsConstraints) {
  register_rk4();
  const std::vector<System> systems = {catalogue_system("sleigh"), catalogue_system("particle"),
                                       catalogue_system("chaotic"), planets(), testing::harmonic_particle()};
  for (const System& system : systems) {
    const Convergence study =
        converge(system, {.methods = {"own-rk4"}, .steps = {1 / 16.0, 1 / 32.0, 1 / 64.0, 1 / 128.0}, .until = 1});
    ASSERT_EQ(study.outcome.status, Status::done) << study.outcome.message;
    EXPECT_EQ(study.results[0].order_claimed, 4);
    EXPECT_NEAR(study.results[0].order.q, 4, 0.2) << system.name();
    EXPECT_NEAR(study.results[0].order.v, 4, 0.2) << system.name();
    const Trajectory run = integrate(system, testing::options("own-rk4", 0.05, 200));
    EXPECT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    EXPECT_EQ(run.solver.iterations_max, 0) << system.name() << ": its steps are explicit";
    double speed = 1;
    for (const double v : run.last.v) speed = std::max(speed, std::fabs(v));
    EXPECT_LT(run.constraints.max_abs, 1e-14 * speed) << system.name();
  }
}

TEST(OwnMethod, OnGroupsAndWithForcesOrdersStay) {
  register_rk4();
  const System group = catalogue_system("rolling-coin-so3");
  const Convergence on_group =
      converge(group, {.methods = {"own-rk4"}, .steps = {1 / 64.0, 1 / 128.0, 1 / 256.0}, .until = 1});
  EXPECT_NEAR(on_group.results[0].order.q, 4, 0.2);
  EXPECT_NEAR(on_group.results[0].order.v, 4, 0.2);
  // The work of forces is summed up with the weights of the method, and the balance has its order.
  std::vector<double> balance;
  for (const int steps : {32, 64}) {
    balance.push_back(integrate(planets(), testing::options("own-rk4", 1.0 / steps, steps)).balance.max_abs_error);
  }
  EXPECT_GT(std::log2(balance[0] / balance[1]), 3.7);
}

TEST(OwnMethod, StagesThatDoNotNeedEachOtherAreSolvedOneAfterTheOther) {
  register_sdirk();
  const System sleigh = catalogue_system("sleigh");
  EXPECT_EQ(find_method("own-sdirk")->record(sleigh).solves.size(), 2u);
  register_runge_kutta("own-radau", radau_iia(2));
  EXPECT_EQ(find_method("own-radau")->record(sleigh).solves.size(), 1u);
  const Convergence study =
      converge(sleigh, {.methods = {"own-sdirk", "own-radau"}, .steps = {1 / 32.0, 1 / 64.0, 1 / 128.0}, .until = 1});
  for (const ConvergeResult& result : study.results) {
    EXPECT_EQ(result.order_claimed, 3);
    EXPECT_NEAR(result.order.q, 3, 0.2) << result.method;
    EXPECT_NEAR(result.order.v, 3, 0.2) << result.method;
  }
}

TEST(OwnMethod, IsKnownToEveryStudy) {
  register_rk4();
  register_gauss();
  register_runge_kutta("own-midpoint", gauss(1));
  const System system = catalogue_system("particle");
  const Comparison comparison = compare(system, {.methods = {"own-rk4", "gauss:2"}, .step = 0.1, .until = 1});
  EXPECT_EQ(comparison.results.size(), 2u);
  const InitialState initial = system.initial_state(system.parameter_values());
  const StructureReport gauss_report = measure_structure(system, initial, testing::options("own-gauss", 0.1, 1));
  EXPECT_TRUE(gauss_report.holds());
  EXPECT_TRUE(gauss_report.symmetry.is_claimed);
  EXPECT_TRUE(gauss_report.variational && gauss_report.variational->is_claimed);
  const StructureReport midpoint = measure_structure(system, initial, testing::options("own-midpoint", 0.1, 1));
  EXPECT_TRUE(midpoint.holds());
  const StructureReport explicit_report = measure_structure(system, initial, testing::options("own-rk4", 0.1, 1));
  EXPECT_FALSE(explicit_report.symmetry.is_claimed);
  EXPECT_GT(explicit_report.symmetry.value, 1e-12);
  const std::vector<InitialState> members(4, initial);
  const Ensemble four =
      integrate_ensemble(system, members, {.run = {.method = "own-rk4", .step = 0.1, .steps = 50}, .lanes = 4});
  const Trajectory single = integrate(system, testing::options("own-rk4", 0.1, 50));
  std::vector<double> alone = single.last.q;
  alone.insert(alone.end(), single.last.v.begin(), single.last.v.end());
  for (std::size_t j = 0; j < members.size(); ++j) EXPECT_EQ(four.last(j), alone) << j;
}

TEST(OwnMethod, RefusesWhatEnergyMethodsRefuse) {
  register_rk4();
  const std::string reason = find_method("own-rk4")->why_not(catalogue_system("spherical-pendulum"));
  EXPECT_NE(reason.find("not of positions (holonomic)"), std::string::npos) << reason;
}

}  // namespace
}  // namespace noslip
