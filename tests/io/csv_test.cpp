// Trajectories as CSV: the header, and numbers that read back bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <noslip/io/csv.hpp>
#include <random>
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

TEST(Csv, NamesTheColumns) {
  EXPECT_EQ(csv_columns({"x", "theta"}, 2), (std::vector<std::string>{"t", "x", "theta", "x'", "theta'", "lambda1",
                                                                      "lambda2", "energy", "constraint"}));
  EXPECT_EQ(csv_columns({"x"}, 0), (std::vector<std::string>{"t", "x", "x'", "energy", "constraint"}));
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
    samples.push_back({any_double(), {any_double()}, {any_double()}, {any_double()}, any_double(), any_double()});
  }
  samples.push_back({-0.0,
                     {std::numeric_limits<double>::denorm_min()},
                     {std::numeric_limits<double>::max()},
                     {0.1},
                     1.0 / 3,
                     std::numeric_limits<double>::min()});
  CsvWriter writer(name, false, {"x"}, 1);
  for (const Sample& sample : samples) writer.write(sample);
  writer.close();

  const auto rows = read(name);
  ASSERT_EQ(rows.size(), samples.size() + 1);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    const std::vector<double> wanted{sample.t,      sample.q[0],          sample.v[0], sample.multipliers[0],
                                     sample.energy, sample.max_constraint};
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
  { CsvWriter(name, false, {"x"}, 0).close(); }
  EXPECT_THROW(CsvWriter(name, false, {"x"}, 0), FileError);
  EXPECT_NO_THROW(CsvWriter(name, true, {"x"}, 0).close());
  std::filesystem::remove(name);
}

TEST(Csv, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(CsvWriter("/dev/full", false, {"x"}, 0).close(), FileError);
}

}  // namespace
}  // namespace noslip
