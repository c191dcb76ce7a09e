#include <gtest/gtest.h>

#include <noslip/core/error.hpp>

namespace noslip {
namespace {

TEST(Error, ProblemShowsPlaceLineCaretAndRemedy) {
  const Problem problem{
      "unknown symbol 'tehta'", {"sleigh.toml", 7, 23, "constraints = [\"y'*cos(tehta)\"]"}, "did you mean 'theta'?"};
  EXPECT_EQ(to_text(problem),
            "sleigh.toml:7:23: unknown symbol 'tehta'\n"
            "  constraints = [\"y'*cos(tehta)\"]\n"
            "                        ^\n"
            "  did you mean 'theta'?");
}

TEST(Error, ProblemWithoutPlaceIsWhatAndRemedy) {
  EXPECT_EQ(to_text(Problem{"step is 0", {}, {}}), "step is 0");
  EXPECT_EQ(to_text(Problem{"step is 0", {}, "use a positive step"}), "step is 0\n  use a positive step");
}

TEST(Error, ProblemWithFileOnly) {
  EXPECT_EQ(to_text(Problem{"is empty", {"a.toml", 0, 0, ""}, {}}), "a.toml: is empty");
}

TEST(Error, ProblemWithoutFileNamesLineAndColumn) {
  EXPECT_EQ(to_text(Problem{"bad", {"", 2, 3, "abc"}, {}}), "2:3: bad\n  abc\n    ^");
}

TEST(Error, CaretIsUnderTheCharacterAfterTabsAndWideBytes) {
  EXPECT_EQ(to_text(Problem{"bad", {"f", 1, 3, "\t\tx"}, {}}), "f:1:3: bad\n  \t\tx\n  \t\t^");
  EXPECT_EQ(to_text(Problem{"bad", {"f", 1, 4, "θ+x"}, {}}), "f:1:4: bad\n  θ+x\n    ^");
}

TEST(Error, CaretMayStandBehindTheLine) {
  EXPECT_EQ(to_text(Problem{"ends", {"f", 1, 4, "x+"}, {}}), "f:1:4: ends\n  x+\n     ^");
}

TEST(Error, InputErrorCarriesAllProblems) {
  const InputError error({{"first", {}, {}}, {"second", {}, "fix"}});
  ASSERT_EQ(error.problems().size(), 2u);
  EXPECT_STREQ(error.what(), "first\nsecond\n  fix");
  const InputError single("what", "remedy");
  ASSERT_EQ(single.problems().size(), 1u);
  EXPECT_EQ(single.problems()[0].remedy, "remedy");
  EXPECT_STREQ(single.what(), "what\n  remedy");
}

}  // namespace
}  // namespace noslip
