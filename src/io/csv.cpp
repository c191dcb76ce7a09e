#include <noslip/io/csv.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace noslip {
namespace {

/// t, energy and constraint: the columns that every trajectory has.
constexpr std::size_t fixed_columns = 3;

/// What is not finite (a multiplier where the constraints depend on each other) is an empty cell.
void append(std::string& line, double value) {
  if (!line.empty()) line += ',';
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(line), "{}", value);
}

/// Columns of ours give way to coordinates of the same name.
void add_column(std::vector<std::string>& columns, std::string name) {
  while (std::find(columns.begin(), columns.end(), name) != columns.end()) name += '_';
  columns.push_back(std::move(name));
}

}  // namespace

std::vector<std::string> csv_columns(const std::vector<std::string>& coordinates, std::size_t multipliers) {
  std::vector<std::string> columns{"t"};
  columns.insert(columns.end(), coordinates.begin(), coordinates.end());
  for (const std::string& name : coordinates) columns.push_back(name + "'");
  for (std::size_t i = 1; i <= multipliers; ++i) add_column(columns, fmt::format("lambda{}", i));
  add_column(columns, "energy");
  add_column(columns, "constraint");
  return columns;
}

CsvWriter::CsvWriter(const std::string& file, bool overwrite, const std::vector<std::string>& coordinates,
                     std::size_t multipliers)
    : file_(file, overwrite), columns_(fixed_columns + 2 * coordinates.size() + multipliers) {
  file_.write(fmt::format("{}\n", fmt::join(csv_columns(coordinates, multipliers), ",")));
}

void CsvWriter::write(const Sample& sample) {
  assert(fixed_columns + sample.q.size() + sample.v.size() + sample.multipliers.size() == columns_);
  line_.clear();
  append(line_, sample.t);
  for (const double value : sample.q) append(line_, value);
  for (const double value : sample.v) append(line_, value);
  for (const double value : sample.multipliers) append(line_, value);
  append(line_, sample.energy);
  append(line_, sample.max_constraint);
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::close() { file_.close(); }

}  // namespace noslip
