// Controlled systems of the catalogue in motion: the robot stands, and the skater falls where the closed form says so.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

/// The skateboard with samples at any distance: the parameter `every`.
System skateboard() {
  const auto& entries = catalogue();
  const auto found =
      std::find_if(entries.begin(), entries.end(), [](const auto& entry) { return entry.name == "skateboard"; });
  std::string text = found->toml({});
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
  };
  replace("every = 0.01", "every = \"pause\"");
  replace("[parameters]", "[parameters]\npause = 0.01");
  return System::parse(text);
}

/// Of the lean from one maximum to another, late and many periods apart, when only the slowest oscillation is left.
double growth(const System& system, double every, double reflex) {
  RunOptions run;
  run.method = "gauss:1";
  run.step = every;
  run.until = 60;
  run.set = {{"pause", every}, {"reflex", reflex}, {"phi0", 1e-10}};
  run.events = {{.when = "phi'", .direction = Crossing::down}};
  const Trajectory result = integrate(system, run);
  EXPECT_EQ(result.outcome.status, Status::done) << result.outcome.message;
  const std::vector<EventHit>& hits = result.hits;
  if (hits.size() <= 11) return std::nan("");
  const Sample &first = hits[hits.size() - 11].state, &last = hits.back().state;
  return std::log(last.q[4] / first.q[4]) / (last.t - first.t);
}

double critical_reflex(const System& system, double every) {
  double low = 0.21, high = 0.25;
  EXPECT_LT(growth(system, every, low), 0);
  EXPECT_GT(growth(system, every, high), 0);
  for (int i = 0; i < 12; ++i) {
    const double middle = (low + high) / 2;
    (growth(system, every, middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

TEST(ControlledMotion, SkaterFallsAtTheCriticalDelay) {
  const System system = skateboard();
  const double coarse = critical_reflex(system, 0.02), fine = critical_reflex(system, 0.01);
  EXPECT_NEAR(fine - coarse, 0.005, 5e-4) << "half of the time between samples";
  EXPECT_NEAR(2 * fine - coarse, 0.2375, 1e-4);
}

TEST(ControlledMotion, RobotStandsUp) {
  RunOptions run;
  run.step = 0.005;
  run.until = 20;
  const Trajectory result = integrate(catalogue_system("segway"), run);
  EXPECT_EQ(result.outcome.status, Status::done);
  EXPECT_TRUE(result.warnings.empty());
  EXPECT_LT(std::fabs(result.last.q[1]), 1e-6);
  EXPECT_LT(result.balance.max_abs_error, 1e-8);
}

}  // namespace
}  // namespace noslip
