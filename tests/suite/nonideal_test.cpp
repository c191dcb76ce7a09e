// Dry friction proportional to a reaction (Jay 2009, sec. 3.3), in every method, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

/// A skate that turns at a constant rate omega needs the sideways force u omega to follow its blade; friction along the
/// blade of mu times that gives u' = -mu omega u.
System skate_with_friction() {
  return System::parse(R"toml(
    coordinates = ["x", "y", "theta"]
    lagrangian  = "(x'^2 + y'^2 + theta'^2)/2"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [parameters]
    mu = 0.2
    [nonideal]
    x = "-mu*abs(psi(1))*cos(theta)"
    y = "-mu*abs(psi(1))*sin(theta)"
    [initial]
    v = [2, 0, 1])toml");
}

/// A bead on a ring: the ring presses with s^2, and friction gives s' = -mu s^2. (g = x^2 + y^2 - 1 has |G| = 2.)
System bead_with_friction() {
  return System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2)/2"
    holonomic   = ["x^2 + y^2 = 1"]
    [parameters]
    mu = 0.2
    [nonideal]
    x = "2*mu*abs(psi(1))*y"
    y = "-2*mu*abs(psi(1))*x"
    [initial]
    q = [1, 0]
    v = [0, 2])toml");
}

/// A block that slides down a slope: x'' = g (sin a - mu cos a), in coordinates across which the slope runs.
TEST(Friction, OfABlockOnASlope) {
  const System block = System::parse(R"toml(
    coordinates = ["x", "y"]
    lagrangian  = "(x'^2 + y'^2) - 2*10*y"
    holonomic   = ["4*y = -3*x"]
    [parameters]
    mu = 0.2
    [nonideal]
    x = "-mu*5*abs(psi(1))*4/5"
    y = "mu*5*abs(psi(1))*3/5"
    [initial]
    v = [0.8, -0.6])toml");
  const double down = 10 * (0.6 - 0.2 * 0.8);
  for (const char* method : {"gauss:1", "gauss:2", "lobatto-ab:2", "lobatto-ab:3", "rattle"}) {
    const Trajectory run = integrate(block, testing::options(method, 0.05, 40));
    EXPECT_NEAR(run.last.v[0], 0.8 * (1 + down * 2), 1e-12) << method;
    EXPECT_NEAR(std::fabs(run.last.multipliers[0]), 2 * 10 * 0.8 / 5, 1e-10) << method;
    EXPECT_LT(run.balance.max_abs_error, 1e-11) << method;
  }
  for (const char* method : {"euler-true", "euler-natural"}) EXPECT_FALSE(testing::accepts(method, block)) << method;
}

struct Errors {
  double q, v, balance;
};

Errors errors(const System& system, const std::string& method, int steps) {
  RunOptions o = testing::options(method, 1.0 / steps, 0);
  o.until = 1;
  o.precision = Precision::long_double;
  const Trajectory run = integrate(system, o);
  EXPECT_EQ(run.outcome.status, Status::done) << method;
  const bool is_bead = !system.holonomic().empty();
  // skate: u = 2 exp(-t/5), x' = u cos(t), x = integral; bead: s = 2/(1 + 2 t/5), angle = 5 log(1 + 2 t/5)
  const double u = 2 * std::exp(-0.2), s = 2 / 1.4, angle = 5 * std::log(1.4);
  const double x = 2 * (0.2 + std::exp(-0.2) * (std::sin(1.0) - 0.2 * std::cos(1.0))) / 1.04;
  const double q = is_bead ? std::cos(angle) : x, v = is_bead ? s * std::cos(angle) : u * std::sin(1.0);
  return {std::fabs(run.last.q[0] - q), std::fabs(run.last.v[1] - v),
          std::fabs(run.balance.final - run.balance.initial)};
}

class EveryMethodWithFriction : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethodWithFriction, FollowsTheClosedForm) {
  const std::shared_ptr<const Method> method = find_method(GetParam());
  const int order = method->traits().order;
  const int steps = order <= 2 ? 64 : order <= 4 ? 8 : 3;
  for (const System& system : {skate_with_friction(), bead_with_friction()}) {
    if (!method->why_not(system).empty()) continue;
    const Errors coarse = errors(system, GetParam(), steps), fine = errors(system, GetParam(), 2 * steps);
    const auto falls = [&](double a, double b) { return b < 1e-13 || std::log2(a / b) > order - 0.35; };
    EXPECT_TRUE(falls(coarse.q, fine.q)) << coarse.q << ' ' << fine.q;
    EXPECT_TRUE(falls(coarse.v, fine.v)) << coarse.v << ' ' << fine.v;
    EXPECT_TRUE(falls(coarse.balance, fine.balance)) << coarse.balance << ' ' << fine.balance;
    EXPECT_LT(coarse.q, order == 1 ? 0.1 : 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodWithFriction, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace noslip
