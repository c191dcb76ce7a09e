// What varies from member to member, what is handed on, and ensembles in pieces.
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/ensemble/ensemble.hpp>

#include "ensemble/ensembles.hpp"

namespace noslip {
namespace {

TEST(Ensemble, ASinkReceivesAllMembersInOrder) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 700);
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.1;
  options.run.steps = 30;
  options.run.every = 10;
  options.columns = {"energy", "x"};
  options.threads = 3;
  const Ensemble kept = integrate_ensemble(system, members, options);
  std::vector<double> values, of_members;
  std::size_t next = 0;
  options.sink = [&](const MemberBlock& block) {
    EXPECT_EQ(block.first, next);
    next += block.count;
    values.insert(values.end(), block.values.begin(), block.values.end());
    of_members.insert(of_members.end(), block.of_member.begin(), block.of_member.end());
  };
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_TRUE(ensemble.values.empty());
  EXPECT_EQ(next, members.size());
  EXPECT_EQ(values, kept.values);
  EXPECT_EQ(of_members, kept.member_values);
}

TEST(Ensemble, CanBeStopped) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 40);
  for (const int threads : {1, 3}) {
    EnsembleOptions options;
    options.run.step = 0.01;
    options.run.steps = 100'000'000;
    options.threads = threads;
    options.run.progress = [](long long done, long long) { return done == 0; };
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    EXPECT_EQ(ensemble.outcome.status, Status::interrupted);
    EXPECT_EQ(ensemble.done, 0U);
  }
}

TEST(Ensemble, WhatASinkThrowsArrives) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 200);
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.steps = 10;
  options.threads = 2;
  options.sink = [](const MemberBlock& block) {
    if (block.first > 50) throw std::runtime_error("enough");
  };
  EXPECT_THROW(integrate_ensemble(system, members, options), std::runtime_error);
}

/// A column of an angle that has turned often is what a run writes, not what the steps see.
TEST(Ensemble, AnglesInColumnsAreContinuous) {
  const System system = catalogue_system("skate");
  ASSERT_FALSE(system.angles().empty());
  const auto members = grid_members({{"phi'", 10, 20, 11}});
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.01;
  options.run.until = 10;
  options.columns = {"phi", "phi/(2*pi)", "energy"};
  const Ensemble ensemble = integrate_ensemble(system, *members, options);
  for (std::size_t j = 0; j < members->count(); ++j) {
    const double theta = 10 * (10 + static_cast<double>(j));
    EXPECT_NEAR(ensemble.last(j)[0], theta, 1e-10);
    EXPECT_NEAR(ensemble.last(j)[1], theta / 6.283185307179586, 1e-10);
  }
}

/// Values of a member reach parameters (and what follows from them), inputs and initial values.
TEST(Ensemble, EverythingMayVary) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "m/2*(x'^2 + y'^2) - k*x^2/2"
    [parameters]
    m = 1
    k = "4*m"
    [inputs]
    u = 0
    [forces]
    y = "u"
    [initial]
    q = ["m", 0]
    v = [0, 0])toml");
  const auto members = grid_members({{"m", 1, 2, 3}, {"u", -1, 1, 3}, {"y'", 0, 1, 5}});
  for (const char* method : {"mp", "gauss:2"}) {
    EnsembleOptions options;
    options.run.method = method;
    options.run.step = 0.05;
    options.run.until = 3;
    options.columns = {"x", "y", "x'", "y'", "energy"};
    const Ensemble ensemble = integrate_ensemble(system, *members, options);
    std::vector<double> values(3);
    for (std::size_t j = 0; j < members->count(); ++j) {
      members->read(j, 1, values.data());
      RunOptions run = options.run;
      run.set = {{"m", values[0]}};
      run.control.inputs = {{"u", values[1]}};
      run.init = {{"y'", values[2]}};
      expect_sample(ensemble, 0, j, integrate(system, run).last);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(ensemble.member_values[4 * j + i], values[i]);
    }
  }
}

/// A grid is a rule: where it leads to states that violate a constraint, these members fail.
TEST(Ensemble, MembersOfAGridThatCannotStartHaveFailed) {
  const System system = catalogue_system("skate");
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.until = 1;
  for (const std::size_t count : {3U, 40U}) {
    const Ensemble ensemble = integrate_ensemble(system, *grid_members({{"y'", -1, 1, count | 1U}}), options);
    EXPECT_EQ(ensemble.done, 1U);
    EXPECT_EQ(ensemble.failed, (count | 1U) - 1);
    ASSERT_FALSE(ensemble.failures.empty());
    EXPECT_EQ(ensemble.failures[0].member, 0U);
    EXPECT_NE(ensemble.failures[0].message.find("is violated by"), std::string::npos) << ensemble.failures[0].message;
    EXPECT_TRUE(std::isnan(ensemble.last(0)[0]));
    EXPECT_TRUE(std::isfinite(ensemble.last((count | 1U) / 2)[0]));
  }
  EXPECT_THROW(integrate_ensemble(system, *list_members({"y'"}, {0, 1}), options), InputError);
}

TEST(Ensemble, ReductionsDoNotDependOnThreads) {
  const System system = catalogue_system("chaotic");
  const auto members = sample_members(500, 3, {{"x'", Variation::Kind::normal, 0, 0.1}});
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.1;
  options.run.steps = 20;
  options.run.every = 10;
  options.run.project = true;
  options.reductions = read_reductions("mean(x), variance(x), quantile(energy,0.9), histogram(x,-1,1,7), count(x)");
  options.threads = options.lanes = 1;
  const Ensemble first = integrate_ensemble(system, *members, options);
  EXPECT_EQ(first.columns.size(), 2U);
  options.lanes = 8;
  options.threads = 3;
  const Ensemble other = integrate_ensemble(system, *members, options);
  ASSERT_EQ(first.times.size(), 3U);
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(first.reduced.values(row), other.reduced.values(row));
  long double sum = 0;  // rounds less than the result
  for (std::size_t j = 0; j < 500; ++j) sum += first.value(0, 2, j);
  EXPECT_NEAR(first.reduced.number(2, 0), static_cast<double>(sum / 500), 1e-15);
}

/// The last state of a member that ends early belongs to no row.
TEST(Ensemble, RowsHaveTheStatesOfTheirTimes) {
  const System system = System::parse("coordinates = ['x']\nlagrangian = \"x'^2/2 + a*x^4\"\n[parameters]\na = 0\n"
                                      "[initial]\nq = [1]\nv = [1]");
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.1;
  options.run.until = 5;
  options.run.every = 10;
  options.reductions = read_reductions("mean(t), count(t)");
  const Ensemble blown = integrate_ensemble(system, *grid_members({{"a", 0, 3, 4}}), options);
  EXPECT_EQ(blown.failed, 3U);
  for (std::size_t row = 1; row < blown.times.size(); ++row) {
    EXPECT_EQ(blown.reduced.number(row, 0), blown.times[row]);
    EXPECT_EQ(blown.reduced.number(row, 1), 1);
  }
  options.run.set = {{"a", 0}};
  options.run.events = {{"x - 3", Crossing::both, 1}};
  const Ensemble stopped = integrate_ensemble(system, *grid_members({{"x'", 0.1, 1, 2}}), options);
  EXPECT_EQ(names_of(stopped.member_columns).at(3), "end");
  EXPECT_NEAR(stopped.member_values[5 + 3], 2, 1e-12);
  EXPECT_EQ(stopped.member_values[3], 5);
  for (std::size_t row = 0; row < stopped.times.size(); ++row) {
    const double t = stopped.value(0, row, 1);
    EXPECT_TRUE(std::isnan(t) ? stopped.times[row] >= 2 : t == stopped.times[row]) << row;
  }
}

TEST(Ensemble, QuantilesOfValuesThatDifferLittleAreAnnounced) {
  const System system = catalogue_system("skate");
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.steps = 1;
  for (const char* text : {"median(y)", "median(1000 + y)"}) {
    options.reductions = read_reductions(text);
    const Ensemble ensemble = integrate_ensemble(system, *grid_members({{"y", 0, 1, 1500}}), options);
    const bool is_announced = !ensemble.warnings.empty() && ensemble.warnings.back().code == "quantiles";
    EXPECT_EQ(is_announced, std::string(text) != "median(y)") << text;
  }
}

TEST(Ensemble, WhatHasNoEffectOrNoMeaningIsRefused) {
  const System system = catalogue_system("skate");
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.until = 0;
  EXPECT_THROW(integrate_ensemble(system, *grid_members({{"y", 0, 1, 3}}), options), InputError);
  options.run.until = 1;
  options.columns = {"x", "tehta"};
  EXPECT_THROW(integrate_ensemble(system, *grid_members({{"y", 0, 1, 3}}), options), InputError);
  const System segway = catalogue_system("segway");
  options.columns = {};
  EXPECT_THROW(integrate_ensemble(segway, *grid_members({{segway.inputs()[0].name, 0, 1, 3}}), options), InputError);
}

TEST(Ensemble, GoesOnFromACheckpoint) {
  const System system = catalogue_system("chaotic");
  const auto members = grid_members({{"j", 0, 999, 1000}});
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.1;
  options.run.steps = 20;
  options.run.set = {{"J", 999}};
  options.columns = {"energy"};
  options.checkpoint_every = 0;
  std::vector<std::pair<std::size_t, std::string>> saved;
  options.checkpoint = [&](const EnsembleCheckpoint& here) { saved.emplace_back(here.members, here.state); };
  const Ensemble whole = integrate_ensemble(system, *members, options);
  ASSERT_GT(saved.size(), 10U);
  for (std::size_t i = 0; i < saved.size(); i += 5) {
    options.from = saved[i].second;
    options.threads = 1 + static_cast<int>(i % 3);
    options.lanes = i % 2 == 0 ? 8 : 1;
    options.checkpoint = [](const EnsembleCheckpoint&) {};
    const Ensemble rest = integrate_ensemble(system, *members, options);
    EXPECT_EQ(rest.done, 1000U);
    EXPECT_EQ(rest.steps, whole.steps);
    EXPECT_EQ(rest.values, std::vector<double>(whole.values.begin() + static_cast<std::ptrdiff_t>(saved[i].first),
                                               whole.values.end()));
  }
  options.run.step = 0.05;
  EXPECT_THROW(integrate_ensemble(system, *members, options), InputError);
}

TEST(Ensemble, PartsAreTheWhole) {
  const System system = catalogue_system("chaotic");
  const auto members = grid_members({{"j", 0, 99, 100}});
  EnsembleOptions options;
  options.run.method = "mp";
  options.run.step = 0.1;
  options.run.steps = 20;
  options.run.set = {{"J", 99}};
  const Ensemble whole = integrate_ensemble(system, *members, options);
  std::vector<double> values;
  for (const std::size_t first : {0, 33, 70}) {
    options.first_member = first;
    options.member_count = first == 0 ? 33 : first == 33 ? 37 : 0;
    const Ensemble part = integrate_ensemble(system, *members, options);
    values.insert(values.end(), part.values.begin(), part.values.end());
  }
  EXPECT_EQ(values, whole.values);
}

TEST(Ensemble, NamesThatTheSystemDoesNotHaveAreRefused) {
  const System system = catalogue_system("skate");
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.until = 1;
  options.run.init = {{"x", 1}};
  const auto members = list_members({"hpi'", "t", "x"}, {1, 1, 1});
  try {
    integrate_ensemble(system, *members, options);
    FAIL();
  } catch (const InputError& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_text(problem) + "\n";
    for (const char* piece : {"'hpi''", "'phi''", "initial time", "'x' has a value for all members"}) {
      EXPECT_NE(all.find(piece), std::string::npos) << all;
    }
  }
}

}  // namespace
}  // namespace noslip
