// Coordinates that are angles: which texts are 2 pi periodic in them, and which are refused.
#include "model/help.hpp"
#include "model/periodic.hpp"

namespace noslip::test {
namespace {

std::string wheel(const std::string& lagrangian, const std::string& more = "",
                  const std::string& angles = "['theta', 'phi']") {
  return "coordinates = ['x', 'theta', 'phi']\nangles = " + angles + "\nlagrangian = \"x'^2 + theta'^2 + phi'^2 + " +
         lagrangian + "\"\n" + more + "[parameters]\na = 2\n";
}

TEST(Angles, AreIndicesInTheOrderGiven) {
  EXPECT_EQ(System::parse(wheel("x", "", "['phi', 'theta']")).angles(), (std::vector<int>{2, 1}));
  EXPECT_TRUE(System::parse(sleigh_text).angles().empty());
  SystemText text;
  text.coordinates = {"x", "phi"};
  text.lagrangian = "x'^2 + phi'^2 + cos(phi)";
  text.angles = {"phi"};
  EXPECT_EQ(System::from(text).angles(), (std::vector<int>{1}));
  text.angles = {"x", "phi", "psy"};
  EXPECT_TRUE(contains(refusal([&] { System::from(text); }), "angles[3]:1:1: unknown coordinate 'psy'"));
}

TEST(Angles, WhatIsPeriodicIsAccepted) {
  for (const char* term :
       {"cos(theta)", "sin(2*theta + x)", "x*cos(theta - phi)^3", "a*sin(-3*theta/3)", "tan(theta)", "tan(phi/2)",
        "exp(cos(theta))*x'", "sin(x*cos(theta))", "sin(theta + sin(theta))", "cos(theta/2 + phi + theta/2)",
        "atan2(sin(theta), cos(theta))", "theta'*phi'", "x - theta + theta", "cos(theta + a*x + t)", "x/(2 + sin(phi))",
        "max(sin(phi), x)", "0.5*cos(2.0*theta)"}) {
    EXPECT_TRUE(problems_of(wheel(term)).empty()) << term << "\n" << to_text(problems_of(wheel(term)).front());
  }
}

TEST(Angles, WhatIsNotIsRefusedWithThePart) {
  const auto part = [](const std::string& term) {
    const std::string text = problem_of(wheel(term));
    EXPECT_TRUE(contains(text, "s.toml:3:15: '")) << text;
    EXPECT_TRUE(contains(text, "' is not 2 pi periodic in the angle 'theta'")) << text;
    EXPECT_TRUE(contains(text, "with whole numbers as factors: change this, or remove 'theta' from `angles`")) << text;
    return text.substr(14, text.find("' is not") - 14);
  };
  EXPECT_EQ(part("x*cos(theta) + sin(theta/2)"), "sin(1/2*theta)");
  EXPECT_EQ(part("sin(a*theta)"), "sin(theta*a)");
  EXPECT_EQ(part("cos(phi)*cos(1.5*theta)"), "cos(3/2*theta)");
  EXPECT_EQ(part("theta^2"), "theta^2");
  EXPECT_EQ(part("x*theta"), "x*theta");
  EXPECT_EQ(part("theta*theta'"), "theta*theta'");
  EXPECT_EQ(part("cos(phi) + 3*theta"), "3*theta");
  EXPECT_EQ(part("cos(theta*sin(theta))"), "cos(theta*sin(theta))");
  EXPECT_EQ(part("abs(theta)"), "abs(theta)");
  EXPECT_EQ(part("cos(pi*theta)"), "cos(theta*pi)");
}

TEST(Angles, EveryTextCounts) {
  const std::vector<Problem> problems = problems_of(
      "coordinates = ['x', 'y', 'theta']\nangles = ['theta']\nlagrangian = \"x'^2 + y'^2 + theta'^2 + theta\"\n"
      "constraints = [\"theta*x' = y'\"]\nholonomic = ['x = theta']\n"
      "[forces]\nx = 'theta'\n[nonideal]\ny = 'theta*psi(1)'\n[invariants]\nsum = 'x + theta'\n"
      "[exact]\ntheta = 't'\n[definitions]\nunused = 'theta^2'\n");
  ASSERT_EQ(problems.size(), 6U);
  const int lines[] = {3, 4, 5, 7, 9, 11};
  for (std::size_t i = 0; i < problems.size(); ++i) {
    EXPECT_EQ(problems[i].place.line, lines[i]);
    EXPECT_TRUE(contains(problems[i].what, "is not 2 pi periodic")) << problems[i].what;
  }
  const std::string basis = problem_of(wheel("x", "basis = [[1, 0, 'phi'], [0, 1, 0], [0, 0, 1]]\n"));
  EXPECT_TRUE(contains(basis, "'phi' is not 2 pi periodic in the angle 'phi'")) << basis;
  const std::string definition = problem_of(wheel("pull", "[definitions]\npull = 'x*phi'\n"));
  EXPECT_TRUE(contains(definition, "s.toml:3:15: 'x*phi' is not")) << definition;
}

TEST(Angles, WithAHamiltonian) {
  const auto text = [](const std::string& potential) {
    return "coordinates = ['x', 'phi']\nangles = ['phi']\nhamiltonian = \"p(x)^2*(2 + cos(phi)) + p(phi)^2/2 + " +
           potential + "\"\nconstraints = ['p(x) = sin(phi)*p(phi)']\n";
  };
  EXPECT_TRUE(problems_of(text("cos(phi)*x")).empty());
  EXPECT_TRUE(contains(problem_of(text("phi*p(x)")), "s.toml:3:16: 'phi*p(x)' is not"));
}

TEST(Angles, OfSkewGradientSystems) {
  const auto text = [](const std::string& energy, const std::string& entry, const std::string& angles) {
    return "kind = 'skew-gradient'\nx = ['phi', 'p']\nangles = " + angles + "\nhamiltonian = 'p^2/2 + " + energy +
           "'\nstructure = [[0, '" + entry + "'], ['-(" + entry + ")', 0]]\n[invariants]\nangle = 'sin(phi)'\n";
  };
  EXPECT_EQ(System::parse(text("cos(phi)", "1 + sin(2*phi)/2", "['phi']")).angles(), std::vector<int>{0});
  EXPECT_TRUE(contains(problem_of(text("phi^2", "1", "['phi']")), "s.toml:4:16: 'phi^2' is not 2 pi periodic"));
  const std::vector<Problem> entries = problems_of(text("cos(phi)", "2 + sin(phi/2)", "['phi']"));
  ASSERT_EQ(entries.size(), 2U);
  for (const Problem& problem : entries) EXPECT_TRUE(contains(problem.what, "'sin(1/2*phi)' is not 2 pi periodic"));
  EXPECT_TRUE(contains(problem_of(text("cos(phi)", "1", "['ph']")), "s.toml:3:12: unknown variable 'ph'"));

  SystemText same;
  same.kind = "skew-gradient";
  same.x = {"phi", "p"};
  same.angles = {"phi"};
  same.hamiltonian = "p^2/2 + cos(phi)";
  same.structure = {{"0", "1"}, {"-1", "0"}};
  EXPECT_EQ(System::from(same).angles(), std::vector<int>{0});
  same.angles = {"p"};
  EXPECT_TRUE(contains(refusal([&] { System::from(same); }), "'p^2' is not 2 pi periodic in the angle 'p'"));
}

TEST(Angles, NamesAreChecked) {
  EXPECT_TRUE(contains(problem_of(wheel("x", "", "['thet']")), "did you mean 'theta'?"));
  const std::string twice = problem_of(wheel("x", "", "['theta', 'theta']"));
  EXPECT_TRUE(contains(twice, "s.toml:2:21: angle 'theta' is given twice")) << twice;
  EXPECT_TRUE(contains(problem_of(wheel("x", "", "'theta'")), "`angles` has to be an array of names"));
  EXPECT_TRUE(contains(problem_of(wheel("x", "", "[1]")), "an angle has to be a string"));
  EXPECT_TRUE(contains(problem_of("kind = 'odae'\nangles = ['a']\ny = ['a']\nz = ['b']\nv = ['b']\nf = ['0']\n"),
                       "`angles` does not belong to a system of kind \"odae\""));
}

TEST(Angles, AnyListOfExpressionsCanBeLookedAt) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const std::vector<Expr> roots = {sin(x), y, sin(x) + x * y, x - y};
  const auto parts = Periodicity(roots).violations(x);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].root, 2U);
  EXPECT_EQ(parts[0].part, x * y);
  EXPECT_EQ(parts[1].root, 3U);
  EXPECT_EQ(parts[1].part, x);
  EXPECT_TRUE(Periodicity({}).violations(x).empty());
}

}  // namespace
}  // namespace noslip::test
