// Texts of reductions: what they mean, and what is said about those that mean nothing.
#include <numbers>

#include <gtest/gtest.h>

#include <noslip/ensemble/reduction.hpp>

namespace noslip {
namespace {

using Kind = MemberReduction::Kind;

std::string said_of(const std::string& text) {
  try {
    read_reductions(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadReductions, ReadsAll) {
  const std::string text = " mean(E),max( abs(E) ) ,quantile(atan2(y,q[i,2]),1/4), histogram(E, -pi,pi,50),median(x')";
  const std::vector<MemberReduction> list = read_reductions(text);
  ASSERT_EQ(list.size(), 5U);
  EXPECT_EQ(list[0].kind, Kind::mean);
  EXPECT_EQ(list[0].text, "mean(E)");
  EXPECT_EQ(list[0].expression, "E");
  EXPECT_EQ(list[1].kind, Kind::max);
  EXPECT_EQ(list[1].text, "max( abs(E) )");
  EXPECT_EQ(list[1].expression, "abs(E)");
  EXPECT_EQ(text.substr(list[1].offset, 6), "abs(E)");
  EXPECT_EQ(list[2].expression, "atan2(y,q[i,2])");
  EXPECT_EQ(list[2].p, 0.25);
  EXPECT_EQ(list[3].text, "histogram(E, -pi,pi,50)");
  EXPECT_EQ(list[3].low, -std::numbers::pi);
  EXPECT_EQ(list[3].high, std::numbers::pi);
  EXPECT_EQ(list[3].bins, 50U);
  EXPECT_EQ(list[4].kind, Kind::quantile);
  EXPECT_EQ(list[4].p, 0.5);
  EXPECT_EQ(list[4].expression, "x'");
}

TEST(ReadReductions, SaysWhatIsWrong) {
  EXPECT_EQ(said_of("mena(x), quantil(x,2)"),
            "there is no reduction 'mena'\n  mena(x), quantil(x,2)\n  ^\n  did you mean 'mean'?\n"
            "there is no reduction 'quantil'\n  mena(x), quantil(x,2)\n           ^\n  did you mean 'quantile'?");
  EXPECT_EQ(
      said_of("std(x)"),
      "there is no reduction 'std'\n  std(x)\n  ^\n  the reductions are mean, variance, deviation, min, max, count, "
      "quantile, median and histogram");
  EXPECT_EQ(said_of("quantile(x)"),
            "quantile has 1 argument where 2 are expected\n  quantile(x)\n  ^\n  write quantile(E,0.9)");
  EXPECT_EQ(said_of("mean(x,y)"), "mean has 2 arguments where 1 is expected\n  mean(x,y)\n  ^\n  write mean(E)");
  EXPECT_EQ(said_of("quantile(x,1.5)"),
            "a quantile at 1.5 does not exist\n  quantile(x,1.5)\n             ^\n  give a number from 0 to 1");
  EXPECT_EQ(
      said_of("histogram(x,1,-1,50)"),
      "the histogram goes from 1 to -1\n  histogram(x,1,-1,50)\n              ^\n  give the lower end first, then a "
      "larger one");
  for (const char* bins : {"0", "2.5", "-3", "1e9"}) {
    EXPECT_EQ(
        said_of(std::string("histogram(x,0,1,") + bins + ")").find(std::string("a histogram cannot have ") + bins), 0U);
  }
  EXPECT_EQ(
      said_of("histogram(x,a,nan,50)"),
      "'a' is not a number\n  histogram(x,a,nan,50)\n              ^\n  write a number such as 0.1, 1/10 or pi/2\n"
      "'nan' is not a number\n  histogram(x,a,nan,50)\n                ^\n  write a number such as 0.1, 1/10 or pi/2");
  EXPECT_EQ(said_of("mean(x), mean(x)"), "'mean(x)' comes twice\n  mean(x), mean(x)\n           ^\n  write it once");
  EXPECT_EQ(
      said_of("mean(x)+1"),
      "a comma is expected behind a reduction\n  mean(x)+1\n         ^\n  reduce the whole expression: mean(x + 1)");
  EXPECT_EQ(said_of("mean((x)"), "this '(' is not closed\n  mean((x)\n      ^\n  close the bracket");
  EXPECT_EQ(said_of("mean(x])"),
            "this ']' closes nothing\n  mean(x])\n        ^\n  remove it, or open a bracket before");
  EXPECT_EQ(said_of("mean()"), "the expression is missing\n  mean()\n       ^\n  write mean(E)");
  EXPECT_EQ(said_of("mean"), "'mean' is not a reduction\n  mean\n  ^\n  write mean(E)");
  EXPECT_EQ(said_of("x + y"),
            "'x + y' is not a reduction\n  x + y\n  ^\n  write mean(E), for example, with an expression E");
  for (const char* empty : {"", "  "}) EXPECT_EQ(said_of(empty).find("there are no reductions"), 0U);
  for (const char* missing : {"mean(x),", ",mean(x)", "mean(x),,max(x)"}) {
    EXPECT_EQ(said_of(missing).find("a reduction is missing"), 0U) << missing;
  }
  for (const char* odd :
       {"(x)", "mean (", "mean)", "quantile(x,)", "mean(x) mean(y)", "\xff(x)", "histogram(x,0,1,1/0)"}) {
    EXPECT_NE(said_of(odd), "") << odd;
  }
}

}  // namespace
}  // namespace noslip
