// The formats of data files, by the endings of their names.
#include <filesystem>

#include <fmt/format.h>

#include <noslip/core/error.hpp>
#include <noslip/io/row_sink.hpp>
#include <noslip/io/row_source.hpp>

#include "io/csv.hpp"
#include "io/csv_source.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_source.hpp"
#include "io/npz.hpp"
#include "io/npz_source.hpp"
#include "io/special_file.hpp"

namespace noslip {

namespace {

constexpr RowFormat formats[] = {
    {"CSV", ".csv", open_csv, resume_csv, open_csv_source},
    {"NPZ", ".npz", open_npz, resume_npz, open_npz_source},
    {"HDF5", ".h5", open_hdf5, resume_hdf5, open_hdf5_source},
};

bool has_ending(const std::string& file, const RowFormat& format) {
  return std::filesystem::path(file).extension() == format.ending;
}

}  // namespace

std::span<const RowFormat> row_formats() { return formats; }

const RowFormat& row_format_of(const std::string& file) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(file, ignored);  // OutputFile refuses it, as a file
  if (file == "-" || is_folder || is_special_file(file)) return formats[0];
  std::vector<std::string> endings;
  for (const RowFormat& format : formats) {
    if (has_ending(file, format)) return format;
    endings.emplace_back(format.ending);
  }
  const std::string names = fmt::format("a name that ends in {}", fmt::join(endings, " or "));
  const std::string otherwise = fmt::format("or - for {} on standard output", formats[0].name);
  throw InputError(fmt::format("{}: the ending does not tell a format that can be written", file),
                   fmt::format("use {} ({}{}), {}", names, file, formats[0].ending, otherwise));
}

std::unique_ptr<RowSink> open_rows(const RowFile& file) { return row_format_of(file.name).open(file); }

std::unique_ptr<RowSink> open_rows(const std::string& file, bool overwrite, const std::vector<Column>& columns,
                                   const FileNotes& notes) {
  return open_rows(RowFile{file, overwrite, columns, notes});
}

std::unique_ptr<RowSink> resume_rows(const RowFile& file, std::string_view saved) {
  return row_format_of(file.name).resume(file, saved);
}

std::unique_ptr<RowSink> resume_rows(const std::string& file, bool overwrite, const std::vector<Column>& columns,
                                     std::string_view saved, const FileNotes& notes) {
  return resume_rows(RowFile{file, overwrite, columns, notes}, saved);
}

std::unique_ptr<RowSource> open_row_source(const std::string& file) {
  std::vector<std::string> endings;
  for (const RowFormat& format : formats) {
    if (has_ending(file, format)) return format.read(file);
    endings.emplace_back(format.ending);
  }
  const std::filesystem::path path(file);
  if (path.extension() == ".part") {
    throw InputError(fmt::format("'{}' is not complete", file),
                     fmt::format("wait for the command that writes it, or go on with noslip resume; complete it is '{}'",
                                 path.stem().string()));
  }
  throw InputError(fmt::format("'{}': the ending does not tell a format that can be read", file),
                   fmt::format("name a data file of noslip: {}", fmt::join(endings, ", ")));
}

}  // namespace noslip
