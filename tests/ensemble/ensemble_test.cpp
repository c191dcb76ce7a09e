// Members of an ensemble: equal to runs of their own, whatever the lanes and threads; failures stay where they are.
#include <atomic>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/ensemble/ensemble.hpp>
#include <noslip/model/symbols.hpp>
#include <noslip/run/program.hpp>

#include "support/figures.hpp"

namespace noslip {
namespace {

std::vector<InitialState> particles(const System& system, int count) {
  std::vector<InitialState> members;
  for (int j = 0; j < count; ++j) {
    const std::map<std::string, double> set = {{"j", j}, {"J", count - 1}};
    members.push_back(system.initial_state(system.parameter_values(set)));
  }
  return members;
}

class Methods : public testing::TestWithParam<const char*> {};

TEST_P(Methods, MembersAreRunsOfTheirOwn) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 11);
  EnsembleOptions options;
  options.method = GetParam();
  options.step = 0.05;
  options.until = 20;
  options.every = 40;
  options.quantities = {system.energy()};
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  ASSERT_EQ(ensemble.outcome.status, Status::done);
  ASSERT_EQ(ensemble.times.size(), 11U);
  for (std::size_t j = 0; j < members.size(); ++j) {
    RunOptions run;
    run.method = GetParam();
    run.step = 0.05;
    run.until = 20;
    run.every = 40;
    const Trajectory alone = integrate(system, members[j], run);
    EXPECT_EQ(ensemble.members[j].q, alone.last.q) << j;
    EXPECT_EQ(ensemble.members[j].v, alone.last.v) << j;
    ASSERT_EQ(alone.samples.size(), ensemble.times.size());
    for (std::size_t row = 0; row < alone.samples.size(); ++row) {
      EXPECT_EQ(ensemble.times[row], alone.samples[row].t);
      EXPECT_EQ(ensemble.value(0, row, j), alone.samples[row].energy);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Methods,
                         testing::Values("mp", "gauss:2", "lobatto-ab:2", "cm", "gonzalez", "nh-lobatto:2"));

TEST(Ensemble, InputsAreConstant) {
  const std::string text = "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 1\n[forces]\nx = 'u'\n";
  const System cart = System::parse(text), sampled = System::parse(text + "[sampled]\nevery = 1\nu = 'x'");
  const std::vector<InitialState> members(3, cart.initial_state(cart.parameter_values()));
  EnsembleOptions options;
  options.step = 0.1;
  options.until = 2;
  EXPECT_NEAR(integrate_ensemble(cart, members, options).members[2].q[0], 2, 1e-14);
  options.inputs = {{"u", 3}};
  EXPECT_NEAR(integrate_ensemble(cart, members, options).members[2].q[0], 6, 1e-14);
  EXPECT_THROW(integrate_ensemble(sampled, members, options), InputError);
  options.inputs = {{"v", 3}};
  EXPECT_THROW(integrate_ensemble(cart, members, options), InputError);
}

TEST(Ensemble, StartsAreCheckedAndAnnounced) {
  const System near = System::parse(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x - y\"\n"
      "constraints = [\"x' = y*z'\", \"x' + x*z' = y*z'\"]\n[initial]\nq = [1, 1, 0]");
  std::vector<InitialState> members(3, near.initial_state(near.parameter_values()));
  EnsembleOptions options;
  options.step = 0.01;
  options.steps = 1;
  EXPECT_TRUE(integrate_ensemble(near, members, options).warnings.empty());
  members[1].q[0] = members[2].q[0] = 1e-5;
  const Ensemble ensemble = integrate_ensemble(near, members, options);
  ASSERT_EQ(ensemble.warnings.size(), 1U);
  EXPECT_EQ(ensemble.warnings[0].code, "condition");
  EXPECT_EQ(ensemble.warnings[0].message.find("member 1: "), 0U) << ensemble.warnings[0].message;
  members[2].v = {1e-15, 1e-15, 0.5e-15};
  try {
    integrate_ensemble(near, members, options);
    FAIL() << "a violated constraint was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("member 2: constraint 'x' = y*z'' is violated by 5e-16"),
              std::string::npos)
        << error.what();
  }
  members[2].q[0] = 0;
  EXPECT_THROW(integrate_ensemble(near, members, options), InputError);
}

/// A blade whose equations are eliminated in another order where it stands across the direction of the first member.
System blade() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 - x/3 - y^2/4 - cos(x)*y/5"
    constraints = ["cos(theta)*x' + sin(theta)*y' = 0"]
    [initial]
    v = [0, 1, 1])toml");
}

class Lanes : public testing::TestWithParam<int> {};

TEST_P(Lanes, MembersWithPivotsInOtherPlacesAreRunsOfTheirOwn) {
  const System system = blade();
  std::vector<InitialState> members;
  for (int j = 0; j < 11; ++j) {  // every third stands across, to rounding
    const double theta = j % 3 == 1 ? std::acos(0.0) : 0.3 * j, speed = 1 + 0.1 * j;
    members.push_back({0, {0.1 * j, 1, theta}, {-std::sin(theta) * speed, std::cos(theta) * speed, 1}, {}});
  }
  for (const char* method : {"gauss:2", "mp", "cm", "lobatto-ab:3", "gonzalez", "nh-lobatto:2"}) {
    EnsembleOptions options;
    options.method = method;
    options.step = 0.05;
    options.until = 2.02;
    options.every = 10;
    options.project = true;
    options.lanes = GetParam();
    options.quantities = {system.energy()};
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    const long long compiled = program_counts().compiled;
    for (std::size_t j = 0; j < members.size(); ++j) {
      RunOptions run{.method = method, .step = 0.05, .until = 2.02, .every = 10};
      run.project = true;
      const Trajectory alone = integrate(system, members[j], run);
      EXPECT_EQ(ensemble.members[j].outcome.status, Status::done);
      EXPECT_EQ(ensemble.members[j].q, alone.last.q) << method << " " << j;
      EXPECT_EQ(ensemble.members[j].v, alone.last.v) << method << " " << j;
      ASSERT_EQ(alone.samples.size(), ensemble.times.size());
      for (std::size_t row = 0; row < alone.samples.size(); ++row) {
        EXPECT_EQ(ensemble.value(0, row, j), alone.samples[row].energy);
      }
    }
    // Runs and members have the same programs.
    EXPECT_LE(program_counts().compiled, compiled + 1) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Lanes, testing::Values(1, 4, 8));

TEST(Ensemble, OfControlledMembersIsRefused) {
  const System system = catalogue_system("segway");
  const std::vector<InitialState> members(2, system.initial_state(system.parameter_values()));
  EnsembleOptions options;
  options.step = 0.01;
  options.steps = 1;
  EXPECT_THROW(integrate_ensemble(system, members, options), InputError);
}

class Widths : public testing::TestWithParam<const char*> {};

TEST_P(Widths, LanesAndThreadsDoNotMatter) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 21);
  EnsembleOptions options;
  options.method = GetParam();
  options.step = 0.1;
  options.steps = 150;
  options.every = 7;
  options.quantities = {system.energy()};
  options.lanes = 1;
  options.threads = 1;
  const Ensemble first = integrate_ensemble(system, members, options);
  EXPECT_EQ(first.times.size(), 23U);  // the start, 21 times 7 steps, the end
  int compared = 0;
  for (const int lanes : {1, 4, 8}) {
    for (const int threads : {1, 2, 5}) {
      options.lanes = lanes;
      options.threads = threads;
      const Ensemble other = integrate_ensemble(system, members, options);
      EXPECT_EQ(other.lanes, lanes);
      EXPECT_EQ(other.values, first.values);
      EXPECT_EQ(other.times, first.times);
      for (std::size_t j = 0; j < members.size(); ++j) EXPECT_EQ(other.members[j].q, first.members[j].q);
      ++compared;
    }
  }
  test::figure("lanes_and_threads", compared);
}

INSTANTIATE_TEST_SUITE_P(Of, Widths, testing::Values("mp", "gauss:2", "gonzalez"));

/// A particle whose spring is written in C++; one with a negative x throws where it is asked to.
System sprung(bool throws) {
  const Symbols symbols;
  const Expr x = symbols["x"], y = symbols["y"];
  const ExternalFunction spring("spring", 2, [throws](std::span<const double> a) {
    if (throws && a[0] < 0) throw std::domain_error("x is negative");
    return -a[0] - a[0] * a[0] * a[1];
  });
  SystemText text;
  text.coordinates = {x, y};
  text.lagrangian = (sq(dot(x)) + sq(dot(y))) / 2;
  text.forces = {{x, spring(x, y)}, {y, spring(y, x)}};
  return System::from(text);
}

TEST(Ensemble, FunctionsWrittenInCppHaveTheSameBitsInLanesAndThreads) {
  const System system = sprung(false);
  std::vector<InitialState> members;
  for (int i = 0; i < 11; ++i) members.push_back({0, {1 + 0.05 * i, 0.5}, {0, 0.1 * i}, {}});
  EnsembleOptions options;
  options.method = "gauss:2";
  options.step = 0.1;
  options.steps = 50;
  RunOptions alone;
  alone.step = 0.1;
  alone.steps = 50;
  for (const int lanes : {1, 4, 8}) {
    options.lanes = lanes;
    options.threads = 2;
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    for (std::size_t j = 0; j < members.size(); ++j) {
      EXPECT_EQ(ensemble.members[j].q, integrate(system, members[j], alone).last.q) << lanes << " lanes, member " << j;
    }
  }
  for (const int threads : {1, 2}) {
    options.threads = threads;
    EXPECT_THROW(integrate_ensemble(sprung(true), members, options), std::domain_error);
  }
}

TEST(Ensemble, LastStepIsShortened) {
  const System system = catalogue_system("skate");
  const std::vector<InitialState> members(3, system.initial_state(system.parameter_values()));
  EnsembleOptions options;
  options.step = 0.3;
  options.until = 1;
  options.every = 2;
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_EQ(ensemble.steps, 4);
  EXPECT_EQ(ensemble.times, (std::vector<double>{0, 0.6, 1}));
  RunOptions run;
  run.step = 0.3;
  run.until = 1;
  EXPECT_EQ(ensemble.members[2].q, integrate(system, run).last.q);
  EXPECT_EQ(ensemble.members[2].t, 1);
}

TEST(Ensemble, FailuresAreMarkedAndDisturbNobody) {
  // The pendulum's rod cannot be followed with this step where it turns fast.
  const System system = catalogue_system("spherical-pendulum");
  std::vector<InitialState> members;
  for (const double rate : {1.0, 1.5, 60.0, 2.0, 0.5}) {
    members.push_back(system.initial_state(system.parameter_values({{"Omega", rate}})));
  }
  EnsembleOptions options;
  options.method = "gauss:2";
  options.step = 0.1;
  options.steps = 400;
  options.every = 50;
  options.quantities = {system.energy()};
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_EQ(ensemble.outcome.status, Status::done);
  ASSERT_EQ(ensemble.members[2].outcome.status, Status::failed);
  EXPECT_NE(ensemble.members[2].outcome.message.find("did not converge"), std::string::npos);
  EXPECT_TRUE(std::isnan(ensemble.value(0, ensemble.times.size() - 1, 2)));
  EXPECT_LT(ensemble.members[2].t, 40);
  for (const double x : ensemble.members[2].q) EXPECT_TRUE(std::isfinite(x));
  RunOptions run;
  run.step = 0.1;
  run.steps = 400;
  for (const std::size_t j : {0U, 1U, 3U, 4U}) {
    EXPECT_EQ(ensemble.members[j].outcome.status, Status::done);
    EXPECT_EQ(ensemble.members[j].q, integrate(system, members[j], run).last.q);
  }
}

TEST(Ensemble, MembersThatLeaveTheNumbersHaveFailed) {
  // Steps are explicit, and nothing in them notices when x grows beyond all bounds.
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + x^4"
  )toml");
  const std::vector<InitialState> members = {{0, {1}, {1}, {}}, {0, {1e-3}, {0}, {}}};
  EnsembleOptions options{.method = "mp", .step = 0.1, .until = 5, .every = 10};
  options.quantities = {system.energy()};
  const Ensemble run = integrate_ensemble(system, members, options);
  EXPECT_EQ(run.members[0].outcome.status, Status::failed);
  EXPECT_NE(run.members[0].outcome.message.find("not finite"), std::string::npos) << run.members[0].outcome.message;
  EXPECT_TRUE(std::isfinite(run.members[0].q[0]));
  EXPECT_EQ(run.members[1].outcome.status, Status::done);
  EXPECT_EQ(run.members[1].t, 5);
}

TEST(Ensemble, ObserverSeesEveryRowOfEveryMember) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 10);
  EnsembleOptions options;
  options.method = "mp";
  options.step = 0.1;
  options.steps = 30;
  options.every = 10;
  options.quantities = {system.energy()};
  options.keep = false;
  std::mutex mutex;
  std::vector<std::vector<double>> seen(members.size());
  options.observer = [&](const MemberSample& sample) {
    const std::lock_guard lock(mutex);
    EXPECT_EQ(sample.row, seen[sample.member].size());
    EXPECT_EQ(sample.q.size(), 7U);
    EXPECT_EQ(sample.v.size(), 7U);
    EXPECT_NEAR(sample.quantities[0], 3.06, 0.01);
    seen[sample.member].push_back(sample.t);
  };
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_TRUE(ensemble.values.empty());
  for (const auto& times : seen) EXPECT_EQ(times, ensemble.times);
}

TEST(Ensemble, CanBeStopped) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 40);
  EnsembleOptions options;
  options.step = 0.01;
  options.steps = 100'000'000;
  options.progress = [](long long done, long long) { return done == 0; };
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_EQ(ensemble.outcome.status, Status::interrupted);
  for (const Member& member : ensemble.members) EXPECT_EQ(member.outcome.status, Status::interrupted);
}

TEST(Ensemble, WhatAnObserverThrowsArrives) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 20);
  EnsembleOptions options;
  options.step = 0.1;
  options.steps = 10;
  options.every = 1;
  options.observer = [](const MemberSample& sample) {
    if (sample.member == 17) throw std::runtime_error("enough");
  };
  EXPECT_THROW(integrate_ensemble(system, members, options), std::runtime_error);
}

std::string complaint(const System& system, const std::vector<InitialState>& members, const EnsembleOptions& options) {
  try {
    integrate_ensemble(system, members, options);
  } catch (const InputError& error) {
    std::string text;
    for (const Problem& problem : error.problems()) text += to_text(problem) + "\n";
    return text;
  }
  return "none";
}

TEST(Ensemble, RefusesWhatMakesNoSense) {
  const System system = catalogue_system("skate");
  const InitialState good = system.initial_state(system.parameter_values());
  InitialState slips = good, later = good, small = good;
  slips.v = {0, 1, 0};
  later.t = 1;
  small.q = {0};
  EnsembleOptions options;
  options.step = 0.1;
  options.until = 1;
  EXPECT_NE(complaint(system, {}, options).find("no members"), std::string::npos);
  const std::string text = complaint(system, {good, slips, good, later, small}, options);
  EXPECT_NE(text.find("member 1: "), std::string::npos) << text;
  EXPECT_NE(text.find("member 3: starts at t = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("member 4: the initial state has 1 positions"), std::string::npos) << text;
  EXPECT_EQ(text.find("member 0"), std::string::npos);
  options.step = -1;
  options.lanes = 3;
  options.threads = -2;
  const std::string all = complaint(system, {good}, options);
  for (const char* piece : {"the step is -1", "3 lanes", "-2 threads"}) {
    EXPECT_NE(all.find(piece), std::string::npos) << all;
  }
  options = {};
  options.step = 0.1;
  EXPECT_NE(complaint(system, {good}, options).find("no end"), std::string::npos);
}

TEST(Ensemble, ProjectsWhereThatIsAskedFor) {
  const System system = catalogue_system("skate");
  InitialState slips = system.initial_state(system.parameter_values());
  slips.v = {1, 1, 0};
  EnsembleOptions options;
  options.step = 0.1;
  options.steps = 1;
  options.every = 1;
  options.project = true;
  options.quantities = {system.constraints()[0].k};
  const Ensemble ensemble = integrate_ensemble(system, std::vector<InitialState>{slips, slips}, options);
  EXPECT_LT(std::fabs(ensemble.value(0, 0, 1)), 1e-15);
}

TEST(Ensemble, QuantitiesMayDependOnTheTime) {
  const System system = catalogue_system("chaotic");
  for (const int lanes : {1, 4, 8}) {
    EnsembleOptions options;
    options.method = "mp";
    options.step = 0.1;
    options.until = 1.25;
    options.every = 4;
    options.lanes = lanes;
    options.quantities = {system.t()};
    const Ensemble ensemble = integrate_ensemble(system, particles(system, 9), options);
    ASSERT_EQ(ensemble.times.size(), 5U);
    for (std::size_t row = 0; row < ensemble.times.size(); ++row) {
      for (std::size_t j = 0; j < 9; ++j)
        EXPECT_EQ(ensemble.value(0, row, j), ensemble.times[row]) << lanes << ", " << j;
    }
  }
}

TEST(Ensemble, NoLaneJumpsToAnotherRoot) {
  // w (1 + w) = 1.5 + sin(5 t) has two roots; a' = w > 0 on the upper one.
  const System system = System::parse(R"toml(
    kind = "dae2"
    y = ["a", "b"]
    z = ["w"]
    f = [[], ["w", "w^2"]]
    g = ["a + b = 1.5*t - cos(5*t)/5 + 1/5"]
    [initial]
    y = [0, 0]
    z = ["(sqrt(7) - 1)/2"])toml");
  const std::vector<InitialState> members(8, system.initial_state(system.parameter_values()));
  for (const char* method : {"spark-lobatto:2", "spark-lobatto:3"}) {
    for (const int lanes : {1, 4, 8}) {
      EnsembleOptions options{.method = method, .step = 0.7, .until = 6, .every = 1};
      options.lanes = lanes;
      options.quantities = {system.q()[0]};
      const Ensemble ensemble = integrate_ensemble(system, members, options);
      for (std::size_t j = 0; j < members.size(); ++j) {
        EXPECT_EQ(ensemble.members[j].outcome.status, ensemble.members[0].outcome.status) << method << ", " << lanes;
        EXPECT_EQ(ensemble.members[j].t, ensemble.members[0].t) << method << ", lanes " << lanes << ", member " << j;
        for (std::size_t row = 1; row < ensemble.times.size(); ++row) {
          if (std::isnan(ensemble.value(0, row, j))) continue;
          EXPECT_GT(ensemble.value(0, row, j), ensemble.value(0, row - 1, j))
              << method << ", lanes " << lanes << ", member " << j << ", t = " << ensemble.times[row];
        }
      }
    }
  }
}

TEST(Ensemble, StepsInWhichVelocitiesRunAwayAreRefused) {
  // A stiff ring, and steps that are too large for it: sooner or later they have no solution nearby.
  for (const auto& [stiffness, step] : {std::pair{"10", 0.3}, {"10", 0.2}, {"200", 0.1}}) {
    const System system = System::parse(
        "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2*(1 + x^2))/2 - k*(x^2 + y^2 - 1)^2 - "
        "k/10*sin(3*x)\"\n[parameters]\nk = " +
        std::string(stiffness) + "\n[initial]\nq = [1, 0.2]\nv = [0.3, 2]");
    EnsembleOptions options{.method = "nh-lobatto:2", .step = step, .until = 4, .every = 1};
    double largest_growth = 0, before = 2;
    options.observer = [&](const MemberSample& sample) {
      const double speed = std::fmax(std::fabs(sample.v[0]), std::fabs(sample.v[1]));
      largest_growth = std::fmax(largest_growth, speed / before);
      before = speed;
    };
    const std::vector<InitialState> members(1, system.initial_state(system.parameter_values()));
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    EXPECT_EQ(ensemble.members[0].outcome.status, Status::failed) << stiffness << ", " << step;
    EXPECT_LT(largest_growth, 1e12) << stiffness << ", " << step;
  }
}

}  // namespace
}  // namespace noslip
