// Options in messages: as members for programs, as flags for the tool.
#include <gtest/gtest.h>

#include <noslip/core/option_name.hpp>

namespace noslip {
namespace {

TEST(OptionName, IsWhatTheFrontEndSays) {
  EXPECT_EQ(option("project"), "`project`");
  EXPECT_EQ(option("step", "0.1"), "`step = 0.1`");
  set_option_style(OptionStyle::flag);
  EXPECT_EQ(option("project"), "--project");
  EXPECT_EQ(option("step", "0.1"), "--step 0.1");
  set_option_style(OptionStyle::member);
  EXPECT_EQ(option("project"), "`project`");
}

}  // namespace
}  // namespace noslip
