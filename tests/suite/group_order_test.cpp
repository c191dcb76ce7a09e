// Measured orders of Martin de Diego and Sato 2022, sec. 7.4 and 7.5, on Lie groups: of positions, velocities and
// multipliers separately. (Orders of every method on groups are in order_test.cpp.)
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

struct GroupCase {
  const char* name;
  const char* system;
  std::map<std::string, double> set;
};

const GroupCase cases[] = {
    {"unicycle", "unicycle-spring", {}},
    {"ball", "turntable-ball", {}},
    {"uneven_ball", "turntable-ball", {{"a", 0.4}, {"b", 0.5}, {"c", 0.6}}},
    {"spatial_ball", "turntable-ball-spatial", {}},
};

double distance(const std::vector<quad>& a, const std::vector<quad>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::fabs(static_cast<double>(a[i] - b[i])));
  return largest;
}

QuadState at_one(const GroupCase& each, const std::string& method, long long steps) {
  RunOptions o = testing::options(method, 1.0 / static_cast<double>(steps), 0);
  o.until = 1;
  o.precision = Precision::quadruple;
  o.set = each.set;
  const Trajectory end = integrate(catalogue_system(each.system), o);
  EXPECT_EQ(end.outcome.status, Status::done) << end.outcome.message;
  return end.last_quad;
}

class GroupOrder : public ::testing::TestWithParam<std::string> {};

TEST_P(GroupOrder, IsTheOneOfMartin2022) {
  const MethodTraits traits = find_method(GetParam())->traits();
  for (const GroupCase& each : cases) {
    static std::map<std::string, QuadState> exact;
    if (!exact.contains(each.name)) exact[each.name] = at_one(each, "gauss:7,map=exp", 16);
    const QuadState& known = exact[each.name];
    // Numbers of steps of equal parity: errors of multipliers may change their sign from step to step.
    const QuadState coarse = at_one(each, GetParam(), 32), fine = at_one(each, GetParam(), 64);
    const auto slope = [](double before, double after) { return std::log2(before / after); };
    EXPECT_NEAR(slope(distance(coarse.q, known.q), distance(fine.q, known.q)), traits.order, 0.15) << each.name;
    EXPECT_NEAR(slope(distance(coarse.v, known.v), distance(fine.v, known.v)), traits.order, 0.15) << each.name;
    EXPECT_NEAR(slope(distance(coarse.multipliers, known.multipliers), distance(fine.multipliers, known.multipliers)),
                traits.multiplier_order, 0.15)
        << each.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GroupOrder,
                         ::testing::Values("nh-lobatto:2", "nh-lobatto:3", "nh-lobatto:4", "nh-lobatto:2,map=exp",
                                           "nh-lobatto:3,map=exp", "nh-lobatto:4,map=exp", "nh-lobatto:3,chart=middle",
                                           "gauss:2", "gauss:2,map=exp", "gauss:2,chart=start", "lobatto-ab:3"),
                         [](const auto& instance) { return testing::test_name(instance.param); });

}  // namespace
}  // namespace noslip
