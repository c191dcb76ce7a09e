// Runs and studies of skew-gradient systems: energy and Casimir functions, orders, references, refusals.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/run/compare.hpp>
#include <noslip/run/converge.hpp>
#include <noslip/run/structure.hpp>

#include "run/help.hpp"
#include "support/skew_gradient.hpp"

namespace noslip {
namespace {

RunOptions run_options(const std::string& method, double step, double until) {
  RunOptions options;
  options.method = method;
  options.step = step;
  options.until = until;
  return options;
}

ConvergeOptions study(std::vector<std::string> methods, std::vector<double> steps, double until) {
  ConvergeOptions options;
  options.methods = std::move(methods);
  options.steps = std::move(steps);
  options.until = until;
  return options;
}

TEST(SkewGradientRun, OscillatorEndsWhereItsSolutionDoes) {
  const System system = System::parse(testing::oscillator_text);
  const Trajectory run = integrate(system, run_options("srk-gauss:4", 0.1, 10));
  EXPECT_EQ(run.outcome.status, Status::done);
  EXPECT_EQ(run.last.q.size(), 2U);
  EXPECT_TRUE(run.last.v.empty());
  EXPECT_TRUE(run.last.multipliers.empty());
  EXPECT_LT(run.error_at_end, 1e-12);
  EXPECT_NEAR(run.last.q[0], std::cos(15), 1e-12);
  EXPECT_DOUBLE_EQ(run.energy.initial, 0.75);
  EXPECT_EQ(run.constraints.max_abs, 0);
}

TEST(SkewGradientRun, GaussKeepsQuadraticEnergyAndCasimir) {
  const System system = System::parse(testing::rigid_body_text);
  for (const char* method : {"srk-gauss:1", "srk-gauss:2", "rk-gauss:2"}) {
    const Trajectory run = integrate(system, run_options(method, 0.1, 100));
    ASSERT_EQ(run.invariants.size(), 1U);
    EXPECT_NEAR(run.invariants[0].initial, 1, 1e-15) << method;
    EXPECT_LT(run.invariants[0].max_abs_error, 1e-14) << method;
    EXPECT_LT(run.energy.max_abs_error, 1e-14) << method;
  }
  // A method that does not is noticed.
  const Trajectory radau = integrate(system, run_options("srk-radau-ia:2", 0.1, 100));
  EXPECT_GT(radau.energy.max_abs_error, 1e-6);
  EXPECT_GT(radau.invariants[0].max_abs_error, 1e-6);
}

TEST(SkewGradientRun, OrdersAgainstTheKnownSolution) {
  const System system = System::parse(testing::oscillator_text);
  const Convergence result =
      converge(system, study({"srk-gauss:1", "srk-gauss:2", "srk-gauss:3"}, {0.2, 0.1, 0.05}, 2));
  ASSERT_EQ(result.results.size(), 3U);
  for (const ConvergeResult& method : result.results) {
    EXPECT_NEAR(method.order.q, method.order_claimed, 0.05) << method.method;
    EXPECT_TRUE(std::isnan(method.order.v)) << method.method;
  }
}

/// Without constraints standard methods have the orders that they have for ordinary differential equations.
TEST(SkewGradientRun, OrdersAgainstAComputedSolution) {
  const System system = System::parse(testing::predators_text);
  const std::vector<std::pair<std::string, int>> orders = {
      {"srk-gauss:1", 2},       {"srk-gauss:2", 4},      {"srk-radau-ia:2", 3}, {"spark-lobatto:2", 2},
      {"spark-lobatto:3", 4},   {"rk-gauss:2", 4},       {"rk-radau-ia:2", 3},  {"rk-radau-iia:2", 3},
      {"rk-lobatto-iiia:3", 4}, {"rk-lobatto-iiic:3", 4}};
  std::vector<std::string> names;
  for (const auto& [name, order] : orders) names.push_back(name);
  const Convergence result = converge(system, study(names, {0.04, 0.02, 0.01}, 1));
  ASSERT_EQ(result.results.size(), orders.size());
  EXPECT_TRUE(result.reference.method.starts_with("srk-gauss:")) << result.reference.method;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    EXPECT_NEAR(result.results[i].order.q, orders[i].second, 0.15) << orders[i].first;
    EXPECT_EQ(result.results[i].order_claimed, orders[i].second) << orders[i].first;
  }
}

TEST(SkewGradientRun, AllPrecisionsAndBackendsAgree) {
  const System system = System::parse(testing::predators_text);
  RunOptions options = run_options("srk-gauss:3", 0.05, 2);
  const Trajectory fast = integrate(system, options);
  options.backend = Backend::interpreter;
  EXPECT_EQ(integrate(system, options).last.q, fast.last.q);
  options.precision = Precision::quadruple;
  const Trajectory exact = integrate(system, options);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(exact.last.q[i], fast.last.q[i], 1e-14);
}

TEST(SkewGradientRun, Compare) {
  const System system = System::parse(testing::oscillator_text);
  CompareOptions options;
  options.methods = {"srk-gauss:2", "rk-radau-iia:2"};
  options.step = 0.1;
  options.until = 5;
  const Comparison comparison = compare(system, options);
  ASSERT_EQ(comparison.results.size(), 2U);
  for (const CompareResult& result : comparison.results) {
    const bool is_gauss = result.run.about.method == "srk-gauss:2";
    EXPECT_EQ(result.run.energy.max_abs_error < 1e-14, is_gauss) << result.run.about.method;
    EXPECT_EQ(result.error.q < 1e-4, is_gauss) << result.run.about.method;
    EXPECT_TRUE(std::isnan(result.error.multipliers));
    EXPECT_GT(result.nanoseconds_per_step, 0);
  }
}

TEST(SkewGradientRun, SymmetryIsMeasured) {
  const System system = System::parse(testing::rigid_body_text);
  const InitialState start = system.initial_state(system.parameter_values());
  for (const char* method : {"srk-gauss:2", "spark-lobatto:3", "rk-radau-iia:2"}) {
    RunOptions options;
    options.method = method;
    options.step = 0.1;
    const StructureReport report = measure_structure(system, start, options);
    EXPECT_TRUE(report.holds()) << method;
    EXPECT_EQ(report.symmetry.value < 1e-25, report.symmetry.is_claimed) << method;
    EXPECT_FALSE(report.symplecticity.has_value());
  }
}

TEST(SkewGradientRun, Refusals) {
  const System system = System::parse(testing::rigid_body_text);
  const auto refusal = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  for (const char* method :
       {"gauss:2", "lobatto-ab:2", "lobatto-ab-mid", "rattle", "euler-a", "mp", "cm", "nh-lobatto:3"}) {
    const std::string message = refusal([&] { integrate(system, run_options(method, 0.1, 1)); });
    EXPECT_NE(message.find("skew-gradient"), std::string::npos) << method << ": " << message;
    for (const char* other : {"gonzalez", "avf", "itoh-abe", "energy", "srk-gauss"}) {
      EXPECT_NE(message.find(other), std::string::npos) << method << ": " << message;
    }
  }
  EXPECT_NE(refusal([&] {
              integrate(system, {0, {1, 2}, {}, {}}, run_options("srk-gauss:2", 0.1, 1));
            }).find("the initial state has 2 values of x"),
            std::string::npos);
}

}  // namespace
}  // namespace noslip
