// The kinds of warnings, and the page that tells users of them.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <noslip/core/status.hpp>

namespace noslip {
namespace {

TEST(WarningKinds, AreInTheDocuments) {
  std::ifstream file(NOSLIP_SOURCE_DIR "/docs/tool.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const WarningKind& kind : warning_kinds) {
    const std::string row = std::string("| `") + kind.code + "` | " + kind.meaning + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace noslip
