// Equations that change along a motion: what a run says, and steps that end where they change.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>

#include "run/help.hpp"

namespace noslip {
namespace {

/// x'' = -x + force, from x = 0 with x' = 1.
System oscillator(const std::string& force, const std::string& more = "") {
  return System::parse("name = \"oscillator\"\ncoordinates = [\"x\"]\nlagrangian = \"1/2*(x'^2 - x^2)\"\n" + more +
                       "\n[forces]\nx = \"" + force + "\"\n[initial]\nv = [1]\n");
}

RunOptions options_of(const std::string& method, double step) {
  RunOptions options;
  options.method = method;
  options.step = step;
  options.until = 1;
  return options;
}

Trajectory run_of(const System& system, const std::string& method, double step, const std::string& event = "") {
  RunOptions options = options_of(method, step);
  if (!event.empty()) {
    options.events.push_back({event});
    options.land = true;
  }
  return integrate(system, options);
}

/// Of x(1), from one step size to half of it.
double measured_order(const System& system, const std::string& method, double exact, const std::string& event = "") {
  const double large = std::fabs(run_of(system, method, 0.05, event).last.q[0] - exact);
  const double small = std::fabs(run_of(system, method, 0.0125, event).last.q[0] - exact);
  return std::log2(large / small) / 2;
}

/// The force jumps by 1 where x = 1/2.
double behind_the_jump() {
  const double s = 1 - std::numbers::pi / 6;
  return 1 - 0.5 * std::cos(s) + std::sqrt(0.75) * std::sin(s);
}

const Warning* switches(const Trajectory& run) {
  for (const Warning& warning : run.warnings) {
    if (warning.code == "switches") return &warning;
  }
  return nullptr;
}

TEST(Switches, AJumpInsideAStepIsAnnouncedWithItsTime) {
  const Trajectory run = run_of(oscillator("if(x < 1/2, 0, 1)"), "gauss:2", 0.05);
  ASSERT_EQ(run.outcome.status, Status::done);
  const Warning* const warning = switches(run);
  ASSERT_NE(warning, nullptr);
  EXPECT_NEAR(warning->t, std::numbers::pi / 6, 0.002);
  EXPECT_EQ(warning->message.substr(0, 37), "1/2 - x changes its sign at t = 0.523");
  EXPECT_NE(warning->message.find("gauss:2 loses its order 4"), std::string::npos) << warning->message;
  EXPECT_NE(warning->message.find("\"1/2 - x\""), std::string::npos) << warning->message;
}

TEST(Switches, LandingRestoresTheOrder) {
  const System system = oscillator("if(x < 1/2, 0, 1)");
  EXPECT_LT(measured_order(system, "gauss:2", behind_the_jump()), 2);
  for (const auto& [method, order] : {std::pair{"gauss:1", 2}, {"gauss:2", 4}, {"mp", 2}}) {
    EXPECT_GT(measured_order(system, method, behind_the_jump(), "x - 1/2"), order - 0.5) << method;
  }
  const Trajectory run = run_of(system, "gauss:2", 0.05, "x - 1/2");
  EXPECT_EQ(switches(run), nullptr) << switches(run)->message;
  EXPECT_NEAR(run.last.q[0], behind_the_jump(), 1e-8);
  ASSERT_EQ(run.hits.size(), 1U);
  EXPECT_NEAR(run.hits[0].state.t, std::numbers::pi / 6, 1e-8);
}

TEST(Switches, ACornerCostsNothingAtSecondOrder) {
  const System system = oscillator("max(x, 1/2)");
  EXPECT_EQ(switches(run_of(system, "gauss:1", 0.05)), nullptr);
  ASSERT_NE(switches(run_of(system, "gauss:2", 0.05)), nullptr);
  EXPECT_NE(switches(run_of(system, "gauss:2", 0.05))->message.find("a corner there"), std::string::npos);
  EXPECT_EQ(switches(run_of(system, "gauss:2", 0.05, "x - 1/2")), nullptr);
}

TEST(Switches, StepsThatBeginWhereSomethingChangesLoseNothing) {
  const System system = oscillator("if(t < 1/2, 0, 1) + floor(4*t)");
  EXPECT_EQ(switches(run_of(system, "gauss:2", 0.05)), nullptr);
  const Trajectory run = run_of(system, "gauss:2", 0.04);
  ASSERT_NE(switches(run), nullptr);
  EXPECT_NEAR(switches(run)->t, 0.25, 1e-9);
  EXPECT_EQ(switches(run)->message.substr(0, 37), "4*t passes a whole number at t = 0.25");
  EXPECT_EQ(switches(run_of(system, "gauss:2", 0.04, "sin(pi*(4*t))")), nullptr);
  EXPECT_EQ(switches(run_of(oscillator("1"), "gauss:2", 0.04)), nullptr);
}

TEST(Switches, LandingNeedsNoActionAndChangesNothing) {
  const System system = oscillator("0");
  const Trajectory plain = run_of(system, "gauss:3", 0.1), landed = run_of(system, "gauss:3", 0.1, "x - 0.3");
  EXPECT_EQ(landed.outcome.status, Status::done);
  ASSERT_EQ(landed.hits.size(), 1U);
  EXPECT_NEAR(landed.hits[0].state.t, std::asin(0.3), 1e-9);
  EXPECT_NEAR(landed.last.q[0], plain.last.q[0], 1e-9);
  EXPECT_EQ(landed.warnings.size(), 0U);
  EXPECT_GT(landed.steps, plain.steps);
  RunOptions options = options_of("gauss:3", 0.1);
  options.events.push_back({"x"});  // zero at the start
  options.land = true;
  EXPECT_EQ(integrate(system, options).warnings.size(), 0U);
}

TEST(Switches, AStepWithoutSolutionAcrossAJumpIsMadeShorter) {
  const System system = System::parse(
      "coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[forces]\nx = \"if(x < 1, 1, -2*x)\"\n[initial]\nv = [0.3]\n");
  RunOptions options = options_of("gauss:2", 0.1);
  options.until = 3;
  EXPECT_EQ(integrate(system, options).outcome.status, Status::failed);
  options.events.push_back({"x - 1"});
  options.land = true;
  const Trajectory run = integrate(system, options);
  ASSERT_EQ(run.outcome.status, Status::done) << run.outcome.message;
  options.step = 0.01;
  EXPECT_NEAR(run.last.q[0], integrate(system, options).last.q[0], 1e-5);
}

const char* const points = "[[0, 0.3], [0.13, -0.2], [0.4, 0.5], [0.55, 0.1], [0.81, 0.7], [1.2, -0.4]]";

TEST(Switches, TablesKeepAsManyOrdersAsTheyHaveDerivatives) {
  const System lines = oscillator("f(t)", std::string("[tables]\nf = { points = ") + points + " }");
  const System spline = oscillator("f(t)", std::string("[tables]\nf = { points = ") + points + ", kind = \"cubic\" }");
  const auto exact = [](const System& system) { return run_of(system, "gauss:3", 1.0 / 32768).last.q[0]; };
  EXPECT_GT(measured_order(lines, "gauss:1", exact(lines)), 1.6);
  EXPECT_GT(measured_order(spline, "gauss:2", exact(spline)), 3.5);
  EXPECT_EQ(switches(run_of(lines, "gauss:1", 0.05)), nullptr);
  EXPECT_EQ(switches(run_of(spline, "gauss:2", 0.05)), nullptr);
  const Trajectory run = run_of(lines, "gauss:2", 0.05);
  ASSERT_NE(switches(run), nullptr);
  EXPECT_EQ(switches(run)->message.substr(0, 38), "f(t) passes its point 0.13 at t = 0.13") << switches(run)->message;
  EXPECT_NE(switches(run)->message.find("\"t = 0.13\""), std::string::npos);
  ASSERT_NE(switches(run_of(spline, "gauss:3", 0.05)), nullptr);
}

TEST(Switches, OutsideOfATableARunFailsOrGoesOn) {
  const std::string two = "[tables]\nf = { points = [[0, 1], [0.52, 2]], kind = \"cubic\"";
  const Trajectory held = run_of(oscillator("f(t)", two + " }"), "gauss:2", 0.05);
  EXPECT_EQ(held.outcome.status, Status::done);
  ASSERT_NE(switches(held), nullptr) << "the end is a corner";
  const Trajectory strict = run_of(oscillator("f(t)", two + ", outside = \"error\" }"), "gauss:2", 0.05);
  EXPECT_EQ(strict.outcome.status, Status::failed);
  EXPECT_NE(strict.outcome.message.find("f(0.5"), std::string::npos) << strict.outcome.message;
  EXPECT_NE(strict.outcome.message.find("has no value: the table goes from 0 to 0.52"), std::string::npos)
      << strict.outcome.message;
}

TEST(Switches, ConditionsAndTablesGiveTheSameBitsInBothBackEnds) {
  const System system = oscillator("if(x < 1/2 and t > 0.1, f(t + x), floor(3*x) - mod(x', 0.3)) + clamp(x, 0.1, 0.4)",
                                   std::string("[tables]\nf = { points = ") + points + ", kind = \"cubic\" }");
  for (const char* method : {"gauss:1", "gauss:3"}) {
    RunOptions options = options_of(method, 0.001);
    options.backend = Backend::interpreter;
    const Trajectory slow = integrate(system, options);
    options.backend = Backend::automatic;
    const Trajectory fast = integrate(system, options);
    EXPECT_EQ(slow.last.q[0], fast.last.q[0]);
    EXPECT_EQ(slow.last.v[0], fast.last.v[0]);
  }
}

TEST(Switches, ACheckpointRemembersTheFirstTime) {
  const System system = oscillator("if(x < 1/2, 0, 1) + f(t)", "[tables]\nf = { points = [[0, 0], [2, 0.1]] }");
  RunOptions options = options_of("gauss:2", 0.05);
  const Trajectory whole = integrate(system, options);
  std::string saved;
  options.until = 0.8;
  options.checkpoint = [&](const Checkpoint& checkpoint) { saved = checkpoint.state; };
  integrate(system, options);
  options.until = 1;
  options.from = saved;
  const Trajectory rest = integrate(system, options);
  ASSERT_NE(switches(rest), nullptr);
  EXPECT_EQ(switches(rest)->t, switches(whole)->t);
  EXPECT_EQ(rest.last.q[0], whole.last.q[0]);
  const System other = oscillator("if(x < 1/2, 0, 1) + f(t)", "[tables]\nf = { points = [[0, 0], [2, 0.2]] }");
  EXPECT_THROW(integrate(other, options), InputError);
}

}  // namespace
}  // namespace noslip
