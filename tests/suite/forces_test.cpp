// Forces of time, position and velocity against closed forms, in every method.
#include <cmath>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/slope.hpp"

namespace noslip {
namespace {

constexpr long double damping = 0.25L;
constexpr double rounding = 1e-17;
constexpr long long most_steps = 1024;

struct Motion {
  long double x, v;
};

/// x'' = -x - 2 c x', x(0) = 1, x'(0) = 0
Motion damped(long double t) {
  const long double c = damping, w = std::sqrt(1 - c * c), decay = std::exp(-c * t);
  return {decay * (std::cos(w * t) + c / w * std::sin(w * t)), -decay / w * std::sin(w * t)};
}

/// x'' = -x + cos(2 t), x(0) = 1, x'(0) = 0
Motion driven(long double t) {
  return {(4 * std::cos(t) - std::cos(2 * t)) / 3, (-4 * std::sin(t) + 2 * std::sin(2 * t)) / 3};
}

double difference(quad computed, long double exact) {
  return std::fabs(static_cast<double>(static_cast<long double>(computed) - exact));
}

struct ForceCase {
  const char* name;
  const char* lagrangian;
  const char* force;
  Motion (*exact)(long double);
};

// The spring is a potential, a force, or half of each.
const ForceCase cases[] = {
    {"damped", "x'^2/2 - x^2/2", "-x'/2", damped},
    {"damped, the spring as a force", "x'^2/2", "-x - x'/2", damped},
    {"damped by a Lagrangian of time", "exp(t/2)*(x'^2 - x^2)/2", "0", damped},
    {"driven", "x'^2/2 - x^2/4", "cos(2*t) - x/2", driven},
    {"driven by a potential", "x'^2/2 - x^2/2 + x*cos(2*t)", "0", driven},
};

class Forces : public ::testing::TestWithParam<std::string> {};

TEST_P(Forces, EnterWithTheOrderOfTheMethod) {
  const int order = find_method(GetParam())->traits().order;
  for (const ForceCase& each : cases) {
    SystemText text;
    text.coordinates = {"x"};
    text.lagrangian = each.lagrangian;
    text.forces = {{"x", each.force}};
    text.q0 = {"1"};
    const System system = System::from(text);
    if (!testing::accepts(GetParam(), system)) continue;
    const Motion end = each.exact(2);
    testing::Slope q(rounding), v(rounding), balance(rounding);
    const auto is_settled = [&] { return q.is_settled() && v.is_settled() && balance.is_settled(); };
    for (long long steps = 8; steps <= most_steps && !is_settled(); steps *= 2) {
      RunOptions o = testing::options(GetParam(), 2.0 / static_cast<double>(steps), 0);
      o.until = 2;
      o.precision = Precision::long_double;
      const Trajectory run = integrate(system, o);
      ASSERT_EQ(run.outcome.status, Status::done) << each.name << ": " << run.outcome.message;
      q.add(difference(run.last_quad.q[0], end.x));
      v.add(difference(run.last_quad.v[0], end.v));
      balance.add(run.balance.max_abs_error);
    }
    EXPECT_GT(q.value(), order - 0.15) << each.name << ", q";
    EXPECT_GT(v.value(), order - 0.15) << each.name << ", v";
    // Gauss methods close the balance to rounding where the energy is quadratic and does not depend on time.
    if (!std::isnan(balance.value())) {
      EXPECT_GT(balance.value(), order - 0.15) << each.name << ", balance";
    } else {
      EXPECT_TRUE(balance.is_settled()) << each.name << ", balance";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Forces, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
