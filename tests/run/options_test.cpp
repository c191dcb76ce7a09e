// RunOptions and the table of options say the same.
#include <limits>

#include <gtest/gtest.h>

#include <noslip/core/options.hpp>
#include <noslip/run/run_fields.hpp>

namespace noslip {
namespace {

template <class T>
constexpr OptionType type_of = std::is_same_v<T, bool>          ? OptionType::flag
                               : std::is_same_v<T, std::string> ? OptionType::text
                               : std::is_enum_v<T>              ? OptionType::choice
                               : std::is_integral_v<T>          ? OptionType::whole
                                                                : OptionType::number;

TEST(RunOptions, FieldsHaveTheTypesOfTheTable) {
  for (const RunField& field : run_fields()) {
    const Option* option = find_option(field.option);
    ASSERT_NE(option, nullptr) << field.option;
    std::visit([&]<class T>(RunMember<T>) { EXPECT_EQ(option->type, type_of<T>) << field.option; }, field.member);
  }
}

TEST(RunOptions, ChoicesAreInTheOrderOfTheEnumerations) {
  EXPECT_EQ(to_text(Backend::automatic), "auto");
  EXPECT_EQ(to_text(Backend::jit), "jit");
  EXPECT_EQ(to_text(Backend::interpreter), "interpreter");
  EXPECT_EQ(to_text(Precision::double_precision), "double");
  EXPECT_EQ(to_text(Precision::long_double), "long");
  EXPECT_EQ(to_text(Precision::quadruple), "quad");
  EXPECT_EQ(choice_name("between", Between::polynomial), "polynomial");
  EXPECT_EQ(choice_name("between", Between::step), "step");
  for (const Crossing crossing : {Crossing::up, Crossing::down, Crossing::both}) {
    EXPECT_EQ(choice_name("direction", crossing), to_text(crossing));
  }
}

TEST(RunOptions, DefaultsAreThoseOfTheTable) {
  EXPECT_EQ(RunOptions{}.method, option_named("method").otherwise);
  EXPECT_EQ(std::to_string(RunOptions{}.looks_per_step), option_named("looks").otherwise);
}

TEST(RunOptions, WhatMakesNoSenseIsRefusedAtOnceByTheNamesOfMembers) {
  RunOptions good;
  good.step = 0.1;
  EXPECT_NO_THROW(good.check());
  RunOptions wrong;
  wrong.until = std::numeric_limits<double>::infinity();
  wrong.steps = -1;
  wrong.every = -2;
  wrong.looks_per_step = 0;
  wrong.tolerance = 1;
  try {
    wrong.check();
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 6U);
    const std::string text = error.what();
    for (const char* piece :
         {"the step is 0", "`step = ", "the end time is inf", "`until = ", "the number of steps is -1", "`steps = ",
          "is -2", "`every = ", "looks at a step is 0", "`looks_per_step = ", "the tolerance is 1", "`tolerance = "}) {
      EXPECT_NE(text.find(piece), std::string::npos) << piece << " in\n" << text;
    }
  }
}

}  // namespace
}  // namespace noslip
