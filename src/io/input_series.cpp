#include <noslip/io/input_series.hpp>

#include <utility>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/names.hpp>
#include <noslip/model/csv_reader.hpp>

namespace noslip {

namespace {

/// Of times and values.
std::pair<std::size_t, std::size_t> columns_of_series(const CsvTable& table, const std::string& input) {
  const std::size_t t = table.find("t"), value = table.find(input), count = table.column_count();
  if (t < count && value < count) return {t, value};
  if (count == 2) return t == 1 ? std::pair<std::size_t, std::size_t>{1, 0} : std::pair<std::size_t, std::size_t>{0, 1};
  if (count == 1) {
    throw InputError(
        {{"a series needs times and values, and this is one column", table.place(0, 0), "write lines such as 0.5, 2"}});
  }
  if (!table.has_names()) {
    throw InputError({{fmt::format("there are {} columns without names", count), table.place(0, 0),
                       fmt::format("keep two, or write a first line with the names t and {}", input)}});
  }
  const std::string missing = t == count ? "t" : input, guess = did_you_mean(missing, table.names());
  throw InputError({{fmt::format("no column is called '{}'", missing), table.place_of_names(),
                     guess.empty() ? "the columns are " + list_of(table.names()) : guess}});
}

/// With places for what is wrong.
InputSeries series_in(const CsvTable& table, const std::string& input, bool is_linear) {
  const auto [t, value] = columns_of_series(table, input);
  InputSeries series{input, table.column(t), table.column(value), is_linear};
  constexpr std::size_t enough = 20;
  std::vector<Problem> problems;
  for (std::size_t row = 0; row < table.row_count() && problems.size() < enough; ++row) {
    for (const std::size_t column : {t, value}) {
      if (is_finite(table.column(column)[row])) continue;
      problems.push_back({"a number is missing", table.place(row, column), "write it, or leave the line out"});
    }
    if (row > 0 && series.times[row] <= series.times[row - 1]) {
      problems.push_back(
          {fmt::format("the time {} does not come after {}", to_text(static_cast<double>(series.times[row])),
                       to_text(static_cast<double>(series.times[row - 1]))),
           table.place(row, t), "give times that increase"});
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return series;
}

}  // namespace

InputSeries read_input_series(const std::string& file, const std::string& input, bool is_linear) {
  const DefaultArithmetic arithmetic;
  return series_in(read_csv(file), input, is_linear);
}

InputSeries parse_input_series(std::string text, const std::string& origin, const std::string& input, bool is_linear) {
  const DefaultArithmetic arithmetic;
  return series_in(parse_csv(std::move(text), origin), input, is_linear);
}

}  // namespace noslip
