// Output files: what is refused, that no error is lost, and what is brought to the disk.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <noslip/io/output_file.hpp>

namespace {

/// What was brought to the disk, and which files there were then.
struct Sync {
  std::filesystem::path what;
  std::set<std::string> files;
};

std::vector<Sync>* syncs = nullptr;

int note_sync(int file, long number) {
  if (syncs != nullptr) {
    Sync sync{std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file)), {}};
    const bool is_folder = std::filesystem::is_directory(sync.what);
    for (const auto& entry : std::filesystem::directory_iterator(is_folder ? sync.what : sync.what.parent_path())) {
      sync.files.insert(entry.path().filename());
    }
    syncs->push_back(sync);
  }
  return static_cast<int>(syscall(number, file));
}

}  // namespace

// In the place of those of the system.
extern "C" int fsync(int file) { return note_sync(file, SYS_fsync); }
extern "C" int fdatasync(int file) { return note_sync(file, SYS_fdatasync); }

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

class Syncs : public OutputFileTest {
 protected:
  void SetUp() override {
    OutputFileTest::SetUp();
    syncs = &syncs_;
  }
  void TearDown() override {
    syncs = nullptr;
    OutputFileTest::TearDown();
  }
  using Files = std::set<std::string>;
  /// One that has to have happened, with just these files in the folder.
  bool was_synced(const std::string& what, const Files& files) const {
    const fs::path file = fs::canonical(path("")) / what;
    for (const Sync& sync : syncs_) {
      const bool is_it = what.empty() ? sync.what == fs::canonical(path("")) : sync.what == file;
      if (is_it && sync.files == files) return true;
    }
    return false;
  }
  std::vector<Sync> syncs_;
};

TEST_F(Syncs, ThereAreNoneWithoutNeed) {
  OutputFile file(path("a"), false);
  file.write("one");
  file.close();
  EXPECT_TRUE(syncs_.empty());
}

TEST_F(Syncs, OfAFileWithWhichARunWillGoOn) {
  OutputFile file(path("a"), false);
  file.write("one");
  file.bring_to_disk();
  EXPECT_TRUE(was_synced("a.part", {"a.part"}));
  EXPECT_TRUE(was_synced("", {"a.part"}));
  syncs_.clear();
  file.write("two");
  file.bring_to_disk();
  EXPECT_EQ(syncs_.size(), 1U);  // its name is on the disk already
  syncs_.clear();
  file.write("three");
  file.close();
  EXPECT_TRUE(was_synced("a.part", {"a.part"}));
  EXPECT_TRUE(was_synced("", {"a"}));
}

TEST_F(Syncs, OfAFileThatIsStarted) {
  OutputFile file(path("a"), false);
  file.start("one");
  file.bring_to_disk();
  EXPECT_TRUE(was_synced("", {"a.part"}));
}

TEST_F(Syncs, TheWholeFileIsThereBeforeItsPartGoes) {
  OutputFile file(path("a"), false);
  file.keep_beginning();
  file.write("rows");
  file.bring_to_disk();
  syncs_.clear();
  file.begin_whole(".zip");
  file.put(0, "columns");
  file.close();
  EXPECT_TRUE(was_synced("a.part.zip", {"a.part", "a.part.zip"}));
  EXPECT_TRUE(was_synced("", {"a", "a.part"}));
  EXPECT_FALSE(fs::exists(path("a.part")));
  EXPECT_EQ(content(path("a")), "columns");
}

TEST_F(Syncs, OfAFileThatIsTakenUpAgain) {
  std::ofstream(path("a.part")) << "one";
  const auto right = [](int) { return std::string(); };
  OutputFile file(path("a"), false, {3, right, right, copy_file});
  file.write("two");
  file.close();
  EXPECT_TRUE(was_synced("a.part", {"a.part"}));
  EXPECT_TRUE(was_synced("", {"a"}));
  EXPECT_EQ(content(path("a")), "onetwo");
}

}  // namespace
}  // namespace noslip
