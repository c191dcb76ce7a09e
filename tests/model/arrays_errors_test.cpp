// What can be wrong with arrays, sums and families: each problem once, where it stands, with what to do.
#include "model/help.hpp"

namespace noslip::test {
namespace {

const std::string start = "coordinates = [\"q[0:n]\", \"y\"]\n";
const std::string kinetic = "lagrangian = \"sum(i, 0, n, q[i]'^2) + y'^2\"\n";
const std::string size = "[parameters]\nn = 4\nm = [1, 2]\n";

std::string with(const std::string& rest) { return problem_of(start + kinetic + rest); }
std::string with_size(const std::string& rest) { return with(size + rest); }

TEST(ArrayErrors, HavePlaceCaretAndRemedy) {
  EXPECT_EQ(problem_of(start + "lagrangian = \"sum(i, 0, n, (q[i+1]' - q[i]')^2) + y'^2\"\n" + size),
            "s.toml:2:29: there is no q[5] (i = 4)\n"
            "  lagrangian = \"sum(i, 0, n, (q[i+1]' - q[i]')^2) + y'^2\"\n"
            "                              ^\n"
            "  the indices of q are 0 to 4");
  EXPECT_EQ(with("constraints = [\"for i = 0:n: q[i + 3]' = q[i]\"]\n" + size),
            "s.toml:3:30: there is no q[5] (i = 2)\n"
            "  constraints = [\"for i = 0:n: q[i + 3]' = q[i]\"]\n"
            "                               ^\n"
            "  the indices of q are 0 to 4");
  EXPECT_TRUE(contains(with_size("[definitions]\n\"V[i=0:n]\" = \"m[i]*q[i]\""), "7:15: there is no m[2] (i = 2)"));
}

TEST(ArrayErrors, NameArraysWithoutEntries) {
  const std::string text = "coordinates = [\"q[1:n]\"]\nlagrangian = \"sum(i, 1, n, q[i]'^2) - q[1]\"\n[parameters]\nn = ";
  const std::vector<Problem> problems = problems_of(text + "-1");
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_TRUE(contains(to_text(problems[1]), "s.toml:1:17: q[1:n] is empty: its indices run from 1 to -1\n"))
      << to_text(problems[1]);
  EXPECT_TRUE(problems_of(text + "1").empty());
  EXPECT_TRUE(problems_of("coordinates = [\"q[1:n]\", \"x\"]\nlagrangian = \"x'^2\"\n[parameters]\nn = 0").empty());
}

TEST(ArrayErrors, OfRanges) {
  const auto named = [](const std::string& name) {
    return problem_of("coordinates = [\"" + name +
                      "\", \"x\"]\nlagrangian = \"x'^2\"\n[parameters]\nn = 2.5\nk = \"sqrt(4)\"");
  };
  EXPECT_EQ(named("q[0:n]"),
            "s.toml:1:21: the last index is 5/2, not a whole number\n  coordinates = [\"q[0:n]\", \"x\"]\n"
            "                      ^\n  give a whole number");
  EXPECT_TRUE(contains(named("q[0:k]"), "1:21: 'k' is not a whole number that is known here"));
  EXPECT_TRUE(contains(named("q[0:k]"), "parameters whose default is a whole number may be used here"));
  EXPECT_TRUE(contains(named("q[0:]"), "1:21: the last index is missing"));
  EXPECT_TRUE(contains(named("q[:3]"), "1:19: the first index is missing"));
  EXPECT_TRUE(contains(named("q[]"), "1:19: the index is missing"));
  EXPECT_TRUE(contains(named("q[0:3"), "1:18: this '[' is never closed"));
  EXPECT_TRUE(contains(named("q[0:3]b"), "1:18: this '[' is never closed"));
  EXPECT_TRUE(contains(named("q[5:2]"), "1:19: the range 5:2 runs backwards"));
  EXPECT_TRUE(contains(named("q[5:2]"), "write 2:5"));
  EXPECT_TRUE(contains(named("q[1:100001]"), "1:19: a range of 100001 entries is too long"));
  EXPECT_TRUE(contains(named("q[1:100000]"), "100001 coordinates are too many"));
  EXPECT_TRUE(contains(named("q[0:3*10^9]"), "1:25: '^' after '10', where the number ends"));
  EXPECT_TRUE(contains(named("q[3000000000]"), "1:19: the index is 3000000000, which is too large"));
  EXPECT_TRUE(contains(named("q[i=0:3]"), "1:17: names have no index: 'i' has nothing to act on"));
  EXPECT_TRUE(contains(named("q[i=0:3]"), "write q[0:3]"));
  EXPECT_TRUE(contains(named("sin[0:3]"), "1:17: 'sin' is a function"));
  EXPECT_TRUE(contains(named("2q[0:3]"), "1:17: the name '2q' starts with a digit"));
}

TEST(ArrayErrors, OfUses) {
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"q\""), "7:6: 'q' is an array"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"q\""), "write one of its entries, q[0] to q[4]"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"q'\""), "7:6: 'q' is an array"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"y[0]\""), "7:6: 'y' is not an array"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"u[0]\""), "7:6: unknown array 'u'"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"q[1/2]\""), "7:8: the index is 1/2, not a whole number"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"q[y]\""), "7:8: 'y' is not a whole number that is known here"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"m[2]\""), "the indices of m are 0 to 1"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"m[0]'\""), "'m[0]' is a parameter and has no velocity"));
  EXPECT_TRUE(contains(with_size("[forces]\nq = \"1\""), "7:1: 'q' is an array"));
  EXPECT_TRUE(contains(with_size("[forces]\n\"q[5]\" = \"1\""), "7:2: there is no coordinate q[5]"));
  EXPECT_TRUE(contains(with_size("[forces]\n\"q[0:9]\" = \"1\""), "7:2: there is no coordinate q[5]"));
  EXPECT_TRUE(contains(with_size("[forces]\n\"q[0:2]\" = \"1\"\n\"q[2:3]\" = \"1\""), "8:2: 'q[2]' is given twice"));
  EXPECT_TRUE(contains(with_size("[initial]\nq = { q = [1, 2] }"), "7:11: the array q has 5 entries, not 2"));
  EXPECT_TRUE(contains(with_size("[initial]\nq = { \"q[i=0:n]\" = \"q[i]\" }"), "7:21: 'q[0]' is a coordinate"));
  EXPECT_TRUE(contains(with_size("[initial]\nq = { \"q[0:n]\" = 1, \"q[2:3]\" = 2 }"), "'q[2]' is given twice"));
}

TEST(ArrayErrors, OfNames) {
  EXPECT_TRUE(contains(with_size("[definitions]\nq = \"1\""), "7:1: 'q' is already the name of an array"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"y[0:3]\" = \"1\""), "7:2: 'y' is already the name of a coordinate"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"q[7:9]\" = \"1\""), "7:2: 'q' is already the name of a coordinate"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[1:3]\" = \"1\"\n\"a[3]\" = \"1\""),
                       "8:2: 'a[3]' is already the name of a definition"));
  EXPECT_TRUE(contains(with_size("[inputs]\n\"u[1]\" = 0"), "the name 'u[1]' contains the character '['"));
}

TEST(ArrayErrors, OfIndices) {
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[y=1:3]\" = \"1\""),
                       "7:4: the index 'y' has a name that means something else here"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[pi=1:3]\" = \"1\""), "7:4: 'pi' is a constant"));
  EXPECT_TRUE(contains(with_size("[forces]\ny = \"sum(m, 0, 1, m)\""),
                       "7:10: the index 'm' has a name that means something else here"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[i=1:3]\" = \"sum(i, 0, 1, q[i])\""),
                       "7:19: the index 'i' has a name that means something else here"));
  EXPECT_TRUE(contains(with("constraints = [\"for y = 0:n: q[y]' = 0\"]\n" + size),
                       "3:21: the index 'y' has a name that means something else here"));
  EXPECT_TRUE(contains(with("constraints = [\"for i = 0:1: for i = 0:1: q[i]' = 0\"]\n" + size),
                       "3:34: the index 'i' has a name that means something else here"));
  EXPECT_TRUE(contains(with("constraints = [\"for i in 0:n: q[i]' = 0\"]\n" + size),
                       "3:17: texts for the values of an index have the form for i = 0:9: ..."));
  EXPECT_TRUE(contains(with("constraints = [\"for i = 0:n q[i]' = 0\"]\n" + size),
                       "3:17: texts for the values of an index have the form for i = 0:9: ..."));
}

TEST(ArrayErrors, OfAFamilyAreReportedOnce) {
  EXPECT_EQ(with("constraints = [\"for i = 0:1: q[i] = i\"]\n" + size),
            "s.toml:3:30: constraint 'q[i] = i (i = 0)' contains no velocity: it is a position constraint\n"
            "  constraints = [\"for i = 0:1: q[i] = i\"]\n                               ^\n"
            "  position constraints belong under `holonomic`");
  EXPECT_EQ(problems_of(start + kinetic + size + "[definitions]\n\"a[i=0:n]\" = \"foo + bar + q[i + 3]\"").size(), 3U);
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[i=0:n]\" = \"a[i] + 1\""),
                       "7:2: definitions go in a circle: 'a[0]' uses 'a[0]'"));
  EXPECT_TRUE(
      contains(with_size("[definitions]\n\"a[i=0:n]\" = \"sum(j, i + 1, n, a[j])\""), "'a[1]' is not known yet here"));
  EXPECT_TRUE(contains(with_size("[definitions]\n\"a[i=0:3]\" = \"b[i]\"\n\"b[i=0:3]\" = \"sum(j, 0, i, a[j])\""),
                       "definitions go in a circle"));
}

TEST(ArrayErrors, OfValues) {
  const System system =
      System::parse(start + kinetic + size + "[initial]\nq = { \"q[i=0:n]\" = \"log(i - 2)\" }", "s.toml");
  EXPECT_EQ(refusal([&] { system.initial_state(system.parameter_values()); }),
            "s.toml:7:21: the initial value of q[0] is not finite: 'log(i - 2) (i = 0)' is nan\n"
            "  q = { \"q[i=0:n]\" = \"log(i - 2)\" }\n                      ^\n"
            "  check the values of the parameters in it");
}

}  // namespace
}  // namespace noslip::test
