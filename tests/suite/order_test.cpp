// Measured orders of every method, of q, v and the multipliers apart, on systems that hide nothing: a mass matrix that
// depends on q, two constraints, nonlinear and time-dependent constraints.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "suite/members.hpp"
#include "support/order_cases.hpp"

namespace noslip {
namespace {

constexpr double end = 1;
/// The cases that leave nothing out.
const std::vector<std::string> hard = {"mass_of_q", "two_constraints", "all_at_once", "on_group"};
constexpr double rounding_of_state = 1e-15, rounding_of_multipliers = 1e-14;

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i] - b[i])));
  return largest;
}

Trajectory run(const System& system, const std::string& method, long long steps, Precision precision) {
  RunOptions o = testing::options(method, end / static_cast<double>(steps), 0);
  o.until = end;
  o.precision = precision;
  return integrate(system, o);
}

/// Errors of runs with 4, 8, 16, ... steps.
struct Errors {
  std::vector<double> q, v, multipliers;
};

/// Slope between the two finest runs whose errors are far from rounding.
double slope(const std::vector<double>& errors, double rounding) {
  std::size_t last = 1;
  while (last + 1 < errors.size() && errors[last + 1] > rounding) ++last;
  return std::log2(errors[last - 1] / errors[last]);
}

Errors measure(const System& system, const std::string& method, const QuadState& exact) {
  Errors errors;
  for (long long steps = 4; steps <= 1024; steps *= 2) {
    const Trajectory here = run(system, method, steps, Precision::long_double);
    EXPECT_EQ(here.outcome.status, Status::done) << method << ": " << here.outcome.message;
    errors.q.push_back(distance(here.last_quad.q, exact.q));
    errors.v.push_back(distance(here.last_quad.v, exact.v));
    errors.multipliers.push_back(distance(here.last_quad.multipliers, exact.multipliers));
    const bool is_fine = std::max(errors.q.back(), errors.v.back()) < 1e-6 && errors.multipliers.back() < 1e-4;
    const bool is_enough = steps >= 128 && is_fine;
    const bool is_rounding = std::min(errors.q.back(), errors.v.back()) < rounding_of_state &&
                             errors.multipliers.back() < 1e3 * rounding_of_multipliers;
    if (errors.q.size() > 2 && (is_enough || is_rounding)) break;
  }
  return errors;
}

class Order : public ::testing::TestWithParam<std::string> {};

TEST_P(Order, IsTheClaimedOne) {
  const MethodTraits traits = find_method(GetParam())->traits();
  static std::map<std::string, QuadState> exact;
  // Where every variable has a part of the energy to itself, coordinate increments are a symmetric discrete gradient.
  // Where the mass matrix is constant, mp-hilden is mp.
  const bool is_better_on_some = GetParam() == "itoh-abe" || GetParam() == "mp-hilden";
  double lowest = is_better_on_some ? 100 : traits.order;
  for (const testing::OrderCase& each : testing::order_cases) {
    if (std::find(hard.begin(), hard.end(), each.name) == hard.end()) continue;
    const System system = System::parse(each.toml, each.name);
    if (!testing::accepts(GetParam(), system)) continue;
    if (!exact.contains(each.name)) exact[each.name] = run(system, "gauss:8", 20, Precision::quadruple).last_quad;
    const Errors errors = measure(system, GetParam(), exact[each.name]);
    const double q = slope(errors.q, rounding_of_state), v = slope(errors.v, rounding_of_state);
    if (is_better_on_some) {
      EXPECT_GT(std::min(q, v), traits.order - 0.15) << each.name;
      lowest = std::min({lowest, q, v});
      continue;
    }
    EXPECT_NEAR(v, traits.order, 0.15) << each.name << ", v";
    // Standard methods that leave the constraint lose their order in the velocities; positions are better than claimed.
    EXPECT_GT(q, traits.order - 0.15) << each.name << ", q";
    if (traits.keeps_constraints) {
      EXPECT_LT(q, traits.order + 0.15) << each.name << ", q";
    }
    if (traits.multiplier_order > 0) {
      EXPECT_NEAR(slope(errors.multipliers, rounding_of_multipliers), traits.multiplier_order, 0.15)
          << each.name << ", multipliers";
    }
  }
  EXPECT_NEAR(lowest, traits.order, 0.15);
}

INSTANTIATE_TEST_SUITE_P(All, Order, ::testing::ValuesIn(testing::all_methods()),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
