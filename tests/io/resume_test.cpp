// Data files that are written in several pieces: byte for byte what one piece gives, or a message.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <noslip/core/error.hpp>
#include <noslip/io/row_sink.hpp>

namespace {

bool writes_in_pieces = false;
int pieces = 0;

}  // namespace

// In the place of that of the system, which may be interrupted and may write less than it is asked to.
extern "C" ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t place) {
  if (writes_in_pieces && ++pieces % 3 == 0) {
    errno = EINTR;
    return -1;
  }
  if (writes_in_pieces) size = std::min(size, std::max<std::size_t>(1, size / 2));
  return syscall(SYS_pwrite64, file, bytes, size, place);
}

namespace noslip {
namespace {

namespace fs = std::filesystem;

std::string bytes_of_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& name, const std::string& bytes) {
  std::ofstream(name, std::ios::binary) << bytes;
}

/// What a file has, and how much of it.
struct Content {
  std::string ending;
  std::size_t times;  ///< of each row; 0: rows are moments of a run
  double size;        ///< files have 20 of this

  std::string name() const { return ending.substr(1) + (times == 0 ? "" : "Members" + std::to_string(times)); }
};

class Resume : public testing::TestWithParam<Content> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("noslip_resume" + GetParam().name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    columns_ = {{"t", ColumnKind::time}, {"x"}, {"x'"}, {"x"}, {"run", ColumnKind::label}};
    if (has_members()) {
      columns_ = {{"number"}, {"x"}, {"kind", ColumnKind::label}, {"x"}, {"run", ColumnKind::label}};
      columns_[2].words = {"first", "second"};
      members_.emplace(MemberRows{3, {}});
      for (std::size_t k = 0; k < GetParam().times; ++k) members_->times.push_back(0.1 * static_cast<double>(k));
    }
    columns_.back().words = {"mp", "Poincar\u00e9, \"first\""};
    write(path("whole"), 0, rows, "");
    whole_ = bytes_of_file(path("whole"));
  }
  void TearDown() override { fs::remove_all(folder_); }

  bool has_members() const { return GetParam().times > 0; }
  std::string path(const std::string& name) const { return (folder_ / (name + GetParam().ending)).string(); }
  RowFile file_of(const std::string& name) const { return {name, false, columns_, {}, members_}; }

  std::vector<double> row(int i) const {
    const double word = i % 2;
    if (!has_members()) return {0.1 * i, std::sin(i), i % 7 == 0 ? std::nan("") : 1.0 / (i + 1), i * 1e9, word};
    std::vector<double> result = {static_cast<double>(i), std::sin(i), word};
    const int times = static_cast<int>(GetParam().times);
    for (int k = 0; k < times; ++k) result.push_back((i + k) % 7 == 0 ? std::nan("") : 1.0 / (i + 3 * k + 1));
    for (int k = 0; k < times; ++k) result.push_back((i + k) % 3 == 0 ? 1.0 : 0.0);
    return result;
  }

  /// Rows from `first` to before `last`, into a new file or, if something is given, into the one that was saved. The
  /// result is what save() says before the row `save_at`.
  std::string write(const std::string& file, int first, int last, const std::string& saved, int save_at = -1,
                    bool closes = true) const {
    const auto sink = saved.empty() ? open_rows(file_of(file)) : resume_rows(file_of(file), saved);
    std::string result;
    for (int i = first; i < last; ++i) {
      if (i == save_at) result = sink->save();
      sink->write(row(i));
    }
    if (save_at == last) result = sink->save();
    if (closes) sink->close();
    return result;
  }

  std::string refusal(const std::string& file, const std::string& saved) const {
    const bool has_part = fs::exists(file + ".part");
    const std::string before = bytes_of_file(file), part = bytes_of_file(file + ".part");
    try {
      resume_rows(file_of(file), saved);
    } catch (const FileError& error) {
      EXPECT_EQ(bytes_of_file(file), before);
      EXPECT_EQ(fs::exists(file + ".part"), has_part);
      EXPECT_EQ(bytes_of_file(file + ".part"), part);
      return error.what();
    }
    return "";
  }

  /// So many rows.
  static int at(double units) { return static_cast<int>(std::ceil(units * GetParam().size)); }
  const int rows = at(20);
  std::vector<Column> columns_;
  std::optional<MemberRows> members_;
  std::string whole_;

 private:
  fs::path folder_;
};

TEST_P(Resume, SavingChangesNothing) {
  const auto sink = open_rows(file_of(path("a")));
  for (int i = 0; i < rows; ++i) {
    if (i % at(2) == 0) sink->save();
    sink->write(row(i));
  }
  sink->close();
  EXPECT_TRUE(bytes_of_file(path("a")) == whole_);
}

TEST_P(Resume, GoesOnFromAFileThatWasNotFinished) {
  // Before and after the ends of chunks, among others.
  for (const int stop : std::set{0, 1, at(6.4), at(8.192) - 1, at(8.192), at(8.192) + 1, at(12), rows}) {
    const std::string file = path("a" + std::to_string(stop));
    const std::string saved = write(file, 0, std::min(stop + at(6), rows), "", stop, false);
    ASSERT_FALSE(fs::exists(file));
    ASSERT_TRUE(fs::exists(file + ".part"));
    // Once more from the same place, then from a later one.
    write(file, stop, std::min(stop + at(3), rows), saved, -1, false);
    const int next = std::min(stop + at(2), rows);
    const std::string later = write(file, stop, std::min(stop + at(9), rows), saved, next, false);
    write(file, next, rows, later);
    EXPECT_TRUE(bytes_of_file(file) == whole_) << stop;
    EXPECT_FALSE(fs::exists(file + ".part"));
  }
}

TEST_P(Resume, AShorterEndLeavesNothingOfTheLongerOne) {
  const std::string saved = write(path("a"), 0, rows, "", at(2), false);
  write(path("a"), at(2), at(3), saved);
  write(path("b"), 0, at(3), "");
  EXPECT_TRUE(bytes_of_file(path("a")) == bytes_of_file(path("b")));
}

TEST_P(Resume, GoesOnFromAFileThatWasClosed) {
  const std::string file = path("a"), saved = write(file, 0, at(15), "", at(9));
  const std::string closed = bytes_of_file(file);
  {
    const auto sink = resume_rows(file_of(file), saved);
    EXPECT_TRUE(bytes_of_file(file) == closed) << "it stays until the new one is complete";
    EXPECT_THROW(resume_rows(file_of(file), saved), FileError) << "it is locked";
  }
  fs::remove(file + ".part");
  write(file, at(9), rows, saved);
  EXPECT_TRUE(bytes_of_file(file) == whole_);
}

TEST_P(Resume, WritesThatAreInterruptedGoOn) {
  const std::string file = path("a"), saved = write(file, 0, at(15), "", at(9));
  pieces = 0;
  writes_in_pieces = true;
  EXPECT_NO_THROW(write(file, at(9), rows, saved));
  writes_in_pieces = false;
  EXPECT_TRUE(bytes_of_file(file) == whole_);
  EXPECT_EQ(pieces > 0, GetParam().ending != ".csv");
}

TEST_P(Resume, TakesTheCompleteFileIfTheOtherOneIsTooShort) {
  const std::string file = path("a"), saved = write(file, 0, at(15), "", at(9));
  write_bytes(file + ".part", bytes_of_file(file).substr(0, 100));
  write(file, at(9), rows, saved);
  EXPECT_TRUE(bytes_of_file(file) == whole_);
}

TEST_P(Resume, SaysWhatDiffers) {
  const std::string file = path("a");
  const std::string saved = write(file, 0, at(15), "", at(9), false), part = bytes_of_file(file + ".part");
  const auto expect = [&](const std::string& text) {
    const std::string message = refusal(file, saved);
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_NE(message.find(file + ".part"), std::string::npos) << message;
  };
  std::string changed = part;
  // Not where bytes mean nothing, or are not content: there are zeros.
  std::size_t place = part.size() / 3;
  while (part.substr(place - 3, 7).find('\0') != std::string::npos) ++place;
  changed[place] = static_cast<char>(changed[place] ^ 1);
  write_bytes(file + ".part", changed);
  expect("other content than when it was saved");
  write_bytes(file + ".part", part.substr(0, part.size() / 3));
  expect(" when it was saved");
  fs::remove(file + ".part");
  expect("is missing");
  columns_[1].name = "y";
  write_bytes(file + ".part", part);
  expect("has other columns");
  columns_[1].name = "x";
  EXPECT_NE(refusal(file, "nonsense").find("does not belong"), std::string::npos);
  EXPECT_NE(refusal(file, "CSV rows 1 1 2 3 4").find("does not belong"), std::string::npos);
  // A file of the same name that is not a beginning of this one.
  write_bytes(file, "precious");
  EXPECT_NE(refusal(file, saved).find("exists"), std::string::npos);
  fs::remove(file);
  write(file, at(9), rows, saved);
  EXPECT_TRUE(bytes_of_file(file) == whole_);
}

TEST_P(Resume, TimesAreTheSame) {
  if (!has_members()) GTEST_SKIP() << "rows have their times";
  for (const bool closes : {false, true}) {
    const std::string file = path("a"), saved = write(file, 0, at(5), "", at(3), closes);
    members_->times.back() += 1;
    EXPECT_NE(refusal(file, saved), "");
    members_->times.back() -= 1;
    EXPECT_EQ(refusal(file, saved), "");
    members_->times.push_back(1e9);
    EXPECT_NE(refusal(file, saved), "");
    members_->times.pop_back();
    fs::remove(file);
    fs::remove(file + ".part");
  }
}

TEST_P(Resume, RowsAreInTheFileWhenTheyAreSaved) {
  const std::string file = path("a");
  const auto sink = open_rows(file_of(file));
  for (int i = 0; i < at(1); ++i) sink->write(row(i));
  const std::string saved = sink->save();
  fs::copy_file(file + ".part", path("b") + ".part");
  write(path("b"), at(1), rows, saved);
  EXPECT_TRUE(bytes_of_file(path("b")) == whole_);
  sink->close();
}

TEST_P(Resume, RowsThatAreSlowAreInTheFileAtOnce) {
  const std::string file = path("a");
  const auto sink = open_rows(file_of(file));
  std::string before = bytes_of_file(file + ".part");
  for (int i = 0; i < 2; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    sink->write(row(i));
    EXPECT_NE(bytes_of_file(file + ".part"), before);
    before = bytes_of_file(file + ".part");
  }
  sink->close();
  write(path("b"), 0, 2, "");
  EXPECT_EQ(bytes_of_file(file), bytes_of_file(path("b")));
}

TEST_P(Resume, ARowWithoutAWordIsRefusedAndLeavesNothing) {
  const std::string file = path("a");
  const auto sink = open_rows(file_of(file));
  for (int i = 0; i < rows; ++i) {
    if (i % at(5) == 0) {
      for (const double word : {std::nan(""), -1.0, 2.0, 1e300, 0.5}) {
        std::vector<double> bad = row(i);
        bad.back() = word;
        EXPECT_THROW(sink->write(bad), InputError) << word;
        if (!has_members()) continue;
        bad = row(i);
        bad[2] = word;
        EXPECT_THROW(sink->write(bad), InputError) << word;
      }
    }
    sink->write(row(i));
  }
  sink->close();
  EXPECT_TRUE(bytes_of_file(file) == whole_);
}

std::vector<Content> contents() {
  std::vector<Content> result;
  for (const RowFormat& format : row_formats()) {
    const std::string ending = format.ending;
    result.push_back({ending, 0, 1000});
    result.push_back({ending, 1, 1000});
    result.push_back({ending, 600, 40});  // of HDF5, chunks of fewer rows
    // Rows that are written in pieces: of HDF5 one is a chunk.
    result.push_back({ending, ending == ".csv" ? 20000U : ending == ".h5" ? 140000U : 300000U, 0.3});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Formats, Resume, testing::ValuesIn(contents()),
                         [](const auto& content) { return content.param.name(); });

TEST(ResumeOfStreams, IsRefused) {
  const std::vector<Column> columns = {{"t", ColumnKind::time}};
  const std::string saved = open_rows("/dev/null", false, columns)->save();
  for (const char* file : {"-", "/dev/null"}) EXPECT_THROW(resume_rows(file, false, columns, saved), FileError);
}

}  // namespace
}  // namespace noslip
