#include "data_files.hpp"

#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "output.hpp"

namespace noslip::app {

DataFiles::DataFiles(const std::vector<std::string>& names, RowFile common) : common_(std::move(common)) {
  for (const std::string& name : names) files_.push_back({name, nullptr, {}});
}

bool DataFiles::use_standard_output() const {
  return std::any_of(files_.begin(), files_.end(), [](const File& file) { return file.name == "-"; });
}

void DataFiles::open(File& file) {
  if (file.sink) return;
  common_.name = file.name;
  file.sink = file.saved.empty() ? open_rows(common_) : resume_rows(common_, file.saved);
}

void DataFiles::carry(Archive& archive) {
  archive(rows_);
  for (File& file : files_) {
    if (!archive.loads()) {
      open(file);
      file.saved = file.sink->save();
    }
    archive(file.saved);
  }
}

void DataFiles::open() {
  for (File& file : files_) open(file);
}

void DataFiles::write(std::span<const double> row) {
  open();
  for (File& file : files_) file.sink->write(row);
  ++rows_;
}

void DataFiles::close() {
  std::exception_ptr first;
  for (File& file : files_) {
    try {
      if (file.sink) file.sink->close();
    } catch (const FileError&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void DataFiles::tell_what_was_written(const std::string& one, const std::string& many) const {
  for (const File& file : files_) {
    if (file.sink && file.name != "-") tell(fmt::format("wrote {} to '{}'", counted(rows_, one, many), file.name));
  }
}

}  // namespace noslip::app
