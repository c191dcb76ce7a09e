#include <noslip/io/csv.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace noslip {
namespace {

/// What is not finite (a multiplier where the constraints depend on each other) is an empty cell.
void append(std::string& line, double value) {
  if (!line.empty()) line += ',';
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(line), "{}", value);
}

/// A column name that is also the name of a coordinate gets a trailing underscore.
void add_column(std::vector<std::string>& columns, std::string name) {
  while (std::find(columns.begin(), columns.end(), name) != columns.end()) name += '_';
  columns.push_back(std::move(name));
}

}  // namespace

std::vector<std::string> csv_columns(const System& system) { return csv_columns(system, system.coordinates()); }

std::vector<std::string> csv_columns(const System& system, std::span<const std::string> positions) {
  std::vector<std::string> columns{"t"};
  columns.insert(columns.end(), positions.begin(), positions.end());
  for (const Expr velocity : system.v()) columns.push_back(velocity.name());
  for (const std::string& name : system.multiplier_names()) add_column(columns, name);
  if (system.has_energy()) add_column(columns, "energy");
  if (system.structure().does_work) add_column(columns, "work");
  add_column(columns, "constraint");
  return columns;
}

CsvWriter::CsvWriter(const std::string& file, bool overwrite, const System& system)
    : CsvWriter(file, overwrite, system, system.coordinates()) {}

CsvWriter::CsvWriter(const std::string& file, bool overwrite, const System& system,
                     std::span<const std::string> positions)
    : file_(file, overwrite),
      columns_(csv_columns(system, positions).size()),
      has_energy_(system.has_energy()),
      has_work_(system.structure().does_work) {
  file_.write(fmt::format("{}\n", fmt::join(csv_columns(system, positions), ",")));
}

void CsvWriter::write(const Sample& sample) {
  assert(2 + (has_energy_ ? 1 : 0) + (has_work_ ? 1 : 0) + sample.q.size() + sample.v.size() +
             sample.multipliers.size() ==
         columns_);
  line_.clear();
  append(line_, sample.t);
  for (const double value : sample.q) append(line_, value);
  for (const double value : sample.v) append(line_, value);
  for (const double value : sample.multipliers) append(line_, value);
  if (has_energy_) append(line_, sample.energy);
  if (has_work_) append(line_, sample.work);
  append(line_, sample.max_constraint);
  line_ += '\n';
  file_.write(line_);
}

void CsvWriter::close() { file_.close(); }

}  // namespace noslip
