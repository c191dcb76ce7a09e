#include "io/csv.hpp"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

namespace noslip {

namespace {

/// "nh-lobatto:3,map=exp", "atan2(y, x)"
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

class CsvSink : public RowSink {
 public:
  CsvSink(const std::string& file, bool overwrite, const std::vector<Column>& columns) : file_(file, overwrite) {
    file_.keep_beginning();
    for (const Column& column : columns) {
      put(quoted(column.name));
      std::vector<std::string>& words = words_.emplace_back();
      for (const std::string& word : column.words) words.push_back(quoted(word));
    }
    end_line();
  }

  void write(std::span<const double> row) override {
    assert(row.size() == words_.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!words_[i].empty()) {
        put(words_[i].at(static_cast<std::size_t>(row[i])));
      } else if (std::isfinite(row[i])) {
        fmt::format_to(fmt::appender(line_), "{},", row[i]);
      } else {
        line_.push_back(',');
      }
    }
    end_line();
  }

  void close() override { file_.close(); }

 private:
  void put(const std::string& cell) {
    line_.append(cell.data(), cell.data() + cell.size());
    line_.push_back(',');
  }

  /// In the place of the last comma.
  void end_line() {
    line_.data()[line_.size() - 1] = '\n';
    file_.write({line_.data(), line_.size()});
    line_.clear();
  }

  OutputFile file_;
  std::vector<std::vector<std::string>> words_;  ///< of every column
  fmt::memory_buffer line_;
};

}  // namespace

std::unique_ptr<RowSink> open_csv(const std::string& file, bool overwrite, const std::vector<Column>& columns) {
  return std::make_unique<CsvSink>(file, overwrite, columns);
}

}  // namespace noslip
