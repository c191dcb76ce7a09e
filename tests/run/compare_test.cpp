// Methods side by side: what the runs say, what a step costs.
#include <gtest/gtest.h>

#include <noslip/run/compare.hpp>

#include "run/exact.hpp"
#include "run/help.hpp"

namespace noslip {
namespace {

CompareOptions comparison(std::vector<std::string> methods, double step, double until) {
  CompareOptions options;
  options.methods = std::move(methods);
  options.step = step;
  options.until = until;
  return options;
}

TEST(Compare, HasTheRunsSortedByCost) {
  const Comparison result = compare(testing::skate(), comparison({"gauss:8", "gauss:1"}, 0.1, 2));
  EXPECT_EQ(result.outcome.status, Status::done);
  EXPECT_TRUE(result.has_exact);
  ASSERT_EQ(result.results.size(), 2U);
  EXPECT_EQ(result.results[0].run.about.method, "gauss:1");
  EXPECT_EQ(result.results[1].run.about.method, "gauss:8");
  EXPECT_GT(result.results[0].nanoseconds_per_step, 0);
  EXPECT_LT(result.results[0].nanoseconds_per_step, result.results[1].nanoseconds_per_step);
  const Trajectory run = integrate(testing::skate(), testing::options("gauss:1", 0.1, 2));
  EXPECT_EQ(result.results[0].run.last.q, run.last.q);
  EXPECT_EQ(result.results[0].run.energy.max_abs_error, run.energy.max_abs_error);
  EXPECT_NEAR(result.results[0].error.q, run.error_at_end, 1e-15);
  EXPECT_NEAR(result.results[0].error.multipliers, std::fabs(run.last.multipliers[0] - 2 * std::sin(2.0)), 1e-14);
}

TEST(Compare, KnowsNoErrorsWithoutAnExactSolution) {
  InitialState elsewhere = testing::skate().initial_state({});
  elsewhere.q[0] = 1;
  const Comparison result = compare(testing::skate(), elsewhere, comparison({"gauss:1"}, 0.1, 1));
  EXPECT_FALSE(result.has_exact);
  EXPECT_TRUE(std::isnan(result.results[0].error.q));
  ASSERT_EQ(result.notes.size(), 1U);
}

TEST(Compare, AMethodThatFailsHasNoCostAndComesLast) {
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + 4*log(x)"
    [initial]
    q = [1]
    v = [-1000]
  )toml");
  const Comparison result = compare(system, comparison({"gauss:2"}, 0.1, 1));
  EXPECT_EQ(result.results[0].run.outcome.status, Status::failed);
  EXPECT_TRUE(std::isnan(result.results[0].nanoseconds_per_step));
}

TEST(Compare, RefusesAllProblemsAtOnce) {
  try {
    compare(testing::skate(), comparison({"gaus:2", "gauss:999"}, -1, -1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 4U) << error.what();
  }
}

TEST(Compare, StopsWhenAsked) {
  CompareOptions options = comparison({"gauss:1", "gauss:2"}, 0.1, 1);
  options.progress = [](const std::string& what, long long, long long) { return what.starts_with("gauss:1"); };
  const Comparison result = compare(testing::skate(), options);
  EXPECT_EQ(result.outcome.status, Status::interrupted);
  ASSERT_EQ(result.results.size(), 1U);
  EXPECT_EQ(result.results[0].run.about.method, "gauss:1");
}

TEST(EquationsOfMotion, GivesRunsTheirMultipliersInFull) {
  RunOptions options = testing::options("gauss:2", 0.1, 1);
  options.precision = Precision::quadruple;
  options.set = {{"a", 0.7}};
  const Trajectory run = integrate(testing::sleigh(), options);
  const quad multiplier = run.last_quad.multipliers.at(0);
  EXPECT_NEAR(static_cast<double>(multiplier), run.last.multipliers[0], 1e-14 * std::fabs(run.last.multipliers[0]));
  EXPECT_NE(multiplier, quad(static_cast<double>(multiplier)));
}

/// Hilden 2009, (2.28): y1 = exp(t), y2 = exp(-2 t), and two branches of z.
System two_branches(const std::string& exact_z) {
  return System::parse(R"toml(
    kind = "dae2"
    y = ["y1", "y2"]
    z = ["z1"]
    f = [[], ["y1*y2^2*z1^2", "y1^2*y2^2 - 3*y2^2*z1"]]
    g = ["y1^2*y2 = 1"]
    [initial]
    y = [1, 1]
    z = [1]
    [exact]
    y1 = "exp(t)"
    y2 = "exp(-2*t)"
  )toml" + exact_z);
}

TEST(ExactSolution, OfAnIndexTwoSystemHasTheMultipliersOfTheBranchThatIsMeant) {
  const System system = two_branches("");
  const std::optional<ExactSolution> solution = ExactSolution::of(system, {});
  ASSERT_TRUE(solution);
  EXPECT_TRUE(solution->passes(system.initial_state({})));
  const long double first = std::exp(1.4L), second = std::exp(1.4L) / 2;
  for (const long double z : {first, second}) {
    const QuadState state = solution->at(0.7L, {z * 1.05L});
    ASSERT_EQ(state.multipliers.size(), 1U);
    EXPECT_LT(std::fabs(static_cast<double>(state.multipliers[0] - z)), 1e-18);
    EXPECT_NE(state.multipliers[0], quad(z)) << "more digits than long double";
    EXPECT_TRUE(state.v.empty());
  }
  const QuadState unknown = solution->at(0.7L);
  ASSERT_EQ(unknown.multipliers.size(), 1U);
  EXPECT_NE(unknown.multipliers[0], unknown.multipliers[0]) << "nobody said which branch";
}

TEST(ExactSolution, MayNameTheMultipliers) {
  const std::optional<ExactSolution> solution = ExactSolution::of(two_branches("z1 = \"exp(2*t)\""), {});
  ASSERT_TRUE(solution);
  const QuadState state = solution->at(0.7L);
  ASSERT_EQ(state.multipliers.size(), 1U);
  EXPECT_LT(std::fabs(static_cast<double>(state.multipliers[0] - std::exp(1.4L))), 1e-18);
  EXPECT_LT(std::fabs(static_cast<double>(state.q[1] - std::exp(-1.4L))), 1e-18);
}

}  // namespace
}  // namespace noslip
