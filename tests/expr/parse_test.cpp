#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>

#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

struct Meaning {
  const char* text;
  const char* same_as;
};

void PrintTo(const Meaning& meaning, std::ostream* out) { *out << meaning.text; }

class ParseMeaning : public ::testing::TestWithParam<Meaning> {};

TEST_P(ParseMeaning, IsTheSameNode) {
  Graph graph;
  const Parsed a = parse_expression(graph, GetParam().text, sleigh_scope(graph));
  const Parsed b = parse_expression(graph, GetParam().same_as, sleigh_scope(graph));
  ASSERT_TRUE(a.problems.empty()) << a.problems.front().what;
  ASSERT_TRUE(b.problems.empty()) << b.problems.front().what;
  EXPECT_EQ(a.expression, b.expression) << to_text(a.expression) << " and " << to_text(b.expression);
}

constexpr Meaning meanings[] = {
    {"x - y - a", "(x - y) - a"},
    {"x/y/a", "(x/y)/a"},
    {"x/y*a", "(x/y)*a"},
    {"x + y*a", "x + (y*a)"},
    {"x^y^a", "x^(y^a)"},
    {"-x^2", "-(x^2)"},
    {"-x*y", "-(x*y)"},
    {"2^-x", "2^(-x)"},
    {"x*-y", "-(x*y)"},
    {"x - -y", "x + y"},
    {"--x", "x"},
    {"+x", "x"},
    {" x\t+\n y ", "x+y"},
    {"x'^2", "(x')^2"},
    {"dot(x)", "x'"},
    {"dot( x )*2", "2*x'"},
    {"x '", "x'"},
    {"1.5", "3/2"},
    {".5", "1/2"},
    {"2.", "2"},
    {"1e-3", "1/1000"},
    {"1E3*x", "1000*x"},
    {"pow(x, y)", "x^y"},
    {"min(x, y, a)", "min(min(x, y), a)"},
    {"max(x, y, a, m)", "max(max(max(x, y), a), m)"},
    {"e", "exp(1)"},
    {"2*e", "2*exp(1)"},
    {"((((x))))", "x"},
    {"sin (x)", "sin(x)"},
    {"mod(x, y)", "x - y*floor(x/y)"},
    {"clamp(x, y, m)", "min(max(x, y), m)"},
    {"step(x)", "if(x < 0, 0, 1)"},
    {"if(x > y, 1, 2)", "if(y < x, 1, 2)"},
    {"if(x <= y, 1, 2)", "if(y < x, 2, 1)"},
    {"if(x >= y, 1, 2)", "if(x < y, 2, 1)"},
    {"if(not x < y, 1, 2)", "if(x < y, 2, 1)"},
    {"if(not not x < y, 1, 2)", "if(x < y, 1, 2)"},
    {"if(((x) < y), (1), 2)", "if(x < y, 1, 2)"},
    {"if(x < y and y < m or m < 2, 1, 2)", "if((x < y and y < m) or (m < 2), 1, 2)"},
    {"if(x < y or y < m and m < 2, 1, 2)", "if(x < y or (y < m and m < 2), 1, 2)"},
    {"if(x > 0, 1, 2)", "select(x, 1, 2)"},
    {"if(1 < 2, x, y)", "x"},
    {"floor(5/2) + floor(-5/2)", "-1"},
    {"floor(floor(x))", "floor(x)"},
    {"if(x < y, m, m)", "m"},
};
INSTANTIATE_TEST_SUITE_P(Grammar, ParseMeaning, ::testing::ValuesIn(meanings));

TEST(Parse, EveryFunctionOfTheLanguage) {
  Graph graph;
  for (const char* text : {"sin(x)",
                           "cos(x)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x)",
                           "atan(x)",
                           "atan2(x, y)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "exp(x)",
                           "log(x)",
                           "sqrt(x)",
                           "abs(x)",
                           "min(x, y)",
                           "max(x, y)",
                           "sign(x)",
                           "floor(x)",
                           "if(x < y, x, m)",
                           "if(y <= x and m < 1, m, 1)",
                           "if(x < y and y < m or m < 2, x, m)",
                           "if(x > 0, 1, 0)",
                           "if(m < 2 and (x < y or y < m), x, m)",
                           "if(not (x < y and y < m) or y < 1, x, m)"}) {
    const Parsed parsed = parse_expression(graph, text, sleigh_scope(graph));
    ASSERT_TRUE(parsed.problems.empty()) << text;
    EXPECT_EQ(to_text(parsed.expression), text);
  }
  EXPECT_EQ(parse_expression(graph, "pi", sleigh_scope(graph)).expression, graph.pi());
}

TEST(Parse, Relations) {
  Graph graph;
  const Scope scope = sleigh_scope(graph);
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  EXPECT_EQ(parse_relation(graph, "x = y", scope).expression, x - y);
  EXPECT_EQ(parse_relation(graph, "x - y", scope).expression, x - y);
  EXPECT_EQ(parse_relation(graph, "x = 0", scope).expression, x);
  EXPECT_EQ(parse_relation(graph, "-x*2 = y + x", scope).expression, -2 * x - (y + x));
}

TEST(Parse, MomentaAndMultipliers) {
  Graph graph;
  Scope scope = sleigh_scope(graph);
  scope.momentum = [&](std::string_view name) {
    return name == "x" ? std::optional(graph.symbol("p(x)")) : std::nullopt;
  };
  scope.multiplier = [&](std::string_view name) {
    return name == "1" ? std::optional(graph.symbol("psi(1)")) : std::nullopt;
  };
  EXPECT_EQ(to_text(parse_expression(graph, "p(x)^2/2 + psi( 1 )", scope).expression), "1/2*p(x)^2 + psi(1)");
  const Parsed wrong = parse_expression(graph, "p(q) + psi(2) + psi(x)", scope);
  ASSERT_EQ(wrong.problems.size(), 3u);
  EXPECT_EQ(wrong.problems[0].what, "there is no momentum of 'q'");
  EXPECT_EQ(wrong.problems[1].what, "there is no multiplier psi(2)");
  EXPECT_EQ(wrong.problems[2].what, "psi(...) takes one number and nothing else");
}

TEST(Parse, PAndPsiAreNamesUnlessAParenthesisFollows) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "p + psi*2", open_scope(graph));
  EXPECT_TRUE(parsed.problems.empty());
  EXPECT_EQ(to_text(parsed.expression), "p + 2*psi");
}

struct Mistake {
  const char* text;
  std::size_t offset;
  const char* what;
  const char* remedy;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.text; }

class ParseMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ParseMistake, IsExplained) {
  const Mistake& expected = GetParam();
  Graph graph;
  const Parsed parsed = parse_relation(graph, expected.text, sleigh_scope(graph));
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_EQ(parsed.problems[0].what, expected.what);
  EXPECT_EQ(parsed.problems[0].remedy, expected.remedy);
  EXPECT_EQ(parsed.problems[0].offset, expected.offset);
}

constexpr const char* no_equality =
    "a relation has a single =; a condition compares with < <= > >=, since computed numbers are hardly ever equal";
constexpr const char* no_inequality = "write lhs = rhs; a case is written if(condition, a, b)";
constexpr const char* use_if = "write if(x > 0, a, b)";
constexpr const char* compare = "compare it, for example x > 0";

constexpr Mistake mistakes[] = {
    {"", 0, "the relation is empty", "write lhs = rhs"},
    {"  ", 2, "the relation is empty", "write lhs = rhs"},
    {"tehta", 0, "unknown symbol 'tehta'", "did you mean 'theta'?"},
    {"cos(tehta')", 4, "unknown symbol 'tehta'", "did you mean 'theta'?"},
    {"x + q", 4, "unknown symbol 'q'", ""},
    {"mg", 0, "unknown symbol 'mg'", "write m*g"},
    {"m'", 0, "'m' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"t'", 0, "'t' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"pi'", 0, "'pi' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"dot(m)", 4, "'m' is not a coordinate and has no velocity",
     "only coordinates, and definitions in t and positions, may be followed by '"},
    {"dot(x + y)", 4, "dot(...) takes one name and nothing else", "write dot(x)"},
    {"dot(x", 4, "dot(...) takes one name and nothing else", "write dot(x)"},
    {"dot(", 3, "this '(' is never closed", "add ')'"},
    {"x''", 2, "second derivatives are not allowed", "only positions x and velocities x' may appear"},
    {"(x+y)'", 5, "' may only follow the name of a coordinate", "write x' for the velocity of x"},
    {"2'", 1, "' may only follow the name of a coordinate", "write x' for the velocity of x"},
    {"sin(x)'", 6, "' may only follow the name of a coordinate", "write x' for the velocity of x"},
    {"2x", 1, "an operator is missing between '2' and 'x'", "write 2*x"},
    {"2 x", 2, "an operator is missing between '2' and 'x'", "write 2*x"},
    {"x y", 2, "an operator is missing between 'x' and 'y'", "write x*y"},
    {"2(x)", 1, "an operator is missing between '2' and '('", "write 2*("},
    {"(x)(y)", 3, "an operator is missing between ')' and '('", "write ...)*("},
    {"2e", 1, "an operator is missing between '2' and 'e'", "write 2*e"},
    {"x 2", 2, "an operator is missing between 'x' and '2'", "write x*2"},
    {"(x 2)", 3, "an operator is missing between 'x' and '2'", "write x*2"},
    {"sin x", 0, "the function 'sin' needs its argument in parentheses", "write sin(x)"},
    {"atan2 + 1", 0, "the function 'atan2' needs its argument in parentheses", "write atan2(y, x)"},
    {"sin()", 0, "sin() has no argument", "write sin(x)"},
    {"sin(x, y)", 0, "sin takes 1 argument, not 2", "write sin(x)"},
    {"atan2(x)", 0, "atan2 takes 2 arguments, not 1", "write atan2(y, x)"},
    {"max(x)", 0, "max takes at least 2 arguments, not 1", "write max(x, y)"},
    {"sine(x)", 0, "unknown function 'sine'", "did you mean 'sin'?"},
    {"ln(x)", 0, "unknown function 'ln'", "did you mean 'log'?"},
    {"arctan(x)", 0, "unknown function 'arctan'", "did you mean 'atan'?"},
    {"m(x)", 0, "unknown function 'm'", "to multiply, write m*(...)"},
    {"p(x)", 0, "p(...), the momentum, is not available here", "momenta belong to systems with a hamiltonian"},
    {"psi(1)", 0, "psi(...), a multiplier, is not available here", "multipliers may be used under [nonideal]"},
    {"(x", 0, "this '(' is never closed", "add ')'"},
    {"sin(x", 3, "this '(' is never closed", "add ')'"},
    {"sin(x = y", 3, "this '(' is never closed", "add ')'"},
    {"x)", 1, "')' without a '(' before it", ""},
    {"()", 1, "')' after '(', where a number, a name or '(' is expected", ""},
    {"x, y", 1, "',' outside of a function call", "the decimal point is '.'"},
    {"(x, y)", 2, "',' outside of a function call", "the decimal point is '.'"},
    {"sin(x,)", 6, "')' after ',', where a number, a name or '(' is expected", ""},
    {"x +", 3, "the text ends after '+'", "something has to follow"},
    {"x =", 3, "the text ends after '='", "something has to follow"},
    {"= x", 0, "'=' at the start, where a number, a name or '(' is expected", ""},
    {"*x", 0, "'*' at the start, where a number, a name or '(' is expected", ""},
    {"x */ y", 3, "'/' after '*', where a number, a name or '(' is expected", ""},
    {"x = y = a", 6, "a relation has only one '='", "write two relations"},
    {"x == y", 2, "'==' is not part of the grammar", no_equality},
    {"x**2", 1, "'**' is not part of the grammar", "use ^ for powers"},
    {"x//2", 1, "'//' is not part of the grammar", "use a single / to divide"},
    {"x != y", 2, "'!=' is not part of the grammar", no_equality},
    {"x <> y", 2, "'<>' is not part of the grammar", no_equality},
    {"x =< y", 2, "'=<' is not part of the grammar", "write <="},
    {"x && y", 2, "'&&' is not part of the grammar", "write and"},
    {"x || y", 2, "'||' is not part of the grammar", "write or"},
    {"!x", 0, "'!' is not part of the grammar", "write not"},
    {"x > 0 ? 1 : 2", 6, "'?' is not part of the grammar", "write if(condition, a, b)"},
    {"x % 2", 2, "'%' is not part of the grammar", "write mod(a, b)"},
    {"x < y", 0, "a condition where an equation is expected", no_inequality},
    {"y = x >= y", 4, "a condition where an equation is expected", no_inequality},
    {"1 + (x < y)", 4, "a condition is not a number", "write if(condition, 1, 0)"},
    {"(x < y)*2", 0, "a condition is not a number", "write if(condition, 1, 0)"},
    {"-(x < y)", 1, "a condition is not a number", "write if(condition, 1, 0)"},
    {"sin(x < y)", 4, "a condition where a number is expected", "write if(condition, 1, 0)"},
    {"if(x, 1, 2)", 3, "the first argument of if is not a condition", use_if},
    {"if(x = 0, 1, 2)", 5, "'=' in a condition", "compare with < <= > >=; computed numbers are hardly ever equal"},
    {"if(x > 0)", 2, "if takes a condition and two values, not 0", use_if},
    {"if(x > 0, 1)", 2, "if takes a condition and two values, not 1", use_if},
    {"if(x > 0, 1, 2, 3)", 2, "if takes a condition and two values, not 3", use_if},
    {"if(x > 0, 1, y > 0)", 13, "a condition where a number is expected", "write if(condition, 1, 0)"},
    {"if()", 3, "if() has no condition", use_if},
    {"if + 1", 0, "'if' needs a condition and two values", use_if},
    {"if(0 < x < 1, 1, 2)", 9, "two comparisons in a row", "write a < b and b < c"},
    {"if((x < y) < 1, 1, 2)", 3, "a condition before '<'", "compare numbers"},
    {"if(1 < (x < y), 1, 2)", 5, "a condition after '<'", "compare numbers"},
    {"if(x and y > 0, 1, 2)", 3, "a number where a condition is expected", compare},
    {"if(x > 0 and y, 1, 2)", 13, "a number where a condition is expected", compare},
    {"if(not x, 1, 2)", 3, "a number where a condition is expected", compare},
    {"if(x > 0 and, 1, 2)", 12, "',' after 'and', where a number, a name or '(' is expected", ""},
    {"x*not y", 2, "'not' where a number is expected", "not stands before a condition"},
    {"and x", 0, "'and' without a condition before it", "write a < b and c < d"},
    {"xdot", 0, "unknown symbol 'xdot'", "the velocity of x is written x'"},
    {"x_dot", 0, "unknown symbol 'x_dot'", "the velocity of x is written x'"},
    {"dx", 0, "unknown symbol 'dx'", "the velocity of x is written x'"},
    {"dxdt", 0, "unknown symbol 'dxdt'", "the velocity of x is written x'"},
    {"thetadot*x", 0, "unknown symbol 'thetadot'", "the velocity of theta is written theta'"},
    {"ddt(x)", 0, "unknown function 'ddt'", "the velocity of x is written x'"},
    {"ceil(x)", 0, "unknown function 'ceil'", "write -floor(-x)"},
    {"heaviside(x)", 0, "unknown function 'heaviside'", "did you mean 'step'?"},
    {"mod(x)", 0, "mod takes 2 arguments, not 1", "write mod(a, b)"},
    {"clamp(x, 1)", 0, "clamp takes 3 arguments, not 2", "write clamp(x, low, high)"},
    {"step()", 0, "step() has no argument", "write step(x)"},
    {"floor", 0, "the function 'floor' needs its argument in parentheses", "write floor(x)"},
    {"[x]", 0, "'[' is not part of the grammar", "only ( and ) group"},
    {"x\"", 1, "'\"' is not part of the grammar", "a velocity is written x' (or dot(x))"},
    {"x; y", 1, "';' is not part of the grammar", "write one expression; separate arguments by ,"},
    {". + x", 0, "'.' is not part of the grammar", "a number needs a digit, for example 0.5"},
    {"x $ y", 2, "character '$' is not allowed", ""},
    {"θ + x", 0, "character 'θ' is not allowed", "write theta"},
    {"x + 2·y", 5, "character '·' is not allowed", "write *"},
    {"x²", 1, "character '²' is not allowed", "write ^2"},
    {"x’", 1, "character '’' is not allowed", "write '"},
    {"x + \xff", 4, "byte 0xff is not allowed", ""},
    {"x + \x01", 4, "byte 0x01 is not allowed", ""},
    {"1.2.3", 0, "malformed number '1.2.3'", "a number has one decimal point"},
    {"1e99999*x", 0, "the number 1e99999 is out of range", ""},
};
INSTANTIATE_TEST_SUITE_P(Mistakes, ParseMistake, ::testing::ValuesIn(mistakes));

TEST(Parse, AnExpressionHasNoEqualsSign) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "x = y", sleigh_scope(graph));
  ASSERT_EQ(parsed.problems.size(), 1u);
  EXPECT_EQ(parsed.problems[0].what, "'=' is not allowed in an expression");
  EXPECT_EQ(parsed.problems[0].offset, 2u);
  EXPECT_EQ(parse_expression(graph, "", sleigh_scope(graph)).problems.at(0).what, "the expression is empty");
}

TEST(Parse, AllUnknownNamesAreReportedEachOnce) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "tehta + foo(bar, tehta) + sin(x, y) + 2 y", sleigh_scope(graph));
  std::vector<std::string> what;
  for (const ParseProblem& problem : parsed.problems) what.push_back(problem.what);
  EXPECT_EQ(what,
            (std::vector<std::string>{"unknown symbol 'tehta'", "unknown function 'foo'", "unknown symbol 'bar'",
                                      "sin takes 1 argument, not 2", "an operator is missing between '2' and 'y'"}));
}

TEST(Parse, NestingIsLimited) {
  Graph graph;
  const Scope scope = sleigh_scope(graph);
  const auto nested = [](int depth, const std::string& open, const std::string& close) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += "x";
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_TRUE(parse_expression(graph, nested(150, "(", ")"), scope).problems.empty());
  for (const auto& [open, close] : {std::pair{"(", ")"},
                                    {"sin(", ")"},
                                    {"-", ""},
                                    {"x^", ""},
                                    {"x*(", ")"},
                                    {"not (", ")"},
                                    {"if(x < 1, ", ", 2)"},
                                    {"if((", " < 1), 1, 2)"}}) {
    const Parsed parsed = parse_expression(graph, nested(60000, open, close), scope);
    ASSERT_EQ(parsed.problems.size(), 1u) << open;
    EXPECT_EQ(parsed.problems[0].what, "the expression is nested more than 200 levels deep") << open;
  }
}

TEST(Parse, LongFlatTextsAreFine) {
  Graph graph;
  std::string text = "x";
  for (int i = 0; i < 50000; ++i) text += "+y*" + std::to_string(i);
  EXPECT_TRUE(parse_expression(graph, text, sleigh_scope(graph)).problems.empty());
  const Parsed too_long = parse_expression(graph, std::string(2'000'000, 'x'), sleigh_scope(graph));
  ASSERT_EQ(too_long.problems.size(), 1u);
  EXPECT_EQ(too_long.problems[0].what, "the text has 2000000 bytes, more than 1000000");
}

TEST(Parse, EmptyScopeKnowsNothing) {
  Graph graph;
  EXPECT_TRUE(parse_expression(graph, "sin(pi/3)", Scope{}).problems.empty());
  EXPECT_EQ(parse_expression(graph, "x + y'", Scope{}).problems.size(), 2u);
}

TEST(Parse, Conditions) {
  Graph graph;
  const Scope scope = sleigh_scope(graph);
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  EXPECT_EQ(parse_condition(graph, "x < y", scope).expression, less(x, y));
  EXPECT_EQ(parse_condition(graph, "x >= y", scope).expression, 1 - less(x, y));
  EXPECT_TRUE(is_condition(parse_condition(graph, "not (x < y or y > 1) and x <= 2", scope).expression));
  const auto problem = [&](const char* text) { return parse_condition(graph, text, scope).problems.at(0).what; };
  EXPECT_EQ(problem(""), "the condition is empty");
  EXPECT_EQ(problem("x"), "a number where a condition is expected");
  EXPECT_EQ(problem("x = 0"), "'=' in a condition");
  EXPECT_EQ(problem("x < 0)"), "')' without a '(' before it");
}

TEST(Parse, FunctionsThatAreNotReservedMayBeNames) {
  Graph graph;
  const Parsed parsed = parse_expression(graph, "step*step(floor) + mod", open_scope(graph));
  ASSERT_TRUE(parsed.problems.empty());
  EXPECT_EQ(to_text(parsed.expression), "step*if(floor < 0, 0, 1) + mod");
}

TEST(Parse, LongConditionsAreFine) {
  Graph graph;
  const Scope scope = sleigh_scope(graph);
  std::string text = "if(x < 0";
  for (int i = 1; i < 20000; ++i) text += (i % 3 == 0 ? " or y < " : " and x > ") + std::to_string(i);
  const Parsed parsed = parse_expression(graph, text + ", 1, 2)", scope);
  ASSERT_TRUE(parsed.problems.empty());
  const Parsed again = parse_expression(graph, to_text(parsed.expression), scope);
  EXPECT_TRUE(again.problems.empty() || again.problems[0].what.find("nested") != std::string::npos);
}

TEST(Parse, Names) {
  for (const char* name : {"x", "theta", "_a", "x1", "A_b2", "p", "psi", "time", "less", "select", "ex", "floor", "mod",
                           "clamp", "step", "dx"}) {
    EXPECT_EQ(why_not_a_name(name), "") << name;
  }
  EXPECT_EQ(why_not_a_name(""), "a name must not be empty");
  EXPECT_EQ(why_not_a_name("1x"), "the name '1x' starts with a digit");
  EXPECT_EQ(why_not_a_name("x y"),
            "the name 'x y' contains the character ' '; letters, digits and underscores are allowed");
  EXPECT_EQ(why_not_a_name("θ"),
            "the name 'θ' contains the character 'θ'; letters, digits and underscores are allowed");
  EXPECT_EQ(why_not_a_name("x'"),
            "the name 'x'' contains the character '''; letters, digits and underscores are allowed");
  EXPECT_EQ(why_not_a_name("t"), "'t' is the time");
  EXPECT_EQ(why_not_a_name("pi"), "'pi' is a constant");
  EXPECT_EQ(why_not_a_name("e"), "'e' is a constant");
  EXPECT_EQ(why_not_a_name("sin"), "'sin' is a function");
  EXPECT_EQ(why_not_a_name("dot"), "'dot' is a function");
  for (const char* word : {"if", "and", "or", "not"}) {
    EXPECT_EQ(why_not_a_name(word), "'" + std::string(word) + "' is a word of conditions");
  }
}

}  // namespace
}  // namespace noslip::testing
