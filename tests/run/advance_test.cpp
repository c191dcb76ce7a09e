// Many steps at once are the same as one after the other, bit for bit, in whichever way they run.
#include <cstring>

#include <gtest/gtest.h>

#include <noslip/run/lane_stepper.hpp>

#include "run/help.hpp"
#include "run/setup.hpp"

namespace noslip {
namespace {

using testing::options;

System chaotic() {
  return System::parse(R"toml(
    coordinates = ["x", "w1", "w2", "w3", "z1", "z2", "z3"]
    lagrangian  = """(x'^2 + w1'^2 + w2'^2 + w3'^2 + z1'^2 + z2'^2 + z3'^2)/2
      - (x^2 + w1^2 + w2^2 + w3^2 + z1^2 + z2^2 + z3^2 + z1^2*z2^2 + w1^2*z1^2 + w2^2*z2^2 + w3^2*z3^2)/2"""
    constraints = ["x' + w1*z1' + w2*z2' + w3*z3' = 0"]
    [initial]
    q = { x = 0.64, w1 = 0.6, w2 = 0.4, w3 = 0.2, z1 = 1, z2 = 1, z3 = 1 }
    v = { w1 = 0.77 }
  )toml");
}

System driven() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + z'^2)/2 - x^2 - y^2 + x*cos(3*t) + t*y/9"
    constraints = ["z' = y*x'"]
    [initial]
    q = [1, 0, 0]
    v = [0, 1, 0]
  )toml");
}

/// Angles that turn both ways, one of them fast.
System turning() {
  return System::parse(R"toml(
    angles      = ["phi", "a"]
    coordinates = ["x", "y", "phi", "a"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2 + a'^2)/2 + x + cos(a)"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [initial]
    q = { a = 1 }
    v = { phi = 3, a = -7 }
  )toml");
}

/// A skate that turns faster and faster. After 1300 steps of 1/2 it turns by half a turn in each: the pivot of mp,
/// cos(h/2 phi'), is zero there up to rounding errors.
System hastening() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "phi"]
    lagrangian  = "(x'^2 + y'^2 + phi'^2)/2 + x/100 + pi/325*phi"
    constraints = ["cos(phi)*y' = sin(phi)*x'"]
    [initial]
    v = { phi = 0 }
  )toml");
}

struct Side {
  Side(const System& system, const RunOptions& run_options, int lanes) : setup(system, nullptr, run_options, lanes, 0) {
    for (int l = 0; l < lanes; ++l) {
      std::vector<double> state = setup.start.state;
      // The first lane starts where the system says, the others with other velocities along the constraints.
      for (std::size_t i = state.size() / 2; i < state.size(); ++i) state[i] *= 1 + 0.01 * l;
      setup.stepper->set_state(l, state);
    }
    setup.stepper->prepare_to_advance();
  }
  RunSetup<double> setup;
  LaneStepper<double>& stepper = *setup.stepper;

  /// State, low parts and end multipliers of all lanes.
  std::vector<double> moving() const {
    const StepLayout& layout = setup.layout();
    const auto lanes = static_cast<std::size_t>(stepper.lanes());
    const double* first = stepper.workspace() + static_cast<std::size_t>(layout.state) * lanes;
    std::vector<double> values(first, first + static_cast<std::size_t>(layout.moving_count()) * lanes);
    for (int l = 0; l < stepper.lanes(); ++l) {
      for (int i = 0; i < layout.state_count; ++i) values.push_back(stepper.state(l, i));
    }
    return values;
  }
};

constexpr double t0 = 0.3;

/// Steps one by one until all lanes have failed; how many were made.
long long steps_in_a_row(LaneStepper<double>& stepper, double h, long long first, long long count) {
  unsigned failed = 0;
  for (long long i = 0; i < count; ++i) {
    if (stepper.step(t0 + h * static_cast<double>(first + i), h)) continue;
    for (int l = 0; l < stepper.lanes(); ++l) failed |= stepper.failed(l) ? 1U << l : 0U;
    if (failed == (1U << stepper.lanes()) - 1U) return i;
  }
  return count;
}

void expect_same(const System& system, const std::string& method, double h, Backend backend, int lanes) {
  RunOptions run_options = options(method, h, 1);
  run_options.backend = backend;
  Side one_by_one(system, run_options, lanes), at_once(system, run_options, lanes);
  long long first = 0;
  for (const long long count : {2, 63, 1100, 1, 2, 3, 64, 65, 300}) {
    const long long wanted = steps_in_a_row(one_by_one.stepper, h, first, count);
    ASSERT_EQ(at_once.stepper.advance(t0, h, first, count), wanted);
    const std::vector<double> a = one_by_one.moving(), b = at_once.moving();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(std::memcmp(&a[i], &b[i], sizeof(double)), 0)
          << "place " << i << " after " << first + count << " steps: " << a[i] << " and " << b[i];
    }
    for (int l = 0; l < lanes; ++l) ASSERT_EQ(one_by_one.stepper.failed(l), at_once.stepper.failed(l));
    if (wanted < count) return;
    first += count;
  }
}

void expect_same_in_every_way(const System& system, const std::string& method, double h) {
  for (const Backend backend : {Backend::automatic, Backend::interpreter}) {
    for (const int lanes : {1, 4, 8}) {
      SCOPED_TRACE(method + (backend == Backend::interpreter ? ", interpreter, " : ", ") + std::to_string(lanes));
      expect_same(system, method, h, backend, lanes);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

constexpr const char* methods[] = {"mp", "mp:4", "lobatto-ab:2", "euler-a"};

TEST(Advance, IsTheSameAsStepsForTheParticle) {
  for (const char* method : methods) expect_same_in_every_way(testing::particle(), method, 0.05);
}
TEST(Advance, IsTheSameAsStepsForTheSkate) {
  for (const char* method : methods) expect_same_in_every_way(testing::skate(), method, 0.1);
}
TEST(Advance, IsTheSameAsStepsForChaoticParticles) {
  for (const char* method : methods) expect_same_in_every_way(chaotic(), method, 0.05);
}
TEST(Advance, IsTheSameAsStepsForTheSleigh) {
  for (const char* method : methods) expect_same_in_every_way(testing::sleigh(), method, 0.05);
}
TEST(Advance, IsTheSameAsStepsWithForcesOfTime) {
  for (const char* method : methods) expect_same_in_every_way(driven(), method, 0.05);
}
TEST(Advance, IsTheSameAsStepsWithAnglesThatTurn) {
  for (const char* method : methods) expect_same_in_every_way(turning(), method, 0.05);
}

TEST(Advance, LoopsWhereStepsAreExplicit) {
  const auto can_loop = [](const System& system, const std::string& method) {
    return RunSetup<double>(system, nullptr, options(method, 0.05, 1), 1, 0).program->steps->plans.front().can_loop;
  };
  for (const auto& system : {testing::particle(), testing::skate(), chaotic(), driven(), turning(), hastening()}) {
    EXPECT_EQ(can_loop(system, "mp"), why_no_machine_code().empty());
  }
  EXPECT_FALSE(can_loop(testing::sleigh(), "gauss:2"));
}

TEST(Advance, IsTheSameAsStepsWhereAPivotVanishes) {
  const RunOptions run_options = options("mp", 0.5, 1);
  const RunSetup<double> setup(hastening(), nullptr, run_options, 1, 0);
  ASSERT_TRUE(setup.program->steps->plans.front().is_watched);
  setup.stepper->prepare_to_advance();
  ASSERT_EQ(setup.stepper->advance(0, 0.5, 0, 1290), 1290);
  EXPECT_EQ(setup.stepper->total_iterations(), 0);
  // Fewer steps than asked for, or one by another plan, which iterates.
  const long long done = setup.stepper->advance(0, 0.5, 1290, 20);
  EXPECT_TRUE(done < 20 || setup.stepper->total_iterations() > 0);
  expect_same_in_every_way(hastening(), "mp", 0.5);
}

}  // namespace
}  // namespace noslip
