// Trajectories as CSV: the header, and numbers that read back bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <noslip/io/csv.hpp>
#include <noslip/io/section.hpp>
#include <random>
#include <set>
#include <sstream>

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

std::string temporary_name(const char* name) {
  const std::string file = testing::TempDir() + name;
  std::filesystem::remove(file);
  return file;
}

System free_mass() { return System::parse("coordinates = ['x']\nlagrangian = \"x'^2\""); }

TEST(Csv, NamesTheColumns) {
  const System two = System::parse(
      "coordinates = ['x', 'theta', 'energy']\nlagrangian = \"x'^2 + theta'^2 + energy'^2\"\n"
      "constraints = [\"x' = 0\", \"theta' = 0\"]");
  EXPECT_EQ(csv_columns(two), (std::vector<std::string>{"t", "x", "theta", "energy", "x'", "theta'", "energy'",
                                                        "lambda1", "lambda2", "energy_", "constraint"}));
  EXPECT_EQ(csv_columns(free_mass()), (std::vector<std::string>{"t", "x", "x'", "energy", "constraint"}));
  const System pushed = System::parse("coordinates = ['x']\nlagrangian = \"x'^2\"\n[forces]\nx = \"-x'\"\n");
  EXPECT_EQ(csv_columns(pushed), (std::vector<std::string>{"t", "x", "x'", "energy", "work", "constraint"}));
  const System index_two = System::parse(
      "kind = \"dae2\"\ny = ['a', 'b']\nz = ['constraint']\nf = [[], ['constraint', 'a']]\ng = ['a + b = 1']");
  EXPECT_EQ(csv_columns(index_two), (std::vector<std::string>{"t", "a", "b", "constraint", "constraint_"}));
}

TEST(Csv, OnGroupsPositionsAndVelocitiesHaveTheirOwnNames) {
  const System plane = System::parse(
      "coordinates = [{ group = 'SE(2)', names = ['x', 'y', 'theta'], velocity = ['v1', 'v2', 'omega'] }, 's']\n"
      "lagrangian = \"v1^2 + v2^2 + omega^2 + s'^2\"");
  EXPECT_EQ(csv_columns(plane),
            (std::vector<std::string>{"t", "x", "y", "theta", "s", "v1", "v2", "omega", "s'", "energy", "constraint"}));
  const std::string name = temporary_name("noslip_csv_positions.csv");
  const std::vector<std::string> positions = {"a", "b"};
  CsvWriter writer(name, false, free_mass(), positions);
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
  const std::vector<std::string> columns = csv_columns(names);
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
  section.columns = {"x", "atan2(y, x)", "min(x, y)/2"};
  section.orbits.resize(1);
  section.orbits[0].points = {{0.5, Crossing::up, {1, 2, 3}}};
  EXPECT_EQ(to_csv_text(section), "t,x,\"atan2(y, x)\",\"min(x, y)/2\"\n0.5,1,2,3\n");
}

}  // namespace
}  // namespace noslip
