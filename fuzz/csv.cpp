// Any bytes as a file of comma-separated values, as the values of an input over time, and as members of an ensemble.
#include <cmath>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>

#include <noslip/io/input_series.hpp>
#include <noslip/io/members_file.hpp>
#include <noslip/model/csv_reader.hpp>

#include "target.hpp"

namespace {

using namespace noslip;

/// A file in memory with these bytes. It has a path, and disappears with the program.
std::string file_with(std::string_view bytes) {
  static const int file = memfd_create("fuzz.csv", 0);
  const bool is_written =
      ftruncate(file, 0) == 0 && pwrite(file, bytes.data(), bytes.size(), 0) == ssize_t(bytes.size());
  fuzz::require(is_written, "no file in memory");
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  fuzz::accepts([&] {
    const CsvTable table = parse_csv(std::string(text), "fuzz.csv");
    fuzz::require(table.row_count() > 0 && table.column_count() > 0, "a table of nothing");
    fuzz::require(!table.has_names() || table.names().size() == table.column_count(), "columns without names");
    table.place(), table.place_of_names();
    for (std::size_t column = 0; column < table.column_count(); ++column) {
      fuzz::require(table.column(column).size() == table.row_count(), "a column that is too short");
      for (std::size_t row = 0; row < table.row_count(); ++row) {
        const Place place = table.place(row, column);
        fuzz::require(place.line > 0 && place.column > 0, "a number without a place");
        fuzz::require(place.column <= static_cast<int>(place.source_line.size()) + 1, "a place behind its line");
      }
    }
  });
  const std::string file = file_with(text);
  for (const bool is_linear : {false, true}) {
    fuzz::accepts([&] { read_input_series(file, "tau", is_linear); });
  }
  fuzz::accepts([&] {
    const auto members = read_members(file);
    const std::size_t width = members->names().size();
    fuzz::require(members->count() > 0 && width > 0, "no members");
    std::vector<double> values(members->count() * width);
    members->read(0, members->count(), values.data());
    for (const double value : values) fuzz::require(std::isfinite(value), "a value that is not finite");
    for (std::size_t i = 0; i < width; ++i) {
      fuzz::require(members->place_of_name(i).column > 0, "a name without a place");
    }
    members->name_of(members->count() - 1), members->identity();
  });
  return 0;
}
