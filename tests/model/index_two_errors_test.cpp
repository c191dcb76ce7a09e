// Mistakes in files of kind dae2: the place, the sentence and the remedy.
#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::string head = "kind = \"dae2\"\ny = [\"a\", \"b\"]\nz = [\"c\"]\n";
const std::string right = "f = [[], [\"c\", \"a\"]]\n";
const std::string constraint = "g = [\"a + b = 1\"]\n";

std::string with_rest(const std::string& rest) { return head + right + constraint + rest; }

/// "line:column what" of every problem.
std::vector<std::string> heads_of(const std::string& toml) {
  std::vector<std::string> heads;
  for (const Problem& problem : problems_of(toml)) {
    heads.push_back(std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + " " +
                    problem.what);
  }
  return heads;
}

using Heads = std::vector<std::string>;

TEST(IndexTwoErrors, TheGoodFileIsGood) { EXPECT_EQ(heads_of(with_rest("")), Heads{}); }

TEST(IndexTwoErrors, UnknownSymbolWithLineCaretAndFix) {
  EXPECT_EQ(problem_of(head + "f = [[], [\"c\", \"a*gamma\"]]\n" + constraint + "[parameters]\ngama = 1"),
            "s.toml:4:19: unknown symbol 'gamma'\n"
            "  f = [[], [\"c\", \"a*gamma\"]]\n"
            "                    ^\n"
            "  did you mean 'gama'?");
}

TEST(IndexTwoErrors, AllProblemsAtOnceInTheOrderOfTheFile) {
  EXPECT_EQ(heads_of("kind = \"dae2\"\n"
                     "y = [\"a\", \"b\", \"a\"]\n"
                     "z = [\"b\", \"c\"]\n"
                     "f = [[\"a\"], [\"c\", \"u\", \"a'\"]]\n"
                     "g = [\"a + c\"]\n"
                     "lagrangian = \"a'^2\"\n"
                     "gg = 1\n"
                     "[parameters]\n"
                     "m = nan\n"
                     "[invariants]\n"
                     "i = \"a + v\"\n"
                     "[exact]\n"
                     "d = \"t\"\n"
                     "[initial]\n"
                     "y = [1, 2]\n"
                     "z = { a = 1 }\n"
                     "q = [1]\n"),
            (Heads{"2:17 'a' is already the name of a differential variable",
                   "3:7 'b' is already the name of a differential variable", "3:12 1 constraint g for 2 variables z",
                   "4:6 part A of f has 1 text for 3 variables y", "4:20 unknown symbol 'u'",
                   "4:25 'a'' is a derivative: a system of kind dae2 has none on its right-hand sides",
                   "5:11 'c' is an algebraic variable", "6:1 `lagrangian` does not belong to a system of kind \"dae2\"",
                   "7:1 unknown key 'gg'", "9:5 'm' of `parameters` is not finite", "11:10 unknown symbol 'v'",
                   "13:1 unknown variable 'd'", "15:5 initial y has 2 values for 3 variables",
                   "16:7 unknown variable 'a'", "17:1 unknown key 'q' in [initial]"}));
}

TEST(IndexTwoErrors, Kinds) {
  const std::string rest = right + constraint;
  EXPECT_EQ(problem_of("kind = \"dea2\"\ny = [\"a\"]"),
            "s.toml:1:9: unknown kind 'dea2'\n  kind = \"dea2\"\n          ^\n  did you mean 'dae2'?");
  EXPECT_TRUE(contains(problem_of("kind = \"ode\""), "unknown kind 'ode'"));
  EXPECT_TRUE(contains(problem_of("kind = \"fluid\""), "the kinds are mechanical, dae2, odae and skew-gradient"));
  EXPECT_TRUE(contains(problem_of("kind = 2"), "1:8: `kind` has to be a string, not an integer"));
  EXPECT_TRUE(contains(problem_of("kind = \"\""), "1:9: unknown kind ''"));
}

TEST(IndexTwoErrors, KeysOfTheOtherKind) {
  const Heads heads =
      heads_of(with_rest("coordinates = [\"x\"]\nconstraints = []\nholonomic = []\nhamiltonian = \"a\"\n"
                         "[forces]\na = 1\n[nonideal]\nx = 1"));
  EXPECT_EQ(heads, (Heads{"6:1 `coordinates` does not belong to a system of kind \"dae2\"",
                          "7:1 `constraints` does not belong to a system of kind \"dae2\"",
                          "8:1 `holonomic` does not belong to a system of kind \"dae2\"",
                          "9:1 `hamiltonian` does not belong to a system of kind \"dae2\"",
                          "10:2 `forces` does not belong to a system of kind \"dae2\"",
                          "12:2 `nonideal` does not belong to a system of kind \"dae2\""}));
  EXPECT_TRUE(contains(problem_of(with_rest("lagrangian = \"a\"")),
                       "it has y' = f(t, y, z) and 0 = g(t, y), given by y, z, f and g"));
  // The kind was forgotten.
  EXPECT_EQ(heads_of("y = [\"a\"]\nz = [\"b\"]\nf = [[], [\"b\"]]\ng = [\"a\"]"),
            (Heads{"1:1 `y` belongs to systems of kind \"dae2\"", "2:1 `z` belongs to systems of kind \"dae2\"",
                   "3:1 `f` belongs to systems of kind \"dae2\"", "4:1 `g` belongs to systems of kind \"dae2\""}));
  EXPECT_TRUE(
      contains(problem_of("coordinates = [\"x\"]\nlagrangian = \"x'^2\"\ny = [\"a\"]"),
               "3:1: `y` belongs to systems of kind \"dae2\"\n  y = [\"a\"]\n  ^\n  add the line kind = \"dae2\""));
  EXPECT_TRUE(contains(problem_of("kind = \"mechanical\"\ncoordinates = [\"x\"]\nlagrangian = \"x'^2\"\nz = [\"a\"]"),
                       "remove it, or write kind = \"dae2\""));
}

TEST(IndexTwoErrors, MissingParts) {
  EXPECT_EQ(problem_of("kind = \"dae2\""), "s.toml: no variables y\n  add a line such as y = [\"y1\", \"y2\"]");
  EXPECT_TRUE(contains(problem_of(head + constraint), "s.toml: no right-hand side f\n  add a line such as f = [[], "));
  EXPECT_TRUE(contains(problem_of(head + "f = []\n" + constraint),
                       "4:5: all parts of f are missing\n  f = []\n      ^\n  put the right-hand side into part B"));
  EXPECT_TRUE(contains(problem_of(head + "f = [[], [], []]\n" + constraint), "4:5: all parts of f are missing"));
  EXPECT_TRUE(contains(problem_of(head + right), "3:7: 0 constraints g for 1 variable z"));
  EXPECT_EQ(problem_of("kind = \"dae2\"\ny = [\"a\"]\nf = [[], [\"a\"]]\ng = [\"a\"]"),
            "s.toml:4:7: 1 constraint g for 0 variables z\n  g = [\"a\"]\n        ^\n"
            "  a system of index 2 has as many constraints g as variables z");
}

TEST(IndexTwoErrors, Parts) {
  EXPECT_EQ(problem_of(head + "f = [[\"a\", \"b\", \"1\"], [\"c\", \"a\"]]\n" + constraint),
            "s.toml:4:6: part A of f has 3 texts for 2 variables y\n  f = [[\"a\", \"b\", \"1\"], [\"c\", \"a\"]]\n"
            "       ^\n  give one text per variable y, or [] for a part that is missing");
  EXPECT_TRUE(
      contains(problem_of(head + "f = [[], [\"c\", 0], [], [1]]\n" + constraint), "4:24: part C* of f has 1 text"));
  EXPECT_EQ(problem_of(head + "f = [[], [\"c\", 0], [], [], [], []]\n" + constraint),
            "s.toml:4:32: 6 parts of f are too many\n  f = [[], [\"c\", 0], [], [], [], []]\n"
            "                                 ^\n  at most five are known: A, B, C, C* and D");
}

TEST(IndexTwoErrors, Types) {
  EXPECT_TRUE(contains(problem_of("kind = \"dae2\"\ny = \"a\"\n" + right), "2:5: `y` has to be an array of names"));
  EXPECT_TRUE(contains(problem_of("kind = \"dae2\"\ny = [\"a\", 2]\n" + right),
                       "2:11: a variable has to be a string, not an integer"));
  EXPECT_TRUE(
      contains(problem_of("kind = \"dae2\"\ny = [\"a\"]\nz = { c = 1 }"), "3:5: `z` has to be an array of names"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = \"a\""), "5:5: `g` has to be an array of strings, not a string"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [1]"), "5:6: a constraint has to be a string, not an integer"));
  EXPECT_TRUE(
      contains(problem_of(head + "f = \"c\"\n" + constraint), "4:5: `f` has to be an array of parts, not a string"));
  EXPECT_EQ(heads_of(head + "f = [\"c\", []]\n" + constraint),
            Heads{"4:6 a part of `f` has to be an array of strings, not a string"});
  EXPECT_TRUE(contains(problem_of(head + "f = [[], [true, \"c\"]]\n" + constraint),
                       "4:11: an entry of `f` has to be a number or an expression in quotes, not a boolean"));
  EXPECT_TRUE(
      contains(problem_of(head + "f = [[], [inf, \"c\"]]\n" + constraint), "4:11: an entry of `f` is not finite"));
  EXPECT_TRUE(contains(problem_of(head + "f = [[], [[\"c\"], \"c\"]]\n" + constraint), "not an array"));
  EXPECT_TRUE(contains(problem_of(with_rest("[initial]\nz = 1")),
                       "7:5: initial z has to be an array or a table, not an integer"));
  EXPECT_TRUE(contains(problem_of(with_rest("initial = 3")), "write [initial], then y = [...] and z = [...]"));
}

TEST(IndexTwoErrors, Names) {
  EXPECT_TRUE(contains(problem_of("kind = \"dae2\"\ny = [\"a\"]\nz = [\"t\"]\nf = [[], [\"t\"]]\ng = [\"a\"]"),
                       "3:7: 't' is the time"));
  EXPECT_TRUE(
      contains(problem_of(with_rest("[parameters]\nc = 1")), "'c' is already the name of an algebraic variable"));
  EXPECT_TRUE(contains(problem_of(with_rest("[parameters]\nm = \"c\"")),
                       "7:6: 'c' is an algebraic variable\n  m = \"c\"\n       ^\n"
                       "  the default of a parameter may use the parameters above it only"));
}

TEST(IndexTwoErrors, Constraints) {
  EXPECT_EQ(problem_of(head + right + "g = [\"a + 2*c = 1\"]"),
            "s.toml:5:13: 'c' is an algebraic variable\n  g = [\"a + 2*c = 1\"]\n              ^\n"
            "  g may use t, y and the parameters only: 0 = g(t, y) of a system of index 2 does not contain z");
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"d\"]\n[definitions]\nd = \"a*c\""),
                       "definition 'd' cannot be used here: 'c' is an algebraic variable"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"a' = 1\"]"), "5:7: 'a'' is a derivative"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"c' = 1\"]"), "5:7: 'c'' is a derivative"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"a = a\"]"), "5:7: constraint 'a = a' says nothing"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"1 = 2\"]"), "5:7: constraint '1 = 2' can never hold"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"sin(t) = 0\"]"),
                       "5:7: constraint 'sin(t) = 0' contains none of the variables y"));
  EXPECT_TRUE(contains(problem_of(head + right + "g = [\"\"]"), "5:7: the relation is empty"));
  EXPECT_EQ(heads_of("kind = \"dae2\"\ny = [\"a\"]\nz = [\"c\", \"d\"]\nf = [[], [\"c + d\"]]\ng = [\"a\", \"2*a\"]"),
            Heads{"5:12 more constraints g (2) than variables y (1)"});
}

TEST(IndexTwoErrors, NotOfIndexTwoByItsForm) {
  EXPECT_EQ(problem_of(head + "f = [[], [\"c\", \"a\"]]\ng = [\"b = 1\"]"),
            "s.toml:5:7: the system is not of index 2: the derivative of constraint 'b = 1' does not contain z\n"
            "  g = [\"b = 1\"]\n        ^\n"
            "  g_y f_z has to be regular: each derivative of g has to determine some of z");
  EXPECT_EQ(problem_of("kind = \"dae2\"\ny = [\"a\", \"b\"]\nz = [\"c\", \"d\"]\nf = [[], [\"c\", \"c + a\"]]\n"
                       "g = [\"a\", \"b\"]"),
            "s.toml:3:12: the system is not of index 2: no derivative of a constraint contains 'd'\n"
            "  z = [\"c\", \"d\"]\n             ^\n"
            "  g_y f_z has to be regular: each derivative of g has to determine some of z");
}

TEST(IndexTwoErrors, InitialData) {
  EXPECT_EQ(problem_of(with_rest("[initial]\nz = [1, 2]")),
            "s.toml:7:5: initial z has 2 values for 1 variable\n  z = [1, 2]\n      ^\n  the order is c");
  EXPECT_EQ(problem_of(with_rest("[initial]\nv = [1]")),
            "s.toml:7:1: unknown key 'v' in [initial]\n  v = [1]\n  ^\n"
            "  the keys are t, y and z; variables go inside, y = { y1 = 1.0 } or an array");
  EXPECT_TRUE(contains(problem_of(with_rest("[initial]\ny = { c = 1 }")), "7:7: unknown variable 'c'"));
  EXPECT_TRUE(contains(problem_of(with_rest("[initial]\nz = [\"a\"]")),
                       "7:7: 'a' is a differential variable\n  z = [\"a\"]\n        ^\n"
                       "  an initial value may use the parameters only"));
}

TEST(IndexTwoErrors, Exact) {
  EXPECT_TRUE(contains(problem_of(with_rest("[exact]\nd = \"t\"")), "7:1: unknown variable 'd'"));
  EXPECT_TRUE(
      contains(problem_of(with_rest("[exact]\nc = \"a\"")), "an exact solution may use t and the parameters only"));
  EXPECT_TRUE(problems_of(with_rest("[exact]\nc = \"t\"\nb = 1")).empty());
}

TEST(IndexTwoErrors, AbsurdSizes) {
  std::string many = "kind = \"dae2\"\ny = [\"y0\"";
  for (int i = 1; i < 30000; ++i) many += ", \"y" + std::to_string(i) + "\"";
  EXPECT_TRUE(contains(problem_of(many + "]\nf = [[]]"), "30000 variables y are too many"));
}

}  // namespace
}  // namespace noslip::test
