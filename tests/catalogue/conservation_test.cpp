// d/dt of energy and invariants along the continuous motion, at random consistent states and parameters.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <noslip/expr/derivative.hpp>

#include "catalogue/help.hpp"

namespace noslip {
namespace {

using testing::joined;
using testing::values;

/// f_q v + f_v a; v = x' where there are no velocities.
struct Rate {
  double value = 0, size = 0;  ///< the rate, and the sum of the sizes of its terms
};

Rate rate_of(const System& system, Expr f, const std::vector<double>& at, const std::vector<double>& v,
             const std::vector<double>& a) {
  std::vector<Expr> variables = system.q();
  variables.insert(variables.end(), system.v().begin(), system.v().end());
  const std::vector<double> slopes = values(system, gradient(f, variables), at);
  Rate rate;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double term = slopes[i] * (i < v.size() ? v[i] : a[i - v.size()]);
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

TEST(Catalogue, EnergyAndInvariantsAreConserved) {
  std::mt19937 random(7);
  for (const CatalogueEntry& entry : catalogue()) {
    const System system = catalogue_system(entry.name);
    if (!system.has_energy()) continue;
    for (int round = 0; round < 20; ++round) {
      const auto [parameters, anything] = random_case(system, random);
      const Continuous continuous(system, parameters);
      const InitialState state = continuous.project(anything);
      std::vector<Problem> problems;
      const ContinuousState now = continuous.evaluate(state, problems);
      ASSERT_TRUE(problems.empty()) << entry.name << ": " << problems[0].what;
      const std::vector<double>& v = system.kind() == SystemKind::mechanical ? state.v : now.rates;
      const std::vector<double>& a = now.accelerations;
      const std::vector<double> at = joined(state, parameters);

      // Forces do work; what is called an invariant stays one.
      double power = 0;
      const std::vector<double> applied = values(system, system.applied_forces(), at);
      for (std::size_t i = 0; i < applied.size(); ++i) power += applied[i] * state.v[i];
      const Rate energy = rate_of(system, system.energy(), at, v, a);
      EXPECT_NEAR(energy.value, power, 1e-11 * (1 + energy.size)) << entry.name;
      for (const auto& [name, invariant] : system.invariants()) {
        const Rate rate = rate_of(system, invariant, at, v, a);
        EXPECT_NEAR(rate.value, 0, 1e-11 * (1 + rate.size)) << entry.name << ": " << name;
      }
    }
  }
}

}  // namespace
}  // namespace noslip
