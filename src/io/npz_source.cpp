// The list of arrays at the end of the archive says which columns there are. After that everything has to be as
// NpzArchive writes it.
#include "io/npz_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "io/checksum.hpp"
#include "io/damaged.hpp"
#include "io/notes.hpp"
#include "io/npz_archive.hpp"
#include "io/row_blocks.hpp"

namespace noslip {

namespace {

constexpr std::uint64_t far_away = 0xffffffff;  // the number is in the ZIP64 part

/// An array of the archive.
struct ListedArray {
  std::string name, header;          ///< header: type and shape
  std::uint64_t data = 0, size = 0;  ///< where its numbers are, in bytes
  bool is_over_time() const { return header.find("'fortran_order': True") != std::string::npos; }
  bool has_type(const char* type) const { return header.find(fmt::format("'descr': '{}", type)) != std::string::npos; }
};

class NpzList {
 public:
  explicit NpzList(const ReadableFile& file) : file_(file), size_(size_of_file(file.number())) {
    try {
      find_directory();
      read_directory();
    } catch (const std::out_of_range&) {  // of number_at
      refuse_damaged(file_.name(), "has a list of arrays that is not complete");
    }
  }

  const std::string& comment() const { return comment_; }
  const std::vector<ListedArray>& arrays() const { return arrays_; }

 private:
  std::string bytes(std::uint64_t place, std::uint64_t count) const {
    std::string text;
    if (place <= size_ && count <= size_ - place) file_.append(text, place, count);
    if (text.size() != count) refuse_damaged(file_.name(), "is shorter than it says");
    return text;
  }

  void find_directory() {
    constexpr std::uint64_t end_size = 22, longest_comment = 0xffff, locator_size = 20;
    const std::uint64_t from = size_ - std::min(size_, end_size + longest_comment);
    const std::string tail = bytes(from, size_ - from);
    std::size_t end = tail.size() < end_size ? std::string::npos : tail.size() - end_size;
    const auto is_end = [&](std::size_t i) {
      return number_at(tail, i, 4) == 0x06054b50 && number_at(tail, i + 20, 2) == tail.size() - i - end_size;
    };
    while (end != std::string::npos && !is_end(end)) --end;  // 0 - 1 is npos
    if (end == std::string::npos) refuse_damaged(file_.name(), "has no list of arrays at its end");
    comment_ = tail.substr(end + end_size);
    std::uint64_t size = number_at(tail, end + 12, 4), place = number_at(tail, end + 16, 4);
    if (number_at(tail, end + 10, 2) == 0xffff || size == far_away || place == far_away) {
      const std::uint64_t locator = from + end - std::min(from + end, locator_size);
      const std::string long_end = bytes(number_at(bytes(locator, locator_size), 8, 8), 56);
      size = number_at(long_end, 40, 8), place = number_at(long_end, 48, 8);
    }
    directory_ = bytes(place, size);
  }

  void read_directory() {
    for (std::size_t at = 0; at < directory_.size();) {
      if (number_at(directory_, at, 4) != 0x02014b50) break;
      const std::size_t name = number_at(directory_, at + 28, 2), extra = number_at(directory_, at + 30, 2);
      std::uint64_t size = number_at(directory_, at + 24, 4), place = number_at(directory_, at + 42, 4);
      std::size_t next = at + 46 + name + 4;
      if (size == far_away) size = number_at(directory_, next, 8), next += 16;
      if (place == far_away) place = number_at(directory_, next, 8);
      ListedArray& array = arrays_.emplace_back();
      array.name = directory_.substr(at + 46, name);
      at += 46 + name + extra;
      if (!array.name.ends_with(".npy")) refuse_damaged(file_.name(), "has something that is not an array");
      array.name.resize(array.name.size() - 4);
      const std::string local = bytes(place, 30);
      place += 30 + number_at(local, 26, 2) + number_at(local, 28, 2);
      const std::uint64_t length = number_at(bytes(place, 10), 8, 2);
      array.header = bytes(place + 10, length);
      array.data = place + 10 + length;
      if (size < 10 + length) refuse_damaged(file_.name(), "has an array without numbers");
      array.size = size - 10 - length;
    }
    if (arrays_.empty()) refuse_damaged(file_.name(), "has no arrays");
  }

  const ReadableFile& file_;
  std::uint64_t size_;
  std::string comment_, directory_;
  std::vector<ListedArray> arrays_;
};

class NpzSource : public RowSource {
 public:
  explicit NpzSource(const std::string& name) : readable_(name) {
    const NpzList list(readable_);
    file_.name = name;
    const ReadNotes notes = notes_in_comment(list.comment());
    check_version(name, notes.version);
    file_.notes = notes.notes;
    take_columns(list.arrays());
    archive_.emplace(file_, list.comment());
    std::uint64_t rows = 0;
    if (!archive_->find_rows(readable_.number(), rows)) refuse_damaged(name, "has other arrays than it says");
    if (!archive_->has_right_times(readable_.number(), rows)) refuse_damaged(name, "has other times than at first");
    if (file_.has_record && !archive_->read_record(readable_.number(), rows, record_)) {
      refuse_damaged(name, "has another record than at first");
    }
    row_count_ = rows;
  }

  std::uint64_t read(const std::function<bool(std::span<const double> row)>& take) const override {
    constexpr int has_enough = -1;
    const std::size_t size = archive_->shape().size();
    std::vector<double> part;  // of a row that comes in pieces
    std::uint64_t taken = 0;
    const int error = archive_->read(
        readable_.number(), *row_count_, *row_count_,
        [&](std::string_view block) {
          std::span<const double> numbers(reinterpret_cast<const double*>(block.data()), block.size() / sizeof(double));
          if (numbers.size() % size != 0) {
            part.insert(part.end(), numbers.begin(), numbers.end());
            if (part.size() < size) return 0;
            numbers = part;
          }
          for (; !numbers.empty(); numbers = numbers.subspan(size), ++taken) {
            if (!take(numbers.first(size))) return has_enough;
          }
          part.clear();
          return 0;
        },
        true);
    if (error == EBADMSG) refuse_damaged(file_.name, "has other numbers than at first");
    if (error > 0) throw FileError(fmt::format("cannot read '{}'", file_.name));
    return taken;
  }

 private:
  void take_columns(std::vector<ListedArray> arrays) {
    if (arrays.back().name == record_name && arrays.back().has_type("|u1")) {
      file_.has_record = true;
      arrays.pop_back();
    }
    const bool is_of_members =
        std::any_of(arrays.begin(), arrays.end(), [](const auto& array) { return array.is_over_time(); });
    for (const ListedArray& array : arrays) {
      if (array.has_type("<U")) refuse_words(file_.name, array.name);
      const bool is_time = array.name == column_of_times().name;
      if (is_of_members && is_time && !file_.members) {
        file_.members.emplace(MemberRows{file_.columns.size(), times_in(array)});
        continue;
      }
      file_.columns.push_back({array.name, is_time ? ColumnKind::time : ColumnKind::expression});
    }
    const bool is_right =
        !file_.columns.empty() &&
        (!is_of_members || (file_.members && file_.members->of_member > 0 && !file_.members->times.empty()));
    if (!is_right) refuse_damaged(file_.name, "has arrays that do not belong together");
  }

  std::vector<double> times_in(const ListedArray& array) const {
    std::string bytes;
    const std::uint64_t all = size_of_file(readable_.number());
    if (array.size > all || array.data > all) refuse_damaged(file_.name, "is shorter than it says");
    readable_.append(bytes, array.data, array.size);
    std::vector<double> times(bytes.size() / sizeof(double));
    std::memcpy(times.data(), bytes.data(), times.size() * sizeof(double));
    return times;
  }

  ReadableFile readable_;
  std::optional<NpzArchive> archive_;
};

}  // namespace

std::unique_ptr<RowSource> open_npz_source(const std::string& file) { return std::make_unique<NpzSource>(file); }

}  // namespace noslip
