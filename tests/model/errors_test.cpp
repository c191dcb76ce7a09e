// Every kind of mistake in a system file: the place, the sentence and the remedy, to the letter.
#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::string good_head = "coordinates = [\"x\", \"theta\"]\n";

std::string with_lagrangian(const std::string& rest) { return good_head + "lagrangian = \"x'^2 + theta'^2\"\n" + rest; }

TEST(Errors, UnknownSymbolWithLineCaretAndFix) {
  EXPECT_EQ(problem_of(good_head + "lagrangian  = \"x'^2 + theta'^2 - cos(tehta)\""),
            "s.toml:2:38: unknown symbol 'tehta'\n"
            "  lagrangian  = \"x'^2 + theta'^2 - cos(tehta)\"\n"
            "                                       ^\n"
            "  did you mean 'theta'?");
}

TEST(Errors, ColumnsInEveryKindOfString) {
  const std::string remedy = "  give it a value under [parameters], or an expression under [definitions]";
  EXPECT_EQ(problem_of(good_head + "lagrangian = '''x^2 + dot(x)^2 + bad'''"),
            "s.toml:2:34: unknown symbol 'bad'\n"
            "  lagrangian = '''x^2 + dot(x)^2 + bad'''\n"
            "                                   ^\n" +
                remedy);
  EXPECT_EQ(problem_of(good_head + "lagrangian = 'dot(x)^2 + bad'"),
            "s.toml:2:26: unknown symbol 'bad'\n"
            "  lagrangian = 'dot(x)^2 + bad'\n"
            "                           ^\n" +
                remedy);
  EXPECT_EQ(problem_of(good_head + "lagrangian = \"\"\"\nx'^2\n   + bad\"\"\""),
            "s.toml:4:6: unknown symbol 'bad'\n"
            "     + bad\"\"\"\n"
            "       ^\n" +
                remedy);
  EXPECT_EQ(problem_of(good_head + "lagrangian = \"\"\"x'^2 \\\r\n\r\n   + bad\"\"\""),
            "s.toml:4:6: unknown symbol 'bad'\n"
            "     + bad\"\"\"\n"
            "       ^\n" +
                remedy);
  EXPECT_EQ(problem_of(good_head + "lagrangian = \"x'^2\\t+\\u0020bad\""),
            "s.toml:2:28: unknown symbol 'bad'\n"
            "  lagrangian = \"x'^2\\t+\\u0020bad\"\n"
            "                             ^\n" +
                remedy);
  EXPECT_EQ(problem_of(good_head + "lagrangian = '''\r\nx'^2\r\n+ bad'''\r\n"),
            "s.toml:4:3: unknown symbol 'bad'\n"
            "  + bad'''\n"
            "    ^\n" +
                remedy);
}

TEST(Errors, ColumnsBehindOtherScripts) {
  // toml++ counts characters; the place counts bytes, and the caret is set so that it shows under the word.
  const std::string text = problem_of("\xEF\xBB\xBFname = \"\xC3\x9C\"\n" + good_head +
                                      "constraints = [\"theta'\", \"x'\"] # \xC3\xA4\n"
                                      "description = \"\xC3\xA4\xC3\xB6\"\nlagrangian = \"x'^2 + bad\"");
  EXPECT_TRUE(contains(text, "s.toml:5:22: unknown symbol 'bad'")) << text;
}

TEST(Errors, AllProblemsAtOnceInTheOrderOfTheFile) {
  const std::vector<Problem> problems = problems_of(
      "coordinates = [\"x\", \"x\"]\n"
      "lagrangian = \"x'^2 + u + w\"\n"
      "constraint = [\"x' = 0\"]\n"
      "[parameters]\n"
      "m = inf\n"
      "[forces]\n"
      "y = \"x*u\"\n"
      "[initial]\n"
      "q = [1]\n");
  std::vector<std::string> heads;
  for (const Problem& problem : problems) {
    heads.push_back(std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column) + " " +
                    problem.what);
  }
  EXPECT_EQ(heads, (std::vector<std::string>{"1:22 'x' is already the name of a coordinate", "2:22 unknown symbol 'u'",
                                             "2:26 unknown symbol 'w'", "3:1 unknown key 'constraint'",
                                             "5:5 'm' of `parameters` is not finite", "7:1 unknown coordinate 'y'",
                                             "7:8 unknown symbol 'u'", "9:5 initial q has 1 value for 2 coordinates"}));
}

TEST(Errors, Syntax) {
  const std::vector<Problem> problems = problems_of(good_head + "lagrangian = \"x'^2\nname = 3");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].place.line, 2);
  EXPECT_TRUE(contains(problems[0].what, "not valid TOML: parsing string")) << problems[0].what;

  const std::vector<Problem> twice = problems_of("name = \"a\"\nname = \"b\"");
  ASSERT_EQ(twice.size(), 1U);
  EXPECT_EQ(twice[0].place.line, 2);
}

TEST(Errors, Keys) {
  EXPECT_EQ(problem_of(with_lagrangian("constrains = [\"x' = 0\"]")),
            "s.toml:3:1: unknown key 'constrains'\n  constrains = [\"x' = 0\"]\n  ^\n  did you mean 'constraints'?");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("gravity = 1")),
                       "s.toml:3:1: unknown key 'gravity'\n  gravity = 1\n  ^\n  the keys are name, "));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nx = 1")),
                       "s.toml:4:1: unknown key 'x' in [initial]\n  x = 1\n  ^\n  the keys are t, q and v;"));
}

TEST(Errors, MissingParts) {
  EXPECT_EQ(problem_of("coordinates = [\"x\"]"),
            "s.toml: no lagrangian\n  add a line such as lagrangian = \"1/2*m*x'^2 - m*g*x\", or a hamiltonian");
  EXPECT_TRUE(contains(problem_of("coordinates = []\nlagrangian = \"0\""), "no coordinates"));
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"x + theta\""),
                       "s.toml:2:15: the Lagrangian contains no velocity"));
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"\""), "s.toml:2:15: the expression is empty"));
}

TEST(Errors, Types) {
  EXPECT_EQ(problem_of(good_head + "lagrangian = 3"),
            "s.toml:2:14: lagrangian has to be a string, not an integer\n  lagrangian = 3\n"
            "               ^\n  put it in quotes");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("name = [1]")), "3:8: `name` has to be a string, not an array"));
  EXPECT_TRUE(contains(problem_of("coordinates = \"x\"\nlagrangian = \"x'^2\""),
                       "1:15: `coordinates` has to be an array of names, not a string"));
  EXPECT_TRUE(contains(problem_of("coordinates = [\"x\", 3]\nlagrangian = \"x'^2\""),
                       "1:21: a coordinate has to be a string, not an integer"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("constraints = \"x' = 0\"")),
                       "3:15: `constraints` has to be an array of strings, not a string"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("parameters = 3")), "3:14: `parameters` has to be a table"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nm = true")),
                       "4:5: 'm' of `parameters` has to be a number or an expression in quotes, not a boolean"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nm = 1979-05-27")), "not a date or a time"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = 1")),
                       "4:5: initial q has to be an array or a table, not an integer"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = [[1], 2]")), "4:6: initial q has to be a number"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("initial = 3")), "3:11: `initial` has to be a table"));
}

TEST(Errors, NotFinite) {
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nm = nan")), "4:5: 'm' of `parameters` is not finite"));
  EXPECT_TRUE(
      contains(problem_of(with_lagrangian("[initial]\nv = { x = -inf }")), "4:11: initial v of 'x' is not finite"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nt = inf")), "4:5: the initial time is not finite"));
}

TEST(Errors, InitialData) {
  EXPECT_EQ(problem_of(with_lagrangian("[initial]\nv = [1, 2, 3]")),
            "s.toml:4:5: initial v has 3 values for 2 coordinates\n  v = [1, 2, 3]\n      ^\n"
            "  the order is x and theta");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = []")), "4:5: initial q has 0 values for 2"));
  EXPECT_EQ(problem_of(with_lagrangian("[initial]\nq = { x = 1, tetha = 2 }")),
            "s.toml:4:14: unknown coordinate 'tetha'\n  q = { x = 1, tetha = 2 }\n               ^\n"
            "  did you mean 'theta'?");
  EXPECT_EQ(problem_of(with_lagrangian("[initial]\nq = [\"1 + x\", 0]")),
            "s.toml:4:11: 'x' is a coordinate\n  q = [\"1 + x\", 0]\n            ^\n"
            "  an initial value may use the parameters only");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = [\"t\", 0]")), "4:7: 't' is the time"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = [\"x'\", 0]")), "4:7: 'x'' is a velocity"));
}

TEST(Errors, TablesOfCoordinates) {
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[forces]\nz = \"-x'\"")),
                       "4:1: unknown coordinate 'z'\n  z = \"-x'\"\n  ^\n  the coordinates are x and theta"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[exact]\nthet = \"t\"")), "4:1: unknown coordinate 'thet'"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[exact]\nx = \"theta\"")),
                       "4:6: 'theta' is a coordinate\n  x = \"theta\"\n       ^\n"
                       "  an exact solution may use t and the parameters only"));
}

TEST(Errors, Names) {
  EXPECT_TRUE(
      contains(problem_of("coordinates = [\"x\", \"sin\"]\nlagrangian = \"x'^2\""), "1:22: 'sin' is a function"));
  EXPECT_TRUE(contains(problem_of("coordinates = [\"x\", \"t\"]\nlagrangian = \"x'^2\""), "1:22: 't' is the time"));
  EXPECT_TRUE(contains(problem_of("coordinates = [\"x\", \"a b\"]\nlagrangian = \"x'^2\""), "1:22: the name 'a b'"));
  EXPECT_TRUE(contains(problem_of("coordinates = [\"\", \"x\"]\nlagrangian = \"x'^2\""), "a name must not be empty"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\npi = 3")), "4:1: 'pi' is a constant"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\n\"m 1\" = 3")), "4:2: the name 'm 1'"));
  EXPECT_TRUE(
      contains(problem_of(with_lagrangian("[parameters]\nx = 3")), "4:1: 'x' is already the name of a coordinate"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nm = 3\n[definitions]\nm = \"x\"")),
                       "6:1: 'm' is already the name of a parameter"));
}

TEST(Errors, ParametersAboveOnly) {
  EXPECT_EQ(problem_of(with_lagrangian("[parameters]\nJ = \"2*m\"\nm = 1")),
            "s.toml:4:8: parameter 'm' is not defined yet here\n  J = \"2*m\"\n         ^\n"
            "  the default of a parameter may use the parameters above it only");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nJ = \"J\"")), "parameter 'J' is not defined yet"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nJ = \"x\"")), "4:6: 'x' is a coordinate"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[parameters]\nJ = \"speed\"\n[definitions]\nspeed = \"x'\"")),
                       "4:6: definition 'speed' cannot be used here: 'x'' is a velocity"));
}

TEST(Errors, Velocities) {
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"x'^2 + m'\"\n[parameters]\nm = 1"),
                       "2:22: 'm' is a parameter and has no velocity"));
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"x'^2 + dot(d)\"\n[definitions]\nd = \"x'\""),
                       "2:26: definition 'd' contains the velocity x' and has no velocity"));
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"x'^2 + thta'\""), "did you mean 'theta'?"));
}

TEST(Errors, DefinitionsInACircle) {
  EXPECT_EQ(problem_of(with_lagrangian("[definitions]\na = \"1 + b\"\nb = \"c*x\"\nc = \"a\"")),
            "s.toml:4:1: definitions go in a circle: 'a' uses 'b' uses 'c' uses 'a'\n  a = \"1 + b\"\n  ^\n"
            "  one of them has to stand on its own");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[definitions]\na = \"a\"")), "'a' uses 'a'"));
}

TEST(Errors, AWrongDefinitionIsReportedOnce) {
  EXPECT_TRUE(contains(problem_of(good_head + "lagrangian = \"x'^2 + d + d*x\"\n[definitions]\nd = \"u\"\nc = \"d\""),
                       "4:6: unknown symbol 'u'"));
}

TEST(Errors, PartsOfAnUnknownWordAreNotMeant) {
  // The parser tries to split `xx` into known names; the coordinate x in there is not what the user wrote.
  EXPECT_TRUE(contains(problem_of(with_lagrangian("[initial]\nq = [\"xx + xx\", 0]")), "unknown symbol 'xx'"));
}

TEST(Errors, Constraints) {
  EXPECT_EQ(problem_of(with_lagrangian("constraints = [\"x = theta^2\"]")),
            "s.toml:3:17: constraint 'x = theta^2' contains no velocity: it is a position constraint\n"
            "  constraints = [\"x = theta^2\"]\n                  ^\n"
            "  position constraints belong under `holonomic`");
  EXPECT_TRUE(contains(problem_of(with_lagrangian("constraints = [\"x' = x'\"]")), "says nothing"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("constraints = [\"x' + 1 = x'\"]")), "can never hold"));
  EXPECT_TRUE(contains(problem_of(with_lagrangian("constraints = [\"x' = 0\", \"theta' = 0\", \"x' = theta'\"]")),
                       "3:41: more constraints (3) than coordinates (2)"));
  EXPECT_TRUE(
      contains(problem_of(with_lagrangian("constraints = [\"x' = 0 = theta'\"]")), "3:24: a relation has only"));
}

TEST(Errors, AnEmptyListIsNone) { EXPECT_TRUE(problems_of(with_lagrangian("holonomic = []")).empty()); }

TEST(Errors, AbsurdSizes) {
  EXPECT_TRUE(contains(problem_of(std::string(1'000'001, ' ')), "s.toml: the text is too long (1000001 bytes)"));
  std::string many = "coordinates = [\"x0\"";
  for (int i = 1; i < 30000; ++i) many += ", \"x" + std::to_string(i) + "\"";
  EXPECT_TRUE(contains(problem_of(many + "]\nlagrangian = \"x0'^2\""), "30000 coordinates are too many"));
}

TEST(Errors, ALongListIsCut) {
  std::string text = good_head + "lagrangian = \"x'^2";
  for (int i = 0; i < 200; ++i) text += " + unknown_" + std::to_string(i);
  const std::vector<Problem> problems = problems_of(text + "\"");
  ASSERT_EQ(problems.size(), 51U);
  EXPECT_EQ(problems.back().what, "and 150 more problems");
}

}  // namespace
}  // namespace noslip::test
