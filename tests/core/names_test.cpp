#include <vector>

#include <gtest/gtest.h>

#include <noslip/core/names.hpp>

namespace noslip {
namespace {

const std::vector<std::string> known{"x", "y", "theta", "phi", "lobatto-ab", "gauss", "mass", "Mass2"};

TEST(Names, OneSlipIsFound) {
  EXPECT_EQ(nearest_name("tehta", known), "theta") << "swap";
  EXPECT_EQ(nearest_name("thet", known), "theta") << "deletion";
  EXPECT_EQ(nearest_name("thetaa", known), "theta") << "insertion";
  EXPECT_EQ(nearest_name("thete", known), "theta") << "replacement";
  EXPECT_EQ(nearest_name("THETA", known), "theta") << "case";
  EXPECT_EQ(nearest_name("lobato-ba", known), "lobatto-ab") << "two slips in a long name";
}

TEST(Names, ExchangedLettersAreOneSlip) {
  // Two replacements would be too many for names this short.
  EXPECT_EQ(nearest_name("msas", known), "mass");
  EXPECT_EQ(nearest_name("hpi", known), "phi");
}

TEST(Names, CaseCountsHalf) {
  EXPECT_EQ(nearest_name("X", known), "x");
  const std::vector<std::string> two{"aB", "ac"};
  EXPECT_EQ(nearest_name("ab", two), "aB");
}

TEST(Names, SomethingElseIsNotSuggested) {
  EXPECT_EQ(nearest_name("q", known), "");
  EXPECT_EQ(nearest_name("energy", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name("ab", std::vector<std::string>{"c", "xyz"}), "");
  EXPECT_EQ(nearest_name("theta", std::vector<std::string>{}), "");
}

TEST(Names, OneLetterIsNoSlipOfALongerName) {
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{"x1", "xy", "dx"}), "");
}

TEST(Names, FirstOfEquallyNearNamesWins) {
  const std::vector<std::string> two{"x1", "x2"};
  EXPECT_EQ(nearest_name("x3", two), "x1");
}

TEST(Names, DidYouMean) {
  EXPECT_EQ(did_you_mean("tehta", known), "did you mean 'theta'?");
  EXPECT_EQ(did_you_mean("zzzz", known), "");
}

TEST(Names, ListOf) {
  EXPECT_EQ(list_of({}), "");
  EXPECT_EQ(list_of(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(list_of(std::vector<std::string>{"a", "b"}), "a and b");
  EXPECT_EQ(list_of(std::vector<std::string>{"a", "b", "c"}), "a, b and c");
}

}  // namespace
}  // namespace noslip
