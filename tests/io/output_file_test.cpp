// Output files: what is refused, and that no error is lost.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <noslip/io/output_file.hpp>

namespace noslip {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("noslip_output_file_") + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  static std::string content(const std::string& name) {
    std::ifstream file(name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::string refusal(const std::string& name, bool overwrite) {
    try {
      OutputFile file(name, overwrite);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

 private:
  fs::path folder_;
};

TEST_F(OutputFileTest, WritesWhatItIsGiven) {
  OutputFile file(path("a.txt"), false);
  file.write("one\n");
  file.write("");
  file.write("two\n");
  file.close();
  EXPECT_EQ(content(path("a.txt")), "one\ntwo\n");
}

TEST_F(OutputFileTest, RefusesAnExistingFileAndLeavesItAlone) {
  std::ofstream(path("a.txt")) << "precious";
  const std::string message = refusal(path("a.txt"), false);
  EXPECT_NE(message.find(path("a.txt")), std::string::npos) << message;
  EXPECT_NE(message.find("`overwrite`"), std::string::npos) << message;
  EXPECT_EQ(content(path("a.txt")), "precious");
}

TEST_F(OutputFileTest, OverwritesWhenAllowed) {
  std::ofstream(path("a.txt")) << "old and longer";
  OutputFile file(path("a.txt"), true);
  file.write("new");
  file.close();
  EXPECT_EQ(content(path("a.txt")), "new");
}

TEST_F(OutputFileTest, RefusesAFolder) {
  for (const bool overwrite : {false, true}) {
    EXPECT_NE(refusal(path(""), overwrite).find("folder"), std::string::npos);
  }
}

TEST_F(OutputFileTest, NamesAFolderThatIsMissing) {
  const std::string message = refusal(path("missing/a.txt"), false);
  EXPECT_NE(message.find("missing/a.txt"), std::string::npos) << message;
  EXPECT_NE(message.find("has to exist"), std::string::npos) << message;
}

TEST_F(OutputFileTest, NoticesAFullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  OutputFile file("/dev/full", false);
  EXPECT_THROW(
      {
        file.write("x");
        file.close();
      },
      FileError);
}

TEST_F(OutputFileTest, NoticesAFullDiskInTheMiddle) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  OutputFile file("/dev/full", false);
  const std::string line(1000, 'x');
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) file.write(line);
      },
      FileError);
}

}  // namespace
}  // namespace noslip
