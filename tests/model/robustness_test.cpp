// Broken files are refused, never more than that: valid files with random bytes changed, removed, doubled and swapped.
#include "model/help.hpp"

#include <random>

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

void try_text(const std::string& text) {
  try {
    const System system = System::parse(text, "mutant");
    std::vector<Problem> problems;
    const std::vector<double> parameters = system.parameter_values();
    const InitialState state = system.initial_state(parameters);
    Continuous(system, parameters).evaluate(state, problems);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().empty());
    for (const Problem& problem : error.problems()) EXPECT_FALSE(problem.what.empty());
  }
}

TEST(Robustness, TheOriginalIsAccepted) { EXPECT_TRUE(problems_of(rich_text).empty()); }

TEST(Robustness, RandomMutations) {
  std::mt19937 random(20240607);
  const std::string original = rich_text;
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

TEST(Robustness, EveryPrefix) {
  const std::string original = rich_text;
  for (std::size_t length = 0; length < original.size(); ++length) try_text(original.substr(0, length));
}

TEST(Robustness, DotsThatAreNoKeys) {
  const std::string dots(500, '.');
  std::string text = "name = \"" + dots + "\" # " + dots + "\n";
  text += "description = '''\n" + dots + "\n'" + dots + "'''\n";
  text += "source = \"\"\"\\\"" + dots + "\"\"\"\"\n";
  EXPECT_TRUE(problems_of(text + "coordinates = ['x']\nlagrangian = \"x'^2\"").empty());
}

TEST(Robustness, DeepAndLongTexts) {
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

}  // namespace
}  // namespace noslip::test
