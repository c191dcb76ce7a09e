// Methods side by side over time: the largest error of each span, at the time where it was.
#include <gtest/gtest.h>

#include <noslip/run/over_time.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

using Point = ErrorsOverTime::Point;

CompareOptions comparison(std::vector<std::string> methods, double step, double until) {
  CompareOptions options;
  options.methods = std::move(methods);
  options.step = step;
  options.until = until;
  return options;
}

Sample sample(double t, double energy, double constraint, double work = 0) {
  return {t, {}, {}, {}, energy, constraint, work};
}

double largest(const std::vector<Point>& points) {
  double most = 0;
  for (const Point& point : points) most = std::max(most, point.error);
  return most;
}

TEST(ErrorsOverTime, KeepsTheLargestOfEachSpan) {
  ErrorsOverTime errors(0, 4, 2);
  errors.add(sample(0, 10, 7));
  errors.add(sample(0.5, 13, 1e-16));
  errors.add(sample(1, 6, 3e-16));
  errors.add(sample(2, 10, 0));
  errors.add(sample(3, 12, 5e-16, 1));
  errors.add(sample(4, 10, 4e-16));
  ASSERT_EQ(errors.energy().size(), 2U) << "the end belongs to the last span";
  EXPECT_EQ(errors.energy()[0].t, 1);
  EXPECT_EQ(errors.energy()[0].error, 4) << "below the initial value counts, too";
  EXPECT_EQ(errors.energy()[1].t, 3);
  EXPECT_EQ(errors.energy()[1].error, 1) << "work is no error";
  ASSERT_EQ(errors.constraints().size(), 2U);
  EXPECT_EQ(errors.constraints()[0].error, 3e-16) << "the initial state is not counted";
  EXPECT_EQ(errors.constraints()[1].error, 5e-16);
}

TEST(ErrorsOverTime, HasNoEnergyWhereThereIsNone) {
  ErrorsOverTime errors(0, 1);
  errors.add(sample(0, std::nan(""), 0));
  errors.add(sample(1, std::nan(""), 1e-16));
  EXPECT_TRUE(errors.energy().empty());
  EXPECT_EQ(errors.constraints().size(), 1U);
}

TEST(CompareOverTime, HasTheRunsInTheOrderOfTheMethods) {
  const ComparisonOverTime study =
      compare_over_time(testing::particle(), comparison({"gauss:4", "mp", "gauss:1"}, 0.1, 100));
  const Comparison& comparison = study.comparison;
  EXPECT_EQ(comparison.outcome.status, Status::done);
  ASSERT_EQ(comparison.results.size(), 3U);
  ASSERT_EQ(study.errors.size(), 3U);
  EXPECT_EQ(comparison.results[0].run.about.method, "gauss:4");
  EXPECT_EQ(comparison.results[1].run.about.method, "mp");
  for (std::size_t i = 0; i < 3; ++i) {
    const Trajectory& run = comparison.results[i].run;
    EXPECT_TRUE(std::isnan(comparison.results[i].nanoseconds_per_step)) << "no cost is measured";
    EXPECT_EQ(run.steps, 1000);
    EXPECT_EQ(study.errors[i].energy().size(), 240U);
    EXPECT_EQ(largest(study.errors[i].energy()), run.energy.max_abs_error) << run.about.method;
    EXPECT_EQ(largest(study.errors[i].constraints()), run.constraints.max_abs) << run.about.method;
  }
}

TEST(CompareOverTime, KnowsErrorsOfTheExactSolution) {
  const ComparisonOverTime study = compare_over_time(testing::skate(), comparison({"gauss:1"}, 0.1, 2));
  EXPECT_TRUE(study.comparison.has_exact);
  EXPECT_EQ(study.comparison.results[0].error.q, study.comparison.results[0].run.error_at_end);
  InitialState elsewhere = testing::skate().initial_state({});
  elsewhere.q[0] = 1;
  EXPECT_FALSE(compare_over_time(testing::skate(), elsewhere, comparison({"gauss:1"}, 0.1, 2)).comparison.has_exact);
}

TEST(CompareOverTime, RefusesAllProblemsAtOnce) {
  try {
    compare_over_time(testing::skate(), comparison({"gaus:2", "gauss:999"}, -1, -1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 4U) << error.what();
  }
}

TEST(CompareOverTime, StopsWhenAsked) {
  CompareOptions options = comparison({"gauss:1", "gauss:2"}, 0.1, 1);
  options.progress = [](const std::string& what, long long, long long) { return what.starts_with("gauss:1"); };
  const ComparisonOverTime study = compare_over_time(testing::skate(), options);
  EXPECT_EQ(study.comparison.outcome.status, Status::interrupted);
  EXPECT_EQ(study.comparison.results.size(), 1U);
  EXPECT_EQ(study.errors.size(), 1U);
}

}  // namespace
}  // namespace noslip
