// The file is read once from begin to end, to check it and to find its blocks; then block by block, as members are
// asked for. A block that has other numbers than at first is noticed by its checksum.
#include <noslip/io/members_file.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "io/row_blocks.hpp"
#include "run/given_values.hpp"

namespace noslip {
namespace {

/// Blocks whose numbers are kept for whoever asks next.
constexpr std::size_t most_kept = 32;

struct RowBlock {
  std::uint64_t place = 0;  ///< of its first byte
  std::size_t first_row = 0;
  long long first_line = 1;
  std::uint64_t checksum = 0;  ///< of its numbers
};

/// What the first pass finds.
struct CheckedRows {
  std::vector<std::string> names;
  long long line_of_names = 1;
  std::string text_of_names;
  std::vector<std::size_t> begins_of_names;
  std::vector<RowBlock> blocks;
  std::uint64_t end = 0;  ///< of the last block
  std::size_t row_count = 0;
  Checksum checksum;
};

std::uint64_t checksum_of_rows(const Rows& rows) {
  Checksum checksum;
  add_numbers(checksum, rows.values);
  return checksum.value();
}

class RowChecker {
 public:
  explicit RowChecker(const ReadableFile& file) : file_(file), problems_(file.name()) {}

  CheckedRows run() {
    find_names();
    problems_.throw_any();
    BlocksOfLines blocks(file_, place_);
    while (!problems_.is_full()) {
      RowBlock block{blocks.place(), checked_.row_count, line_, 0};
      const std::string_view text = blocks.next();
      if (text.empty()) break;
      const Rows rows = read_rows(text, line_, checked_.names.size(), problems_);
      line_ += rows.line_count;
      if (rows.lines.empty()) continue;
      add_numbers(checked_.checksum, rows.values);
      block.checksum = checksum_of_rows(rows);
      checked_.row_count += rows.lines.size();
      checked_.blocks.push_back(block);
      checked_.end = blocks.place();
    }
    if (blocks.has_long_line()) complain_of_long_line();
    if (problems_.is_empty() && checked_.row_count == 0) {
      problems_.add("there are no members in it", "write a row of numbers below the names for each of them");
    }
    problems_.throw_any();
    return std::move(checked_);
  }

 private:
  /// The first line with fields; what follows it begins at place_.
  void find_names() {
    BlocksOfLines blocks(file_, 0);
    for (std::string_view text = blocks.next(); !text.empty(); text = blocks.next()) {
      if (place_ == 0 && text.starts_with(utf8_mark)) {
        text.remove_prefix(utf8_mark.size());
        place_ += utf8_mark.size();
      }
      while (!text.empty()) {
        const std::size_t before = text.size();
        const std::string_view line = take_line(text);
        place_ += before - text.size();
        problems_.set_line(line, line_++);
        if (const std::size_t odd = find_odd_byte(line); odd < line.size()) {
          return problems_.add("this is not text in UTF-8", odd, "save the file as UTF-8");
        }
        line_of_names_.split(line);
        if (!line_of_names_.cells().empty()) return take_names(line);
      }
    }
    if (blocks.has_long_line()) return complain_of_long_line();
    problems_.add("there is nothing in it", "write the names of what varies in the first row, and members below");
  }

  void take_names(std::string_view line) {
    const std::vector<CsvCell>& cells = line_of_names_.cells();
    const auto is_number = [](const CsvCell& cell) { return double_in(cell.inner()).has_value(); };
    if (std::all_of(cells.begin(), cells.end(), is_number)) {
      return problems_.add("the first row has to name the columns", cells[0].begin,
                           "write the names of what varies there: initial values, parameters, inputs");
    }
    checked_.names = line_of_names_.names();
    std::set<std::string_view> known;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string& name = checked_.names[i];
      checked_.begins_of_names.push_back(cells[i].begin);
      if (name.empty()) {
        problems_.add("a name is missing", cells[i].begin, "name every column");
      } else if (is_number(cells[i])) {
        problems_.add(fmt::format("'{}' is not a name", name), cells[i].begin, "name every column");
      } else if (!known.insert(name).second) {
        problems_.add(fmt::format("'{}' is the name of two columns", name), cells[i].begin, "remove one of them");
      }
    }
    checked_.line_of_names = line_ - 1;
    checked_.text_of_names = line;
  }

  void complain_of_long_line() {
    problems_.set_line({}, line_);
    problems_.add("this line has more than 64 MB", 0, "write one row per line");
  }

  const ReadableFile& file_;
  CsvProblems problems_;
  CheckedRows checked_;
  CsvLine line_of_names_;
  std::uint64_t place_ = 0;
  long long line_ = 1;  ///< that comes next
};

class MembersFile final : public Members {
 public:
  MembersFile(std::unique_ptr<ReadableFile> file, CheckedRows rows)
      : Members(rows.names, rows.row_count), file_(std::move(file)), rows_(std::move(rows)) {}

  void read(std::size_t first, std::size_t count, double* values) const override {
    const std::size_t width = names().size();
    while (count > 0) {
      const std::size_t i = block_with(first);
      const std::shared_ptr<const Rows> rows = rows_of(i);
      const std::size_t skipped = first - rows_.blocks[i].first_row;
      const std::size_t taken = std::min(count, rows->lines.size() - skipped);
      values = std::copy_n(rows->values.data() + skipped * width, taken * width, values);
      first += taken;
      count -= taken;
    }
  }

  std::string name_of(std::size_t member) const override {
    try {
      const std::size_t i = block_with(member);
      const std::uint32_t line = rows_of(i)->lines[member - rows_.blocks[i].first_row];
      return fmt::format("{}:{}", file_->name(), rows_.blocks[i].first_line + line);
    } catch (const FileError&) {  // messages about it come from elsewhere
      return fmt::format("{}: {}", file_->name(), Members::name_of(member));
    }
  }

  Place place_of_name(std::size_t name) const override {
    return place_in_line(file_->name(), rows_.text_of_names, rows_.line_of_names, rows_.begins_of_names[name]);
  }

  std::string identity() const override { return identity_of_values(names(), count(), rows_.checksum); }

 private:
  std::size_t block_with(std::size_t row) const {
    const auto after =
        std::upper_bound(rows_.blocks.begin(), rows_.blocks.end(), row,
                         [](std::size_t value, const RowBlock& block) { return value < block.first_row; });
    return static_cast<std::size_t>(after - rows_.blocks.begin()) - 1;
  }

  std::shared_ptr<const Rows> rows_of(std::size_t i) const {
    {
      const std::lock_guard lock(mutex_);
      const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const auto& kept) { return kept.first == i; });
      if (found != kept_.end()) {
        std::rotate(kept_.begin(), found, found + 1);
        return kept_.front().second;
      }
    }
    std::shared_ptr<const Rows> rows = read_block(i);
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most_kept) kept_.pop_back();
    kept_.insert(kept_.begin(), {i, rows});
    return rows;
  }

  std::shared_ptr<const Rows> read_block(std::size_t i) const {
    const RowBlock& block = rows_.blocks[i];
    const bool is_last = i + 1 == rows_.blocks.size();
    const std::size_t row_count = (is_last ? count() : rows_.blocks[i + 1].first_row) - block.first_row;
    std::string text;
    file_->append(text, block.place, (is_last ? rows_.end : rows_.blocks[i + 1].place) - block.place);
    CsvProblems problems(file_->name());
    auto rows = std::make_shared<Rows>(read_rows(text, block.first_line, names().size(), problems));
    if (!problems.is_empty() || rows->lines.size() != row_count || checksum_of_rows(*rows) != block.checksum) {
      throw FileError(fmt::format("'{}' has changed while its members were in use", file_->name()));
    }
    return rows;
  }

  std::unique_ptr<ReadableFile> file_;
  CheckedRows rows_;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::size_t, std::shared_ptr<const Rows>>> kept_;  ///< the last one used first
};

}  // namespace

std::shared_ptr<const Members> read_members(const std::string& name) {
  auto file = std::make_unique<ReadableFile>(name);
  CheckedRows rows = RowChecker(*file).run();
  return std::make_shared<MembersFile>(std::move(file), std::move(rows));
}

}  // namespace noslip
