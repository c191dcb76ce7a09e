// The tables of a reproduction as one data file.
#include <algorithm>
#include <limits>

#include <noslip/io/row_sink.hpp>

#include "output.hpp"

namespace noslip::papers {

namespace {

/// A column `run` with the labels of the tables as words, then the columns of all tables.
std::vector<Column> columns_of_tables(const std::vector<Table>& tables) {
  std::vector<Column> columns = {{"run", ColumnKind::label}};
  for (const Table& table : tables) {
    columns[0].words.push_back(table.label);
    for (const std::string& name : table.columns) {
      const bool is_known =
          std::any_of(columns.begin() + 1, columns.end(), [&](const Column& known) { return known.name == name; });
      if (!is_known) columns.push_back({name});
    }
  }
  return columns;
}

}  // namespace

void write_data(const Reproduction& reproduction, const std::string& file, bool overwrite) {
  const std::vector<Column> columns = columns_of_tables(reproduction.tables);
  const std::unique_ptr<RowSink> sink = open_rows(file, overwrite, columns);
  std::vector<double> cells(columns.size());
  for (std::size_t number = 0; number < reproduction.tables.size(); ++number) {
    const Table& table = reproduction.tables[number];
    std::vector<int> places;
    for (const Column& column : columns) places.push_back(table.find(column.name));
    const std::size_t rows = table.values.empty() ? 0 : table.values[0].size();
    const std::size_t every = (rows + most_rows - 1) / most_rows;
    cells[0] = static_cast<double>(number);
    for (std::size_t row = 0; row < rows; ++row) {
      if (row % every != 0 && row + 1 != rows) continue;
      for (std::size_t i = 1; i < columns.size(); ++i) {
        cells[i] = places[i] >= 0 ? table.values[places[i]][row] : std::numeric_limits<double>::quiet_NaN();
      }
      sink->write(cells);
    }
  }
  sink->close();
}

}  // namespace noslip::papers
