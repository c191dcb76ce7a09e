// What every method has to do on every system that it accepts.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "suite/bare_stepper.hpp"
#include "suite/members.hpp"
#include "support/allocations.hpp"
#include "support/figures.hpp"

namespace noslip {
namespace {

using testing::options;

class EveryMethod : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string& name() const { return GetParam(); }
  MethodTraits traits() const { return find_method(name())->traits(); }
};

double largest(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::fabs(value));
  return size;
}

TEST_P(EveryMethod, KeepsTheConstraintsAnnouncesNothingAndIsTheSameInBothBackends) {
  int compared = 0;
  for (const System& system : testing::systems_for(name())) {
    RunOptions o = options(name(), testing::step_for(name(), system), 25);
    const Trajectory run = integrate(system, o);
    ASSERT_EQ(run.outcome.status, Status::done) << system.name() << ": " << run.outcome.message;
    for (const Warning& warning : run.warnings) {
      EXPECT_TRUE((warning.code == "constraints" && !traits().keeps_constraints) ||
                  (warning.code == "step" && traits().order == 1))
          << system.name() << ": " << warning.code << ": " << warning.message;
    }
    if (traits().keeps_constraints) {
      const double size = 1 + largest(run.last.q) + largest(run.last.v);
      EXPECT_LE(run.constraints.max_abs, 8 * std::numeric_limits<double>::epsilon() * size) << system.name();
    }
    if (!why_no_machine_code().empty()) continue;
    o.backend = Backend::interpreter;
    const Trajectory interpreted = integrate(system, o);
    EXPECT_EQ(run.about.backend, Backend::jit) << system.name();
    EXPECT_EQ(interpreted.about.backend, Backend::interpreter) << system.name();
    EXPECT_EQ(run.last.q, interpreted.last.q) << system.name();
    EXPECT_EQ(run.last.v, interpreted.last.v) << system.name();
    EXPECT_EQ(run.last.multipliers, interpreted.last.multipliers) << system.name();
    EXPECT_EQ(run.last.work, interpreted.last.work) << system.name();
    EXPECT_EQ(run.solver.iterations_mean, interpreted.solver.iterations_mean) << system.name();
    ++compared;
  }
  test::figure("pairs_in_back_ends", compared);
}

TEST_P(EveryMethod, AllocatesNothingFromTheSecondStepOn) {
  if (!testing::counts_allocations) GTEST_SKIP() << "the sanitizer has its own allocator";
  for (const System& system : testing::systems_for(name())) {
    std::vector<double> state;
    const double h = testing::without_controller(system, 0.02);
    LaneStepper<double> stepper = testing::bare_stepper(system, name(), h, state);
    ASSERT_TRUE(stepper.step(0, h));
    const long long before = testing::allocations;
    EXPECT_EQ(stepper.advance(0, h, 1, 40), 40) << system.name();
    EXPECT_EQ(testing::allocations, before) << system.name();
  }
}

TEST_P(EveryMethod, GoesBackWhereItIsSymmetric) {
  if (!traits().symmetric) GTEST_SKIP() << "not symmetric";
  for (const System& system : testing::systems_for(name())) {
    // Coordinates of a group around the start of a step.
    if (!traits().is_symmetric_on(system)) continue;
    // The splitting of a dae2 system has parts with coefficients that are not symmetric.
    if (system.offers().given_multipliers && name().starts_with("spark-lobatto")) continue;
    // Steps of standard Gauss methods amplify what is off the constraint. A basis by QR changes with the sign of a
    // pivot, and the step in which that happens is not symmetric: a swivel must not turn too far, and of a pivot that
    // is zero at the start a step back would see the other side.
    const int steps = traits().chooses_basis ? 3 : traits().keeps_constraints ? 10 : 1;
    const double h = testing::without_controller(system, 0.05);
    std::vector<double> start, there(0), back;
    LaneStepper<double> stepper = testing::bare_stepper(system, name(), h, start);
    if (traits().chooses_basis) {
      ASSERT_TRUE(stepper.step(-h, h)) << system.name();
      stepper.copy_state(0, start);
    }
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(stepper.step(i * h, h)) << system.name();
    there.resize(start.size());
    stepper.copy_state(0, there);
    for (int i = steps; i > 0; --i) ASSERT_TRUE(stepper.step(i * h, -h)) << system.name();
    back.resize(start.size());
    stepper.copy_state(0, back);
    const std::size_t multipliers = system.q().size() + system.v().size();
    const std::size_t compared =
        std::min(start.size(), multipliers + system.constraints().size() + (system.structure().does_work ? 1 : 0));
    for (std::size_t i = 0; i < compared; ++i) {
      // A multiplier is an impulse divided by the step, and so is its rounding error; stages share the impulse.
      const double allowed = 2e-13 * (1 + largest(there)) * (i < multipliers ? 1 : std::max(1, traits().stages) / h);
      EXPECT_NEAR(back[i], start[i], allowed) << system.name() << ", component " << i;
    }
  }
}

TEST_P(EveryMethod, FailsWithTheLastGoodStateWhereverTheForceEnds) {
  const std::vector<std::string> mechanical = {"particle", "skate", "mobile-robot", "sleigh"};
  for (const std::string& system_name : mechanical) {
    for (const CatalogueEntry& entry : catalogue()) {
      if (entry.name != system_name) continue;
      for (int last = 0; last < 5; ++last) {
        // A force too small to be felt, and not a number after the time limit.
        const std::string first = catalogue_system(entry.name).coordinates().front();
        const std::string limit = std::to_string(0.1 * last + 0.0501);
        const System system =
            System::parse(entry.toml({}) + "\n[forces]\n" + first + " = \"1e-200*log(" + limit + " - t)\"\n");
        if (!testing::accepts(name(), system)) continue;
        const Trajectory run = integrate(system, options(name(), 0.1, 10));
        ASSERT_EQ(run.outcome.status, Status::failed) << system_name;
        EXPECT_FALSE(run.outcome.message.empty());
        EXPECT_GE(run.steps, last) << system_name;
        EXPECT_LE(run.steps, last + 1) << system_name;
        EXPECT_NEAR(run.last.t, 0.1 * static_cast<double>(run.steps), 1e-12);
        for (const auto& values : {run.last.q, run.last.v}) EXPECT_TRUE(std::isfinite(largest(values))) << system_name;
        EXPECT_TRUE(std::isfinite(run.energy.max_abs_error));
      }
    }
  }
}

TEST_P(EveryMethod, GoesOnWhereEverythingComesToRest) {
  // Velocities fade away; rounding errors of the forces that balance each other do not.
  const System damped = System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(1 + sin(theta)^2/4)*(x'^2 + y'^2)/2 + theta'^2/2 - (x - 1)^2 - (y - 2)^2/2 - (theta - 1/3)^2 - x*cos(y)/5"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [forces]
    x = "-x'"
    y = "-y'"
    theta = "-theta'"
    [initial]
    q = [0.3, 0.2, 0.1]
    v = ["cos(1/10)", "sin(1/10)", 0.5])toml");
  if (!testing::accepts(name(), damped)) return;
  const Trajectory run = integrate(damped, options(name(), 0.1, 3000));
  ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  // Standard Gauss methods do not damp what is off the constraint.
  if (traits().keeps_constraints) {
    EXPECT_LT(largest(run.last.v), 1e-9);
  }
}

TEST_P(EveryMethod, FollowsAnInvariantThatNeedsNoMultiplier) {
  if (!traits().index2) GTEST_SKIP() << "for mechanical systems";
  // The energy of a pendulum as a constraint: z is zero all along.
  const System pendulum = System::parse(R"toml(
    kind = "dae2"
    y = ["q", "p"]
    z = ["z"]
    f = [["p", "-sin(q)"], ["z*sin(q)", "z*p"]]
    g = ["p^2/2 - cos(q) = -cos(1)"]
    [initial]
    y = [1, 0]
    z = [0])toml");
  const Trajectory run = integrate(pendulum, options(name(), 0.02, 200));
  ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  const Trajectory exact = integrate(pendulum, options("srk-gauss:5", 0.02, 200));
  EXPECT_NEAR(run.last.q[0], exact.last.q[0], traits().order == 1 ? 0.1 : 1e-3);
  if (traits().multiplier_order > 1) {
    EXPECT_LT(std::fabs(run.last.multipliers[0]), 1e-2);
  }
}

TEST_P(EveryMethod, SaysWhyItCannotIntegrateASystem) {
  int refused = 0;
  for (const System& system : testing::all_systems()) {
    const std::string reason = find_method(name())->why_not(system);
    if (reason.empty()) continue;
    ++refused;
    EXPECT_GT(reason.size(), 30u);
    try {
      integrate(system, options(name(), 0.1, 1));
      FAIL() << system.name();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos);
    }
  }
  EXPECT_GT(refused, 0);  // one method for everything there is not
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
