// d/dt of energy and invariants along the continuous motion, at random consistent states and parameters.
#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::joined;
using testing::values;

/// f_q q' + f_v a
struct Rate {
  double value = 0, size = 0;  ///< the rate, and the sum of the sizes of its terms
};

Rate rate_of(const System& system, Expr f, const std::vector<double>& at, const std::vector<double>& rates,
             const std::vector<double>& a) {
  Graph graph(system.graph());
  std::vector<Expr> variables = graph.counterparts(system.q()), v = graph.counterparts(system.v());
  variables.insert(variables.end(), v.begin(), v.end());
  const std::vector<double> slopes = values(system, gradient(graph.counterpart(f), variables), at);
  Rate rate;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double term = slopes[i] * (i < rates.size() ? rates[i] : a[i - rates.size()]);
    rate.value += term;
    rate.size += std::fabs(term);
  }
  return rate;
}

struct Case {
  std::vector<double> parameters;
  InitialState state;
};

/// Any values; or such near the defaults where there are position constraints, which not all values can satisfy.
Case random_case(const System& system, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.5, 1.5), positive(0.5, 2), factor(0.8, 1.25);
  const bool anywhere = system.holonomic().empty();
  Case result{system.parameter_values(), {}};
  for (double& parameter : result.parameters) parameter = anywhere ? positive(random) : parameter * factor(random);
  if (!anywhere) result.state = system.initial_state(result.parameters);
  result.state.q.resize(system.q().size());
  result.state.v.resize(system.v().size());
  for (double& q : result.state.q) q += (anywhere ? 1 : 0.1) * any(random);
  for (double& v : result.state.v) v += any(random);
  return result;
}

/// Any position and velocity, and parameters near the defaults, with which bodies exist. What follows from others keeps
/// doing so: there are invariants of symmetric bodies.
Case random_case_on_group(const System& system, std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1.5, 1.5), factor(0.8, 1.25);
  std::map<std::string, double> settings;
  const std::vector<double> defaults = system.parameter_values();
  for (std::size_t i = 0; i < system.parameters().size(); ++i) {
    const Parameter& parameter = system.parameters()[i];
    if (parameter.default_value.is_constant()) settings[parameter.name] = defaults[i] * factor(random);
  }
  Case result{system.parameter_values(settings), {}};
  for (std::size_t i = 0; i < system.q().size(); ++i) result.state.q.push_back(any(random));
  for (std::size_t i = 0; i < system.v().size(); ++i) result.state.v.push_back(any(random));
  const std::vector<std::string>& names = system.coordinates();
  if (const auto matrix = std::find(names.begin(), names.end(), "R11"); matrix != names.end()) {
    const Eigen::Quaterniond turn(any(random), any(random), any(random), any(random));
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(&result.state.q[matrix - names.begin()]);
    R = turn.normalized().toRotationMatrix();
  }
  return result;
}

TEST(Catalogue, EnergyAndInvariantsAreConserved) {
  std::mt19937 random(7);
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    if (!system.has_energy()) continue;
    for (int round = 0; round < 20; ++round) {
      const auto [parameters, anything] =
          system.is_on_group() ? random_case_on_group(system, random) : random_case(system, random);
      const Continuous continuous(system, parameters);
      const InitialState state = continuous.project(anything);
      std::vector<Problem> problems;
      const ContinuousState now = continuous.evaluate(state, problems);
      ASSERT_TRUE(problems.empty()) << entry.name << ": " << problems[0].what;
      const std::vector<double> at = joined(state, parameters);
      const std::vector<double> rates =
          system.offers().lagrangian ? values(system, system.position_rates(), at) : now.rates;
      const std::vector<double>& a = now.accelerations;

      // Forces and constraints that move do work; what is called an invariant stays one.
      double power = 0;
      const std::vector<double> applied = values(system, system.applied_forces(), at);
      for (std::size_t i = 0; i < applied.size(); ++i) power += applied[i] * state.v[i];
      const std::vector<double> reactions = values(system, system.reaction_powers(), at);
      for (std::size_t i = 0; i < reactions.size(); ++i) power += reactions[i] * now.multipliers[i];
      const Rate energy = rate_of(system, system.energy(), at, rates, a);
      EXPECT_NEAR(energy.value, power, 1e-11 * (1 + energy.size)) << entry.name;
      for (const auto& [name, invariant] : system.invariants()) {
        const Rate rate = rate_of(system, invariant, at, rates, a);
        EXPECT_NEAR(rate.value, 0, 1e-11 * (1 + rate.size)) << entry.name << ": " << name;
      }
    }
  }
}

}  // namespace
}  // namespace noslip
