// NPZ files as bytes; that other programs read them is tested with the tool (tests/app/data_files_test.py).
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include <noslip/core/error.hpp>
#include <noslip/io/row_sink.hpp>

namespace noslip {
namespace {

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string new_name(const char* name) {
  const std::string file = testing::TempDir() + name;
  std::filesystem::remove(file);
  return file;
}

TEST(Npz, WordsAreTextsOfOneLength) {
  const std::string name = new_name("noslip_words.npz");
  Column run{"run", ColumnKind::label};
  run.words = {"mp", "Poincar\u00e9"};
  const auto sink = open_rows(name, false, {run, {"x"}});
  for (const double word : {1.0, 0.0}) sink->write(std::vector<double>{word, 0.5});
  sink->close();
  const std::string bytes = content_of(name);
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  EXPECT_NE(bytes.find("run.npy"), std::string::npos);
  EXPECT_NE(bytes.find("{'descr': '<U8', 'fortran_order': False, 'shape': (2,), }"), std::string::npos);
  std::u32string text = U"Poincar\u00e9mp";
  text.resize(16);
  EXPECT_NE(bytes.find({reinterpret_cast<const char*>(text.data()), 4 * text.size()}), std::string::npos);
  std::filesystem::remove(name);
}

TEST(Npz, ChecksumsAreThoseOfZip) {
  const std::string name = new_name("noslip_empty.npz");
  const auto sink = open_rows(name, false, {{"t", ColumnKind::time}});
  sink->close();
  // As Python has it for the array without numbers.
  EXPECT_EQ(content_of(name).substr(14, 4), "\x36\x48\x5b\x73");
  std::filesystem::remove(name);
}

TEST(Npz, NoTwoArraysHaveTheSameName) {
  const std::string name = new_name("noslip_same.npz");
  open_rows(name, false, {{"x"}, {"x"}})->close();
  EXPECT_NE(content_of(name).find("x_.npy"), std::string::npos);
  std::filesystem::remove(name);
}

TEST(Npz, NamesOfAnyCharactersAreQuotedInTheRows) {
  const std::string name = new_name("noslip_names.npz"), part = name + ".part";
  std::filesystem::remove(part);
  const auto sink = open_rows(name, false, {{"a\nb"}, {"it's"}, {"\x1b"}});
  sink->save();
  const std::string bytes = content_of(part), header = bytes.substr(0, bytes.find('\n'));
  EXPECT_EQ(header.size() + 1, bytes.size()) << "one line";
  EXPECT_NE(header.find(R"(('a\x0ab', '<f8'), ('it\'s', '<f8'), ('\x1b', '<f8'))"), std::string::npos) << header;
  sink->close();
  std::filesystem::remove(name);
}

TEST(Npz, RefusesToOverwrite) {
  const std::string name = new_name("noslip_exists.npz");
  open_rows(name, false, {{"x"}})->close();
  EXPECT_THROW(open_rows(name, false, {{"x"}}), FileError);
  EXPECT_NO_THROW(open_rows(name, true, {{"x"}})->close());
  std::filesystem::remove(name);
}

}  // namespace
}  // namespace noslip
