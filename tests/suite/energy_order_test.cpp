// Measured orders of energy-preserving methods, and what the choice of the basis changes.
#include <map>

#include <gtest/gtest.h>

#include "suite/energy_cases.hpp"
#include "support/slope.hpp"

namespace noslip {
namespace {

using testing::EnergyCase;
using testing::options;

constexpr double end = 1;

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i] - b[i])));
  return largest;
}

Trajectory run(const EnergyCase& each, const std::string& method, long long steps, Precision precision) {
  RunOptions o = options(method, end / static_cast<double>(steps), steps);
  o.precision = precision;
  o.project = true;  // starts have the digits of double precision
  return testing::run(each, o);
}

struct Orders {
  double q, v;
};

Orders measure(const EnergyCase& each, const std::string& method) {
  static std::map<std::string, QuadState> exact;
  if (!exact.contains(each.name)) exact[each.name] = run(each, "gauss:8", 20, Precision::quadruple).last_quad;
  testing::Slope q(1e-16), v(1e-16);
  for (long long steps = 8; steps <= 1024 && !(q.is_settled() && v.is_settled()); steps *= 2) {
    const Trajectory here = run(each, method, steps, Precision::long_double);
    EXPECT_EQ(here.outcome.status, Status::done) << method << ", " << each.name << ": " << here.outcome.message;
    q.add(distance(here.last_quad.q, exact[each.name].q));
    v.add(distance(here.last_quad.v, exact[each.name].v));
  }
  return {q.value(), v.value()};
}

struct Claim {
  const char* method;
  int order;
  /// Where the energy is a sum of functions of one variable each; there the order of the variables does not matter.
  int order_of_sums = order;
};

class EnergyOrder : public ::testing::TestWithParam<Claim> {};

TEST_P(EnergyOrder, IsMeasured) {
  for (const EnergyCase& each :
       {testing::started("gearbox", "gearbox"), testing::rotating_gearbox(), testing::gliding_sleigh(),
        testing::curving_robot(), testing::started("chaotic", "chaotic")}) {
    const Orders measured = measure(each, GetParam().method);
    const int order = std::string(each.name) == "chaotic" ? GetParam().order : GetParam().order_of_sums;
    EXPECT_NEAR(measured.q, order, 0.15) << each.name;
    EXPECT_NEAR(measured.v, order, 0.15) << each.name;
    EXPECT_EQ(find_method(GetParam().method)->traits().order, GetParam().order);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EnergyOrder,
                         ::testing::Values(Claim{"gonzalez", 2}, Claim{"avf", 2}, Claim{"itoh-abe", 1, 2},
                                           Claim{"gonzalez-full", 2}, Claim{"gonzalez,derivatives=differences", 2},
                                           Claim{"energy:1", 2}, Claim{"energy:2", 4}, Claim{"energy:3", 6}),
                         [](const auto& instance) {
                           std::string name = testing::test_name(instance.param.method);
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == ',' || c == '='; }, '_');
                           return name;
                         });

/// The gearbox with a basis that is not orthonormal.
EnergyCase gearbox_with_basis() {
  EnergyCase result = testing::rotating_gearbox();
  result.system = System::parse(R"toml(
    coordinates = ["q1", "q2", "q3"]
    angles      = ["q3"]
    lagrangian  = "1/2*(q1'^2 + q2'^2 + q3'^2) - 1/2*(q1^2 + q2^2) - cos(q3) + sin(2*q3)/5"
    constraints = ["q1' + sin(q3)*q2' = 0"]
    basis       = [["-sin(q3)", 1, 0], ["-q2/3*sin(q3)", "q2/3", 1]]
    )toml");
  return result;
}

TEST(EnergyBasis, ChangesTheStepButNotItsOrder) {
  const EnergyCase given = gearbox_with_basis(), computed = testing::rotating_gearbox();
  for (const Claim claim : {Claim{"gonzalez", 2}, Claim{"avf", 2}, Claim{"itoh-abe", 1}, Claim{"energy:2", 4}}) {
    const Orders measured = measure(given, claim.method);
    EXPECT_NEAR(measured.q, claim.order, 0.15) << claim.method;
    EXPECT_NEAR(measured.v, claim.order, 0.15) << claim.method;
    const Trajectory one = testing::run(given, options(claim.method, 0.1, 1));
    const Trajectory other = testing::run(computed, options(claim.method, 0.1, 1));
    EXPECT_GT(testing::distance(one.last.v, other.last.v), 1e-9) << claim.method;
    const Trajectory longer = testing::run(given, options(claim.method, 0.1, 1000));
    EXPECT_LT(testing::relative_energy_error(longer), 2e-14) << claim.method;
    EXPECT_LE(longer.constraints.max_abs, 2e-15) << claim.method;
  }
}

/// A constraint with constant coefficients, in the basis that QR finds or in another one.
EnergyCase plane(const std::string& basis) {
  return {"plane",
          System::parse(R"toml(
    coordinates = ["x", "y", "z"]
    lagrangian  = "(x'^2 + y'^2 + (2 + sin(x))*z'^2)/2 - x^2/2 - y^4/4 - x*y*z/5 - exp(z/3) + x*y'/3"
    constraints = ["3*x' + 4*y' = 0"]
    )toml" + basis),
          {0, {0.3, 0.5, -0.2}, {-0.8, 0.6, 0.7}, {}}};
}

double largest_difference(const std::string& method, const std::string& basis) {
  const Trajectory one = testing::run(plane(basis), options(method, 0.1, 100));
  const Trajectory other = testing::run(plane(""), options(method, 0.1, 100));
  EXPECT_EQ(one.outcome.status, Status::done) << method << ": " << one.outcome.message;
  return std::max(testing::distance(one.last.q, other.last.q), testing::distance(one.last.v, other.last.v));
}

TEST(EnergyBasis, OneThatIsConstantAndOrthonormalChangesNothing) {
  // The columns of QR, and turned by an angle.
  const std::string same = "basis = [['-4/5', '3/5', 0], [0, 0, 1]]\n";
  const std::string turned =
      "basis = [['-4/5*cos(1)', '3/5*cos(1)', 'sin(1)'], ['4/5*sin(1)', '-3/5*sin(1)', 'cos(1)']]\n";
  const std::string stretched = "basis = [[-4, 3, 0], [0, 0, '1/2']]\n";
  for (const std::string method : {"gonzalez", "avf", "itoh-abe", "energy:1", "energy:2", "energy:3"}) {
    EXPECT_LT(largest_difference(method, same), 1e-13) << method;
    const bool is_one_by_one = method == "itoh-abe";  // coordinates move one after the other
    if (is_one_by_one) {
      EXPECT_GT(largest_difference(method, turned), 1e-6);
    } else {
      EXPECT_LT(largest_difference(method, turned), 1e-13) << method;
    }
  }
  // A correction in the direction of the step depends on lengths; mean values do not.
  EXPECT_GT(largest_difference("gonzalez", stretched), 1e-9);
  EXPECT_LT(largest_difference("avf", stretched), 1e-13);
  EXPECT_LT(largest_difference("energy:2", stretched), 1e-13);
}

}  // namespace
}  // namespace noslip
