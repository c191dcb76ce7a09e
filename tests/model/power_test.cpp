// What changes the energy, and what cannot.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

System three(const std::string& rest) { return System::parse("coordinates = ['x', 'y', 'z']\n" + rest); }

System with_constraint(const std::string& constraint, const std::string& rest = "") {
  return three("lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - x*y\"\nconstraints = [\"" + constraint + "\"]\n" + rest);
}

const std::map<std::string, double> point = {{"t", 0.3},  {"x", 0.7},   {"y", -0.4}, {"z", 0.9},
                                             {"x'", 1.3}, {"y'", -0.8}, {"z'", 0.6}, {"c", 0.5}};

TEST(Power, ForcesAndTimeAddToTheEnergy) {
  const System system =
      three("lagrangian = \"(x'^2 + y'^2 + z'^2)/2 - t^2*x\"\n[forces]\nx = \"-2*x'\"\ny = \"t*z\"\n");
  EXPECT_TRUE(system.structure().does_work);
  EXPECT_NEAR(value(system.power(), point), -2 * 1.3 * 1.3 - 0.8 * 0.3 * 0.9 + 2 * 0.3 * 0.7, 1e-15);
  EXPECT_TRUE(system.reaction_powers().empty());
}

TEST(Power, OfReactionsIsWhatAConstraintHasBesideTheVelocities) {
  const System affine = with_constraint("z' = y*x' + c*sin(x)", "[parameters]\nc = 0.5\n");
  ASSERT_EQ(affine.reaction_powers().size(), 1U);
  EXPECT_TRUE(affine.structure().does_work);
  EXPECT_NEAR(value(affine.reaction_powers()[0], point), 0.5 * std::sin(0.7), 1e-15);
  const System moving = with_constraint("z' = x'*t + cos(t)");
  EXPECT_NEAR(value(moving.reaction_powers()[0], point), std::cos(0.3), 1e-15);
  // k = z'^2 - x'^2 - x, K v - k = z'^2 - x'^2 + x
  const System nonlinear = with_constraint("z'^2 = x'^2 + x");
  EXPECT_TRUE(nonlinear.structure().does_work);
  EXPECT_NEAR(value(nonlinear.reaction_powers()[0], point), 0.6 * 0.6 - 1.3 * 1.3 + 0.7, 1e-15);
}

TEST(Power, HomogeneousConstraintsDoNoWork) {
  for (const char* constraint : {"z' = y*x'", "z' = t*x' + sin(t*x)*y'", "z'^2 = x'^2 + y'^2", "z' = sqrt(x'^2 + y'^2)",
                                 "c*z'^3 = x*x'^2*y'", "z'*x'/y' = y*x'", "x*z' = abs(y')*cos(t)"}) {
    EXPECT_FALSE(with_constraint(constraint, "[parameters]\nc = 0\n").structure().does_work) << constraint;
  }
  for (const char* constraint : {"z'^2 = x'^2 + y'^2 + c", "z'^2 = x' + y'", "z' = x'^2", "z'^2 = c*x", "z' = 1e-3"}) {
    EXPECT_TRUE(with_constraint(constraint, "[parameters]\nc = 0\n").structure().does_work) << constraint;
  }
}

TEST(Power, NothingDoesWorkWherePowersCancel) {
  EXPECT_FALSE(with_constraint("z' = y*x'").structure().does_work);
  const char* magnetic = "lagrangian = \"(x'^2 + y'^2 + z'^2)/2\"\n[forces]\nx = \"2*y'\"\ny = \"-2*x'\"\n";
  EXPECT_FALSE(three(magnetic).structure().does_work);
  const System index_two = System::parse("kind = \"dae2\"\ny = ['a']\nz = ['b']\nf = [[], ['b']]\ng = ['a = t']");
  EXPECT_FALSE(index_two.structure().does_work);
}

}  // namespace
}  // namespace noslip::test
