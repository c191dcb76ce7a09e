// Members of an ensemble: equal to runs of their own, whatever the lanes and threads; failures stay where they are.
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/ensemble/ensemble.hpp>
#include <noslip/model/symbols.hpp>
#include <noslip/run/program.hpp>

#include "ensemble/ensembles.hpp"
#include "support/figures.hpp"

namespace noslip {
namespace {

class Methods : public testing::TestWithParam<const char*> {};

TEST_P(Methods, MembersAreRunsOfTheirOwn) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 11);
  EnsembleOptions options;
  options.run.method = GetParam();
  options.run.step = 0.05;
  options.run.until = 20;
  options.run.every = 40;
  options.columns = everything(system);
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  ASSERT_EQ(ensemble.outcome.status, Status::done);
  EXPECT_EQ(ensemble.done, members.size());
  ASSERT_EQ(ensemble.times.size(), 11U);
  for (std::size_t j = 0; j < members.size(); ++j) {
    RunOptions run;
    run.method = GetParam();
    run.step = 0.05;
    run.until = 20;
    run.every = 40;
    const Trajectory alone = integrate(system, members[j], run);
    ASSERT_EQ(alone.samples.size(), ensemble.times.size());
    for (std::size_t row = 0; row < alone.samples.size(); ++row) {
      EXPECT_EQ(ensemble.times[row], alone.samples[row].t);
      expect_sample(ensemble, row, j, alone.samples[row]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Methods,
                         testing::Values("mp", "gauss:2", "lobatto-ab:2", "cm", "gonzalez", "nh-lobatto:2"));

TEST(Ensemble, InputsAreConstant) {
  const std::string text = "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\nu = 1\n[forces]\nx = 'u'\n";
  const System cart = System::parse(text);
  const std::vector<InitialState> members(3, cart.initial_state(cart.parameter_values()));
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.until = 2;
  EXPECT_NEAR(integrate_ensemble(cart, members, options).last(2)[0], 2, 1e-14);
  options.run.control.inputs = {{"u", 3}};
  EXPECT_NEAR(integrate_ensemble(cart, members, options).last(2)[0], 6, 1e-14);
  options.run.control.inputs = {{"v", 3}};
  EXPECT_THROW(integrate_ensemble(cart, members, options), InputError);
}

TEST(Ensemble, StartsAreCheckedAndAnnounced) {
  const System near = System::parse(
      "coordinates = ['x', 'y', 'z']\nlagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x - y\"\n"
      "constraints = [\"x' = y*z'\", \"x' + x*z' = y*z'\"]\n[initial]\nq = [1, 1, 0]");
  std::vector<InitialState> members(3, near.initial_state(near.parameter_values()));
  EnsembleOptions options;
  options.run.step = 0.01;
  options.run.steps = 1;
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
    options.run.method = method;
    options.run.step = 0.05;
    options.run.until = 2.02;
    options.run.every = 10;
    options.run.project = true;
    options.lanes = GetParam();
    options.columns = everything(system);
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    EXPECT_EQ(ensemble.done, members.size());
    const long long compiled = program_counts().compiled;
    for (std::size_t j = 0; j < members.size(); ++j) {
      RunOptions run{.method = method, .step = 0.05, .until = 2.02, .every = 10};
      run.project = true;
      const Trajectory alone = integrate(system, members[j], run);
      ASSERT_EQ(alone.samples.size(), ensemble.times.size()) << method;
      for (std::size_t row = 0; row < alone.samples.size(); ++row) expect_sample(ensemble, row, j, alone.samples[row]);
    }
    // Runs and members have the same programs.
    EXPECT_LE(program_counts().compiled, compiled + 1) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Of, Lanes, testing::Values(1, 4, 8));

TEST(Ensemble, MembersHaveControllersAndEventsOfTheirOwn) {
  const System system = catalogue_system("segway");
  std::vector<InitialState> members(3, system.initial_state(system.parameter_values()));
  const std::size_t angle = 1;
  for (std::size_t j = 0; j < members.size(); ++j) members[j].q[angle] += 0.01 * static_cast<double>(j);
  EnsembleOptions options;
  options.run.step = 0.01;
  options.run.until = 1;
  options.run.every = 25;
  options.run.events = {{system.v()[0].name()}};
  options.columns = everything(system);
  options.threads = 2;
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  ASSERT_EQ(names_of(ensemble.member_columns), (std::vector<std::string>{"count(" + options.run.events[0].when + ")", "first(" + options.run.events[0].when + ")", "failed"}));
  for (std::size_t j = 0; j < members.size(); ++j) {
    const Trajectory alone = integrate(system, members[j], options.run);
    for (std::size_t row = 0; row < alone.samples.size(); ++row) expect_sample(ensemble, row, j, alone.samples[row]);
    EXPECT_EQ(ensemble.member_values[3 * j], static_cast<double>(alone.hits.size()));
    if (!alone.hits.empty()) {
      EXPECT_EQ(ensemble.member_values[3 * j + 1], alone.hits[0].state.t);
    }
    EXPECT_EQ(ensemble.member_values[3 * j + 2], 0);
  }
}

TEST(Ensemble, RowsOfMembersWithControllersAreThereWhateverTheStep) {
  const System system = catalogue_system("segway");  // samples every 0.01
  const std::vector<InitialState> members(2, system.initial_state(system.parameter_values()));
  EnsembleOptions options;
  options.run.step = 0.001;
  options.run.until = 0.1;
  options.run.every = 7;
  options.columns = everything(system);
  // Steps begin anew at each sample: their times are those of the rows to rounding error only.
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  const Trajectory alone = integrate(system, members[1], options.run);
  ASSERT_EQ(alone.samples.size(), ensemble.times.size());
  EXPECT_EQ(ensemble.failed, 0U);
  bool are_times_equal = true;
  for (std::size_t row = 0; row < alone.samples.size(); ++row) {
    expect_sample(ensemble, row, 1, alone.samples[row]);
    EXPECT_NEAR(ensemble.times[row], alone.samples[row].t, 1e-15);
    are_times_equal = are_times_equal && ensemble.times[row] == alone.samples[row].t;
  }
  EXPECT_FALSE(are_times_equal);

  // There are two steps of 0.005 between two samples: the third one ends at 0.015. The end is always there.
  options.run.step = 0.007;
  options.run.every = 3;
  const Ensemble divided = integrate_ensemble(system, members, options);
  EXPECT_EQ(divided.failed, 2U);
  const MemberFailure* const failure = failure_of(divided, 1);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->t, divided.times[1]);
  EXPECT_NE(failure->message.find("no row comes at t = 0.021"), std::string::npos) << failure->message;
  EXPECT_EQ(divided.value(0, 0, 1), members[1].q[0]);
  EXPECT_TRUE(std::isnan(divided.value(0, 1, 1)));
  options.run.every = 0;
  EXPECT_EQ(integrate_ensemble(system, members, options).failed, 0U);
}

class Widths : public testing::TestWithParam<const char*> {};

TEST_P(Widths, LanesAndThreadsDoNotMatter) {
  const System system = catalogue_system("chaotic");
  const std::vector<InitialState> members = particles(system, 21);
  EnsembleOptions options;
  options.run.method = GetParam();
  options.run.step = 0.1;
  options.run.steps = 150;
  options.run.every = 7;
  options.columns = everything(system);
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
  options.run.method = "gauss:2";
  options.run.step = 0.1;
  options.run.steps = 50;
  RunOptions alone;
  alone.step = 0.1;
  alone.steps = 50;
  for (const int lanes : {1, 4, 8}) {
    options.lanes = lanes;
    options.threads = 2;
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    for (std::size_t j = 0; j < members.size(); ++j) {
      expect_sample(ensemble, 0, j, integrate(system, members[j], alone).last);
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
  options.run.step = 0.3;
  options.run.until = 1;
  options.run.every = 2;
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_EQ(ensemble.steps, 12);
  EXPECT_EQ(ensemble.times, (std::vector<double>{0, 0.6, 1}));
  RunOptions run;
  run.step = 0.3;
  run.until = 1;
  expect_sample(ensemble, 2, 2, integrate(system, run).last);
}

TEST(Ensemble, FailuresAreMarkedAndDisturbNobody) {
  // The pendulum's rod cannot be followed with this step where it turns fast.
  const System system = catalogue_system("spherical-pendulum");
  std::vector<InitialState> members;
  for (const double rate : {1.0, 1.5, 60.0, 2.0, 0.5}) {
    members.push_back(system.initial_state(system.parameter_values({{"Omega", rate}})));
  }
  EnsembleOptions options;
  options.run.method = "gauss:2";
  options.run.step = 0.1;
  options.run.steps = 400;
  options.run.every = 50;
  options.columns = everything(system);
  const Ensemble ensemble = integrate_ensemble(system, members, options);
  EXPECT_EQ(ensemble.outcome.status, Status::done);
  EXPECT_EQ(ensemble.failed, 1U);
  EXPECT_EQ(ensemble.done, 4U);
  const MemberFailure* const failure = failure_of(ensemble, 2);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(ensemble.member_values, (std::vector<double>{0, 0, 1, 0, 0}));
  for (const double x : ensemble.last(2)) EXPECT_TRUE(std::isnan(x));
  EXPECT_LT(failure->t, 40);
  RunOptions run;
  run.step = 0.1;
  run.steps = 400;
  for (const std::size_t j : {0U, 1U, 3U, 4U}) {
    expect_sample(ensemble, ensemble.times.size() - 1, j, integrate(system, members[j], run).last);
  }
  const Trajectory alone = integrate(system, members[2], run);
  EXPECT_EQ(failure->message, alone.outcome.message);
  EXPECT_EQ(failure->t, alone.last.t);
}

TEST(Ensemble, MembersThatLeaveTheNumbersHaveFailed) {
  // Steps are explicit, and nothing in them notices when x grows beyond all bounds.
  const System system = System::parse(R"toml(
    coordinates = ["x"]
    lagrangian  = "x'^2/2 + x^4"
  )toml");
  const std::vector<InitialState> members = {{0, {1}, {1}, {}}, {0, {1e-3}, {0}, {}}, {0, {1}, {1}, {}}};
  EnsembleOptions options{.run = {.method = "mp", .step = 0.1, .until = 5, .every = 10}};
  options.columns = {"energy"};
  const Ensemble run = integrate_ensemble(system, members, options);
  for (const std::size_t j : {0U, 2U}) {
    const MemberFailure* const failure = failure_of(run, j);
    ASSERT_NE(failure, nullptr) << j;
    EXPECT_EQ(failure->message, integrate(system, members[j], options.run).outcome.message);
  }
  EXPECT_EQ(failure_of(run, 1), nullptr);
  EXPECT_TRUE(std::isfinite(run.last(1)[0]));
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
  options.run.step = 0.1;
  options.run.until = 1;
  EXPECT_NE(complaint(system, {}, options).find("no members"), std::string::npos);
  const std::string text = complaint(system, {good, slips, good, later, small}, options);
  EXPECT_NE(text.find("member 1: "), std::string::npos) << text;
  EXPECT_NE(text.find("member 3: starts at t = 1"), std::string::npos) << text;
  EXPECT_NE(text.find("member 4: the initial state has 1 positions"), std::string::npos) << text;
  EXPECT_EQ(text.find("member 0"), std::string::npos);
  options.run.step = -1;
  options.lanes = 3;
  options.threads = -2;
  const std::string all = complaint(system, {good}, options);
  for (const char* piece : {"the step is -1", "3 lanes", "-2 threads"}) {
    EXPECT_NE(all.find(piece), std::string::npos) << all;
  }
  options = {};
  options.run.step = 0.1;
  EXPECT_NE(complaint(system, {good}, options).find("no end"), std::string::npos);
}

TEST(Ensemble, ProjectsWhereThatIsAskedFor) {
  const System system = catalogue_system("skate");
  InitialState slips = system.initial_state(system.parameter_values());
  slips.v = {1, 1, 0};
  EnsembleOptions options;
  options.run.step = 0.1;
  options.run.steps = 1;
  options.run.every = 1;
  options.run.project = true;
  options.columns = {"y'*cos(phi) - x'*sin(phi)"};
  const Ensemble ensemble = integrate_ensemble(system, std::vector<InitialState>{slips, slips}, options);
  EXPECT_LT(std::fabs(ensemble.value(0, 0, 1)), 1e-15);
}

TEST(Ensemble, QuantitiesMayDependOnTheTime) {
  const System system = catalogue_system("chaotic");
  for (const int lanes : {1, 4, 8}) {
    EnsembleOptions options;
    options.run.method = "mp";
    options.run.step = 0.1;
    options.run.until = 1.25;
    options.run.every = 4;
    options.lanes = lanes;
    options.columns = {"t"};
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
      EnsembleOptions options{.run = {.method = method, .step = 0.7, .until = 6, .every = 1}};
      options.lanes = lanes;
      options.columns = {"a"};
      const Ensemble ensemble = integrate_ensemble(system, members, options);
      for (std::size_t j = 0; j < members.size(); ++j) {
        const MemberFailure *here = failure_of(ensemble, j), *first = failure_of(ensemble, 0);
        EXPECT_EQ(here == nullptr, first == nullptr) << method << ", " << lanes;
        if (here && first) {
          EXPECT_EQ(here->t, first->t) << method << ", lanes " << lanes << ", member " << j;
        }
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
    EnsembleOptions options{.run = {.method = "nh-lobatto:2", .step = step, .until = 4, .every = 1}};
    const std::vector<InitialState> members(2, system.initial_state(system.parameter_values()));
    const Ensemble ensemble = integrate_ensemble(system, members, options);
    EXPECT_EQ(ensemble.failed, 2U) << stiffness << ", " << step;
    double largest_growth = 0, before = 2;
    for (std::size_t row = 0; row < ensemble.times.size(); ++row) {
      const double speed = std::fmax(std::fabs(ensemble.value(2, row, 1)), std::fabs(ensemble.value(3, row, 1)));
      if (std::isnan(speed)) break;
      largest_growth = std::fmax(largest_growth, speed / before);
      before = speed;
    }
    EXPECT_LT(largest_growth, 1e12) << stiffness << ", " << step;
  }
}

}  // namespace
}  // namespace noslip
