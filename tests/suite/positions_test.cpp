// Position constraints, alone and together with velocity constraints: orders of q, v and both kinds of multipliers, the
// balance of energy, multipliers that are known, long runs.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/order_cases.hpp"

namespace noslip {
namespace {

constexpr double end = 1;

struct Errors {
  double q = 0, v = 0, of_velocities = 0, of_positions = 0, balance = 0;
};

Trajectory run(const System& system, const std::string& method, long long steps, Precision precision) {
  RunOptions o = testing::options(method, end / static_cast<double>(steps), 0);
  o.until = end;
  o.precision = precision;
  return integrate(system, o);
}

double distance(const std::vector<quad>& a, const std::vector<quad>& b, std::size_t first, std::size_t last) {
  double largest = 0;
  for (std::size_t i = first; i < last; ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i] - b[i])));
  return largest;
}

Errors errors_of(const System& system, const std::string& method, long long steps, Precision precision,
                 const QuadState& exact) {
  const Trajectory here = run(system, method, steps, precision);
  EXPECT_EQ(here.outcome.status, Status::done) << method << ": " << here.outcome.message;
  const double rounding = precision == Precision::quadruple ? 1e-28 : 1e-17;
  EXPECT_LE(here.constraints.max_abs, rounding) << method;
  EXPECT_LE(here.holonomic.max_abs, rounding) << method;
  EXPECT_LE(here.holonomic.max_abs_rate, rounding) << method;
  const std::size_t n = exact.q.size(), m = system.constraints().size(), all = exact.multipliers.size();
  return {distance(here.last_quad.q, exact.q, 0, n), distance(here.last_quad.v, exact.v, 0, n),
          distance(here.last_quad.multipliers, exact.multipliers, 0, m),
          distance(here.last_quad.multipliers, exact.multipliers, m, all), here.balance.max_abs_error};
}

class PositionOrder : public ::testing::TestWithParam<std::string> {};

TEST_P(PositionOrder, IsTheClaimedOne) {
  const std::shared_ptr<const Method> method = find_method(GetParam());
  const MethodTraits& traits = method->traits();
  for (const testing::OrderCase& each : testing::position_cases) {
    const System system = System::parse(each.toml, each.name);
    if (!method->why_not(system).empty()) continue;
    const QuadState exact = run(system, "gauss:8", 20, Precision::quadruple).last_quad;
    const auto slopes = [&](long long steps, Precision precision) {
      const Errors coarse = errors_of(system, GetParam(), steps, precision, exact);
      const Errors fine = errors_of(system, GetParam(), 2 * steps, precision, exact);
      const auto slope = [](double a, double b) { return std::log2(a / b); };
      return Errors{slope(coarse.q, fine.q), slope(coarse.v, fine.v), slope(coarse.of_velocities, fine.of_velocities),
                    slope(coarse.of_positions, fine.of_positions), slope(coarse.balance, fine.balance)};
    };
    const Errors states = slopes(80, Precision::quadruple);
    EXPECT_NEAR(states.q, traits.order, 0.15) << each.name << ", q";
    EXPECT_NEAR(states.v, traits.order, 0.15) << each.name << ", v";
    if (system.structure().does_work) {
      EXPECT_GT(states.balance, traits.order - 0.15) << each.name << ", balance of energy";
    }
    if (!system.constraints().empty() && traits.multiplier_order == traits.order) {
      EXPECT_NEAR(states.of_velocities, traits.order, 0.2) << each.name << ", multipliers of velocities";
    }
    // Other multipliers come to their order late, and have larger errors.
    const Errors late = slopes(160, Precision::long_double);
    EXPECT_NEAR(late.of_positions, traits.position_multiplier_order, 0.2) << each.name << ", multipliers of positions";
    if (!system.constraints().empty()) {
      EXPECT_GT(late.of_velocities, std::min(traits.multiplier_order, 4) - 0.2)
          << each.name << ", multipliers of velocities";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, PositionOrder,
                         ::testing::Values("gauss:1", "gauss:2", "gauss:3", "lobatto-ab:2", "lobatto-ab:3",
                                           "lobatto-ab:4", "rattle", "euler-true", "euler-natural"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST(Rattle, IsTwoStageLobatto) {
  const System system = catalogue_system("charged-particle");
  const Trajectory a = integrate(system, testing::options("rattle", 0.12, 200));
  const Trajectory b = integrate(system, testing::options("lobatto-ab:2", 0.12, 200));
  EXPECT_EQ(a.last.q, b.last.q);
  EXPECT_EQ(a.last.multipliers, b.last.multipliers);
}

/// The reaction of the ground on a wheel: m (g + z''), the multiplier of the contact.
TEST(Multipliers, OfAContactAreTheWeight) {
  const System block = System::parse(R"toml(
    coordinates = ["x", "z"]
    lagrangian  = "3*(x'^2 + z'^2)/2 - 3*9.81*z"
    holonomic   = ["z = x/2"]
    [initial]
    v = [0, 0])toml");
  for (const char* method : {"gauss:1", "gauss:3", "lobatto-ab:2", "lobatto-ab:3", "euler-true"}) {
    const Trajectory run = integrate(block, testing::options(method, 0.1, 10));
    ASSERT_EQ(run.last.multipliers.size(), 1u);
    // m g cos^2 of the slope; rounding of the positions, about 5, divided by the square of the step and a weight of
    // 1/12
    EXPECT_NEAR(run.last.multipliers[0], 3 * 9.81 / 1.25, 5e-12) << method;
  }
}

/// Long runs: nothing creeps.
TEST(LongRuns, OfWheelAndBicycleStayOnTheGround) {
  for (const char* name : {"rolling-wheel", "bicycle"}) {
    const Trajectory run = integrate(catalogue_system(name), testing::options("gauss:2", 0.01, 100'000));
    EXPECT_EQ(run.outcome.status, Status::done) << run.outcome.message;
    EXPECT_LE(run.constraints.max_abs, 1e-12) << name;
    EXPECT_LE(run.holonomic.max_abs, 1e-12) << name;
    EXPECT_LE(run.holonomic.max_abs_rate, 1e-12) << name;
    EXPECT_LE(std::fabs(run.energy.drift_per_time) * 1000, 0.1 * run.energy.max_abs_error) << name;
  }
}

}  // namespace
}  // namespace noslip
