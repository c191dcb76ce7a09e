// Theorem 6.1 of Jay 2009 along runs: discrete Lagrangian, discrete forces, forced discrete Euler-Lagrange equations.
#include <gtest/gtest.h>

#include <noslip/run/discrete_lagrangian.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

System forced_sleigh() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2)/2 + theta'^2 + theta'*(y'*cos(theta) - x'*sin(theta)) - (y + sin(theta)) - x^2*cos(t)/4"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [forces]
    x = "-x'/5"
    theta = "sin(2*t)"
    [initial]
    q = [1, 0, 0.3]
    v = ["cos(3/10)", "sin(3/10)", 0.7])toml");
}

System two_constraints() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "phi", "theta"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + 3/2*theta'^2 - 2*sin(theta) - x*y/5"
    constraints = ["x' = cos(phi)*theta'", "y' = sin(phi)*theta'"]
    [initial]
    v = [1, 0, 0.7, 1])toml");
}

const char* const methods[] = {"gauss:1",      "gauss:2",      "gauss:3",       "lobatto-ab:2",
                               "lobatto-ab:3", "lobatto-ab:4", "lobatto-abd:2", "lobatto-abd:3",
                               "euler-a",      "euler-b",      "lobatto-d:2"};

TEST(DiscreteLagrangian, StepsObeyTheForcedDiscreteEulerLagrangeEquations) {
  const double h = 0.1;
  for (const System& system : {testing::skate(), testing::curved_particle(), forced_sleigh(), two_constraints()}) {
    for (const char* method : methods) {
      const DiscreteLagrangian discrete(system, method, system.parameter_values());
      InitialState state = system.initial_state(system.parameter_values());
      DiscreteStep before = discrete.step(state.t, state.q, state.v, h);
      for (int k = 1; k < 6; ++k) {
        const DiscreteStep here = discrete.step(state.t + k * h, before.q1, before.v1, h);
        for (int i = 0; i < system.dimension(); ++i) {
          // The momenta at the end of one step are those at the start of the next, found from the one and the other.
          EXPECT_NEAR(before.gradient1[i] + before.force_plus[i], before.p1[i], 2e-13) << method;
          EXPECT_NEAR(here.gradient0[i] + here.force_minus[i], -here.p0[i], 2e-13) << method;
          EXPECT_NEAR(before.gradient1[i] + here.gradient0[i] + before.force_plus[i] + here.force_minus[i], 0, 4e-13)
              << method << " on " << system.name() << ", step " << k;
        }
        before = here;
      }
    }
  }
}

TEST(DiscreteLagrangian, StepsAreThoseOfARun) {
  for (const char* method : methods) {
    const System system = forced_sleigh();
    const InitialState state = system.initial_state({});
    const DiscreteStep step = DiscreteLagrangian(system, method, {}).step(0, state.q, state.v, 0.1);
    const Trajectory run = integrate(system, testing::options(method, 0.1, 0.1));
    EXPECT_LT(testing::distance(step.q1, run.last.q), 1e-14) << method;
    EXPECT_LT(testing::distance(step.v1, run.last.v), 1e-14) << method;
  }
}

TEST(DiscreteLagrangian, GradientsAreThoseOfItsValues) {
  for (const char* method : methods) {
    const System system = forced_sleigh();
    const InitialState state = system.initial_state({});
    const DiscreteLagrangian discrete(system, method, {});
    const DiscreteStep step = discrete.step(0, state.q, state.v, 0.1);
    EXPECT_NEAR(discrete.value(step, step.q0, step.q1), step.lagrangian, 1e-15) << method;
    const double e = 1e-4;
    for (int i = 0; i < 3; ++i) {
      const auto difference = [&](int side, double by) {
        std::vector<double> q0 = step.q0, q1 = step.q1;
        (side == 0 ? q0 : q1)[i] += by;
        return discrete.value(step, q0, q1);
      };
      for (int side = 0; side < 2; ++side) {
        const auto central = [&](double by) { return (difference(side, by) - difference(side, -by)) / (2 * by); };
        const double slope = (4 * central(e) - central(2 * e)) / 3;
        EXPECT_NEAR(slope, (side == 0 ? step.gradient0 : step.gradient1)[i], 2e-10) << method << ", " << side << i;
      }
    }
  }
}

TEST(DiscreteLagrangian, IsAntisymmetricForSymmetricMethods) {
  // Backwards from the end of a step, L_d and the forces change roles and signs.
  for (const char* method : {"gauss:2", "lobatto-ab:3", "lobatto-abd:2"}) {
    const System system = two_constraints();
    const InitialState state = system.initial_state({});
    const DiscreteLagrangian discrete(system, method, {});
    const DiscreteStep there = discrete.step(0, state.q, state.v, 0.1);
    const DiscreteStep back = discrete.step(0.1, there.q1, there.v1, -0.1);
    EXPECT_NEAR(back.lagrangian, -there.lagrangian, 1e-14) << method;
    EXPECT_LT(testing::distance(back.q1, there.q0), 1e-14) << method;
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(back.force_plus[i], -there.force_minus[i], 1e-13) << method;
      EXPECT_NEAR(back.force_minus[i], -there.force_plus[i], 1e-13) << method;
    }
  }
}

TEST(DiscreteLagrangian, IsRefusedWhereTheTheoremSaysNothing) {
  for (const char* method : {"mp", "nh-lobatto:2", "lobatto-ad:2", "rk-gauss:2", "srk-radau-ia:2"}) {
    EXPECT_THROW(DiscreteLagrangian(testing::skate(), method, {}), InputError) << method;
  }
}

}  // namespace
}  // namespace noslip
