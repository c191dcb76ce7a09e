#include "io/csv.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

#include "io/checksum.hpp"
#include "io/saved_rows.hpp"

namespace noslip {

namespace {

/// "nh-lobatto:3,map=exp", "atan2(y, x)"
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

constexpr std::size_t block_size = 1 << 15;  // of text that is handed on in one piece

std::string header_line(const std::vector<Column>& columns) {
  std::string line;
  for (const Column& column : columns) line += quoted(column.name) + ',';
  line.back() = '\n';
  return line;
}

class CsvSink : public RowSink {
 public:
  explicit CsvSink(const RowFile& file) : word_columns_(file.columns), file_(file.name, file.overwrites) {
    file_.keep_beginning();
    file_.advise_when_full(file.when_full);
    read_words(file.columns);
    lines_ = header_line(file.columns);
    hand_on();
  }

  CsvSink(const RowFile& file, const SavedRows& saved)
      : word_columns_(file.columns),
        file_(file.name, file.overwrites, beginning(file.columns, saved, content_)),
        rows_(saved.rows) {
    file_.advise_when_full(file.when_full);
    read_words(file.columns);
  }

  ~CsvSink() override {
    try {
      hand_on();
    } catch (...) {
      // Nobody waits for the rest.
    }
  }
  CsvSink(const CsvSink&) = delete;
  CsvSink& operator=(const CsvSink&) = delete;

  void write(std::span<const double> row) override {
    assert(row.size() == words_.size());
    word_columns_.check(row);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!words_[i].empty()) {
        lines_ += words_[i][WordColumns::word(row[i], words_[i].size())];
      } else if (std::isfinite(row[i])) {
        char number[32];
        const char* end = fmt::format_to(number, FMT_COMPILE("{}"), row[i]);
        lines_.append(number, static_cast<std::size_t>(end - number));
      }
      lines_ += ',';
    }
    lines_.back() = '\n';  // in the place of the last comma
    ++rows_;
    const bool is_due = clock_.is_due();
    if (is_due || lines_.size() >= block_size) hand_on();
    if (is_due) file_.flush();
  }

  void close() override {
    hand_on();
    file_.close();
  }

  std::string save() override {
    hand_on();
    file_.bring_to_disk();
    return SavedRows{rows_, file_.size(), content_.value()}.text("CSV");
  }

 private:
  void read_words(const std::vector<Column>& columns) {
    for (const Column& column : columns) {
      std::vector<std::string>& words = words_.emplace_back();
      for (const std::string& word : column.words) words.push_back(quoted(word));
    }
  }

  void hand_on() {
    if (lines_.empty()) return;
    const std::string lines = std::move(lines_);  // gone, too, if it cannot be written: no row may be left out
    lines_.clear();
    lines_.reserve(2 * block_size);
    content_.add(lines);
    file_.write(lines);
  }

  /// The checksum covers the whole text, and goes on after the part that was found.
  static Beginning beginning(const std::vector<Column>& columns, const SavedRows& saved, Checksum& content) {
    const auto wrong = [=, &content](int file) -> std::string {
      const std::uint64_t size = size_of_file(file);
      if (size < saved.size) return too_short_text(size, saved.size);
      std::string block = header_line(columns);
      std::string found(block.size(), '\0');
      if (!read_at(file, 0, found.data(), found.size()) || found != block) return other_columns_text();
      block.resize(1 << 16);
      content = Checksum();
      for (std::uint64_t place = 0; place < saved.size; place += block.size()) {
        block.resize(std::min<std::uint64_t>(block.size(), saved.size - place));
        if (!read_at(file, place, block.data(), block.size())) return "cannot be read";
        content.add(block);
      }
      return content.value() == saved.checksum ? "" : other_content_text();
    };
    return {saved.size, wrong, wrong, copy_file};
  }

  WordColumns word_columns_;
  Checksum content_;
  OutputFile file_;
  std::vector<std::vector<std::string>> words_;  ///< of every column
  std::string lines_;                            ///< that the file has not got yet
  std::uint64_t rows_ = 0;
  FlushClock clock_;
};

}  // namespace

std::unique_ptr<RowSink> open_csv(const RowFile& file) { return std::make_unique<CsvSink>(file); }

std::unique_ptr<RowSink> resume_csv(const RowFile& file, std::string_view saved) {
  return std::make_unique<CsvSink>(file, SavedRows::read("CSV", file.name, saved));
}

}  // namespace noslip
