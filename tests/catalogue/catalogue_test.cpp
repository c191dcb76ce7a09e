// The systems of the catalogue: consistent, with the numbers that the papers print.
#include <cmath>
#include <random>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <noslip/catalogue/catalogue.hpp>
#include <noslip/expr/derivative.hpp>
#include <noslip/model/continuous.hpp>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::joined;
using testing::Start;
using testing::start_of;
using testing::values;

TEST(Catalogue, AllStartsAreWellConditioned) {
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    const std::vector<double> parameters = system.parameter_values();
    const ContinuousState state = Continuous(system, parameters).require_consistent(system.initial_state(parameters));
    EXPECT_FALSE(condition_warning(state, 0)) << entry.name << ": " << state.condition;
    if (system.offers().skew_form) continue;  // nothing to solve
    EXPECT_LT(state.condition, 1e4) << entry.name;
  }
}

TEST(Catalogue, NamesAreSortedAndComplete) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    names.push_back(entry.name);
    EXPECT_FALSE(entry.summary.empty());
    const System system = catalogue_system(entry.name);
    EXPECT_EQ(system.description(), entry.summary);
    EXPECT_EQ(system.source(), entry.source);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"bicycle",
                                             "chaotic",
                                             "chaplygin-ball",
                                             "chaplygin-sleigh-se2",
                                             "charged-particle",
                                             "contact-oscillator",
                                             "cvt",
                                             "differential-drive",
                                             "double-pendulum",
                                             "gearbox",
                                             "heavy-top",
                                             "index2",
                                             "index2-split",
                                             "knife-edge-pendulum",
                                             "lattice",
                                             "links",
                                             "mobile-robot",
                                             "particle",
                                             "rattleback",
                                             "rigid-body",
                                             "roller-racer",
                                             "rolling-ball-in-bowl",
                                             "rolling-coin-so3",
                                             "rolling-disk",
                                             "rolling-wheel",
                                             "segway",
                                             "skate",
                                             "skateboard",
                                             "sleigh",
                                             "sleigh-reduced",
                                             "slider-crank",
                                             "snake",
                                             "snakeboard",
                                             "spherical-pendulum",
                                             "suslov",
                                             "suslov-so3",
                                             "trailers",
                                             "turntable-ball",
                                             "turntable-ball-spatial",
                                             "unicycle-spring"}));
}

TEST(Catalogue, UnknownNames) {
  try {
    catalogue_system("sliegh");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "unknown system 'sliegh'\n  did you mean 'sleigh'?");
  }
}

TEST(Catalogue, Sizes) {
  std::map<std::string, double> settings = {{"m", 5}, {"j", 2}};
  const System system = catalogue_system("chaotic", settings);
  EXPECT_EQ(system.dimension(), 11);
  EXPECT_EQ(settings, (std::map<std::string, double>{{"j", 2}}));
  for (const double wrong : {1.0, 2.5, 501.0, -3.0, std::nan(""), HUGE_VAL}) {
    std::map<std::string, double> bad = {{"m", wrong}};
    EXPECT_THROW(catalogue_system("chaotic", bad), InputError) << wrong;
  }
  EXPECT_NO_THROW(start_of("chaotic", {{"m", 2}}));
  EXPECT_NO_THROW(start_of("chaotic", {{"m", 40}}));
}

TEST(Catalogue, Particle) {
  const Start start = start_of("particle");
  EXPECT_EQ(start.continuous.energy, 1.5);
  EXPECT_EQ(start.system.constraints()[0].text, "z' = y*x'");
  EXPECT_TRUE(start.system.structure().constant_mass);
}

TEST(Catalogue, Sleigh) {
  const Start start = start_of("sleigh");
  EXPECT_EQ(start.continuous.multipliers, std::vector<double>{0.05});
  EXPECT_FALSE(start.system.structure().constant_mass);
}

TEST(Catalogue, RollingDisk) {
  const Start start = start_of("rolling-disk");
  EXPECT_EQ(start.state.v, (std::vector<double>{0.25, 0, 2, 1}));
  ASSERT_EQ(start.continuous.multipliers.size(), 2U);
  EXPECT_EQ(start.continuous.multipliers[0], 0);
  EXPECT_EQ(start.continuous.multipliers[1], 0.5);
}

TEST(Catalogue, Chaotic) {
  const Start paper = start_of("chaotic", {{"j", 3}});
  EXPECT_NEAR(paper.continuous.multipliers[0], 2.1500162844772, 1e-13);
  for (int j = 0; j <= 9; ++j) {
    EXPECT_NEAR(start_of("chaotic", {{"j", j}}).continuous.energy, 3.06, 1e-15) << j;
  }
  EXPECT_EQ(paper.state.q, (std::vector<double>{std::sqrt(0.75), 0.6, 0.4, 0.2, 1, 1, 1}));
}

TEST(Catalogue, ContactOscillatorHasTheEnergyItIsGiven) {
  EXPECT_DOUBLE_EQ(start_of("contact-oscillator").continuous.energy, 1.5);
  for (const double b : {0.5, 1.0, 1.2}) {
    for (const double epsilon : {0.0, 0.3, 0.8}) {
      const Start start = start_of(
          "contact-oscillator", {{"b", b}, {"epsilon", epsilon}, {"vz0", 0.3}, {"E0", 1.7}, {"z0", 0.4}, {"m", 1.3}});
      EXPECT_DOUBLE_EQ(start.continuous.energy, 1.7);
    }
  }
  // lambda_0 = (x0 + b z0)/(1 + b^2) for epsilon = 0, vz0 = 0
  const Start start = start_of("contact-oscillator", {{"b", 0.5}});
  EXPECT_DOUBLE_EQ(start.continuous.multipliers[0], (start.state.q[0] + 0.5 * -0.55) / 1.25);
}

TEST(Catalogue, CvtHasTheEnergiesOfThePaper) {
  const Start low = start_of("cvt"), high = start_of("cvt", {{"Ed", 3}, {"eps", 0.5}});
  EXPECT_DOUBLE_EQ(low.state.v[1], 3 * std::sqrt(10.0) / 5);
  EXPECT_DOUBLE_EQ(high.state.v[1], std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(low.continuous.energy, 1.8);
  EXPECT_DOUBLE_EQ(high.continuous.energy, 4);
  for (const auto& [start, driver] : {std::pair{&low, 0.8}, {&high, 3.0}}) {
    std::vector<Expr> energies;
    for (const auto& [name, expression] : start->system.invariants()) energies.push_back(expression);
    const std::vector<double> numbers = values(start->system, energies, joined(start->state, start->parameters));
    EXPECT_DOUBLE_EQ(numbers[0], driver);
    EXPECT_DOUBLE_EQ(numbers[1], 1);
  }
}

TEST(Catalogue, MobileRobotFollowsTheWheelRadius) {
  EXPECT_EQ(start_of("mobile-robot").state.v, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(start_of("mobile-robot", {{"ell", 0.5}}).state.v, (std::vector<double>{0.5, 0, 0, 1}));
}

/// y' = f, g = 0 and the hidden constraint along the exact solutions of the systems of index 2.
TEST(Catalogue, ExactSolutionsOfIndexTwo) {
  for (const std::string name : {"index2", "index2-split"}) {
    const Start start = start_of(name);
    const System& system = start.system;
    ASSERT_STREQ(system.kind(), "dae2");
    EXPECT_EQ(start.state.q, (std::vector<double>{1, 1}));
    EXPECT_EQ(start.state.z, std::vector<double>{1});
    Graph graph(system.graph());
    Substitution along(graph);
    std::vector<Expr> rates;
    ASSERT_EQ(system.exact().size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& [variable, solution] = system.exact()[i];
      EXPECT_EQ(variable, i < 2 ? system.coordinates()[i] : system.multiplier_names()[0]);
      along.replace(graph.symbol(variable), graph.counterpart(solution));
      rates.push_back(derivative(graph.counterpart(solution), graph.counterpart(system.t())));
    }
    std::vector<Expr> zero{along(system.constraints()[0].k), along(system.hidden_constraints()[0])};
    for (std::size_t i = 0; i < 2; ++i) zero.push_back(along(system.position_rates()[i]) - rates[i]);
    for (const double t : {0.0, 0.3, 1.0, 1.7}) {
      const std::vector<double> numbers = values(system, zero, {t, 0, 0, 0});
      for (const double number : numbers) EXPECT_NEAR(number, 0, 2e-13) << name << " at " << t;

      // The continuous problem finds z and its rate from y and a z nearby.
      const InitialState state{t, {std::exp(t), std::exp(-2 * t)}, {}, {1.1 * std::exp(2 * t)}};
      std::vector<Problem> problems;
      const ContinuousState continuous = Continuous(system, {}).evaluate(state, problems);
      ASSERT_TRUE(problems.empty());
      EXPECT_NEAR(continuous.multipliers[0] / std::exp(2 * t), 1, 1e-14);
      EXPECT_NEAR(continuous.multiplier_rates[0] / (2 * std::exp(2 * t)), 1, 1e-13);
      EXPECT_NEAR(continuous.rates[0] / std::exp(t), 1, 1e-13);
      EXPECT_NEAR(continuous.rates[1] / (-2 * std::exp(-2 * t)), 1, 1e-13);
    }
  }
}

TEST(Catalogue, TheSplittingHasFiveParts) {
  const System split = catalogue_system("index2-split"), single = catalogue_system("index2");
  for (const std::vector<Expr>& part : split.parts()) EXPECT_EQ(part.size(), 2U);
  for (const Expr rate : split.parts()[0]) EXPECT_FALSE(depends_on(rate, split.z()[0]));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(single.parts()[i].size(), i == 1 ? 2U : 0U);
}

/// The velocities with which positions change at these rates; those of the body on a group.
std::vector<double> velocities_of(const System& system, const std::vector<double>& rates,
                                  const std::vector<double>& at) {
  Eigen::MatrixXd frame(rates.size(), system.v().size());
  Graph graph(system.graph());
  const std::vector<Expr> q_rates = graph.counterparts(system.position_rates()),
                          v_here = graph.counterparts(system.v());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::vector<double> row = values(system, gradient(q_rates[i], v_here), at);
    frame.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::RowVectorXd>(row.data(), frame.cols());
  }
  const Eigen::Map<const Eigen::VectorXd> right(rates.data(), frame.rows());
  const Eigen::VectorXd v = frame.colPivHouseholderQr().solve(right);
  return {v.begin(), v.end()};
}

/// The exact solutions satisfy initial values, constraints and equations of motion, for other parameters too.
TEST(Catalogue, ExactSolutionsSolveTheEquations) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> positive(0.5, 2);
  int found = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    if (system.exact().size() != system.coordinates().size() || !system.offers().lagrangian) continue;
    ++found;
    std::vector<Expr> position;
    for (std::size_t i = 0; i < system.exact().size(); ++i) {
      EXPECT_EQ(system.exact()[i].first, system.coordinates()[i]);
      position.push_back(system.exact()[i].second);
    }
    for (int round = 0; round < 10; ++round) {
      std::vector<double> parameters = system.parameter_values();
      if (round > 0) {
        for (double& parameter : parameters) parameter = positive(random);
      }
      const InitialState initial = system.initial_state(parameters);
      const auto at = [&](double t) { return values(system, position, joined({t, initial.q, initial.v}, parameters)); };
      const double h = 1e-4;
      const auto state_at = [&](double t) {
        InitialState state{t, at(t), initial.v};
        const std::vector<double> p1 = at(t + h), m1 = at(t - h), p2 = at(t + 2 * h), m2 = at(t - 2 * h);
        std::vector<double> rates;
        for (std::size_t i = 0; i < p1.size(); ++i) rates.push_back((8 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12 * h));
        state.v = velocities_of(system, rates, joined(state, parameters));
        return state;
      };
      const InitialState first = state_at(0);
      const double t = 0.7 + 0.1 * round;
      const InitialState state = state_at(t), after = state_at(t + h), before = state_at(t - h);
      std::vector<Problem> problems;
      const ContinuousState continuous = Continuous(system, parameters).evaluate(state, problems);
      ASSERT_TRUE(problems.empty());
      EXPECT_LT(continuous.max_constraint, 1e-10);
      for (std::size_t i = 0; i < state.q.size(); ++i) {
        EXPECT_NEAR(first.q[i], initial.q[i], 1e-15) << entry.name;
        EXPECT_NEAR(first.v[i], initial.v[i], 1e-10) << entry.name;
        EXPECT_NEAR((after.v[i] - before.v[i]) / (2 * h), continuous.accelerations[i], 1e-6) << entry.name;
      }
    }
  }
  EXPECT_EQ(found, 3);  // skate, rolling-disk and unicycle-spring
}

}  // namespace
}  // namespace noslip
