// Hamiltonians: closed and implicit Legendre transforms, momenta in constraints and forces, initial data.
#include <cmath>

#include <noslip/expr/print.hpp>

#include "model/hamiltonian_help.hpp"

namespace noslip::test {
namespace {

TEST(Hamiltonian, QuadraticOneBecomesTheLagrangianWrittenByHand) {
  const System system = System::parse(
      "coordinates = ['x', 'y']\nhamiltonian = \"p(x)^2/(2*m) + p(y)^2/(2*m) + m*g*y\"\n"
      "constraints = [\"y' = x*x'\"]\n[parameters]\nm = 2\ng = 9.81");
  EXPECT_TRUE(system.has_hamiltonian());
  EXPECT_FALSE(system.has_implicit_momenta());
  EXPECT_TRUE(system.z().empty());
  EXPECT_TRUE(system.velocities().empty());
  EXPECT_EQ(to_text(system.hamiltonian()), "1/2*(p(x)^2/m + p(y)^2/m) + m*g*y");
  EXPECT_EQ(to_text(system.momenta()[0]), "x'*m");
  EXPECT_EQ(to_text(system.mass()[1][1]), "m");
  EXPECT_TRUE(system.structure().constant_mass);
  EXPECT_TRUE(system.structure().diagonal_mass);
  EXPECT_TRUE(system.structure().quadratic_in_v);
  EXPECT_EQ(system.structure().cyclic, std::vector<std::string>());
}

TEST(Hamiltonian, ClosedFormsAgreeWithTheirLagrangians) {
  // Two coupled coordinates with a metric that depends on q, a magnetic term, time; one coordinate on its own.
  const Pair pair(
      "a*x'^2/2 + b*x'*y' + c*y'^2/2 + w*x*y' + z'^2/2*(2 + sin(z)) - cos(x)*y - t*z",
      "(c*p(x)^2 - 2*b*p(x)*(p(y) - w*x) + a*(p(y) - w*x)^2)/(2*(a*c - b^2)) + p(z)^2/(2*(2 + sin(z)))"
      " + cos(x)*y + t*z",
      "['x', 'y', 'z']",
      "[definitions]\na = \"2 + cos(y)^2\"\nb = \"x/(1 + x^2)\"\nc = \"m + 1\"\n[parameters]\nm = 0.7\nw = 0.3\n"
      "[forces]\nx = \"-y'*x'\"\n[invariants]\nspeed = \"y'^2\"",
      {"y' = x*x' + z'"}, {"y' = x*x' + z'"});
  EXPECT_FALSE(pair.hamilton.has_implicit_momenta());
  pair.expect_equal(40);
}

TEST(Hamiltonian, ConstraintsInMomenta) {
  // p(x) = m x' + w y, p(y) = m y'
  const std::string lagrangian = "m/2*(x'^2 + y'^2 + z'^2) + w*y*x' - z";
  const std::string hamiltonian = "((p(x) - w*y)^2 + p(y)^2 + p(z)^2)/(2*m) + z";
  const std::string rest = "[parameters]\nm = 1.3\nw = 0.4";
  const Pair linear(lagrangian, hamiltonian, "['x', 'y', 'z']", rest, {"m*x'+w*y = y*m*z'"}, {"p(x) = y*p(z)"});
  linear.expect_equal(20);
  EXPECT_EQ(linear.hamilton.constraints()[0].kind, ConstraintKind::affine);
  const Pair affine(lagrangian, hamiltonian, "['x', 'y', 'z']", rest, {"m*x' + w*y = sin(t)"}, {"p(x) = sin(t)"});
  affine.expect_equal(20);
  EXPECT_EQ(affine.hamilton.constraints()[0].kind, ConstraintKind::affine);
  const Pair nonlinear(lagrangian, hamiltonian, "['x', 'y', 'z']", rest, {"(m*x' + w*y)^2 + m*y'*z' = 1"},
                       {"p(x)^2 + p(y)*z' = 1"});
  nonlinear.expect_equal(20);
  EXPECT_EQ(nonlinear.hamilton.constraints()[0].kind, ConstraintKind::nonlinear);
}

TEST(Hamiltonian, IndefiniteAndOffDiagonal) {
  const Pair pair("2*x'*y' - x*x'^2 - x*y", "p(x)*p(y)/2 + x/4*p(y)^2 + x*y", "['x', 'y']", "", {"x' = t - y'"},
                  {"x' = t - y'"});
  EXPECT_FALSE(pair.hamilton.has_implicit_momenta());
  pair.expect_equal(20);
}

TEST(Hamiltonian, RelativisticParticle) {
  const Pair free(relativistic_lagrangian, relativistic_hamiltonian, "['x', 'y', 'z']", relativistic_rest, {}, {});
  EXPECT_TRUE(free.hamilton.has_implicit_momenta());
  free.expect_equal(40);
  const Pair linear(relativistic_lagrangian, relativistic_hamiltonian, "['x', 'y', 'z']", relativistic_rest,
                    {"z' = y*x'"}, {"z' = y*x'"});
  EXPECT_EQ(linear.hamilton.constraints()[0].kind, ConstraintKind::linear);
  linear.expect_equal(40);
  const std::string p = "m*{}/sqrt(1 - (x'^2 + y'^2 + z'^2)/c^2)";
  const auto momentum = [&](const std::string& v) { return std::string(p).replace(p.find("{}"), 2, v); };
  const Pair mixed(relativistic_lagrangian, relativistic_hamiltonian, "['x', 'y', 'z']", relativistic_rest,
                   {momentum("z'") + " = y*x' + t/10", "x' + y' = 0.1"}, {"p(z) = y*x' + t/10", "x' + y' = 0.1"});
  EXPECT_EQ(mixed.hamilton.constraints()[0].kind, ConstraintKind::nonlinear);
  EXPECT_EQ(mixed.hamilton.constraints()[1].kind, ConstraintKind::affine);
  mixed.expect_equal(40);
}

TEST(Hamiltonian, RelativisticMembers) {
  const System system = System::parse(relativistic_text());
  EXPECT_TRUE(system.has_implicit_momenta());
  ASSERT_EQ(system.z().size(), 3U);
  EXPECT_EQ(system.z()[1].name(), "p(y)");
  EXPECT_EQ(system.momenta(), system.z());
  EXPECT_EQ(system.velocities().size(), 3U);
  EXPECT_EQ(system.energy(), system.hamiltonian());
  EXPECT_FALSE(system.structure().constant_mass);
  EXPECT_FALSE(system.structure().quadratic_in_v);
  EXPECT_EQ(system.multiplier_names(), std::vector<std::string>{"lambda1"});
}

TEST(Hamiltonian, SixCoupledCoordinates) {
  const DenseSix six;
  const Pair pair(six.lagrangian(), six.hamiltonian(), six.names, "[parameters]\ns = 0.2", {"a' = b*d' + f'"},
                  {"a' = b*d' + f'"});
  EXPECT_TRUE(pair.hamilton.has_implicit_momenta());
  EXPECT_EQ(pair.hamilton.constraints()[0].kind, ConstraintKind::linear);
  pair.expect_equal(10);
  const Pair in_momenta(six.lagrangian(), six.hamiltonian(), six.names, "[parameters]\ns = 0.2",
                        {six.momentum(0) + " = b*(" + six.momentum(2) + ")", "g' = t"}, {"p(a) = b*p(c)", "g' = t"});
  EXPECT_EQ(in_momenta.hamilton.constraints()[0].kind, ConstraintKind::linear);
  EXPECT_EQ(in_momenta.hamilton.constraints()[1].kind, ConstraintKind::affine);
  in_momenta.expect_equal(10);
  EXPECT_TRUE(pair.hamilton.structure().quadratic_in_v);
}

TEST(Hamiltonian, PositionConstraints) {
  const std::string rest = std::string("holonomic = [\"x^2 + y*z = exp(t)\"]\n") + relativistic_rest;
  const Pair implicit(relativistic_lagrangian, relativistic_hamiltonian, "['x', 'y', 'z']", rest, {"z' = y*x'"},
                      {"z' = y*x'"});
  EXPECT_EQ(implicit.hamilton.velocity_level().size(), 2U);
  implicit.expect_equal(20);
  const Pair closed("(x'^2 + y'^2)/2 - x*y", "(p(x)^2 + p(y)^2)/2 + x*y", "['x', 'y']", "holonomic = [\"x*y = 1 + t\"]",
                    {}, {});
  closed.expect_equal(20);
  EXPECT_TRUE(contains(problem_of("coordinates = ['x', 'y']\nhamiltonian = \"p(x)^2 + p(y)^2\"\n"
                                  "holonomic = [\"p(x) = y\"]"),
                       "position constraint 'p(x) = y' contains a velocity"));
  EXPECT_TRUE(contains(problem_of("coordinates = ['x', 'y']\nhamiltonian = \"p(x)^4 + p(y)^2\"\n"
                                  "holonomic = [\"p(x) = y\"]"),
                       "position constraint 'p(x) = y' contains a velocity"));
}

TEST(Hamiltonian, CornersAreNotOverlooked) {
  // H_pp is 1 everywhere, and yet p = v does not hold.
  const System system =
      System::parse("coordinates = ['x']\nhamiltonian = \"p(x)^2/2 + abs(p(x))\"\n[initial]\np = [-3]");
  EXPECT_TRUE(system.has_implicit_momenta());
  EXPECT_EQ(system.initial_state({}).v, std::vector<double>{-4});
}

TEST(Hamiltonian, DefinitionsMayUseMomenta) {
  const System system = System::parse(
      "coordinates = ['x', 'y']\nhamiltonian = \"kinetic + x\"\nconstraints = [\"spin = 2*x'\"]\n"
      "[definitions]\nkinetic = \"(p(x)^2 + p(y)^2)/2\"\nspin = \"x*p(y) - y*p(x)\"\n"
      "[forces]\nx = \"-p(x)\"\n[invariants]\nspin = \"spin\"");
  EXPECT_EQ(to_text(system.constraints()[0].k), "x*y' - y*x' - 2*x'");
  EXPECT_EQ(to_text(system.applied_forces()[0]), "-x'");
  EXPECT_EQ(to_text(system.invariants()[0].second), "x*y' - y*x'");
}

}  // namespace
}  // namespace noslip::test
