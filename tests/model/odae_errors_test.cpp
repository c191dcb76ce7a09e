// Every way to get an overdetermined system wrong.
#include <cmath>

#include "model/odae_help.hpp"

namespace noslip::test {
namespace {

/// A good system of two y, two z and one multiplier, one line of which may be replaced.
std::string with_line(const std::string& key = "", const std::string& line = "") {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"kind", "kind = 'odae'"},        {"y", "y = ['a', 'b']"},     {"z", "z = ['u', 'w']"},
      {"lambda", "lambda = ['k']"},     {"v", "v = ['u', 'w']"},     {"p", "p = ['2*u', '3*w']"},
      {"f", "f = ['-a', 't']"},         {"r", "r = ['a*k', 'b*k']"}, {"g", "g = ['a^2 + b^2 = 1']"},
      {"rest", "[initial]\ny = [1, 0]"}};
  std::string text;
  for (const auto& [name, good] : lines) {
    const std::string& chosen = name == key ? line : good;
    text += chosen + "\n";
  }
  return text;
}

TEST(OdaeErrors, TheGoodOneIsGood) {
  EXPECT_TRUE(problems_of(with_line()).empty());
  EXPECT_EQ(OdaeTrial(with_line()).message(), "");
  EXPECT_TRUE(problems_of(with_line("p", "")).empty());
}

TEST(OdaeErrors, MissingParts) {
  EXPECT_TRUE(
      contains(problem_of(with_line("v", "")), "s.toml: no v\n  add a line such as v = [\"...\", \"...\"], with"));
  EXPECT_TRUE(contains(problem_of(with_line("f", "")), "s.toml: no f\n"));
  EXPECT_TRUE(contains(problem_of(with_line("r", "")), "s.toml: no r\n"));
  EXPECT_TRUE(contains(problem_of("kind = 'odae'\nz = ['u']"), "no variables y"));
  EXPECT_TRUE(contains(problem_of("kind = 'odae'\ny = ['u']"), "no variables z"));
}

TEST(OdaeErrors, NumbersOfEquations) {
  EXPECT_EQ(problem_of(with_line("v", "v = ['u']")),
            "s.toml:5:5: v has 1 text for 2 variables y\n  v = ['u']\n      ^\n  the order is a and b");
  EXPECT_TRUE(contains(problem_of(with_line("p", "p = ['u', 'w', 'a']")), "6:5: p has 3 texts for 2 variables z"));
  EXPECT_TRUE(contains(problem_of(with_line("f", "f = ['u']")), "7:5: f has 1 text for 2 variables z"));
  EXPECT_TRUE(contains(problem_of(with_line("r", "r = []")), "8:5: r has 0 texts for 2 variables z"));
  EXPECT_TRUE(
      contains(problem_of(with_line("g", "g = ['a = 1', 'b = 1']")), "9:16: 2 constraints g for 1 multiplier lambda"));
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = []")), "4:12: 0 constraints g for 1 multiplier lambda"));
  EXPECT_TRUE(contains(problem_of("kind = 'odae'\ny = ['a']\nz = ['u']\nlambda = ['k', 'l']\nv = ['u']\nf = ['0']\n"
                                  "r = ['k + l']\ng = ['a = 0', '2*a = 0']"),
                       "8:16: more constraints g (2) than variables y (1)"));
}

TEST(OdaeErrors, Names) {
  const auto first_problem = [](const std::string& text) { return to_text(problems_of(text).at(0)); };
  EXPECT_TRUE(contains(first_problem(with_line("z", "z = ['u', 'a']")),
                       "3:12: 'a' is already the name of a differential variable"));
  EXPECT_TRUE(contains(first_problem(with_line("lambda", "lambda = ['u']")),
                       "4:12: 'u' is already the name of a differential variable"));
  EXPECT_TRUE(contains(problem_of(with_line("f", "f = ['k', 't']")), "7:7: 'k' is a multiplier"));
  EXPECT_TRUE(
      contains(problem_of(with_line("v", "v = ['u', 'w*k']")), "v, p and f may use t, y, z and the parameters only"));
  EXPECT_TRUE(contains(problem_of(with_line("r", "r = ['a*k*u', 'b*k']")), "8:11: 'u' is a differential variable"));
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = ['a*u = 1']")), "g may use t, y and the parameters only"));
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = ['a*k = 1']")), "9:9: 'k' is a multiplier"));
  EXPECT_TRUE(contains(problem_of(with_line("f", "f = [\"a'\", 't']")), "'a'' is a derivative: a system of kind odae"));
  EXPECT_TRUE(
      contains(problem_of(with_line("rest", "[definitions]\nn = \"2*k\"\n[invariants]\nn = \"n\"\n[exact]\nq = 1")),
               "unknown variable 'q'"));
}

TEST(OdaeErrors, ConstraintsThatSayNothing) {
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = ['a = a']")), "says nothing: it always holds"));
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = ['1 = 2']")), "can never hold"));
  EXPECT_TRUE(contains(problem_of(with_line("g", "g = ['t = 1']")), "contains none of the variables y"));
}

TEST(OdaeErrors, SingularWhateverTheValues) {
  EXPECT_TRUE(contains(problem_of(with_line("p", "p = ['u', 'u*a']")), "6:5: p_z is singular: p does not contain 'w'"));
  EXPECT_TRUE(contains(problem_of(with_line("v", "v = ['0', '0']")),
                       "9:7: the derivative of constraint 'a^2 + b^2 = 1' does not contain z"));
  EXPECT_TRUE(contains(problem_of(with_line("r", "r = ['a', 'b']")), "4:12: no reaction r contains 'k'"));
}

TEST(OdaeErrors, SingularAtTheInitialState) {
  EXPECT_EQ(OdaeTrial(with_line("p", "p = ['u', 'w + a*u - w*a']")).message(),
            "p_z is singular at the initial state (rank 1 of 2): p does not determine 'w'\n"
            "  start elsewhere, or change p");
  EXPECT_EQ(OdaeTrial(with_line("r", "r = ['b*k', 'a*k']")).message(),
            "the multipliers are not determined at the initial state: no reaction acts on constraint 1 'a^2 + b^2 = 1' "
            "(rank 0 of 1)\n  start elsewhere, or change the reactions or the constraints");
  EXPECT_TRUE(contains(OdaeTrial(with_line("f", "f = ['1/b', 't']")).message(),
                       "f number 1 is not finite at the initial state"));
  EXPECT_TRUE(
      contains(OdaeTrial(with_line("r", "r = ['k*a', 'log(-1 - k^2)']")).message(), "r number 2 is not finite"));
  EXPECT_TRUE(contains(OdaeTrial(with_line("v", "v = ['u + 1/b', 'w']")).message(), "the rate v of 'a' is not finite"));
  EXPECT_TRUE(contains(OdaeTrial(with_line("r", "r = ['a*(3 + sin(k))', '0']")).message(),
                       "no multipliers k were found near the given ones"));
}

TEST(OdaeErrors, Shapes) {
  OdaeTrial trial(with_line());
  trial.state.v.pop_back();
  EXPECT_TRUE(contains(trial.message(),
                       "the initial state has 2 values of y, 1 of z and 1 of lambda\n"
                       "  system 's' has 2, 2 and 1"));
  trial.state.v = {NAN, 0};
  EXPECT_TRUE(contains(trial.message(), "the initial value of u is nan"));
}

TEST(OdaeErrors, KeysOfTheFile) {
  EXPECT_TRUE(contains(problem_of(with_line("rest", "lagrangian = 'x'")),
                       "`lagrangian` does not belong to a system of kind \"odae\""));
  EXPECT_TRUE(contains(problem_of(with_line("v", "v = 'u'")), "`v` has to be an array of expressions, not a string"));
  EXPECT_TRUE(
      contains(problem_of(with_line("f", "f = ['u', ['w']]")), "an entry of `f` has to be a number or an expression"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "[initial]\nq = [1, 2]")), "the keys are t, y, z and lambda;"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "[initial]\nlambda = [1, 2]")),
                       "initial lambda has 2 values for 1 variable"));
  const std::vector<Problem> forgotten = problems_of(with_line("kind", ""));
  ASSERT_FALSE(forgotten.empty());
  EXPECT_EQ(forgotten[0].what, "`y` belongs to systems of kind \"odae\"");
}

TEST(OdaeErrors, InCppForm) {
  SystemText text;
  text.kind = "odae";
  text.y = {"a"};
  text.z = {"u"};
  text.lambda = {"k"};
  text.v = {"u"};
  text.f = {{"-a"}};
  text.r = {"k"};
  text.g = {"a = sin(t)"};
  text.z0 = {"1"};
  text.lambda0 = {"3"};
  const System system = System::from(text);
  EXPECT_EQ(system.initial_state({}).z, std::vector<double>{3});
  EXPECT_EQ(refusal([&] { Continuous(system, {}).require_consistent(system.initial_state({})); }), "");
  text.kind = "dae2";
  const std::string message = refusal([&] { System::from(text); });
  EXPECT_TRUE(contains(message, "`lambda` does not belong to a system of kind dae2"));
  EXPECT_TRUE(contains(message, "`r` does not belong to a system of kind dae2"));
}

}  // namespace
}  // namespace noslip::test
