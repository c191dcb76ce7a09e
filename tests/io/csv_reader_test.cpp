// Tables of numbers: headers, blanks, comments, places of what is wrong; series of inputs from them.
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include <noslip/io/input_series.hpp>
#include <noslip/model/csv_reader.hpp>

#include "support/comma_locale.hpp"

namespace noslip {
namespace {

std::string said(const std::string& text) {
  try {
    parse_csv(text, "f.csv");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string file_with(const std::string& text) {
  const std::string name = ::testing::TempDir() + "series.csv";
  std::ofstream(name, std::ios::binary) << text;
  return name;
}

std::string said_of_series(const std::string& text) {
  const std::string file = file_with(text);
  try {
    read_input_series(file, "u", false);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(what.find(file) == 0 ? file.size() : 0);
  }
  return "";
}

TEST(CsvReader, ReadsRows) {
  const CsvTable table =
      parse_csv("\xEF\xBB\xBF# a comment\r\n\r\n  t , \"x, \"\"y\"\"\" # names\r\n0, 1.5\r\n\n -2e-3,+.25#\n3.,", "f");
  EXPECT_EQ(table.names(), (std::vector<std::string>{"t", "x, \"y\""}));
  ASSERT_EQ(table.row_count(), 3U);
  ASSERT_EQ(table.column_count(), 2U);
  EXPECT_EQ(static_cast<double>(table.column(0)[1]), -2e-3);
  EXPECT_EQ(static_cast<double>(table.column(1)[1]), 0.25);
  EXPECT_EQ(static_cast<double>(table.column(0)[2]), 3);
  EXPECT_FALSE(is_finite(table.column(1)[2])) << "missing";
  EXPECT_EQ(table.find("t"), 0U);
  EXPECT_EQ(table.find("z"), 2U);
  EXPECT_EQ(table.place(1, 1).line, 6);
  EXPECT_EQ(table.place(1, 1).column, 8);
  EXPECT_EQ(table.place(1, 1).source_line, " -2e-3,+.25#");
  EXPECT_FALSE(parse_csv("1,2\n", "f").has_names());
}

TEST(CsvReader, SaysWhereItIsWrong) {
  EXPECT_EQ(said("1,2\n3,x4\n5\n6,7,8\n"),
            "f.csv:2:3: 'x4' is not a number\n  3,x4\n    ^\n  write a number such as 0.1 or 1e-3\n"
            "f.csv:3:1: 1 field where the rows above have 2\n  5\n  ^\n  give each row as many; numbers have a decimal "
            "point\n"
            "f.csv:4:5: 3 fields where the rows above have 2\n  6,7,8\n      ^\n  give each row as many; numbers have "
            "a decimal point");
  EXPECT_EQ(said("1\n1e400"), "f.csv:2:1: '1e400' is too large\n  1e400\n  ^\n  write a number below 1e308");
  for (const char* bad :
       {"1\n.", "1\n1e", "1\n1e+", "1\n--1", "1\n1.2.3", "1\n0x1", "1\nnan", "1\ninf", "1\n1 2", "1\n\"1"}) {
    EXPECT_NE(said(bad), "") << bad;
  }
  EXPECT_NE(said("1\n1;2").find("put commas"), std::string::npos);
  for (const char* empty : {"", "\n\n", "# nothing", "t,x\n"}) {
    EXPECT_EQ(said(empty), "f.csv: there are no numbers in it\n  write rows of numbers, with commas between") << empty;
  }
  std::string many;
  for (int i = 0; i < 1000; ++i) many += i == 0 ? "1\n" : "x\n";
  try {
    parse_csv(many, "f");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 20U);
  }
  EXPECT_THROW(read_csv("/nowhere/f.csv"), FileError);
  EXPECT_THROW(read_csv(::testing::TempDir()), FileError);
  EXPECT_THROW(read_csv("/dev/zero"), FileError);
}

/// In quadruple precision, correctly rounded, in every locale.
TEST(CsvReader, NumbersAreExact) {
  const testing::CommaLocale comma;
  const std::vector<std::string> texts{"0.1",
                                       "-1e-3",
                                       "123456789012345678901234567890.5",
                                       "1e48",
                                       "3e-48",
                                       "7e49",
                                       "1e-300",
                                       "0.000000000000000000000000000000000000000000000000000001",
                                       "5e+2",
                                       "0",
                                       "1234567890123456789012345678901234567890"};
  for (const std::string& text : texts) {
    EXPECT_TRUE(parse_csv(text, "f").column(0)[0] == to_quad(text)) << text;
  }
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-20, 20);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = to_text((static_cast<double>(random()) - 9e18) * std::pow(10, exponent(random)));
    EXPECT_TRUE(parse_csv(text, "f").column(0)[0] == to_quad(text)) << text;
  }
}

TEST(CsvReader, IsFast) {
  std::string text = "t,u\n";
  for (int i = 0; i < 100'000; ++i) text += to_text(i * 0.001) + "," + to_text(std::sin(i)) + "\n";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(parse_csv(std::move(text), "f").row_count(), 100'000U);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 1);
}

TEST(InputSeries, FindsItsColumns) {
  for (const char* text : {"0,1\n2,3", "t,u\n0,1\n2,3", "time,torque\n0,1\n2,3", "u,t\n1,0\n3,2", "x,u,t\n7,1,0\n7,3,2",
                           "value,t\n1,0\n3,2"}) {
    const InputSeries series = read_input_series(file_with(text), "u", true);
    EXPECT_TRUE(series.times == NumberList(std::vector<double>{0, 2})) << text;
    EXPECT_TRUE(series.values == NumberList(std::vector<double>{1, 3})) << text;
    EXPECT_TRUE(series.is_linear);
  }
}

TEST(InputSeries, SaysWhatIsWrong) {
  EXPECT_EQ(said_of_series("0,1\n1,2\n1,3\n"),
            ":3:1: the time 1 does not come after 1\n  1,3\n  ^\n  give times that increase");
  EXPECT_EQ(said_of_series("0,1\n1,\n"), ":2:3: a number is missing\n  1,\n    ^\n  write it, or leave the line out");
  EXPECT_EQ(said_of_series("1\n2\n"),
            ":1:1: a series needs times and values, and this is one column\n  1\n  ^\n  write lines such as 0.5, 2");
  EXPECT_EQ(said_of_series("1,2,3\n"),
            ":1:1: there are 3 columns without names\n  1,2,3\n  ^\n  keep two, or write a first line with the names t "
            "and u");
  EXPECT_EQ(said_of_series("t,U,w\n1,2,3\n"), ":1:1: no column is called 'u'\n  t,U,w\n  ^\n  did you mean 'U'?");
  EXPECT_EQ(said_of_series("a,u,w\n1,2,3\n"),
            ":1:1: no column is called 't'\n  a,u,w\n  ^\n  the columns are a, u and w");
}

}  // namespace
}  // namespace noslip
