// Names of constraints, multipliers in expressions, outputs and guards: what they mean, and what is refused.
#include <noslip/exec/function.hpp>
#include <noslip/model/symbols.hpp>

#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::string head = "coordinates = ['x', 'y', 'theta']\nlagrangian = \"(x'^2 + y'^2 + theta'^2)/2 + x\"\n";
const std::string named = head + "constraints = { blade = \"y'*cos(theta) = x'*sin(theta)\" }\n";
const std::string listed = head + "constraints = [\"y'*cos(theta) = x'*sin(theta)\"]\n";

std::string problem_of_expression(const System& system, const std::string& text) {
  Graph graph(system.graph());
  try {
    system.expression(graph, text, "column");
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ConstraintNames, AreThoseOfMultipliers) {
  const System system = System::parse(named + "[initial]\nv = [0, 0, 1]\n");
  EXPECT_EQ(system.multiplier_names(), std::vector<std::string>{"lambda_blade"});
  EXPECT_EQ(system.constraints()[0].name, "blade");
  EXPECT_EQ(System::parse(listed).multiplier_names(), std::vector<std::string>{"lambda1"});
  EXPECT_EQ(System::parse(listed).constraints()[0].name, "");
  Graph graph(system.graph());
  const Expr lambda = system.multipliers(graph)[0];
  EXPECT_EQ(system.expression(graph, "lambda(blade)", "column"), lambda);
  EXPECT_EQ(system.expression(graph, "lambda_blade", "column"), lambda);
}

/// Position constraints come after velocity constraints, and may have names where these have none.
TEST(ConstraintNames, NumbersCountAllConstraints) {
  const System system = System::parse(
      "coordinates = ['x', 'y']\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\n"
      "constraints = [\"x' = 1\"]\nholonomic = { floor = 'y = 0' }\n[initial]\nv = [1, 0]\n");
  EXPECT_EQ(system.multiplier_names(), (std::vector<std::string>{"lambda1", "lambda_floor"}));
  EXPECT_EQ(problem_of_expression(system, "lambda1"), "");
  EXPECT_TRUE(contains(problem_of_expression(system, "lambda2"), "constraint 2 has the name floor\n"));
  EXPECT_TRUE(contains(problem_of_expression(system, "lambda2"), "write lambda(floor)"));
}

TEST(ConstraintNames, InCxxAndInFamilies) {
  SystemText text;
  text.coordinates = {"x", "y"};
  text.lagrangian = "(x'^2 + y'^2)/2";
  text.constraints = TextList::named({{"hold", "x' = 0"}});
  EXPECT_EQ(System::from(text).multiplier_names(), std::vector<std::string>{"lambda_hold"});
  const System many = System::parse(
      "coordinates = ['q[0:2]']\nlagrangian = \"sum(i, 0, 2, q[i]'^2)/2\"\n"
      "constraints = { \"hold[i=0:1]\" = \"q[i]' = 0\" }\n");
  EXPECT_EQ(many.multiplier_names(), (std::vector<std::string>{"lambda_hold[0]", "lambda_hold[1]"}));
  EXPECT_EQ(problem_of_expression(many, "lambda(hold[1])"), "");
}

TEST(ConstraintNames, NonidealReactionsUseThem) {
  const std::string nonideal = "[nonideal]\nx = \"psi(blade)*theta'\"\n";
  const std::string numbered = "[nonideal]\nx = \"psi(1)*theta'\"\n";
  EXPECT_EQ(System::parse(named + nonideal).nonideal()[0].name(), System::parse(named + numbered).nonideal()[0].name());
  EXPECT_TRUE(contains(problem_of(named + "[nonideal]\nx = \"psi(blad)\""), "there is no multiplier psi(blad)"));
  EXPECT_TRUE(contains(problem_of(named + "[nonideal]\nx = \"psi(blad)\""), "did you mean 'blade'?"));
}

TEST(ConstraintNames, AreGoodNamesAndDifferent) {
  EXPECT_TRUE(contains(problem_of(head + "constraints = { \"2\" = \"x' = 0\" }"), "the name '2' starts with a digit"));
  EXPECT_TRUE(contains(problem_of(head + "constraints = { a = \"x' = 0\" }\nholonomic = { a = 'y = 0' }"),
                       "two constraints have the name 'a'"));
  EXPECT_TRUE(
      contains(problem_of(head + "constraints = { a = \"x = 0\" }"), "constraint a, 'x = 0' contains no velocity"));
  EXPECT_TRUE(
      contains(problem_of(head + "holonomic = { a = \"x' = 0\" }"), "position constraint a, 'x' = 0' contains a"));
}

/// Nothing of the motion may contain them.
TEST(Multipliers, AreRefusedInTheMotion) {
  for (const std::string line : {"[forces]\nx", "[invariants]\ni", "[definitions]\nd"}) {
    const std::string first = problem_of(listed + line + " = \"lambda1\"");
    EXPECT_TRUE(contains(first, "'lambda1' is a multiplier, which follows from the equations")) << first;
    EXPECT_TRUE(contains(first, "multipliers may be used under [outputs], in guards, events and columns")) << first;
    const std::string second = problem_of(named + line + " = \"2*lambda(blade)\"");
    EXPECT_TRUE(contains(second, "'lambda(blade)' is a multiplier")) << second;
  }
  EXPECT_TRUE(contains(problem_of(listed + "[forces]\nx = \"lambda(blade)\""), "no constraint has the name 'blade'"));
  EXPECT_TRUE(contains(problem_of(listed + "[forces]\nx = \"lambda(blade)\""), "name it, constraints = { roll ="));
}

TEST(Multipliers, MessagesOfExpressions) {
  const System system = System::parse(named);
  EXPECT_TRUE(contains(problem_of_expression(system, "lambda(blad)"), "no constraint has the name 'blad'"));
  EXPECT_TRUE(contains(problem_of_expression(system, "lambda(blad)"), "did you mean 'blade'?"));
  EXPECT_TRUE(contains(problem_of_expression(system, "lambda(1)"), "lambda(...) takes one name and nothing else"));
  EXPECT_TRUE(contains(problem_of_expression(System::parse(listed), "lambda3"), "unknown symbol 'lambda3'"));
  EXPECT_TRUE(contains(problem_of_expression(System::parse(listed), "lambda3"), "did you mean 'lambda1'?"));
}

/// A name of the system comes first.
TEST(Multipliers, NamesOfTheSystemComeFirst) {
  const System system = System::parse(listed + "[parameters]\nlambda1 = 3\n");
  Graph graph(system.graph());
  EXPECT_EQ(system.expression(graph, "lambda1", "column"), graph.counterpart(system.parameters()[0].symbol));
}

TEST(Outputs, LeaveTheEquationsAlone) {
  const System without = System::parse(named),
               with = System::parse(named + "[outputs]\nspeed = \"sqrt(x'^2 + y'^2)\"\n");
  EXPECT_EQ(without.graph().size(), with.graph().size());
  EXPECT_GT(with.watched_graph().size(), with.graph().size());
}

TEST(Outputs, InCxx) {
  SystemText text;
  text.coordinates = {"x"};
  text.lagrangian = "x'^2/2";
  Symbols symbols;
  const Expr x = symbols["x"];
  text.outputs = {{"double", 2 * x}, {"again", "double + 1"}};
  text.guards = {"x < 5"};
  const System system = System::from(text);
  EXPECT_EQ(system.outputs().size(), 2U);
  EXPECT_EQ(system.guards()[0].text, "x < 5");
  EXPECT_TRUE(system.guards()[0].is_strict);
}

TEST(Outputs, Refusals) {
  EXPECT_TRUE(contains(problem_of(named + "[outputs]\nx = '1'"), "'x' is already the name of a coordinate"));
  EXPECT_TRUE(
      contains(problem_of(named + "[outputs]\nenergy = 'x'"), "output 'energy' has the name of something that"));
  EXPECT_TRUE(contains(problem_of(named + "[outputs]\nlambda_blade = 'x'"), "output 'lambda_blade' has the name"));
  EXPECT_TRUE(contains(problem_of(named + "[invariants]\ns = 'x'\n[outputs]\ns = 'x'"), "output 's' has the name"));
  EXPECT_TRUE(contains(problem_of(named + "[outputs]\ns = 'xx'"), "s.toml:5:6: unknown symbol 'xx'"));
  EXPECT_TRUE(contains(problem_of(named + "[outputs]\na = 'b'\nb = 'x'"), "unknown symbol 'b'"));  // below
  EXPECT_TRUE(contains(problem_of(named + "[forces]\nx = 's'\n[outputs]\ns = 'x'"),
                       "'s' is an output: the motion does not know it"));
  EXPECT_TRUE(contains(problem_of(named + "[forces]\nx = 's'\n[outputs]\ns = 'x'"), "make it a definition"));
}

TEST(Guards, JoinComparisons) {
  const System system = System::parse(named + "guards = ['x > 1 and not (y > 3 or x >= 9)']");
  ASSERT_EQ(system.guards().size(), 1U);
  const auto holds = [&](double x, double y) {
    std::vector<double> q = system.initial_state(system.parameter_values()).q;
    q[0] = x;
    q[1] = y;
    Graph graph(system.watched_graph());
    const Function<double> margin({graph.counterparts(system.q())}, {{graph.counterpart(system.guards()[0].margin)}});
    return system.guards()[0].holds(margin({q}).output(0)[0]);
  };
  EXPECT_TRUE(holds(2, 2));
  EXPECT_FALSE(holds(1, 2));
  EXPECT_FALSE(holds(2, 4));
  EXPECT_FALSE(holds(10, 2));
}

TEST(Guards, Refusals) {
  const auto problem = [](const std::string& guards) { return problem_of(named + "guards = " + guards); };
  EXPECT_TRUE(contains(problem("['x']"), "a number where a condition is expected"));
  EXPECT_TRUE(contains(problem("['x']"), "compare it, for example x > 0"));
  EXPECT_TRUE(contains(problem("['x = 1']"), "'=' in a condition"));
  EXPECT_TRUE(contains(problem("['0 < x < 1']"), "s.toml:4:18: two comparisons in a row"));
  EXPECT_TRUE(contains(problem("['0 < x < 1']"), "write a < b and b < c"));
  EXPECT_TRUE(contains(problem("['x > yy']"), "s.toml:4:16: unknown symbol 'yy'"));
  EXPECT_TRUE(contains(problem("['lambda(blad) > 0']"), "did you mean 'blade'?"));
  EXPECT_TRUE(contains(problem("['1 > 0']"), "guard '1 > 0' is always the same"));
  EXPECT_TRUE(contains(problem("['x >']"), "s.toml:4:"));
  EXPECT_TRUE(contains(problem("'x > 0'"), "`guards` has to be an array of strings"));
}

}  // namespace
}  // namespace noslip::test
