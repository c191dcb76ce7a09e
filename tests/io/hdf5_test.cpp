// HDF5 files as bytes; that other programs read them is tested with the tool (tests/app/data_files_test.py).
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <noslip/core/error.hpp>
#include <noslip/io/row_sink.hpp>

#include "io/checksum.hpp"
#include "io/hdf5_chunk.hpp"
#include "io/hdf5_index.hpp"
#include "io/hdf5_layout.hpp"
#include "io/hdf5_messages.hpp"

namespace noslip {
namespace {

TEST(Hdf5, ChecksumsAreThoseOfTheFormat) {
  // A superblock that the HDF5 library has written.
  Bytes superblock;
  superblock.text("\x89HDF\r\n\x1a\n").one(3).one(8).one(8).one(0).eight(0).eight(hdf5::nowhere).eight(0x1870).eight(0x30);
  EXPECT_EQ(hdf5::metadata_checksum(superblock.str()), 0x73d448bbU);
}

TEST(Hdf5, CrcInPiecesIsThatOfTheWhole) {
  const std::string text = "123456789 and some more that is longer than a word";
  EXPECT_EQ(crc32_of(0, "123456789"), 0xcbf43926U);
  for (std::size_t i = 0; i <= text.size(); ++i) {
    EXPECT_EQ(crc32_of(crc32_of(0, text.substr(0, i)), text.substr(i)), crc32_of(0, text)) << i;
    Checksum whole, pieces;
    whole.add(text);
    pieces.add(text.substr(0, i));
    pieces.add(text.substr(i));
    EXPECT_EQ(pieces.value(), whole.value()) << i;
    std::string other = text;
    if (i < text.size()) other[i] = static_cast<char>(other[i] ^ 1);
    Checksum changed;
    changed.add(other);
    EXPECT_EQ(changed.value() == whole.value(), i == text.size()) << i;
  }
}

/// An index of `count` chunks, written as a file is.
class IndexedFile {
 public:
  IndexedFile(std::uint64_t count, int dimensions)
      : name_(testing::TempDir() + "noslip_index.bin"), index_(16, dimensions) {
    file_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (std::uint64_t i = 0; i < count; ++i) add(i);
  }
  ~IndexedFile() {
    ::close(file_);
    std::filesystem::remove(name_);
  }
  IndexedFile(const IndexedFile&) = delete;
  IndexedFile& operator=(const IndexedFile&) = delete;

  void add(std::uint64_t number) {
    std::string block;
    std::vector<hdf5::Patch> patches;
    index_.add(number, chunk(number), end_, block, patches);
    put(end_, block);
    for (const hdf5::Patch& patch : patches) put(patch.place, patch.bytes);
    end_ += block.size();
    count_ = number + 1;
  }
  void cut(std::uint64_t fewer) {
    std::vector<hdf5::Patch> patches;
    ASSERT_TRUE(index_.cut(file_, index_.root(), count_, fewer, patches));
    hdf5::Chunk last;
    for (const hdf5::Patch& patch : patches) put(patch.place, patch.bytes);
    count_ = fewer;
    ASSERT_TRUE(index_.find(file_, index_.root(), count_, fewer - 1, last));
    end_ = hdf5::rounded_up(last.place + last.size);
    ASSERT_EQ(ftruncate(file_, static_cast<off_t>(end_)), 0);
  }
  std::string found(std::uint64_t number) const {
    hdf5::Chunk place;
    if (!index_.find(file_, index_.root(), count_, number, place)) return "none";
    std::string bytes(place.size, '\0');
    return pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(place.place)) < 0 ? "" : bytes;
  }
  std::string bytes() const {
    std::ifstream file(name_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string chunk(std::uint64_t number) { return "chunk " + std::to_string(number); }

 private:
  void put(std::uint64_t place, const std::string& bytes) {
    ASSERT_EQ(pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place)), static_cast<ssize_t>(bytes.size()));
  }
  std::string name_;
  int file_ = -1;
  hdf5::Index index_;
  std::uint64_t end_ = 64, count_ = 0;
};

TEST(Hdf5, IndicesOfSeveralLevelsFindEveryChunk) {
  for (const std::uint64_t count : {1, 63, 64, 65, 128, 4096, 4097, 9000}) {
    for (const int dimensions : {1, 2}) {
      const IndexedFile file(count, dimensions);
      for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(file.found(i), IndexedFile::chunk(i)) << i << " of " << count;
    }
  }
}

TEST(Hdf5, IndicesThatAreCutAreThoseOfFewerChunks) {
  for (const std::uint64_t fewer : {1, 10, 64, 65, 100, 4096, 4097}) {
    for (const int dimensions : {1, 2}) {
      std::string wanted;
      {
        const IndexedFile file(fewer, dimensions);
        wanted = file.bytes();
      }
      IndexedFile file(4200, dimensions);
      file.cut(fewer);
      EXPECT_TRUE(file.bytes() == wanted) << fewer;
    }
  }
}

TEST(Hdf5, WhatLooksRandomIsStored) {
  std::string numbers(8 * 4096, '\0'), packed;
  hdf5::Packer packer;
  packer.numbers(numbers, packed);
  const std::size_t zeros = packed.size();
  std::uint64_t random = 1;
  for (char& c : numbers) c = static_cast<char>((random = random * 6364136223846793005U + 1442695040888963407U) >> 56);
  packed.clear();
  packer.numbers(numbers, packed);
  EXPECT_LT(packed.size(), numbers.size() + 64);
#if NOSLIP_HAS_ZLIB
  EXPECT_LT(zeros, numbers.size() / 10);
#else
  EXPECT_EQ(zeros, packed.size());
#endif
}

TEST(Hdf5, NamesHaveNoSlashesAndAreDifferent) {
  const std::string name = testing::TempDir() + "noslip_names.h5";
  std::filesystem::remove(name);
  open_rows(name, false, {{"a/b"}, {"a:b"}, {"x"}, {"x"}})->close();
  std::ifstream file(name, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (const char* text : {"a:b", "a:b_", "x_"}) EXPECT_NE(bytes.find(text), std::string::npos) << text;
  std::filesystem::remove(name);
}

TEST(Hdf5, BytesThatAreRareOrComeAgainBecomeShort) {
  const auto size_of = [](auto&& value) {
    std::vector<double> numbers;
    for (int i = 0; i < 8192; ++i) numbers.push_back(value(i));
    std::string packed;
    hdf5::Packer().numbers({reinterpret_cast<const char*>(numbers.data()), 8 * numbers.size()}, packed);
    return static_cast<double>(packed.size()) / static_cast<double>(numbers.size());
  };
  std::uint64_t random = 1;
  const auto draw = [&](int) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
  };
#if NOSLIP_HAS_ZLIB
  EXPECT_LT(size_of(draw), 7.3) << "signs and exponents";
  EXPECT_LT(size_of([](int i) { return 1.0 / (1 + i % 101); }), 0.3) << "values of a grid";
  EXPECT_LT(size_of([](int i) { return 0.001 * i; }), 6.5) << "times";
  EXPECT_LT(size_of([](int i) { return std::sin(0.001 * i); }), 6.5) << "a motion";
  EXPECT_LT(size_of([](int i) { return 17.0 * i; }), 3) << "numbers of rows";
#else
  EXPECT_LT(size_of(draw), 8.1);
#endif
}

TEST(Hdf5, ChunksOfMembersAreSmallWhateverTheNumberOfTimes) {
  for (const std::size_t times : {1, 2, 10, 100, 1000, 30000, 1000000}) {
    RowFile file{"a.h5", false, {{"number"}, {"m"}}, {}, MemberRows{2, std::vector<double>(times)}};
    for (int i = 0; i < 14; ++i) file.columns.push_back({"x" + std::to_string(i)});
    const hdf5::Layout layout(file);
    EXPECT_EQ(layout.shape().size(), 2 + 14 * times);
    EXPECT_LE(layout.chunk_rows() == 1 ? 0 : layout.chunk_rows() * layout.shape().size(), std::size_t{1} << 19) << times;
    EXPECT_GT(layout.chunk_rows() * 14 * times, 1 << 16) << times;
  }
}

TEST(Hdf5, TimesThatNoChunkCanHaveAreRefused) {
  Column run{"run", ColumnKind::label};
  run.words = {"a", "b"};
  const std::string name = testing::TempDir() + "noslip_times.h5";
  const RowFile file{name, false, {{"number"}, run}, {}, MemberRows{1, std::vector<double>((1 << 23) + 1)}};
  EXPECT_THROW(open_rows(file), InputError);
  EXPECT_FALSE(std::filesystem::exists(name + ".part"));
}

/// The rows that a file says it has; nothing unless it is of this layout.
std::optional<std::uint64_t> rows_of(const std::string& name, const hdf5::Layout& layout) {
  const int file = ::open(name.c_str(), O_RDONLY);
  int which = 0;
  hdf5::Extent extent;
  const bool is_found = layout.find(file, which, extent);
  ::close(file);
  return is_found ? std::optional(extent.rows) : std::nullopt;
}

/// Files of this process cannot become longer.
class LimitOfFiles {
 public:
  explicit LimitOfFiles(std::uint64_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LimitOfFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  LimitOfFiles(const LimitOfFiles&) = delete;
  LimitOfFiles& operator=(const LimitOfFiles&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Hdf5, RowsThatWereShownStayWhenThereIsNoMoreRoom) {
  const std::string name = testing::TempDir() + "noslip_room.h5", part = name + ".part";
  for (const std::size_t first : {5000, 8192 + 100}) {
    std::filesystem::remove(name);
    std::filesystem::remove(part);
    const RowFile file{name, false, {{"t", ColumnKind::time}, {"x"}}, {}};
    auto sink = open_rows(name, false, file.columns);
    std::uint64_t random = 1;
    const auto write = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        sink->write(std::vector<double>{static_cast<double>(i), 1.0 / static_cast<double>(random)});
      }
    };
    write(first);
    sink->save();  // shows them
    const hdf5::Layout layout(file);
    ASSERT_EQ(rows_of(part, layout), first);
    const auto size = std::filesystem::file_size(part);
    {
      const LimitOfFiles limit(size);
      EXPECT_THROW(write(100000), FileError);
      sink.reset();
    }
    const std::optional<std::uint64_t> rows = rows_of(part, layout);
    ASSERT_TRUE(rows);
    EXPECT_GE(*rows, first);
    EXPECT_EQ(std::filesystem::file_size(part), size);
    std::filesystem::remove(part);
  }
}

TEST(Hdf5, LongRowsStayWhenThereIsNoMoreRoom) {
  const std::string name = testing::TempDir() + "noslip_long_rows.h5", part = name + ".part";
  std::filesystem::remove(part);
  const RowFile file{name, false, {{"number"}, {"x"}, {"y"}}, {}, MemberRows{1, std::vector<double>(300000)}};
  const hdf5::Layout layout(file);
  ASSERT_EQ(layout.chunk_rows(), 1U);
  auto sink = open_rows(file);
  std::vector<double> row(layout.shape().size());
  std::uint64_t random = 1;
  for (double& value : row) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    value = 1.0 / static_cast<double>(random);
  }
  for (int i = 0; i < 2; ++i) sink->write(row);
  ASSERT_EQ(rows_of(part, layout), 2U);
  for (const std::size_t more : {std::size_t{0}, std::size_t{100}, row.size() * 5}) {
    const LimitOfFiles limit(std::filesystem::file_size(part) + more);
    EXPECT_THROW(sink->write(row), FileError);
    EXPECT_EQ(rows_of(part, layout), 2U);
  }
  sink.reset();
  EXPECT_EQ(rows_of(part, layout), 2U);
  std::filesystem::remove(part);
}

TEST(Hdf5, NumbersOfRowsThatNoFileHasAreRefused) {
  const std::string name = testing::TempDir() + "noslip_many.h5";
  const hdf5::Layout layout(RowFile{name, false, {{"t", ColumnKind::time}, {"x"}}, {}});
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  for (const std::uint64_t rows : {std::uint64_t{3}, most, most + 1, ~std::uint64_t{0}, ~std::uint64_t{0} - 5000}) {
    std::string bytes(layout.begin(), '\0');
    const auto put = [&](std::uint64_t place, const std::string& text) { bytes.replace(place, text.size(), text); };
    put(0, layout.superblock(0, bytes.size()));
    put(layout.texts_place(), layout.texts());
    put(layout.description_place(0), layout.description(0, {rows, {1000, 2000}}));
    std::ofstream(name, std::ios::binary) << bytes;
    EXPECT_EQ(rows_of(name, layout), rows <= most ? std::optional(rows) : std::nullopt) << rows;
  }
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace noslip
