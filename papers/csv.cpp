// The tables of a reproduction as comma-separated values.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

#include "output.hpp"

namespace noslip::papers {

namespace {

/// Labels and names of columns may have commas in them: "nh-lobatto:3,map=exp".
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

std::vector<std::string> columns_of(const std::vector<Table>& tables) {
  std::vector<std::string> columns;
  for (const Table& table : tables) {
    for (const std::string& column : table.columns) {
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    }
  }
  return columns;
}

}  // namespace

void write_csv(const Reproduction& reproduction, const std::string& file, bool overwrite) {
  OutputFile output(file, overwrite);
  const std::vector<std::string> columns = columns_of(reproduction.tables);
  std::string line = "run";
  for (const std::string& column : columns) line += ',' + quoted(column);
  output.write(line + '\n');
  for (const Table& table : reproduction.tables) {
    std::vector<int> places;
    for (const std::string& column : columns) places.push_back(table.find(column));
    const std::size_t rows = table.values.empty() ? 0 : table.values[0].size();
    const std::size_t every = (rows + most_rows - 1) / most_rows;
    for (std::size_t row = 0; row < rows; ++row) {
      if (row % every != 0 && row + 1 != rows) continue;
      line = quoted(table.label);
      for (const int place : places) {
        line += ',';
        if (place >= 0 && std::isfinite(table.values[place][row])) line += fmt::format("{}", table.values[place][row]);
      }
      output.write(line + '\n');
    }
  }
  output.close();
}

}  // namespace noslip::papers
