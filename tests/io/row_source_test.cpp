// Data files that are read back: bit by bit what was written, in every format; damaged ones are refused.
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/row_source.hpp>

#include "io/base64.hpp"

namespace noslip {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Kind {
  std::string ending;
  std::size_t times;  ///< of each row; 0: rows are moments
  int rows;
  std::string name() const { return ending.substr(1) + std::to_string(times) + "x" + std::to_string(rows); }
};

class RowSources : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("noslip_sources" + GetParam().name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    file_.name = path("a");
    file_.notes = {.system = "name = \"a\"\n", .method = "mp", .step = 0.125, .set = {{"m", "2/3"}, {"a", "1"}}};
    file_.columns = {{"t", ColumnKind::time}, {"x"}, {"atan2(y, x)"}, {"a/b"}};
    if (GetParam().times == 0) return;
    file_.columns = {{"number"}, {"x"}, {"failed"}, {"x"}, {"energy"}};
    file_.columns[4].unit = "J";
    file_.members.emplace(MemberRows{3, {}});
    for (std::size_t k = 0; k < GetParam().times; ++k) file_.members->times.push_back(0.1 * static_cast<double>(k));
  }
  void TearDown() override { fs::remove_all(folder_); }

  bool is_csv() const { return GetParam().ending == ".csv"; }
  std::string path(const std::string& name) const { return (folder_ / (name + GetParam().ending)).string(); }

  std::vector<double> row(int i) const {
    if (GetParam().times == 0) return {0.1 * i, i % 5 == 0 ? std::nan("") : std::sin(i), -0.0 * i, 1e-320 * i};
    std::vector<double> result = {static_cast<double>(i), std::sin(i), i % 3 == 1 ? 1.0 : 0.0};
    for (std::size_t k = 0; k < GetParam().times; ++k) result.push_back(1 / (i + 0.3 * static_cast<double>(k) + 0.1));
    for (std::size_t k = 0; k < GetParam().times; ++k) result.push_back(i % 3 == 1 ? std::nan("") : 1e300 * i);
    return result;
  }

  void write(const RowFile& file, const std::string& record = {}, bool breaks = false) const {
    std::unique_ptr<RowSink> sink = open_rows(file);
    for (int i = 0; i < GetParam().rows; ++i) {
      if (breaks && i == GetParam().rows / 2) {
        const std::string saved = sink->save();
        sink->write(row(i));
        sink.reset();
        sink = resume_rows(file, saved);
      }
      sink->write(row(i));
    }
    if (file.has_record) sink->add_record(record);
    sink->close();
  }

  static std::string refusal(const std::string& name) {
    try {
      open_row_source(name)->read([](std::span<const double>) { return true; });
    } catch (const InputError& error) {
      return error.problems().front().what;
    }
    return "";
  }

  /// Of all rows.
  static std::uint64_t checksum_of(const std::string& name) {
    std::uint64_t sum = 0;
    open_row_source(name)->read([&](std::span<const double> row) {
      for (const double number : row) sum = (sum ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15U;
      return true;
    });
    return sum;
  }

  RowFile file_;
  fs::path folder_;
};

TEST_P(RowSources, GiveWhatWasWritten) {
  std::mt19937 randomly(7);
  std::string long_record;
  for (int i = 0; i < 200000; ++i) long_record += static_cast<char>(randomly());
  for (const std::string& record : {std::string(), std::string("\0a\n", 3), long_record}) {
    file_.has_record = !record.empty();
    file_.overwrites = true;
    write(file_, record, !record.empty());
    const auto source = open_row_source(path("a"));
    EXPECT_EQ(source->record(), record);
    EXPECT_EQ(source->file().has_record, file_.has_record);
    ASSERT_EQ(source->file().columns.size(), file_.columns.size());
    ASSERT_EQ(source->file().members.has_value(), file_.members.has_value());
    if (file_.members) {
      EXPECT_EQ(source->file().members->times, file_.members->times);
      EXPECT_EQ(source->file().members->of_member, 3U);
    } else {
      EXPECT_EQ(source->file().columns[0].kind, ColumnKind::time);
      EXPECT_EQ(source->file().columns[2].name, "atan2(y, x)");
    }
    if (!is_csv()) {
      EXPECT_EQ(source->row_count(), GetParam().rows);
      EXPECT_EQ(source->file().notes.system, file_.notes.system);
      EXPECT_EQ(source->file().notes.set, file_.notes.set);
      EXPECT_EQ(source->file().notes.step, 0.125);
    }
    int i = 0;
    const auto take = [&](std::span<const double> found) {
      const std::vector<double> wanted = row(i++);
      EXPECT_EQ(found.size(), wanted.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (std::isnan(wanted[k]) ? !std::isnan(found[k])
                                  : std::bit_cast<std::uint64_t>(found[k]) != std::bit_cast<std::uint64_t>(wanted[k])) {
          ADD_FAILURE() << "row " << i - 1 << ", number " << k;
          return false;
        }
      }
      return true;
    };
    EXPECT_EQ(source->read(take), GetParam().rows);
    EXPECT_EQ(i, GetParam().rows);
    EXPECT_EQ(source->read([&](std::span<const double>) { return false; }), 0U);
  }
}

TEST_P(RowSources, WhatIsReadIsWrittenWithTheSameBytes) {
  write(file_);
  const auto source = open_row_source(path("a"));
  RowFile copy = source->file();
  copy.name = path("b");
  const auto sink = open_rows(copy);
  source->read([&](std::span<const double> found) {
    sink->write(found);
    return true;
  });
  sink->close();
  EXPECT_TRUE(content_of(path("a")) == content_of(path("b")));
}

TEST_P(RowSources, ARecordIsTheSameAfterABreak) {
  file_.has_record = true;
  write(file_, "some bytes");
  RowFile other = file_;
  other.name = path("b");
  write(other, "some bytes", true);
  EXPECT_TRUE(content_of(path("a")) == content_of(path("b")));
}

TEST_P(RowSources, DamagedFilesAreRefused) {
  file_.has_record = true;
  write(file_, "some bytes");
  const std::string whole = content_of(path("a"));
  EXPECT_EQ(refusal(path("a")), "");
  std::mt19937 randomly(1);
  const auto at = [&](std::size_t size) { return std::uniform_int_distribution<std::size_t>(0, size - 1)(randomly); };
  const std::uint64_t checksum = checksum_of(path("a"));
  int noticed = 0;
  for (int i = 0; i < 60; ++i) {
    std::string cut = whole.substr(0, i == 0 ? whole.size() - 1 : at(whole.size()));
    std::ofstream(path("b"), std::ios::binary) << cut;
    const bool ends_a_line = is_csv() && cut.ends_with('\n');  // and has no record any more
    EXPECT_TRUE(ends_a_line || !refusal(path("b")).empty()) << "cut at " << cut.size() << " of " << whole.size();
    std::string changed = whole;
    changed[at(changed.size())] ^= static_cast<char>(1 << at(8));
    std::ofstream(path("b"), std::ios::binary) << changed;
    // Some bytes mean nothing: a change in them is not noticed, and the rows are the same.
    const bool is_noticed = !refusal(path("b")).empty();
    EXPECT_TRUE(is_noticed || checksum_of(path("b")) == checksum);
    noticed += is_noticed ? 1 : 0;
  }
  EXPECT_GT(noticed, 10);
}

TEST_P(RowSources, OtherFilesAreRefused) {
  for (const char* text : {"", "x", "\x89HDF\r\n\x1a\n", "PK\5\6"}) {
    std::ofstream(path("b"), std::ios::binary) << text;
    EXPECT_NE(refusal(path("b")), "");
  }
  EXPECT_NE(refusal(path("a") + ".part").find("is not complete"), std::string::npos);
  EXPECT_NE(refusal(path("a") + ".txt").find("the ending"), std::string::npos);
  EXPECT_THROW(open_row_source(path("nothing")), FileError);
  Column& worded = file_.columns[file_.columns.size() - 2];
  worded.words = {"left", "right"};
  std::vector<double> line = row(1);
  std::fill(line.begin(), line.end(), 1.0);
  const auto sink = open_rows(file_);
  sink->write(line);
  sink->close();
  EXPECT_NE(refusal(path("a")).find("'" + worded.name + "' has words"), std::string::npos) << refusal(path("a"));
}

const Kind kinds_of_files[] = {{".csv", 0, 300}, {".csv", 1, 300},   {".csv", 40, 30},   {".npz", 0, 300},
                               {".npz", 1, 300}, {".npz", 40, 30},   {".h5", 0, 20000},  {".h5", 1, 20000},
                               {".h5", 40, 30},  {".h5", 300000, 2}, {".npz", 300000, 2}};
INSTANTIATE_TEST_SUITE_P(Formats, RowSources, testing::ValuesIn(kinds_of_files),
                         [](const auto& kind) { return kind.param.name(); });

TEST(Base64, ComesBack) {
  std::mt19937 randomly(3);
  for (std::size_t size = 0; size < 50; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(randomly());
    EXPECT_EQ(bytes_of_base64(base64_of(bytes)), bytes);
  }
  for (const char* text : {"a", "ab", "ab=c", "====", "a===", "Zh==", "Zm9=", "Zm 9"})
    EXPECT_FALSE(bytes_of_base64(text)) << text;
}

}  // namespace
}  // namespace noslip
