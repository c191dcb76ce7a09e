// Rows as CSV: the header, and numbers that read back bit for bit.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <noslip/io/row_sink.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/section.hpp>

namespace noslip {
namespace {

std::vector<std::vector<std::string>> read(const std::string& name) {
  std::ifstream file(name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

std::string text_of(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string temporary_name(const char* name) {
  const std::string file = testing::TempDir() + name;
  std::filesystem::remove(file);
  return file;
}

std::vector<std::string> csv_names(const System& system) { return names_of(row_columns(system)); }

/// Samples of a run as a file.
class CsvWriter {
 public:
  CsvWriter(const std::string& file, bool overwrite, const std::vector<Column>& columns)
      : read_(columns), sink_(open_rows(file, overwrite, columns)) {}
  CsvWriter(const std::string& file, bool overwrite, const System& system)
      : CsvWriter(file, overwrite, row_columns(system)) {}

  void write(const Sample& sample) { sink_->write(read_(sample)); }
  void close() { sink_->close(); }

 private:
  RowReader read_;
  std::unique_ptr<RowSink> sink_;
};

std::string text_of(const Section& section) {
  const std::string name = temporary_name("noslip_csv_section.csv");
  const auto sink = open_rows(name, false, columns_of(section));
  for_each_row(section, [&](std::span<const double> row) { sink->write(row); });
  sink->close();
  return text_of(name);
}

System free_mass() { return System::parse("coordinates = ['x']\nlagrangian = \"x'^2\""); }

TEST(Csv, NamesTheColumns) {
  const System two = System::parse(
      "coordinates = ['x', 'theta', 'energy']\nlagrangian = \"x'^2 + theta'^2 + energy'^2\"\n"
      "constraints = [\"x' = 0\", \"theta' = 0\"]");
  EXPECT_EQ(csv_names(two), (std::vector<std::string>{"t", "x", "theta", "energy", "x'", "theta'", "energy'", "lambda1",
                                                      "lambda2", "energy_", "constraint"}));
  EXPECT_EQ(csv_names(free_mass()), (std::vector<std::string>{"t", "x", "x'", "energy", "constraint"}));
  const System pushed = System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\n[forces]\nx = \"-x'\"\n");
  EXPECT_EQ(csv_names(pushed), (std::vector<std::string>{"t", "x", "x'", "energy", "work", "constraint"}));
  const System index_two = System::parse(
      "kind = \"dae2\"\ny = ['a', 'b']\nz = ['constraint']\nf = [[], ['constraint', 'a']]\ng = ['a + b = 1']");
  EXPECT_EQ(csv_names(index_two), (std::vector<std::string>{"t", "a", "b", "constraint", "constraint_"}));
}

TEST(Csv, OnGroupsPositionsAndVelocitiesHaveTheirOwnNames) {
  const System plane = System::parse(
      "coordinates = [{ group = 'SE(2)', names = ['x', 'y', 'theta'], velocity = ['v1', 'v2', 'omega'] }, 's']\n"
      "lagrangian = \"v1^2 + v2^2 + omega^2 + s'^2\"");
  EXPECT_EQ(csv_names(plane),
            (std::vector<std::string>{"t", "x", "y", "theta", "s", "v1", "v2", "omega", "s'", "energy", "constraint"}));
  const std::string name = temporary_name("noslip_csv_positions.csv");
  const std::vector<std::string> positions = {"a", "b"};
  CsvWriter writer(name, false, with_positions(row_columns(free_mass()), positions));
  writer.write({0.5, {1, 2}, {3}, {}, 4, 5, 0});
  writer.close();
  EXPECT_EQ(read(name), (std::vector<std::vector<std::string>>{{"t", "a", "b", "x'", "energy", "constraint"},
                                                               {"0.5", "1", "2", "3", "4", "5"}}));
  std::filesystem::remove(name);
}

TEST(Csv, WorkStandsBetweenEnergyAndConstraint) {
  const std::string name = temporary_name("noslip_csv_work.csv");
  CsvWriter writer(name, false, System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\n[forces]\nx = \"-x'\"\n"));
  writer.write({0.5, {1}, {2}, {}, 3, 4, -5});
  writer.close();
  EXPECT_EQ(read(name), (std::vector<std::vector<std::string>>{{"t", "x", "x'", "energy", "work", "constraint"},
                                                               {"0.5", "1", "2", "3", "-5", "4"}}));
  std::filesystem::remove(name);
}

TEST(Csv, IndexTwoHasNeitherVelocitiesNorEnergy) {
  const std::string name = temporary_name("noslip_csv_index_two.csv");
  CsvWriter writer(name, false, System::parse("kind = \"dae2\"\ny = ['a']\nz = ['b']\nf = [[], ['b']]\ng = ['a = 1']"));
  writer.write({0.5, {1}, {}, {-2}, std::nan(""), 0});
  writer.close();
  EXPECT_EQ(read(name),
            (std::vector<std::vector<std::string>>{{"t", "a", "b", "constraint"}, {"0.5", "1", "-2", "0"}}));
  std::filesystem::remove(name);
}

TEST(Csv, NoTwoColumnsHaveTheSameName) {
  const System names = System::parse(
      "coordinates = ['energy', 'energy_', 'work', 'lambda1', 'constraint']\n"
      "lagrangian = \"energy'^2 + energy_'^2 + work'^2 + lambda1'^2 + constraint'^2\"\n"
      "constraints = [\"energy' = work'\"]\n[forces]\nwork = \"-work'\"");
  const std::vector<std::string> columns = csv_names(names);
  EXPECT_EQ(columns, (std::vector<std::string>{"t", "energy", "energy_", "work", "lambda1", "constraint", "energy'",
                                               "energy_'", "work'", "lambda1'", "constraint'", "lambda1_", "energy__",
                                               "work_", "constraint_"}));
  EXPECT_EQ(std::set<std::string>(columns.begin(), columns.end()).size(), columns.size());
}

TEST(Csv, WhatIsNotFiniteIsAnEmptyCell) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const System system = System::parse(
      "coordinates = ['x', 'y']\nlagrangian = \"x'^2 + y'^2\"\nconstraints = [\"x' = 1\"]\n[forces]\ny = \"-y'\"");
  const std::string name = temporary_name("noslip_csv_empty.csv");
  CsvWriter writer(name, false, system);
  writer.write({0.5, {1, 2}, {3, 4}, {std::nan("")}, 5, 6, 7});
  writer.write({0.5, {infinity, 2}, {3, -infinity}, {1}, std::nan(""), std::nan(""), std::nan("")});
  writer.close();
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "t,x,y,x',y',lambda1,energy,work,constraint\n0.5,1,2,3,4,,5,7,6\n0.5,,2,3,,1,,,\n");
  std::filesystem::remove(name);
}

TEST(Csv, NumbersReadBackAsTheSameBits) {
  const std::string name = temporary_name("noslip_csv_bits.csv");
  std::mt19937_64 random(7);
  std::vector<Sample> samples;
  for (int i = 0; i < 2000; ++i) {
    const auto any_double = [&] {
      for (;;) {
        const std::uint64_t bits = random();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) return value;
      }
    };
    samples.push_back(
        {any_double(), {any_double()}, {any_double()}, {any_double()}, any_double(), any_double(), any_double()});
  }
  samples.push_back({-0.0,
                     {std::numeric_limits<double>::denorm_min()},
                     {std::numeric_limits<double>::max()},
                     {0.1},
                     1.0 / 3,
                     std::numeric_limits<double>::min(),
                     -1e300});
  const System system = System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\nconstraints = [\"x' = 1\"]");
  CsvWriter writer(name, false, system);
  for (const Sample& sample : samples) writer.write(sample);
  writer.close();

  const auto rows = read(name);
  ASSERT_EQ(rows.size(), samples.size() + 1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const std::vector<double> wanted{sample.t,      sample.q[0], sample.v[0],          sample.multipliers[0],
                                     sample.energy, sample.work, sample.max_constraint};
    ASSERT_EQ(rows[i + 1].size(), wanted.size());
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      const double got = std::strtod(rows[i + 1][c].c_str(), nullptr);
      EXPECT_EQ(std::memcmp(&got, &wanted[c], sizeof got), 0) << rows[i + 1][c];
    }
  }
  std::filesystem::remove(name);
}

TEST(Csv, RefusesToOverwrite) {
  const std::string name = temporary_name("noslip_csv_exists.csv");
  { CsvWriter(name, false, free_mass()).close(); }
  EXPECT_THROW(CsvWriter(name, false, free_mass()), FileError);
  EXPECT_NO_THROW(CsvWriter(name, true, free_mass()).close());
  std::filesystem::remove(name);
}

TEST(Csv, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(CsvWriter("/dev/full", false, free_mass()).close(), FileError);
}

TEST(Csv, SectionsQuoteColumnsWithCommas) {
  Section section;
  section.columns = {{"x"}, {"atan2(y, x)"}, {"min(x, y)/2"}};
  section.orbits.resize(1);
  section.orbits[0].points = {{0.5, Crossing::up, {1, 2, 3}}};
  EXPECT_EQ(text_of(section), "t,x,\"atan2(y, x)\",\"min(x, y)/2\"\n0.5,1,2,3\n");
  section.orbits.resize(2);
  section.orbits[1].points = {{1.5, Crossing::up, {4, std::nan(""), 6}}};
  EXPECT_EQ(text_of(section), "orbit,t,x,\"atan2(y, x)\",\"min(x, y)/2\"\n1,0.5,1,2,3\n2,1.5,4,,6\n");
}

TEST(Csv, ColumnsOfWordsAreWrittenAsWords) {
  const std::string name = temporary_name("noslip_csv_words.csv");
  Column run{"run", ColumnKind::label};
  run.words = {"mp", "nh-lobatto:3,map=exp", "the \"first\""};
  const auto sink = open_rows(name, false, {run, {"x"}});
  for (const double word : {1.0, 0.0, 2.0}) sink->write(std::vector<double>{word, std::nan("")});
  sink->close();
  EXPECT_EQ(text_of(name), "run,x\n\"nh-lobatto:3,map=exp\",\nmp,\n\"the \"\"first\"\"\",\n");
}

TEST(RowFormats, TheEndingTellsTheFormat) {
  EXPECT_STREQ(row_format_of("a.b/run.csv").name, "CSV");
  EXPECT_STREQ(row_format_of("-").name, "CSV");
  EXPECT_STREQ(row_format_of("/dev/null").name, "CSV");
  for (const RowFormat& format : row_formats()) EXPECT_EQ(format.ending[0], '.') << format.name;
  for (const char* file : {"run", "run.txt", "run.csv.gz", ".csv", ""}) {
    try {
      row_format_of(file);
      ADD_FAILURE() << file;
    } catch (const InputError& error) {
      EXPECT_NE(error.problems().front().remedy.find(".csv"), std::string::npos) << file;
    }
  }
}

}  // namespace
}  // namespace noslip
