// Broken files are refused, never more than that: valid files with random bytes changed, removed, doubled and swapped.
#include <random>
#include <utility>

#include "model/help.hpp"
#include "support/figures.hpp"

namespace noslip::test {
namespace {

const char* const rich_text = R"toml(# every key, every kind of string
name        = "rich \u00e4"
description = 'a literal'
source      = """two
lines"""
coordinates = ["x", "y", "theta"]
lagrangian  = """m/2*(x'^2 + y'^2) + \
                 J/2*theta'^2 - m*g*y + pow(x, 3)/(1 + speed2)"""
constraints = ["y'*cos(theta) = x'*sin(theta)", 'dot(x)^2 = 1 + t']
holonomic   = []
[parameters]
m = 1.5
J = "m*2"
g = 1e-1
[definitions]
speed2 = "x'^2 + y'^2"
[forces]
x = "-0.1*x'"
[invariants]
spin = "theta'"
[initial]
t = 0.5
q = { x = 1.0, y = "m", theta = 0 }
v = [0.0, -1, +2.5e0]
[exact]
x = "exp(-t)*atan2(t, 1)"
)toml";

const char* const rich_index_two_text = R"toml(kind = "dae2"   # every key
name = 'rich'
y = ["a", 'b', """c"""]
z = ["u", "w"]
f = [["b*t", "0", "-a"], ["u", 0, "w*c"], [],
     ["m*u*w", "w", +1.5], ["0", "0", "s"]]
g = ["a + b = 1 + t", "c^2 - m*b"]
[parameters]
m = 0.1
n = "m + 1"
[definitions]
s = "sin(c)*w"
[invariants]
"the total" = "a + b - t"
[initial]
t = "1/3"
y = { c = "n", a = 0.1 }
z = [0.1, "n/3"]
[exact]
w = "exp(-m*t)"
)toml";

long long tried = 0;  // texts of the test under way

class Robustness : public ::testing::Test {
  void TearDown() override { figure("system_files", std::exchange(tried, 0)); }
};

void try_text(const std::string& text) {
  ++tried;
  try {
    const System system = System::parse(text, "mutant");
    std::vector<Problem> problems;
    const std::vector<double> parameters = system.parameter_values();
    const InitialState state = system.initial_state(parameters);
    const Continuous continuous(system, parameters);
    continuous.evaluate(state, problems);
    const InitialState projected = continuous.project(state);
    continuous.require_consistent(projected);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().empty());
    for (const Problem& problem : error.problems()) EXPECT_FALSE(problem.what.empty());
  }
}

TEST_F(Robustness, TheOriginalsAreAccepted) {
  EXPECT_TRUE(problems_of(rich_text).empty());
  EXPECT_TRUE(problems_of(rich_index_two_text).empty());
}

void try_mutations(const std::string& original) {
  std::mt19937 random(20240607);
  const std::string alphabet = "xyt'\"=[]{}().,*+-/^#\\\n 019emJ_\xC3\xA4";
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int round = 0; round < 4000; ++round) {
    std::string text = original;
    for (std::size_t change = 0; change <= below(4); ++change) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(below(12) + 1, text.size() - at);
      switch (below(5)) {
        case 0: text[at] = alphabet[below(alphabet.size())]; break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, 1, alphabet[below(alphabet.size())]); break;
        case 3: text.insert(at, text.substr(below(text.size()), length)); break;
        default: text[at] = static_cast<char>(below(256)); break;
      }
      if (text.empty()) text = " ";
    }
    ASSERT_NO_FATAL_FAILURE(try_text(text)) << text;
  }
}

TEST_F(Robustness, RandomMutations) { try_mutations(rich_text); }
TEST_F(Robustness, RandomMutationsOfIndexTwo) { try_mutations(rich_index_two_text); }

TEST_F(Robustness, EveryPrefix) {
  for (const std::string original : {rich_text, rich_index_two_text}) {
    for (std::size_t length = 0; length < original.size(); ++length) try_text(original.substr(0, length));
  }
}

/// Every value replaced by every type, at every level.
TEST_F(Robustness, WrongTypesEverywhere) {
  const std::vector<std::string> values = {
      "1",  "-0.5",    "nan",      "true",    "1979-05-27",         "\"\"",           "\"a\"",
      "[]", "[[]]",    "[1]",      "{}",      "{ a = 1 }",          "[{ a = [[]] }]", "[[[[]]]]",
      "''", "[\"a\"]", "\"dae2\"", "\"u/0\"", "[[\"a\"], [\"b\"]]", "{ y.z = \"x\" }"};
  const std::vector<std::string> keys = {"kind",      "name",       "y",           "z",          "f",
                                         "g",         "parameters", "definitions", "invariants", "initial",
                                         "exact",     "forces",     "coordinates", "lagrangian", "constraints",
                                         "holonomic", "hamiltonian"};
  for (const std::string& key : keys) {
    for (const std::string& value : values) {
      for (const std::string kind : {"", "kind = \"dae2\"\n"}) {
        try_text(kind + key + " = " + value);
        try_text(kind + "y = [\"a\"]\nz = [\"u\"]\nf = [[], [\"u\"]]\ng = [\"a\"]\n" + key + " = " + value);
        try_text(kind + "y = [\"a\"]\nz = [\"u\"]\nf = [[], [" + value + "]]\ng = [" + value + "]\n");
        try_text(kind + "y = [\"a\"]\nz = [\"u\"]\nf = [[], [\"u\"]]\ng = [\"a\"]\n[initial]\n" + key + " = " + value);
      }
    }
  }
}

TEST_F(Robustness, DotsThatAreNoKeys) {
  const std::string dots(500, '.');
  std::string text = "name = \"" + dots + "\" # " + dots + "\n";
  text += "description = '''\n" + dots + "\n'" + dots + "'''\n";
  text += "source = \"\"\"\\\"" + dots + "\"\"\"\"\n";
  EXPECT_TRUE(problems_of(text + "coordinates = ['x']\nlagrangian = \"x'^2\"").empty());
}

TEST_F(Robustness, DeepAndLongTexts) {
  const std::string head = "coordinates = [\"x\"]\nlagrangian = \"";
  try_text(head + std::string(100'000, '(') + "\"");
  try_text(head + std::string(100'000, '-') + "x'\"");
  std::string sum = "x'^2";
  for (int i = 0; i < 20'000; ++i) sum += " + sin(x + " + std::to_string(i) + ")";
  try_text(head + sum + "\"");
  try_text("a = " + std::string(50'000, '[') + std::string(50'000, ']'));
  std::string dotted = "a";
  for (int i = 0; i < 490'000; ++i) dotted += ".a";
  try_text(dotted + " = 1");
  try_text("[" + dotted + "]");
  std::string quoted = "\"=\"";
  for (int i = 0; i < 150'000; ++i) quoted += ".\"=\"";
  try_text(quoted + " = 1");
  std::string chain = head + "x'^2 + d19999\"\n[definitions]\nd0 = \"x\"\n";
  for (int i = 1; i < 20'000; ++i) chain += "d" + std::to_string(i) + " = \"d" + std::to_string(i - 1) + " + 1/x\"\n";
  try_text(chain);
  std::string doubling = head + "x'^2 + d400\"\n[definitions]\nd0 = \"x*x'\"\n";
  for (int i = 1; i <= 400; ++i) {
    const std::string before = "d" + std::to_string(i - 1);
    doubling += "d" + std::to_string(i) + " = \"sin(" + before + ")*" + before + "\"\n";
  }
  try_text(doubling);
}

TEST_F(Robustness, DeepAndLongTextsOfIndexTwo) {
  const std::string head = "kind = \"dae2\"\ny = [\"x\", \"y\"]\nz = [\"u\"]\ng = [\"x + y^2 = d9\"]\n";
  const std::string definitions = "[definitions]\nd9 = \"1\"\n";
  try_text(head + "f = " + std::string(200, '[') + std::string(200, ']') + "\n" + definitions);
  try_text(head + "f = [[], [\"u\", \"" + std::string(100'000, '(') + "\"]]\n" + definitions);
  std::string many = "f = [";
  for (int i = 0; i < 20'000; ++i) many += "[\"u\", \"x\"], ";
  try_text(head + many + "]\n" + definitions);
  std::string doubling = head + "f = [[], [\"u + d400\", \"d399\"]]\n" + definitions + "d0 = \"x*y*u\"\n";
  for (int i = 1; i <= 400; ++i) {
    if (i == 9) continue;
    const std::string before = "d" + std::to_string(i == 10 ? 8 : i - 1);
    doubling += "d" + std::to_string(i) + " = \"sin(" + before + ")*" + before + "\"\n";
  }
  try_text(doubling);
  // As many variables as a page holds, each constraint with all of them.
  std::string y = "y = [", z = "z = [", f = "f = [[], [", g = "g = [", all = "0";
  for (int i = 0; i < 60; ++i) {
    const std::string k = std::to_string(i);
    y += "\"y" + k + "\", ";
    z += "\"z" + k + "\", ";
    f += "\"z" + k + " + sin(all)\", ";
    g += "\"y" + k + " + all^2\", ";
    all += " + y" + k;
  }
  try_text("kind = \"dae2\"\n" + y + "]\n" + z + "]\n" + f + "]]\n" + g + "]\n[definitions]\nall = \"" + all + "\"\n");
}

}  // namespace
}  // namespace noslip::test
