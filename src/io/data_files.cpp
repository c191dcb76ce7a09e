// Rows for several files.
#include <noslip/io/data_files.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>

namespace noslip {

DataFiles::DataFiles(const std::vector<std::string>& names, RowFile common) : common_(std::move(common)) {
  for (const std::string& name : names) files_.push_back({name, nullptr, {}, false});
}

bool DataFiles::use_standard_output() const {
  return std::any_of(files_.begin(), files_.end(), [](const File& file) { return file.name == "-"; });
}

void DataFiles::open(File& file) {
  if (file.sink) return;
  RowFile rows = common_;
  rows.name = file.name;
  rows.overwrites |= file.is_ours;
  std::error_code ignored;
  const bool exists = std::filesystem::exists(file.name, ignored);
  file.sink = file.saved.empty() ? open_rows(rows) : resume_rows(rows, file.saved);
  file.is_ours |= exists && !file.saved.empty();  // otherwise it would have been refused
}

void DataFiles::carry(Archive& archive) {
  archive(rows_);
  for (File& file : files_) {
    if (!archive.loads()) {
      open(file);
      file.saved = file.sink->save();
    }
    archive(file.saved, file.is_ours);
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

void DataFiles::add_record(const std::string& record) {
  open();
  for (File& file : files_) file.sink->add_record(record);
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

std::vector<std::string> DataFiles::written() const {
  std::vector<std::string> names;
  for (const File& file : files_) {
    if (file.sink) names.push_back(file.name);
  }
  return names;
}

}  // namespace noslip
