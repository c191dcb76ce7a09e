// Measured orders: errors against exact and computed solutions, rounding kept out, bad input refused, interruptions.
#include <algorithm>

#include <gtest/gtest.h>

#include <noslip/run/converge.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

ConvergeOptions study(std::vector<std::string> methods, std::vector<double> steps, double until) {
  ConvergeOptions options;
  options.methods = std::move(methods);
  options.steps = std::move(steps);
  options.until = until;
  return options;
}

/// The skate of the helpers, but nobody knows its solution.
System skate_without_exact() {
  return System::parse(R"toml(
    name        = "skate"
    coordinates = ["x", "y", "phi"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [initial]
    v = [0, 0, 1]
  )toml");
}

/// The end of this one is known from an independent program (Martin de Diego and Sato 2022, sec. 7.1).
System published_particle() {
  return System::parse(R"toml(
    name        = "particle"
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - (x^2 + y^2)/2"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0.2, 0]
    v = [0.3, 1, 0.06]
  )toml");
}

/// A solution that decays where its neighbours grow: rounding errors grow too, by exp(3 t).
System unstable() {
  return System::parse(R"toml(
    name        = "unstable"
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + 9/2*x^2"
    [initial]
    q = [1]
    v = [-3]
    [exact]
    x = "exp(-3*t)"
  )toml");
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

TEST(Converge, MeasuresOrdersAgainstTheExactSolution) {
  const Convergence result =
      converge(testing::skate(), study({"gauss:1", "gauss:2", "gauss:3"}, {0.4, 0.2, 0.1, 0.05}, 2));
  EXPECT_TRUE(result.reference.is_exact);
  EXPECT_EQ(result.outcome.status, Status::done);
  ASSERT_EQ(result.results.size(), 3U);
  for (int s = 1; s <= 3; ++s) {
    const ConvergeResult& method = result.results[s - 1];
    EXPECT_EQ(method.method, "gauss:" + std::to_string(s));
    EXPECT_EQ(method.order_claimed, 2 * s);
    EXPECT_NEAR(method.order.q, 2 * s, 0.05) << s;
    EXPECT_NEAR(method.order.v, 2 * s, 0.05) << s;
    EXPECT_NEAR(method.order.multipliers, 2 * s, 0.05) << s;
    ASSERT_EQ(method.rows.size(), 4U);
    EXPECT_EQ(method.rows[1].step, 0.2);
    EXPECT_EQ(method.rows[1].steps, 10);
  }
}

TEST(Converge, ErrorsAreThoseOfTheRuns) {
  const Convergence result = converge(testing::skate(), study({"gauss:2"}, {0.1}, 2));
  const Trajectory run = integrate(testing::skate(), testing::options("gauss:2", 0.1, 2));
  const ConvergeRow& row = result.results.front().rows.front();
  EXPECT_NEAR(row.error.q, run.error_at_end, 1e-15);
  // x' = sin(t) cos(t), y' = sin(t)^2, phi' = 1; the multiplier is 2 sin(t).
  const std::vector<double> v{std::sin(2.0) * std::cos(2.0), std::sin(2.0) * std::sin(2.0), 1};
  EXPECT_NEAR(row.error.v, testing::distance(run.last.v, v), 1e-15);
  EXPECT_NEAR(row.error.multipliers, std::fabs(run.last.multipliers[0] - 2 * std::sin(2.0)), 1e-14);
}

TEST(Converge, TheComputedReferenceGivesTheErrorsOfTheExactSolution) {
  // From order 2 in double to order 10 in quadruple precision, where a reference has to be exact to 1e-24.
  for (const std::vector<std::string>& methods :
       {std::vector<std::string>{"gauss:1"}, {"gauss:3"}, {"gauss:1", "gauss:5"}}) {
    const ConvergeOptions options = study(methods, {0.4, 0.2, 0.1}, 2);
    const Convergence exact = converge(testing::skate(), options);
    const Convergence computed = converge(skate_without_exact(), options);
    EXPECT_FALSE(computed.reference.is_exact);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      for (std::size_t i = 0; i < options.steps.size(); ++i) {
        const ConvergeRow& a = exact.results[m].rows[i];
        const ConvergeRow& b = computed.results[m].rows[i];
        EXPECT_NEAR(a.error.q, b.error.q, 2e-3 * a.error.q) << methods[m] << " step " << a.step;
        EXPECT_NEAR(a.error.v, b.error.v, 2e-3 * a.error.v) << methods[m] << " step " << a.step;
        EXPECT_NEAR(a.error.multipliers, b.error.multipliers, 2e-3 * a.error.multipliers) << methods[m];
        // The reference knows how far off it may be.
        if (a.precision != b.precision) continue;
        const double rounding = 10 * (a.floor.q + b.floor.q);
        EXPECT_LE(std::fabs(a.error.q - b.error.q), computed.reference.error.q + rounding);
      }
    }
  }
}

TEST(Converge, TheComputedReferenceIsThePublishedState) {
  const Convergence result = converge(published_particle(), study({"gauss:1"}, {0.1, 0.05}, 1));
  const Trajectory run = integrate(published_particle(), testing::options("gauss:1", 0.05, 1));
  const ConvergeRow& row = result.results.front().rows[1];
  EXPECT_NEAR(row.error.q, testing::distance(run.last.q, {0.893462633932953, 0.949531445981524, -0.111287459026745}),
              1e-3 * row.error.q);
  EXPECT_NEAR(row.error.v, testing::distance(run.last.v, {-0.39408420827355, 0.37200810890656, -0.374195348120469}),
              1e-3 * row.error.v);
  EXPECT_NEAR(row.error.multipliers, std::fabs(run.last.multipliers[0] + 0.523226847310093),
              1e-3 * row.error.multipliers);
}

TEST(Converge, TakesMoreDigitsWhereRoundingShows) {
  const Convergence result = converge(testing::skate(), study({"gauss:2", "gauss:6"}, {0.4, 0.2, 0.1}, 2));
  for (const ConvergeRow& row : result.results[0].rows) {
    EXPECT_EQ(row.precision, Precision::double_precision) << row.step;
  }
  const ConvergeResult& high = result.results[1];
  EXPECT_NEAR(high.order.q, 12, 0.1);
  EXPECT_NEAR(high.order.v, 12, 0.1);
  EXPECT_NEAR(high.order.multipliers, 12, 0.1);
  EXPECT_EQ(high.rows[2].precision, Precision::quadruple);
  EXPECT_LT(high.rows[2].error.q, 1e-20);
}

TEST(Converge, GrowingRoundingErrorsAreNotTakenForErrorsOfTheMethod) {
  // Rounding of double grows to 1e-10 here, far above 2e-16 times the number of steps.
  ConvergeOptions options = study({"gauss:4"}, {0.2, 0.1, 0.05, 0.025}, 5);
  EXPECT_NEAR(converge(unstable(), options).results.front().order.q, 8, 0.1);
  options.precision = Precision::double_precision;
  const ConvergeResult rounded = converge(unstable(), options).results.front();
  EXPECT_TRUE(std::isnan(rounded.order.q));
  for (const ConvergeRow& row : rounded.rows) {
    EXPECT_EQ(row.precision, Precision::double_precision);
    EXPECT_FALSE(is_above_floor(row.error.q, row.floor.q)) << row.step;
  }
}

TEST(Converge, RowsAtRoundingDoNotCount) {
  ConvergeOptions options = study({"gauss:4"}, {0.4, 0.2, 0.05, 0.025, 0.0125}, 2);
  options.precision = Precision::double_precision;
  const ConvergeResult result = converge(testing::skate(), options).results.front();
  EXPECT_NEAR(result.order.q, 8, 0.05);
  EXPECT_TRUE(is_above_floor(result.rows[1].error.q, result.rows[1].floor.q));
  EXPECT_FALSE(is_above_floor(result.rows[4].error.q, result.rows[4].floor.q));
  EXPECT_LT(result.rows[4].floor.q, 1e-13) << "the floor is no excuse";
}

TEST(Converge, OneRowAboveRoundingMakesNoOrder) {
  ConvergeOptions options = study({"gauss:8"}, {0.2, 0.1}, 2);
  options.precision = Precision::double_precision;
  const ConvergeResult result = converge(testing::skate(), options).results.front();
  EXPECT_TRUE(std::isnan(result.order.q));
  EXPECT_LT(result.rows[0].error.q, 1e-13);
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(joined(result.notes).find("no order of q"), std::string::npos);
  EXPECT_NE(joined(result.notes).find("more digits"), std::string::npos);
}

TEST(Converge, AMethodThatIsExactIsNotChasedThroughAllRows) {
  // Straight motion: every method is exact, and errors are rounding in every precision.
  const System free = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2"
    [initial]
    q = ["1/3"]
    v = ["1/7"]
    [exact]
    x = "1/3 + t/7"
  )toml");
  const ConvergeResult result = converge(free, study({"gauss:2"}, {0.1, 0.05, 0.025}, 1)).results.front();
  EXPECT_TRUE(std::isnan(result.order.q));
  EXPECT_TRUE(std::isnan(result.order.multipliers));
  EXPECT_EQ(result.rows[0].precision, Precision::quadruple);
  EXPECT_EQ(result.rows[1].precision, Precision::double_precision);
  ASSERT_EQ(result.notes.size(), 1U) << joined(result.notes);
  EXPECT_NE(result.notes[0].find("no order of q and v"), std::string::npos) << "no constraints: nothing missing there";
}

TEST(Converge, ExactSolutionsHoldForTheirInitialDataOnly) {
  const System skate = testing::skate();
  InitialState elsewhere = skate.initial_state({});
  elsewhere.q[0] = 0.5;  // the solution is shifted by that
  const Convergence result = converge(skate, elsewhere, study({"gauss:2"}, {0.2, 0.1}, 2));
  EXPECT_FALSE(result.reference.is_exact);
  EXPECT_NE(joined(result.notes).find("does not start"), std::string::npos);
  EXPECT_NEAR(result.results[0].order.q, 4, 0.1);
  const Convergence same = converge(skate, skate.initial_state({}), study({"gauss:2"}, {0.2, 0.1}, 2));
  EXPECT_TRUE(same.reference.is_exact);
  EXPECT_NEAR(result.results[0].rows[0].error.q, same.results[0].rows[0].error.q, 1e-9);
}

TEST(Converge, ATimeThatIsNoMultipleOfAStepIsTold) {
  const Convergence result = converge(testing::skate(), study({"gauss:2"}, {0.3, 0.15, 0.1}, 2));
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_NE(result.notes[0].find("0.3 and 0.15:"), std::string::npos) << result.notes[0];
  EXPECT_EQ(result.results[0].rows[0].steps, 7);
  EXPECT_NEAR(result.results[0].order.q, 4, 0.4);
  EXPECT_TRUE(converge(testing::skate(), study({"gauss:2"}, {0.3, 0.1}, 3)).notes.empty());
}

TEST(Converge, AFailedRunLeavesTheOthersAlone) {
  // The largest step jumps over the singular point.
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + 4*log(x)"
    [initial]
    q = [1]
    v = [-4]
  )toml");
  const Convergence result = converge(system, study({"mp"}, {1, 0.005, 0.0025}, 1));
  const ConvergeResult& method = result.results.front();
  EXPECT_EQ(result.outcome.status, Status::done);
  EXPECT_EQ(method.rows[0].outcome.status, Status::failed);
  EXPECT_FALSE(method.rows[0].outcome.message.empty());
  EXPECT_TRUE(std::isnan(method.rows[0].error.q));
  EXPECT_NEAR(method.order.q, 2, 0.2);
}

TEST(Converge, RefusesAllProblemsAtOnce) {
  try {
    converge(testing::skate(), study({"gaus:2", "gauss:1", "gauss:1"}, {0.1, -1, 0.1, 0}, -3));
    FAIL();
  } catch (const InputError& error) {
    std::vector<std::string> texts;
    for (const Problem& problem : error.problems()) texts.push_back(problem.what);
    EXPECT_EQ(error.problems().size(), 6U) << joined(texts);
    for (const char* fragment : {"gaus", "'gauss:1' is given twice", "the step is -1", "0.1 is given twice",
                                 "the step is 0", "the end time -3"}) {
      EXPECT_NE(joined(texts).find(fragment), std::string::npos) << fragment << "\n" << joined(texts);
    }
  }
  EXPECT_THROW(converge(testing::skate(), study({}, {}, 1)), InputError);
}

TEST(Converge, StopsWhenAsked) {
  for (const int last : {1, 2, 4, 6, 9}) {
    ConvergeOptions options = study({"gauss:1", "gauss:5"}, {0.2, 0.1}, 2);
    int calls = 0;
    std::vector<std::string> seen;
    options.progress = [&](const std::string& what, long long, long long) {
      seen.push_back(what);
      return ++calls < last;
    };
    const Convergence result = converge(skate_without_exact(), options);
    EXPECT_EQ(calls, last);
    EXPECT_EQ(result.outcome.status, Status::interrupted);
    ASSERT_EQ(result.results.size(), 2U);
    EXPECT_EQ(seen.front(), "gauss:1, step 0.2, double");
  }
}

TEST(Converge, AnInterruptedStudyKeepsWhatIsMeasured) {
  ConvergeOptions options = study({"gauss:1", "gauss:2"}, {0.2, 0.1}, 2);
  int calls = 0;
  options.progress = [&](const std::string&, long long, long long) { return ++calls < 5; };  // the second method
  const Convergence result = converge(testing::skate(), options);
  EXPECT_EQ(result.outcome.status, Status::interrupted);
  EXPECT_NEAR(result.results[0].order.q, 2, 0.05);
  EXPECT_TRUE(std::isnan(result.results[1].rows[1].error.q));
}

TEST(LastState, HasAllDigits) {
  RunOptions options = testing::options("gauss:6", 0.0625, 1);
  options.precision = Precision::quadruple;
  const Trajectory run = integrate(testing::skate(), options);
  ASSERT_EQ(run.last_quad.q.size(), 3U);
  ASSERT_EQ(run.last_quad.v.size(), 3U);
  ASSERT_EQ(run.last_quad.multipliers.size(), 1U);
  EXPECT_EQ(to_text(run.last_quad.t), run.last_text()[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(to_text(run.last_quad.q[i]), run.last_text()[1 + i]);
    EXPECT_EQ(to_text(run.last_quad.v[i]), run.last_text()[4 + i]);
  }
  EXPECT_NE(run.last_quad.q[0], quad(run.last.q[0]));
}

}  // namespace
}  // namespace noslip
