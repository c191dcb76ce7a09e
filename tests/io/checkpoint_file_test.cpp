// Files of checkpoints: whole ones only.
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/checkpoint_file.hpp>

namespace noslip {
namespace {

namespace fs = std::filesystem;

class CheckpointFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string name(const std::string& file = "c") const { return folder_ / file; }
  static std::string bytes_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void put(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("noslip_checkpoint_" + std::to_string(std::random_device()()));
};

TEST_F(CheckpointFiles, AreReadAsTheyWereWritten) {
  const std::string content{"bytes\0and\nbytes", 15};
  write_checkpoint(name(), {"run", content});
  EXPECT_EQ(read_checkpoint(name()).kind, "run");
  EXPECT_EQ(read_checkpoint(name()).content, content);
  write_checkpoint(name(), {"other", ""});
  EXPECT_EQ(read_checkpoint(name()).kind, "other");
  EXPECT_EQ(read_checkpoint(name()).content, "");
  EXPECT_FALSE(fs::exists(name("c.new")));
}

TEST_F(CheckpointFiles, WithOneByteMissingOrChangedAreRefused) {
  write_checkpoint(name(), {"run", std::string(300, 'x') + std::string(10, '\0')});
  const std::string good = bytes_of(name());
  for (std::size_t size = 0; size < good.size(); ++size) {
    put(name(), good.substr(0, size));
    EXPECT_THROW(read_checkpoint(name()), InputError) << size;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      put(name(), bad);
      EXPECT_THROW(read_checkpoint(name()), InputError) << at;
    }
  }
  put(name(), good + "x");
  EXPECT_THROW(read_checkpoint(name()), InputError);
  put(name(), good);
  EXPECT_NO_THROW(read_checkpoint(name()));
}

TEST_F(CheckpointFiles, ThatCannotBeWrittenLeaveTheOldOne) {
  write_checkpoint(name(), {"run", "old"});
  fs::create_directory(name("c.new"));  // in the way
  EXPECT_THROW(write_checkpoint(name(), {"run", "new"}), FileError);
  EXPECT_EQ(read_checkpoint(name()).content, "old");
  EXPECT_THROW(write_checkpoint(name("no/c"), {"run", "new"}), FileError);
  EXPECT_THROW(read_checkpoint(name("nothing")), FileError);
}

TEST_F(CheckpointFiles, BehindALinkAreReplacedThere) {
  write_checkpoint(name("there"), {"run", "old"});
  fs::create_symlink("there", name("link"));
  write_checkpoint(name("link"), {"run", "new"});
  EXPECT_TRUE(fs::is_symlink(name("link")));
  EXPECT_EQ(read_checkpoint(name("there")).content, "new");
}

TEST_F(CheckpointFiles, HaveOneWriter) {
  const auto is_free = [&](const std::string& file) {
    try {
      const CheckpointLock lock(file);
      return true;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("another program is writing the checkpoint '" + file + "'"),
                std::string::npos)
          << error.what();
      return false;
    }
  };
  write_checkpoint(name("there"), {"run", "old"});
  fs::create_symlink("there", name("link"));
  {
    const CheckpointLock lock(name("there"));
    EXPECT_FALSE(is_free(name("there")));
    EXPECT_FALSE(is_free(name("link")));
    EXPECT_TRUE(is_free(name("other")));
    write_checkpoint(name("there"), {"run", "new"});  // another file under the same name
    EXPECT_FALSE(is_free(name("there")));
  }
  EXPECT_FALSE(fs::exists(name("there.lock")));
  put(name("there.lock"), "");  // of a program that was killed
  EXPECT_TRUE(is_free(name("there")));
  EXPECT_FALSE(fs::exists(name("there.lock")));
  EXPECT_THROW(CheckpointLock(name("no/c")), FileError);
}

}  // namespace
}  // namespace noslip
