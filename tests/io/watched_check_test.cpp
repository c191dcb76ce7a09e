// Outputs and guards at the initial state, as `noslip check` tells them.
#include <cmath>

#include <gtest/gtest.h>

#include <noslip/io/check.hpp>

namespace noslip {
namespace {

const std::string named =
    "coordinates = ['x', 'y', 'theta']\nlagrangian = \"(x'^2 + y'^2 + theta'^2)/2 + x\"\n"
    "constraints = { blade = \"y'*cos(theta) = x'*sin(theta)\" }\n";

CheckReport checked(const std::string& text) { return check_system(System::parse(text), CheckOptions{}); }

TEST(CheckOutputs, HaveValuesAtTheInitialState) {
  const CheckReport report = checked(named +
                                     "[definitions]\nspeed2 = \"x'^2 + y'^2\"\n[parameters]\nmu = 2\n"
                                     "[invariants]\nspin = \"theta'\"\n"
                                     "[outputs]\nspeed = 'sqrt(speed2)'\nside = 'mu*lambda(blade)'\n"
                                     "all = 'speed + side + energy + spin + t'\n"
                                     "[initial]\nt = 0.5\nq = [0.1, 0, 0]\nv = [3, 0, 2]\n");
  ASSERT_EQ(report.outputs.size(), 3U);
  EXPECT_EQ(report.outputs[0], 3);
  EXPECT_EQ(report.outputs[1], 2 * report.continuous.multipliers[0]);
  EXPECT_NEAR(report.continuous.multipliers[0], 6, 1e-14);  // m v theta'
  EXPECT_NEAR(report.outputs[2], 3 + 12 + (6.5 - 0.1) + 2 + 0.5, 1e-13);
}

TEST(CheckOutputs, OnGroupsWithHamiltoniansAndInIndexTwo) {
  const CheckReport hamiltonian = checked(
      "coordinates = ['x', 'y']\nhamiltonian = '(p(x)^2 + p(y)^2)/2 - x'\nholonomic = { wall = 'x = y' }\n"
      "[outputs]\npush = 'lambda(wall)'\nmomentum = 'p(x)'\n[initial]\np = [1, 1]\n");
  ASSERT_EQ(hamiltonian.outputs.size(), 2U);
  EXPECT_NEAR(std::fabs(hamiltonian.outputs[0]), 0.5, 1e-15);
  EXPECT_EQ(hamiltonian.outputs[1], 1);
  const CheckReport index2 = checked(
      "kind = 'dae2'\ny = ['a', 'b']\nz = ['c']\nf = [[], ['b', 'c']]\ng = ['b - 1']\n"
      "[outputs]\ntwice = '2*c + a'\n[initial]\ny = [5, 1]\nz = [0]\n");
  ASSERT_EQ(index2.outputs.size(), 1U);
  EXPECT_EQ(index2.outputs[0], 5);
}

/// The graph of the equations knows nothing of them: not a bit of a motion may change.

TEST(CheckGuards, AreMargins) {
  const auto margins = [](const std::string& guard) {
    const CheckReport report = checked(named + "guards = ['" + guard + "']\n[initial]\nq = [2, 0, 0]\nv = [3, 0, 2]\n");
    EXPECT_EQ(report.system.guards().size(), 1U);
    return std::pair(report.margins.at(0), report.system.guards()[0].is_strict);
  };
  EXPECT_EQ(margins("x < 5"), std::pair(3.0, true));
  EXPECT_EQ(margins("x <= 5"), std::pair(3.0, false));
  EXPECT_EQ(margins("x > 5"), std::pair(-3.0, true));
  EXPECT_EQ(margins("5 >= max(x, 1)"), std::pair(3.0, false));
  EXPECT_NEAR(margins("lambda(blade) > 2").first, 4, 1e-14);
}

}  // namespace
}  // namespace noslip
