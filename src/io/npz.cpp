#include "io/npz.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "io/checksum.hpp"
#include "io/notes.hpp"
#include "io/npz_archive.hpp"
#include "io/saved_rows.hpp"
#include "io/system_calls.hpp"

namespace noslip {

namespace {

constexpr int shape_width = 20;

/// What stands before the rows of NAME.part: an array of records. The number of rows is filled in as they come.
std::string rows_header(const NpzArchive& archive) {
  std::string fields;
  for (std::size_t i = 0; i < archive.columns().size(); ++i) {
    std::string name;
    for (const char c : archive.columns()[i].name) {
      const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
      if (is_control) {
        name += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      } else {
        name += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
      }
    }
    const bool is_over_time = archive.shape().is_over_time(i);
    fields += fmt::format("('{}', '<f8'{}), ", name, is_over_time ? fmt::format(", ({},)", archive.shape().times()) : "");
  }
  std::string text = fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({:<{}},), }}", fields, 0, shape_width);
  const std::size_t before = 12;  // the magic text, the version, the length of what follows
  text.insert(text.find('['), 63 - (before + text.size()) % 64, ' ');
  text += '\n';
  Bytes header;
  header.text("\x93NUMPY").one(3).one(0).four(text.size()).text(text);
  return header.str();
}

/// Where the number of rows stands: `0 ... ,), }` ends the header.
std::size_t shape_place(const std::string& header) { return header.size() - 6 - shape_width; }

std::string shape_text(std::uint64_t rows) { return fmt::format("{:<{}}", rows, shape_width); }

class NpzSink : public RowSink {
 public:
  explicit NpzSink(const RowFile& file)
      : archive_(file, comment_of(file.notes)),
        word_columns_(file),
        header_(rows_header(archive_)),
        times_(checksum_of_times(file)),
        file_(file.name, file.overwrites) {
    if (file.keeps_beginning) file_.keep_beginning();
    file_.advise_when_full(file.when_full);
    file_.write(header_);
  }

  NpzSink(const RowFile& file, const SavedRows& saved)
      : archive_(file, comment_of(file.notes)),
        word_columns_(file),
        header_(rows_header(archive_)),
        times_(checksum_of_times(file)),
        file_(file.name, file.overwrites, beginning(saved)),
        rows_(saved.rows) {
    file_.advise_when_full(file.when_full);
    finish_rows();
  }

  ~NpzSink() override {
    try {
      if (!is_closed_) finish_rows();
    } catch (...) {
      // What is there is whole; nobody waits for the rest.
    }
  }
  NpzSink(const NpzSink&) = delete;
  NpzSink& operator=(const NpzSink&) = delete;

  void write(std::span<const double> row) override {
    assert(row.size() == archive_.shape().size());
    word_columns_.check(row);
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    content_.add(bytes);
    file_.write(bytes);
    ++rows_;
    if (clock_.is_due()) finish_rows();
  }

  void add_record(std::string_view bytes) override { archive_.set_record(bytes); }

  void close() override {
    if (is_closed_) return;
    is_closed_ = true;
    finish_rows();
    file_.begin_whole(".zip");
    archive_.write(file_, rows_, [&](std::uint64_t first, std::size_t count, double* numbers) {
      const std::uint64_t place = header_.size() + first * sizeof(double);
      return read_at(file_.part(), place, reinterpret_cast<char*>(numbers), count * sizeof(double));
    });
    file_.close();
  }

  std::string save() override {
    finish_rows();
    file_.bring_to_disk();
    return SavedRows{rows_, file_.size(), content_.value()}.text("NPZ");
  }

 private:
  /// Rows first, then their number, so that the file is valid at any time, also after a row that did not fit.
  void finish_rows() {
    file_.flush();
    if (file_.size() < header_.size()) return;
    const std::uint64_t rows = (file_.size() - header_.size()) / (sizeof(double) * archive_.shape().size());
    file_.put(shape_place(header_), shape_text(rows));
  }

  Beginning beginning(const SavedRows& saved) {
    const auto wrong_with_part = [this, saved](int part) -> std::string {
      const std::uint64_t size = size_of_file(part);
      if (size < saved.size) return too_short_text(size, saved.size);
      std::string found(header_.size(), '\0');
      if (!read_at(part, 0, found.data(), found.size())) return "cannot be read";
      found.replace(shape_place(header_), shape_width, shape_text(0));
      if (found != header_) return other_columns_text();
      content_ = times_;
      std::string block;
      for (std::uint64_t place = header_.size(); place < saved.size; place += block.size()) {
        block.resize(std::min<std::uint64_t>(1 << 16, saved.size - place));
        if (!read_at(part, place, block.data(), block.size())) return "cannot be read";
        content_.add(block);
      }
      return content_.value() == saved.checksum ? "" : other_content_text();
    };
    const auto wrong_with_whole = [this, saved](int whole) -> std::string {
      std::uint64_t rows = 0;
      if (!archive_.find_rows(whole, rows)) return other_columns_text();
      if (rows < saved.rows) return too_few_rows_text(rows, saved.rows);
      content_ = times_;
      const auto add = [&](std::string_view block) {
        content_.add(block);
        return 0;
      };
      if (archive_.read(whole, rows, saved.rows, add) != 0) return "cannot be read";
      return content_.value() == saved.checksum ? "" : other_content_text();
    };
    const auto take_apart = [this, saved](int whole, int part) {
      std::uint64_t rows = 0, place = header_.size();
      const auto put = [&](std::string_view block) {
        const int error = put_all(part, place, block);
        place += block.size();
        return error;
      };
      const int error = put_all(part, 0, header_);
      if (error != 0) return error;
      return archive_.find_rows(whole, rows) ? archive_.read(whole, rows, saved.rows, put) : EIO;
    };
    return {saved.size, wrong_with_part, wrong_with_whole, take_apart};
  }

  NpzArchive archive_;
  WordColumns word_columns_;
  std::string header_;
  Checksum times_;
  Checksum content_ = times_;  ///< of the times and the rows
  OutputFile file_;
  std::uint64_t rows_ = 0;
  FlushClock clock_;
  bool is_closed_ = false;
};

}  // namespace

std::unique_ptr<RowSink> open_npz(const RowFile& file) { return std::make_unique<NpzSink>(file); }

std::unique_ptr<RowSink> resume_npz(const RowFile& file, std::string_view saved) {
  return std::make_unique<NpzSink>(file, SavedRows::read("NPZ", file.name, saved));
}

}  // namespace noslip
