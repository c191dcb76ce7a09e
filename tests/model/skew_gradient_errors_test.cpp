// Every way to get a skew-gradient system wrong.
#include <algorithm>
#include <cmath>

#include "model/help.hpp"
#include "support/skew_gradient.hpp"

namespace noslip::test {
namespace {

/// A good system of three variables, one line of which may be replaced.
std::string with_line(const std::string& key = "", const std::string& line = "") {
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"kind", "kind = 'skew-gradient'"},
      {"x", "x = ['a', 'b', 'c']"},
      {"hamiltonian", "hamiltonian = 'k*a^2 + b^2 + c^2'"},
      {"structure", "structure = [['0', '-c', 'b'], ['c', '0', '-a'], ['-b', 'a', '0']]"},
      {"rest", "[initial]\nx = [1, 0, 2]"},
      {"parameters", "[parameters]\nk = 1"}};
  std::string text;
  for (const auto& [name, good] : lines) text += (name == key ? line : good) + "\n";
  return text;
}

bool has(const std::vector<Problem>& problems, const std::string& part) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return contains(to_text(problem), part); });
}

TEST(SkewGradientErrors, TheGoodOneIsGood) { EXPECT_TRUE(problems_of(with_line()).empty()); }

TEST(SkewGradientErrors, MissingParts) {
  EXPECT_EQ(problem_of(with_line("hamiltonian", "")),
            "s.toml: no hamiltonian\n  add a line such as hamiltonian = \"(x1^2 + x2^2)/2\"");
  EXPECT_EQ(problem_of(with_line("structure", "")),
            "s.toml: no structure\n  add the skew-symmetric matrix by rows, for example structure = [[\"0\", \"1\"], "
            "[\"-1\", \"0\"]]");
  EXPECT_TRUE(contains(problem_of(with_line("x", "")), "s.toml: no variables x\n  add a line such as x = ["));
  EXPECT_EQ(problems_of("kind = 'skew-gradient'").size(), 3U);
}

TEST(SkewGradientErrors, NumbersOfRowsAndColumns) {
  EXPECT_EQ(problem_of(with_line("structure", "structure = [['0', '-c', 'b'], ['c', '0', '-a']]")),
            "s.toml:4:13: the structure has 2 rows for 3 variables x\n"
            "  structure = [['0', '-c', 'b'], ['c', '0', '-a']]\n              ^\n"
            "  give one row per variable, in the order of x: a, b and c");
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = [[0, 0, 0], [0, 0], [0, 0, 0]]")),
                       "s.toml:4:25: row 2 of the structure has 2 entries for 3 variables x"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = [[0, 0, 0, 0], [0, 0, 0], [0, 0, 0]]")),
                       "s.toml:4:14: row 1 of the structure has 4 entries for 3 variables x"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = []")), "0 rows for 3 variables x"));
}

TEST(SkewGradientErrors, NotSkewSymmetric) {
  EXPECT_EQ(problem_of(with_line("structure", "structure = [['0', '-c', 'b'], ['-c', '0', '-a'], ['-b', 'a', '0']]")),
            "s.toml:4:34: the structure is not skew-symmetric: entry (1, 2) '-c' and entry (2, 1) '-c' add up to -4 at "
            "the initial state\n"
            "  structure = [['0', '-c', 'b'], ['-c', '0', '-a'], ['-b', 'a', '0']]\n"
            "                                   ^\n"
            "  entry (2, 1) has to be -(-c)");
  EXPECT_EQ(problem_of(with_line("structure", "structure = [['0', '-c', 'b'], ['c', 'k', '-a'], ['-b', 'a', '0']]")),
            "s.toml:4:39: entry (2, 2) of the structure is not zero: 'k' is 1 at the initial state\n"
            "  structure = [['0', '-c', 'b'], ['c', 'k', '-a'], ['-b', 'a', '0']]\n"
            "                                        ^\n"
            "  the diagonal of a skew-symmetric matrix is zero");
  // b is zero at the start.
  EXPECT_TRUE(
      contains(problem_of(with_line("structure", "structure = [['0', '-c', 'b'], ['c', '0', '-a'], ['b', 'a', '0']]")),
               "entry (1, 3) 'b' and entry (3, 1) 'b' add up to"));
  const std::vector<Problem> all = problems_of(with_line("structure", "structure = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]"));
  EXPECT_EQ(all.size(), 6U);
  EXPECT_TRUE(has(all, "entry (1, 2) '2' and entry (2, 1) '4' add up to 6"));
}

TEST(SkewGradientErrors, WhatDependsOnTimeIsNotAutonomous) {
  EXPECT_TRUE(
      contains(problem_of(with_line("hamiltonian", "hamiltonian = 'a^2*cos(t) + k'")), "s.toml:3:24: 't' is the time"));
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 'a^2*cos(t) + k'")),
                       "a system of kind skew-gradient does not depend on time"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = [[0, 't', 0], ['-1', 0, 0], [0, 0, 0]]")),
                       "s.toml:4:19: 't' is the time"));
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 'a^2*s'") + "[definitions]\ns = 'sin(t)'"),
                       "definition 's' cannot be used here: 't' is the time"));
  EXPECT_TRUE(problems_of(with_line() + "[invariants]\nlate = 'a - t'").empty());
}

TEST(SkewGradientErrors, VelocitiesAndMomenta) {
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = \"a'^2 + k\"")),
                       "s.toml:3:16: 'a'' is a derivative: a system of kind skew-gradient has none"));
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 'a*p(b)'")),
                       "s.toml:3:20: 'p(b)' is a momentum: a system of kind skew-gradient has none"));
  EXPECT_TRUE(contains(problem_of(with_line() + "[invariants]\nn = \"c'\""), "is a derivative"));
  // p may be a variable, as in every text book.
  EXPECT_TRUE(problems_of(testing::oscillator_text).empty());
  EXPECT_TRUE(contains(problem_of("kind = 'skew-gradient'\nx = ['q', 'p']\nhamiltonian = 'p(q + 1)'\n"
                                  "structure = [[0, 1], [-1, 0]]"),
                       "to multiply, write p*(...)"));
}

TEST(SkewGradientErrors, Names) {
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 'k^2'")),
                       "s.toml:3:16: the Hamiltonian contains none of the variables x\n"));
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 'k*a + d'")), "unknown symbol 'd'"));
  EXPECT_TRUE(has(problems_of(with_line("x", "x = ['a', 'b', 'b']")), "'b' is already the name of a variable"));
  EXPECT_TRUE(contains(problem_of(with_line() + "[exact]\nd = 'sin(t)'"), "unknown variable 'd'"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "[initial]\nx = ['b', 0, 0]")), "'b' is a variable"));
}

TEST(SkewGradientErrors, AllAtOnce) {
  const std::vector<Problem> problems = problems_of(
      with_line("structure", "structure = [['0', 'c'], ['c', 'u', '-a'], ['-b', 'a', '0']]") + "[invariants]\nn = 'm'");
  EXPECT_EQ(problems.size(), 3U);
  // A bad start does not hide a bad matrix.
  const std::vector<Problem> two =
      problems_of(with_line("structure", "structure = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]") + "[invariants]\nn = 'm'");
  EXPECT_EQ(two.size(), 2U);
  EXPECT_TRUE(has(two, "not skew-symmetric"));
}

TEST(SkewGradientErrors, KeysOfTheFile) {
  EXPECT_EQ(problem_of(with_line("rest", "lagrangian = 'a'")),
            "s.toml:5:1: `lagrangian` does not belong to a system of kind \"skew-gradient\"\n  lagrangian = 'a'\n  ^\n"
            "  it has x' = Pi(x) grad H(x), given by x, hamiltonian and structure, the matrix Pi");
  for (const char* key : {"coordinates", "constraints", "holonomic", "y", "z", "f", "g", "lambda"}) {
    EXPECT_TRUE(has(problems_of(with_line("rest", key + std::string(" = ['a']"))), "does not belong")) << key;
  }
  EXPECT_TRUE(contains(problem_of(with_line("rest", "[forces]\na = 1")), "`forces` does not belong"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "matrix = 1")), "unknown key 'matrix'"));
  EXPECT_TRUE(contains(problem_of(with_line("x", "x = 'a'")), "`x` has to be an array of names, not a string"));
  EXPECT_TRUE(contains(problem_of(with_line("hamiltonian", "hamiltonian = 1")), "hamiltonian has to be a string"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = '0'")),
                       "`structure` has to be an array of rows, not a string"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = ['0']")),
                       "a row of `structure` has to be an array of strings, not a string"));
  EXPECT_TRUE(contains(problem_of(with_line("structure", "structure = [[0, true, 0], [0, 0, 0], [0, 0, 0]]")),
                       "an entry of `structure` has to be a number or an expression"));
  EXPECT_TRUE(contains(problem_of(with_line("kind", "kind = 'skew-gradent'")), "did you mean 'skew-gradient'?"));
}

TEST(SkewGradientErrors, ForgottenKind) {
  const std::vector<Problem> problems = problems_of(with_line("kind", ""));
  ASSERT_EQ(problems.size(), 3U);  // x, structure, and x under [initial]
  EXPECT_EQ(problems[0].what, "`x` belongs to systems of kind \"skew-gradient\"");
  EXPECT_EQ(problems[0].remedy, "add the line kind = \"skew-gradient\"");
  EXPECT_TRUE(has(problems_of(with_line("kind", "kind = 'dae2'")), "`structure` does not belong to a system of kind"));
}

TEST(SkewGradientErrors, InitialValues) {
  EXPECT_TRUE(
      contains(problem_of(with_line("rest", "[initial]\nq = [1, 2, 3]")),
               "unknown key 'q' in [initial]\n  q = [1, 2, 3]\n  ^\n  the keys are t and x; variables go inside"));
  EXPECT_TRUE(
      contains(problem_of(with_line("rest", "[initial]\nx = [1, 2]")), "initial x has 2 values for 3 variables"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "[initial]\nx = { d = 1 }")), "unknown variable 'd'"));
  EXPECT_TRUE(contains(problem_of(with_line("rest", "initial = 1")), "write [initial], then x = [...]"));
}

TEST(SkewGradientErrors, AtTheInitialState) {
  const System system = System::parse(testing::predators_text);
  const Continuous continuous(system, {});
  const auto message = [&](const InitialState& state) {
    return refusal([&] { continuous.require_consistent(state); });
  };
  EXPECT_EQ(message({0, {2, 1}, {}, {}}), "");
  EXPECT_TRUE(contains(message({0, {-1, 1}, {}, {}}), "the Hamiltonian is not finite at the initial state"));
  EXPECT_TRUE(contains(message({0, {NAN, 1}, {}, {}}), "the initial value of prey is nan"));
  EXPECT_TRUE(contains(message({0, {1}, {}, {}}), "the initial state has 1 values of x"));
  EXPECT_TRUE(contains(message({0, {1, 1}, {1, 1}, {}}), "system '" + system.name() + "' has 2, and nothing else"));
}

}  // namespace
}  // namespace noslip::test
