// Driven and damped systems: measured orders of every method in q and v, and of the balance of energy and work. Orders
// are bounded from both sides on systems that hide nothing: with a constant mass matrix some methods do better than
// claimed.
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/order_cases.hpp"
#include "support/slope.hpp"

namespace noslip {
namespace {

constexpr double length = 1, rounding = 1e-17;
constexpr long long most_steps = 1024;

Trajectory run(const System& system, const std::string& method, long long steps, Precision precision) {
  RunOptions o = testing::options(method, length / static_cast<double>(steps), 0);
  o.until = system.initial_state(system.parameter_values()).t + length;
  o.precision = precision;
  return integrate(system, o);
}

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i] - b[i])));
  return largest;
}

class Balance : public ::testing::TestWithParam<std::string> {
 protected:
  MethodTraits traits() const { return find_method(GetParam())->traits(); }
};

TEST_P(Balance, ClosesToTheOrderOfTheMethod) {
  const int order = traits().order;
  static std::map<std::string, QuadState> exact;
  for (const testing::OrderCase& each : testing::order_cases) {
    const std::string name = each.name;
    if (name != "damped" && name != "moving_edge" && name != "time" && name != "all_at_once") continue;
    const System system = System::parse(each.toml, name);
    if (!testing::accepts(GetParam(), system)) continue;
    ASSERT_TRUE(system.structure().does_work) << name;
    if (!exact.contains(name)) exact[name] = run(system, "gauss:8", 20, Precision::quadruple).last_quad;
    testing::Slope q(rounding), v(rounding), balance(rounding);
    double largest_balance = 0;
    const auto is_settled = [&] {
      return q.is_settled() && v.is_settled() && (balance.is_settled() || traits().keeps_energy);
    };
    for (long long steps = 8; steps <= most_steps && !is_settled(); steps *= 2) {
      const Trajectory here = run(system, GetParam(), steps, Precision::long_double);
      ASSERT_EQ(here.outcome.status, Status::done) << name << ": " << here.outcome.message;
      q.add(distance(here.last_quad.q, exact[name].q));
      v.add(distance(here.last_quad.v, exact[name].v));
      balance.add(here.balance.max_abs_error);
      largest_balance = std::max(largest_balance, here.balance.max_abs_error);
    }
    // Coordinate increments are a symmetric discrete gradient where the energy has one part for each variable.
    if (GetParam() != "itoh-abe") {
      EXPECT_LT(v.value(), order + 0.15) << name << ", v";
    }
    EXPECT_GT(v.value(), order - 0.15) << name << ", v";
    EXPECT_GT(q.value(), order - 0.15) << name << ", q";
    if (traits().keeps_energy) {  // then the work of the steps is what the energy changes by
      EXPECT_LT(largest_balance, 1e-16) << name;
      continue;
    }
    EXPECT_GT(balance.value(), order - 0.15) << name << ", balance";
    // Methods with the constraint at the stages and not at the end have errors of v that do not change the balance.
    if (!traits().keeps_constraints) continue;
    EXPECT_LT(q.value(), order + 0.15) << name << ", q";
    EXPECT_LT(balance.value(), order + 0.15) << name << ", balance";
  }
}

TEST_P(Balance, WorkOfAConstantForceIsForceTimesWay) {
  const System pushed = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2 - y^2"
    [forces]
    x = "3"
    [initial]
    q = [1, 1]
    v = [-2, 0])toml");
  const Trajectory here = integrate(pushed, testing::options(GetParam(), 0.1, 40));
  EXPECT_NEAR(here.last.work, 3 * (here.last.q[0] - 1), 1e-12);
  EXPECT_GT(std::fabs(here.last.work), 1);
}

TEST_P(Balance, ReactionsThatDoNoWorkAreLeftOut) {
  // No force acts where the motion goes, and the constraint is linear: W is zero to the last bit, E has its own error.
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z", "u"]
    lagrangian  = "(x'^2 + y'^2 + z'^2 + u'^2)/2 - x^2 - y^2 - x*y*z/3"
    constraints = ["z' = y*x'"]
    [forces]
    u = "-u'"
    [initial]
    q = [1, 0.2, 0, 0]
    v = [0.3, 1, 0.06, 0])toml");
  if (!testing::accepts(GetParam(), system)) return;
  const Trajectory here = integrate(system, testing::options(GetParam(), 0.1, 20));
  EXPECT_TRUE(here.balance.has_work);
  EXPECT_EQ(here.last.work, 0);
  EXPECT_EQ(here.balance.max_abs_error, here.energy.max_abs_error);
}

INSTANTIATE_TEST_SUITE_P(All, Balance, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
