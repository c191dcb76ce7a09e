#include "io/csv.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <noslip/io/output_file.hpp>

#include "io/base64.hpp"
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

constexpr std::size_t block_size = 1 << 15;        // of text that is handed on in one piece
constexpr std::size_t most_of_a_row = 1 << 20;     // a longer one is handed on in pieces of whole lines

std::string header_line(const RowFile& file) {
  std::vector<Column> columns = columns_of_one_list(file);
  const std::ptrdiff_t place = file.members ? static_cast<std::ptrdiff_t>(file.members->of_member) : 0;
  if (file.members) columns.insert(columns.begin() + place, column_of_times());
  std::string line;
  for (const Column& column : columns) line += quoted(column.name) + ',';
  line.back() = '\n';
  return line;
}

class CsvSink : public RowSink {
 public:
  explicit CsvSink(const RowFile& file)
      : shape_(file),
        times_(times_of(file)),
        word_columns_(file),
        content_(checksum_of_times(file)),
        file_(file.name, file.overwrites) {
    if (file.keeps_beginning) file_.keep_beginning();
    file_.advise_when_full(file.when_full);
    read_words(file.columns);
    lines_ = header_line(file);
    hand_on();
  }

  CsvSink(const RowFile& file, const SavedRows& saved)
      : shape_(file),
        times_(times_of(file)),
        word_columns_(file),
        file_(file.name, file.overwrites, beginning(file, saved)),
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
    assert(row.size() == shape_.size());
    word_columns_.check(row);
    const std::size_t begin = lines_.size();
    for (std::size_t i = 0; i < shape_.single(); ++i) add(i, row[i]);
    if (shape_.is_of_members()) {
      add_times(row, lines_.substr(begin));
    } else {
      lines_.back() = '\n';  // in the place of the last comma
    }
    ++rows_;
    const bool is_due = clock_.is_due();
    if (is_due || lines_.size() >= block_size) hand_on();
    if (is_due) file_.flush();
  }

  void add_record(std::string_view bytes) override {
    constexpr std::size_t bytes_of_line = 3 * 16384;
    hand_on();
    const std::string end = fmt::format("{}{}{}{}\n", csv_record_end, text_size_, csv_record_checksum, text_.value());
    file_.write(fmt::format("{}{}\n", csv_record_start, NOSLIP_VERSION));
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes_of_line, bytes.size()))) {
      file_.write(fmt::format("{}{}\n", csv_record_line, base64_of(bytes.substr(0, bytes_of_line))));
    }
    file_.write(end);
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
  static std::vector<double> times_of(const RowFile& file) {
    return file.members ? file.members->times : std::vector<double>();
  }

  void add(std::size_t column, double value) {
    const std::vector<std::string>& words = words_[column];
    if (!words.empty()) {
      lines_ += words[WordColumns::word(value, words.size())];
      lines_ += ',';
    } else {
      add_number(value);
    }
  }

  void add_number(double value) {
    if (std::isfinite(value)) {
      char number[32];
      const char* end = fmt::format_to(number, FMT_COMPILE("{}"), value);
      lines_.append(number, static_cast<std::size_t>(end - number));
    }
    lines_ += ',';
  }

  /// A line for every time. What is said of the member is at the end of the lines already.
  void add_times(std::span<const double> row, const std::string& of_member) {
    for (std::size_t k = 0; k < times_.size(); ++k) {
      if (k > 0) lines_ += of_member;
      add_number(times_[k]);
      for (std::size_t i = shape_.single(); i < shape_.column_count(); ++i) add(i, row[shape_.begin(i) + k]);
      lines_.back() = '\n';
      if (lines_.size() >= most_of_a_row) hand_on();
    }
  }

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
    text_.add(lines);
    text_size_ += lines.size();
    file_.write(lines);
  }

  /// The checksum covers the times and the whole text, and goes on after the part that was found.
  Beginning beginning(const RowFile& file, const SavedRows& saved) {
    const auto wrong = [header = header_line(file), start = checksum_of_times(file), saved,
                        this](int found) -> std::string {
      const std::uint64_t size = size_of_file(found);
      if (size < saved.size) return too_short_text(size, saved.size);
      std::string block = header;
      std::string first(block.size(), '\0');
      if (!read_at(found, 0, first.data(), first.size()) || first != block) return other_columns_text();
      block.resize(1 << 16);
      content_ = start;
      text_ = Checksum();
      text_size_ = saved.size;
      for (std::uint64_t place = 0; place < saved.size; place += block.size()) {
        block.resize(std::min<std::uint64_t>(block.size(), saved.size - place));
        if (!read_at(found, place, block.data(), block.size())) return "cannot be read";
        content_.add(block);
        text_.add(block);
      }
      return content_.value() == saved.checksum ? "" : other_content_text();
    };
    return {saved.size, wrong, wrong, copy_file};
  }

  RowShape shape_;
  std::vector<double> times_;  ///< of members
  WordColumns word_columns_;
  Checksum content_, text_;  ///< of times and lines, and of the lines alone
  std::uint64_t text_size_ = 0;
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
