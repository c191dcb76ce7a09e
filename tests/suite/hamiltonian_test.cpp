// A Lagrangian and its Hamiltonian give the same trajectory to rounding, with every method: with a Legendre transform
// in closed form and without one.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

struct Pair {
  const char* name;
  const char* lagrangian;
  const char* hamiltonian;
};

// The same initial data in velocities and in momenta.
const Pair pairs[] = {
    {"relativistic", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "-sqrt(1 - x'^2 - y'^2 - z'^2) - x^2/2 - y^2 - x*z^2/5"
      constraints = ["z' = y*x'"]
      [forces]
      y = "-y'/5 + sin(t)"
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 0.4, 0.06])toml",
     R"toml(
      coordinates = ["x", "y", "z"]
      hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + x^2/2 + y^2 + x*z^2/5"
      constraints = ["z' = y*x'"]
      [forces]
      y = "-y'/5 + sin(t)"
      [initial]
      q = [1, 0.2, 0]
      v = [0.3, 0.4, 0.06])toml"},
    {"closed", R"toml(
      coordinates = ["x", "y", "theta"]
      lagrangian  = "(x'^2 + y'^2)/2 + (2 + sin(x))*theta'^2/2 + x'*y'/3 + x*theta' - x*y"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml",
     R"toml(
      coordinates = ["x", "y", "theta"]
      hamiltonian = "9/16*(p(x)^2 + p(y)^2 - 2/3*p(x)*p(y)) + (p(theta) - x)^2/(2*(2 + sin(x))) + x*y"
      constraints = ["y'*cos(theta) = x'*sin(theta)"]
      [initial]
      q = [1, 0, 0.3]
      v = ["cos(3/10)", "sin(3/10)", 0.7])toml"},
    {"position", R"toml(
      coordinates = ["x", "y", "z"]
      lagrangian  = "-sqrt(1 - x'^2 - y'^2 - z'^2) - z"
      holonomic   = ["x^2 + y^2 + z^2 = 1"]
      [initial]
      q = [0.6, 0, -0.8]
      v = [0.4, 0.2, 0.3])toml",
     R"toml(
      coordinates = ["x", "y", "z"]
      hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + z"
      holonomic   = ["x^2 + y^2 + z^2 = 1"]
      [initial]
      q = [0.6, 0, -0.8]
      v = [0.4, 0.2, 0.3])toml"},
    // Five momenta are coupled by numbers and a parameter: the inverse of 1 + s 1 1^T is 1 - s/(1 + 5 s) 1 1^T.
    {"coupled", R"toml(
      coordinates = ["a", "b", "c", "d", "g"]
      lagrangian  = "(a'^2 + b'^2 + c'^2 + d'^2 + g'^2)/2 - s/(2 + 10*s)*(a' + b' + c' + d' + g')^2 - a^4 - b^2*c^2 - d^2 - g^2"
      constraints = ["a' = b*c'"]
      [parameters]
      s = 0.3
      [initial]
      q = [0.3, 0.2, -0.1, 0.5, 0]
      v = [0.08, 0.1, 0.4, -0.2, 0.1])toml",
     R"toml(
      coordinates = ["a", "b", "c", "d", "g"]
      hamiltonian = "(p(a)^2 + p(b)^2 + p(c)^2 + p(d)^2 + p(g)^2)/2 + s/2*(p(a) + p(b) + p(c) + p(d) + p(g))^2 + a^4 + b^2*c^2 + d^2 + g^2"
      constraints = ["a' = b*c'"]
      [parameters]
      s = 0.3
      [initial]
      q = [0.3, 0.2, -0.1, 0.5, 0]
      v = [0.08, 0.1, 0.4, -0.2, 0.1])toml"},
};

class EveryMethodOnHamiltonians : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethodOnHamiltonians, AgreesWithTheLagrangian) {
  for (const Pair& pair : pairs) {
    const System lagrangian = System::parse(pair.lagrangian, pair.name),
                 hamiltonian = System::parse(pair.hamiltonian, pair.name);
    const std::shared_ptr<const Method> method = find_method(GetParam());
    EXPECT_EQ(method->why_not(lagrangian).empty(), method->why_not(hamiltonian).empty()) << pair.name;
    if (!method->why_not(lagrangian).empty()) continue;
    const Trajectory a = integrate(lagrangian, testing::options(GetParam(), 0.1, 30));
    const Trajectory b = integrate(hamiltonian, testing::options(GetParam(), 0.1, 30));
    ASSERT_EQ(a.outcome.status, Status::done) << a.outcome.message;
    ASSERT_EQ(b.outcome.status, Status::done) << b.outcome.message;
    for (std::size_t i = 0; i < a.last.q.size(); ++i) {
      EXPECT_NEAR(a.last.q[i], b.last.q[i], 2e-13) << pair.name;
      EXPECT_NEAR(a.last.v[i], b.last.v[i], 2e-13) << pair.name;
    }
    EXPECT_NEAR(a.last.work, b.last.work, 2e-13) << pair.name;
    EXPECT_NEAR(a.last.energy, b.last.energy, 2e-13) << pair.name;
    for (std::size_t r = 0; r < a.last.multipliers.size(); ++r) {
      EXPECT_NEAR(a.last.multipliers[r], b.last.multipliers[r], 2e-10) << pair.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethodOnHamiltonians, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

TEST(Hamiltonian, MomentaMayBeLeftOutOfAnInitialState) {
  const System system = System::parse(pairs[0].hamiltonian);
  RunOptions options = testing::options("gauss:2", 0.1, 10);
  const Trajectory by_file = integrate(system, options);
  const Trajectory by_hand = integrate(system, {0, {1, 0.2, 0}, {0.3, 0.4, 0.06}, {}}, options);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(by_file.last.q[i], by_hand.last.q[i], 1e-14);
}

/// Gauss methods keep a quadratic first integral of the momenta, and the Hamiltonian without drift.
TEST(Hamiltonian, RelativisticParticleOnASphereKeepsItsAngularMomentum) {
  const System system = System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    hamiltonian = "sqrt(1 + p(x)^2 + p(y)^2 + p(z)^2) + z"
    holonomic   = ["x^2 + y^2 + z^2 = 1"]
    [invariants]
    spin = "x*p(y) - y*p(x)"
    [initial]
    q = [0.6, 0, -0.8]
    v = [0.4, 0.2, 0.3])toml");
  const Trajectory run = integrate(system, testing::options("gauss:2", 0.05, 20'000));
  ASSERT_EQ(run.invariants.size(), 1u);
  EXPECT_LE(run.invariants[0].max_abs_error, 1e-13);
  EXPECT_LE(run.holonomic.max_abs, 2e-15);
  EXPECT_LE(run.holonomic.max_abs_rate, 2e-15);
  EXPECT_LE(std::fabs(run.energy.drift_per_time) * 1000, 0.05 * run.energy.max_abs_error);
}

}  // namespace
}  // namespace noslip
