#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/core/printable.hpp>

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

TEST(Error, LongLinesAreShownAroundTheCaret) {
  const std::string line = std::string(5000, 'a') + "+" + std::string(5000, 'b');
  const std::string text = to_text(Problem{"bad", {"f", 1, 5001, line}, {}});
  EXPECT_LT(text.size(), 600U);
  const std::size_t shown = text.find('\n'), under = text.rfind('\n');
  EXPECT_EQ(text[shown + (text.find('^') - under)], '+');
  EXPECT_NE(text.find("  ... aaa"), std::string::npos);
  EXPECT_NE(text.find("bbb ...\n"), std::string::npos);
  const std::string wide = to_text(Problem{"bad", {"f", 1, 6001, [] {
                                                     std::string thetas;
                                                     for (int i = 0; i < 5000; ++i) thetas += "\u03b8";
                                                     return thetas;
                                                   }()},
                                           {}});
  EXPECT_TRUE(is_printable(wide)) << wide;
}

TEST(Error, LongWordsAreShortened) {
  const std::string name(900'000, 'x');
  EXPECT_LT(to_text(Problem{"unknown symbol '" + name + "' here", {}, "use one of " + name}).size(), 2500U);
  EXPECT_NE(to_text(Problem{"unknown symbol '" + name + "' here", {}, {}}).find("' here"), std::string::npos);
}

TEST(Error, NothingInAMessageIsObeyedByATerminal) {
  const std::string evil = "a\033[2Jb\x7f\u009b1m\u202eabc\u2028\xff\r";
  const std::string text = to_text(Problem{evil, {evil, 1, 14, evil + "x"}, evil});
  EXPECT_TRUE(is_printable(text));
  for (const char* part : {"\\u001b[2J", "\\u007f", "\\u009b", "\\u202e", "\\u2028", "\\xff", "\\u000d"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  const std::string line = to_text(Problem{"w", {"f", 1, 3, "a\033b"}, {}});
  EXPECT_EQ(line, "f:1:3: w\n  a\\u001bb\n         ^");
}

TEST(Error, ManyProblemsAreCounted) {
  const InputError error(std::vector<Problem>(300, {"what", {}, {}}));
  EXPECT_EQ(error.problems().size(), 300U);
  const std::string text = error.what();
  EXPECT_TRUE(text.ends_with("\n... and 200 more problems")) << text;
}

TEST(Printable, TextStaysAsItIs) {
  for (const char* text : {"", "plain, with\ttab\nand line", "\u03b8 \u4e2d \U0001f600 \u00a0 \u200b"}) {
    EXPECT_TRUE(is_printable(text));
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, BytesThatAreNoUtf8AreEscaped) {
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("a\xce"), "a\\xce");
  EXPECT_EQ(printable("\U000e0041"), "\\udb40\\udc41");
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

TEST(Error, NamesStayInOneLine) {
  EXPECT_EQ(one_line("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(one_line("Poincar\u00e9 \x1b[1m \xff"), "Poincar\u00e9 \\u001b[1m \\xff");
}

}  // namespace
}  // namespace noslip
