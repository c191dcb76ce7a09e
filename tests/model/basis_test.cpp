// Vector fields that span the velocities which the constraints allow: read, and tried out with numbers.
#include <cmath>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const char* const along = "[\"cos(theta)\", \"sin(theta)\", 0]";

std::string skate(const std::string& basis, const std::string& more = "",
                  const std::string& constraint = "y'*cos(theta) = x'*sin(theta)") {
  return "coordinates = ['x', 'y', 'theta']\n"
         "lagrangian = \"(x'^2 + y'^2 + theta'^2)/2\"\n"
         "constraints = [\"" +
         constraint + "\"]\nbasis = " + basis + "\n" + more + "[parameters]\nm = 2\nR = 3\n";
}

/// What a run from the default initial state is refused for.
std::string message(const System& system, const std::map<std::string, double>& settings = {}) {
  const std::vector<double> parameters = system.parameter_values(settings);
  return refusal([&] { Continuous(system, parameters).require_consistent(system.initial_state(parameters)); });
}
std::string message(const std::string& toml) { return message(System::parse(toml)); }

TEST(Basis, IsReadRowByRow) {
  const System system = System::parse(skate("[[\"m*cos(theta)\", \"m*sin(theta)\", 0], [0, 0, 1.5]]"));
  ASSERT_EQ(system.basis().size(), 2U);
  ASSERT_EQ(system.basis()[0].size(), 3U);
  EXPECT_DOUBLE_EQ(value(system.basis()[0][1], {{"m", 2}, {"theta", 0.3}}), 2 * std::sin(0.3));
  EXPECT_TRUE(system.basis()[0][2].is_zero());
  EXPECT_DOUBLE_EQ(value(system.basis()[1][2], {}), 1.5);
  EXPECT_EQ(message(system), "");
  EXPECT_TRUE(System::parse(sleigh_text).basis().empty());
}

TEST(Basis, InCpp) {
  SystemText text;
  text.coordinates = {"x", "y"};
  text.lagrangian = "(x'^2 + y'^2)/2";
  text.constraints = {"x' = k*y'"};
  text.parameters = {{"k", "3"}};
  text.basis = {{"k", "1"}};
  const System system = System::from(text);
  ASSERT_EQ(system.basis().size(), 1U);
  EXPECT_EQ(message(system), "");
  text.basis = {{"k", "1", "0"}, {"t", "x'"}};
  const std::string refused = refusal([&] { System::from(text); });
  for (const char* part : {"`basis` has 2 rows for 2 coordinates and 1 constraint", "row 1 of `basis` has 3 entries",
                           "basis[2][1]", "'t' is the time", "'x'' is a velocity"}) {
    EXPECT_TRUE(contains(refused, part)) << refused;
  }
}

TEST(Basis, MayBeGivenWithoutConstraints) {
  const std::string free = "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2\"\nbasis = ";
  EXPECT_EQ(message(free + "[[1, 0], ['x', 1]]"), "");
  EXPECT_TRUE(contains(problem_of(free + "[[1, 0]]"), "give 2 rows"));
}

TEST(Basis, ShapeIsChecked) {
  const std::string rows = problem_of(skate("[" + std::string(along) + "]"));
  EXPECT_TRUE(contains(rows, "s.toml:4:9: `basis` has 1 row for 3 coordinates and 1 constraint")) << rows;
  const std::string entries = problem_of(skate("[" + std::string(along) + ", [0, 1]]"));
  EXPECT_TRUE(contains(entries, "row 2 of `basis` has 2 entries for 3 coordinates")) << entries;
  EXPECT_TRUE(contains(entries, "x, y and theta")) << entries;
  EXPECT_TRUE(contains(problem_of(skate("'x'")), "`basis` has to be an array of rows, not a string"));
  EXPECT_TRUE(
      contains(problem_of(skate("['x', [0, 0, 1]]")), "a row of `basis` has to be an array of strings, not a string"));
  EXPECT_TRUE(contains(problem_of(skate("[[0, 0, true], [0, 0, 1]]")), "an entry of `basis`"));
  EXPECT_TRUE(contains(problem_of("kind = 'dae2'\ny = ['a']\nz = []\nf = [['a']]\ng = []\nbasis = [[1]]\n"),
                       "`basis` does not belong to a system of kind \"dae2\""));
}

TEST(Basis, UsesPositionsAndParametersOnly) {
  const std::vector<Problem> problems =
      problems_of(skate("[[\"cos(thet)\", \"t\", 0], [0, \"x'\", \"speed\"]]", "[definitions]\nspeed = \"2*y'\"\n"));
  ASSERT_EQ(problems.size(), 4U);
  EXPECT_TRUE(contains(problems[0].remedy, "theta"));
  EXPECT_TRUE(contains(problems[1].what, "'t' is the time"));
  EXPECT_TRUE(contains(problems[2].what, "velocity"));
  EXPECT_TRUE(contains(problems[3].what, "definition 'speed' cannot be used here"));
  EXPECT_TRUE(contains(problems[3].remedy, "the coordinates and the parameters only"));
}

TEST(Basis, NeedsLinearVelocityConstraints) {
  const std::string two = "[" + std::string(along) + ", [0, 0, 1]]";
  const std::string affine = problem_of(skate(two, "", "y' = x' + R"));
  EXPECT_TRUE(contains(affine, "constraint 'y' = x' + R', which is affine in the velocities")) << affine;
  const std::string curved = problem_of(skate(two, "", "y'^2 = x'^2 + R"));
  EXPECT_TRUE(contains(curved, "nonlinear in the velocities")) << curved;
  const std::string positions = problem_of(skate(two, "holonomic = ['x^2 + y^2 = R']\n"));
  EXPECT_TRUE(contains(positions, "`basis` together with position constraints")) << positions;
}

TEST(Basis, RowsThatViolateAConstraintAreRefused) {
  const std::string text = message(skate("[[\"cos(theta)\", \"-sin(theta)\", 0], [0, 0, 1]]"));
  // At the initial position, theta = 0, nothing is wrong.
  EXPECT_TRUE(contains(text,
                       "row 1 of `basis`, (cos(theta), -sin(theta), 0), violates constraint "
                       "'y'*cos(theta) = x'*sin(theta)': K X is "))
      << text;
  EXPECT_TRUE(contains(text, " at x = ")) << text;
  EXPECT_FALSE(contains(text, "row 2")) << text;
  const std::string here = message(skate("[[0, 1, 0], [0, 0, 1]]"));
  EXPECT_TRUE(contains(here, "K X is 1 at the initial position")) << here;
  EXPECT_TRUE(contains(here, "every row has to be a velocity that all constraints allow")) << here;
}

TEST(Basis, IsTriedOutWithTheParametersOfTheRun) {
  const System system = System::parse(skate("[['m', 1, 0], [0, 0, 1]]", "", "x' = 2*y'"));
  EXPECT_EQ(message(system), "");
  EXPECT_TRUE(contains(message(system, {{"m", 2.001}}), "K X is 0.001")) << message(system, {{"m", 2.001}});
  // A small length is no rounding.
  const System small = System::parse(skate("[['1e-9*m', 1, 0], [0, 0, 1]]", "", "x' = 2e-9*y'"));
  EXPECT_EQ(message(small), "");
  EXPECT_TRUE(contains(message(small, {{"m", -2}}), "row 1"));
}

TEST(Basis, RowsThatAreZeroByAnIdentityAreAccepted) {
  EXPECT_EQ(message(skate("[[\"1 + cos(2*theta)\", \"sin(2*theta)\", 0], [0, 0, \"1 + x^2\"]]")), "");
}

TEST(Basis, DependentRowsAreRefused) {
  const std::string text = message(skate("[" + std::string(along) + ", [\"2*cos(theta)\", \"2*sin(theta)\", 0]]"));
  EXPECT_TRUE(contains(text, "the rows of `basis` depend on each other at the initial position: rank 1 of 2")) << text;
  const std::string zero = message(skate("[" + std::string(along) + ", [0, 0, 0]]"));
  EXPECT_TRUE(contains(zero, "rank 1 of 2")) << zero;
  // In units of their own these are independent.
  EXPECT_EQ(message(skate("[[\"1e-20*cos(theta)\", \"1e-20*sin(theta)\", 0], [0, 0, 1e12]]")), "");
}

TEST(Basis, ValuesThatAreNotFinite) {
  const std::string text = message(skate("[[\"cos(theta)/x\", \"sin(theta)/x\", 0], [0, 0, 1]]"));
  EXPECT_TRUE(contains(text, "row 1 of `basis`, (cos(theta)/x, sin(theta)/x, 0), is not finite at the initial"))
      << text;
  // Elsewhere they say nothing.
  EXPECT_EQ(message(skate("[[\"sqrt(1e-3 - x)*cos(theta)\", \"sqrt(1e-3 - x)*sin(theta)\", 0], [0, 0, 1]]")), "");
}

TEST(Basis, WithAHamiltonian) {
  const auto text = [](const std::string& kinetic, const std::string& constraint, const std::string& row) {
    return "coordinates = ['x', 'y', 'theta']\nhamiltonian = \"" + kinetic + " + p(theta)^2/2\"\nconstraints = [\"" +
           constraint + "\"]\nbasis = [" + row + ", [0, 0, 1]]\n";
  };
  const std::string newton = "p(x)^2/2 + p(y)^2/4", einstein = "sqrt(1 + p(x)^2 + p(y)^2)";
  EXPECT_EQ(message(text(newton, "p(y)*cos(theta) = 2*p(x)*sin(theta)", along)), "");
  EXPECT_EQ(message(text(einstein, "y'*cos(theta) = x'*sin(theta)", along)), "");
  EXPECT_TRUE(contains(message(text(einstein, "y'*cos(theta) = x'*sin(theta)", "['sin(theta)', 1, 0]")), "row 1"));
  EXPECT_TRUE(contains(problem_of(text(einstein, "p(y)*cos(theta) = x'*sin(theta)", along)), "nonlinear"));
}

}  // namespace
}  // namespace noslip::test
