// The table of options: complete, without contradictions, and what is said about values.
#include <algorithm>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include <noslip/core/option_name.hpp>
#include <noslip/core/options.hpp>

namespace noslip {
namespace {

TEST(Options, EveryOneIsThereOnceAndExplained) {
  std::set<std::string_view> names;
  for (const Option& option : all_options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_EQ(option.type == OptionType::flag, option.value.empty()) << option.name;
    EXPECT_EQ(option.type == OptionType::choice, !option.choices.empty()) << option.name;
    EXPECT_TRUE(option.names.empty() || option.type == OptionType::text) << option.name;
    EXPECT_EQ(find_option(option.name), &option);
    EXPECT_NE(option.member, option.name) << "said twice";
    EXPECT_FALSE(option.is_required && (option.give.empty() || option.example.empty())) << option.name;
    const bool is_number = option.type == OptionType::number || option.type == OptionType::whole;
    EXPECT_FALSE(is_number && (option.noun.empty() || option.example.empty())) << option.name;
    if (option.type != OptionType::choice || option.otherwise.empty()) continue;
    const std::vector<std::string> choices = option.choice_names();
    EXPECT_NE(std::find(choices.begin(), choices.end(), option.otherwise), choices.end()) << option.name;
  }
  EXPECT_EQ(find_option("stpe"), nullptr);
}

TEST(Options, VerbsHaveTheirOwnWords) {
  std::set<std::string_view> taken;
  for (const char* verb :
       {"run", "ensemble", "resume", "merge", "section", "converge", "compare", "bench", "check", "show", "systems", "methods",
        "reproduce"}) {
    std::set<std::string_view> names;
    for (const Option& option : options_of_verb(verb)) {
      EXPECT_TRUE(names.insert(option.name).second) << verb << ' ' << option.name;
      taken.insert(option.name);
      EXPECT_FALSE(option.is_required && (option.give.empty() || option.example.empty())) << verb << ' ' << option.name;
    }
    EXPECT_FALSE(names.empty()) << verb;
  }
  for (const Option& option : all_options()) EXPECT_TRUE(taken.contains(option.name)) << option.name;

  const auto found = [](const char* verb, std::string_view name) {
    for (const Option& option : options_of_verb(verb)) {
      if (option.name == name) return option;
    }
    return Option{"none"};
  };
  EXPECT_EQ(help_of(found("run", "looks")), "check for events at N points in each step [4]");
  EXPECT_EQ(help_of(found("section", "until")), "end time of an orbit that does not cross often enough");
  EXPECT_FALSE(found("run", "until").is_required);
  EXPECT_TRUE(found("compare", "until").is_required);
  EXPECT_TRUE(found("bench", "step").is_required);
  EXPECT_TRUE(options_of_verb("rnu").empty());
}

TEST(Options, ValuesThatAreKnownAreListed) {
  const auto list = [](std::initializer_list<const char*> words) {
    return std::vector<std::string>(words.begin(), words.end());
  };
  EXPECT_EQ(option_named("direction").known_values(), list({"up", "down", "both"}));
  EXPECT_EQ(option_named("lanes").known_values(), list({"1", "4", "8"}));
  EXPECT_TRUE(option_named("step").known_values().empty());
  EXPECT_EQ(option_named("output").endings(), list({"csv", "npz", "h5"}));
  EXPECT_EQ(option_named("members").endings(), list({"csv"}));
  EXPECT_TRUE(option_named("checkpoint").endings().empty());
}

TEST(Options, NamesAreThoseOfThePersonWhoReads) {
  EXPECT_EQ(option("looks"), "`looks_per_step`");
  EXPECT_EQ(option("crossings", "100"), "`event.stop_after = 100`");
  EXPECT_EQ(option("force"), "`overwrite`");
  set_option_style(OptionStyle::flag);
  EXPECT_EQ(option("looks"), "--looks");
  EXPECT_EQ(with_option_names("a `set m=2`, or `until`."), "a --set m=2, or --until.");
  EXPECT_EQ(with_option_names("nothing"), "nothing");
  set_option_style(OptionStyle::member);
  EXPECT_EQ(with_option_names("instead of `until`"), "instead of `until`");
}

TEST(Options, ValuesOutsideOfTheRangeAreRefused) {
  const Option& step = option_named("step");
  EXPECT_FALSE(problem_with(step, 0.1));
  EXPECT_FALSE(problem_with(step, 1e100));
  for (const double wrong : {0.0, -1.0, 2e100, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(problem_with(step, wrong)) << wrong;
  }
  EXPECT_EQ(problem_with(step, 0)->what, "the step is 0");
  EXPECT_EQ(problem_with(step, 0)->remedy, "give a number from 1e-100 to 1e+100, for example `step = 0.01`");
  const Option& tolerance = option_named("tolerance");
  EXPECT_TRUE(problem_with(tolerance, 0));
  EXPECT_TRUE(problem_with(tolerance, 1));
  EXPECT_EQ(problem_with(tolerance, 1)->remedy, "give a number between 0 and 1, for example `tolerance = 0.01`");
  EXPECT_EQ(problem_with(option_named("looks"), 1001)->remedy,
            "give a whole number from 1 to 1000, for example `looks_per_step = 100`");
  EXPECT_EQ(problem_with(option_named("until"), std::numeric_limits<double>::infinity())->remedy,
            "give a finite number, for example `until = 10`");
}

}  // namespace
}  // namespace noslip
