// States on Lie groups as an independent program gives them: 002, sections 7.4 and 7.5.
#include <gtest/gtest.h>

#include "suite/members.hpp"

namespace noslip {
namespace {

Trajectory after_one(const char* system, const std::string& method) {
  return integrate(catalogue_system(system), testing::options(method, 0.1, 10));
}

void expect_close(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  EXPECT_LE(testing::distance(found, expected), 1e-12) << what;
}

struct UnicycleState {
  const char* method;
  std::vector<double> q, momenta;
  double lambda;
};

TEST(GroupStates, UnicycleWithASpring) {
  const UnicycleState states[] = {
      {"nh-lobatto:2",
       {1.20437998641648, 0.582625160856621, 1.50316182368498},
       {-0.314776170828608, 0, 0.6},
       -1.55396954697195},
      {"nh-lobatto:3",
       {1.20569589199148, 0.577859987770645, 1.50000226471043},
       {-0.319955084290809, 0, 0.6},
       -1.5503009981298},
      {"nh-lobatto:2,map=exp",
       {1.20406083307887, 0.58220541768111, 1.49992251887598},
       {-0.315796824989006, 0, 0.6},
       -1.54832795516079},
  };
  for (const UnicycleState& state : states) {
    const Sample end = after_one("unicycle-spring", state.method).last;
    expect_close(end.q, state.q, state.method);
    expect_close({end.v[0], end.v[1], 0.5 * end.v[2]}, state.momenta, state.method);
    expect_close(end.multipliers, {state.lambda}, state.method);
  }
}

TEST(GroupStates, BallOnATurntable) {
  const std::vector<double> velocities = {0.590252118427697, 0.872625422229794, 0.7, 0.0509498311080823,
                                          0.536100847371079};
  const std::vector<double> multipliers = {-0.153178247826983, 0.0145406517284843};
  const Sample cay = after_one("turntable-ball", "nh-lobatto:2").last;
  expect_close(cay.q,
               {0.556901864687225, -0.406098764067822, 0.724530266400569, 0.737119511453292, 0.643659942162359,
                -0.205807445663194, -0.38277296004649, 0.648679946258658, 0.657798744586148, 1.12635296579878,
                0.821675591121712},
               "cay");
  expect_close(cay.v, velocities, "cay");
  expect_close(cay.multipliers, multipliers, "cay");
  const Sample exp = after_one("turntable-ball", "nh-lobatto:2,map=exp").last;
  expect_close(
      exp.q,
      {0.558643952659406, -0.406054634646989, 0.723212671237705, 0.735811878799191, 0.645021813463958,
       -0.20622254768495, -0.382750327465675, 0.64735345356101, 0.659117359039763, 1.12635296579878, 0.821675591121712},
      "exp");
  expect_close(exp.v, velocities, "exp");
  expect_close(exp.multipliers, multipliers, "exp");
}

/// The multiplier at the start belongs to the continuous problem.
TEST(GroupStates, MultipliersAtTheStart) {
  const auto at_start = [](const char* name) {
    const System system = catalogue_system(name);
    RunOptions o = testing::options("nh-lobatto:2", 0.1, 1);
    o.every = 1;
    return integrate(system, o).samples.front().multipliers;
  };
  expect_close(at_start("unicycle-spring"), {1.14214803790146}, "unicycle-spring");
  expect_close(at_start("turntable-ball"), {-0.142857142857143, 0.0571428571428572}, "turntable-ball");
}

}  // namespace
}  // namespace noslip
