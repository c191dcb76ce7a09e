#include "io/hdf5.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include <noslip/io/output_file.hpp>

#include "io/checksum.hpp"
#include "io/hdf5_chunk.hpp"
#include "io/hdf5_index.hpp"
#include "io/hdf5_layout.hpp"
#include "io/saved_rows.hpp"

namespace noslip {

namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

using hdf5::Extent;

constexpr std::size_t most_of_block = 1 << 22;  // bytes of chunks that are collected before they are written

class Hdf5Sink : public RowSink {
 public:
  explicit Hdf5Sink(const RowFile& file)
      : layout_(file), word_columns_(file), file_(file.name, file.overwrites) {
    prepare();
    file_.advise_when_full(file.when_full);
    shown_ = {0, roots(indices_)};
    shown_end_ = end_;
    std::string start(end_, '\0');
    const auto put = [&](std::uint64_t place, const std::string& bytes) { start.replace(place, bytes.size(), bytes); };
    put(0, layout_.superblock(which_, end_));
    put(layout_.texts_place(), layout_.texts());
    put(layout_.description_place(which_), layout_.description(which_, shown_));
    file_.start(start);
    if (file.keeps_beginning) file_.keep_beginning();
  }

  /// `buffered` are the rows that do not fill a chunk, number after number of all of them.
  Hdf5Sink(const RowFile& file, const SavedRows& saved, std::string_view buffered)
      : layout_(file), word_columns_(file), file_(file.name, file.overwrites, beginning(saved, buffered)) {
    prepare();
    file_.advise_when_full(file.when_full);
    chunks_ = saved.rows / layout_.chunk_rows();
    buffered_ = saved.rows % layout_.chunk_rows();
    for (std::size_t i = 0; i < values_.size() / layout_.chunk_rows(); ++i) {
      const std::size_t size = buffered_ * sizeof(double);
      std::memcpy(&values_[i * layout_.chunk_rows()], buffered.data() + i * size, size);
    }
    go_back();
    show();
  }

  ~Hdf5Sink() override {
    try {
      if (!is_closed_) show();
    } catch (...) {
      // What is there is whole; nobody waits for the rest.
    }
  }
  Hdf5Sink(const Hdf5Sink&) = delete;
  Hdf5Sink& operator=(const Hdf5Sink&) = delete;

  void write(std::span<const double> row) override {
    assert(row.size() == layout_.shape().size());
    word_columns_.check(row);
    if (layout_.chunk_rows() == 1) return add_long_row(row);
    double* place = values_.data() + buffered_;
    for (const double value : row) {
      *place = value;
      place += layout_.chunk_rows();
    }
    if (++buffered_ == layout_.chunk_rows()) {
      add_chunks();
    } else if (clock_.is_due()) {
      show();
    }
  }

  void add_record(std::string_view bytes) override {
    show();
    file_.cut(shown_end_);
    const std::uint64_t place = hdf5::rounded_up(shown_end_);
    std::string padded(bytes);
    padded.resize(hdf5::rounded_up(bytes.size()));
    file_.put(place, padded);
    Extent extent = shown_;
    extent.record_place = place;
    extent.record_size = bytes.size();
    describe(extent, place + padded.size());
  }

  void close() override {
    if (is_closed_) return;
    is_closed_ = true;
    show();
    file_.cut(shown_end_);
    // The first description is the one that stays.
    if (which_ == 0) describe(shown_, shown_end_);
    describe(shown_, shown_end_);
    file_.put(layout_.description_place(1), std::string(layout_.description_size(), '\0'));
    file_.close();
  }

  std::string save() override {
    show();
    file_.bring_to_disk();
    const std::string rest = buffered_rows();
    Checksum content = content_;
    content.add(rest);
    return SavedRows{rows(), shown_end_, content.value()}.text("HDF5") + '\n' + rest;
  }

 private:
  std::uint64_t rows() const { return chunks_ * layout_.chunk_rows() + buffered_; }
  /// A row is a chunk, as it is.
  void add_long_row(std::span<const double> row) {
    chunk_ = row.data();
    buffered_ = 1;
    try {
      add_chunks();
    } catch (...) {
      buffered_ = 0;
      throw;
    }
  }

  static std::vector<std::uint64_t> roots(const std::vector<hdf5::Index>& indices) {
    std::vector<std::uint64_t> result;
    for (const hdf5::Index& index : indices) result.push_back(index.root());
    return result;
  }

  void prepare() {
    for (std::size_t i = 0; i < layout_.column_count(); ++i) indices_.push_back(layout_.index(i));
    if (layout_.chunk_rows() > 1) values_.resize(layout_.shape().size() * layout_.chunk_rows());
    chunk_ = values_.data();
    end_ = layout_.begin();
  }

  /// From now on the file says that it has these rows.
  void describe(const Extent& extent, std::uint64_t end) {
    const int next = 1 - which_;
    file_.put(layout_.description_place(next), layout_.description(next, extent));
    file_.put(0, layout_.superblock(next, end));
    which_ = next;
    shown_ = extent;
    shown_end_ = end;
  }

  /// The chunk of a column with the rows that are there; the rest of it is zero.
  void pack(std::size_t i, std::string& packed) {
    packed.clear();
    const std::size_t rows = layout_.chunk_rows(), first = layout_.first_number(i) * rows;
    const std::size_t size = layout_.number_count(i) * rows, width = layout_.width(i);
    const std::vector<std::string>& words = layout_.words(i);
    if (words.empty()) {
      for (std::size_t begin = first; buffered_ < rows && begin < first + size; begin += rows) {
        std::fill(&values_[begin + buffered_], &values_[begin] + rows, 0.0);
      }
      const auto* bytes = reinterpret_cast<const char*>(chunk_ + first);
      return packer_.numbers({bytes, size * sizeof(double)}, packed);
    }
    std::string texts(size * width, '\0');
    for (std::size_t k = 0; k < size; ++k) {
      if (k % rows < buffered_) texts.replace(k * width, width, words[WordColumns::word(chunk_[first + k], words.size())]);
    }
    packer_.texts(texts, packed);
  }

  /// Writes the next chunk of every column. Until the file says so, nothing of it counts.
  void put_block(std::vector<hdf5::Index>& indices, std::uint64_t& end, Checksum& content) {
    const bool has_shown = shown_.rows > chunks_ * layout_.chunk_rows();
    block_.clear();
    patches_.clear();
    end = end_;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const bool is_repeated = i > 0 && layout_.first_number(i) == layout_.first_number(i - 1);
      if (!is_repeated) pack(i, packed_);
      content.add(packed_);
      indices[i].add(chunks_, packed_, end, block_, patches_);
      if (has_shown || block_.size() < most_of_block) continue;
      put_end(end);
    }
    // What was shown in this place goes first, unless there is no room for what follows.
    if (has_shown) {
      file_.reserve(end_, block_.size());
      describe(Extent{chunks_ * layout_.chunk_rows(), roots(indices_)}, end_);
    }
    put_end(end);
    for (const hdf5::Patch& patch : patches_) file_.put(patch.place, patch.bytes);
  }

  void put_end(std::uint64_t& end) {
    file_.put(end, block_);
    end += block_.size();
    block_.clear();
  }

  void add_chunks() {
    std::vector<hdf5::Index> indices = indices_;
    Checksum content = content_;
    std::uint64_t end = 0;
    put_block(indices, end, content);
    describe(Extent{rows(), roots(indices)}, end);
    indices_ = std::move(indices);
    content_ = content;
    end_ = end;
    ++chunks_;
    buffered_ = 0;
  }

  /// The file has all rows, also those that do not fill a chunk.
  void show() {
    if (shown_.rows == rows()) return;
    std::vector<hdf5::Index> indices = indices_;
    Checksum ignored;
    std::uint64_t end = 0;
    put_block(indices, end, ignored);
    describe(Extent{rows(), roots(indices)}, end);
  }

  std::string buffered_rows() {
    std::string result;
    for (std::size_t i = 0; i < values_.size(); i += layout_.chunk_rows()) {
      result.append(reinterpret_cast<const char*>(&values_[i]), buffered_ * sizeof(double));
    }
    return result;
  }

  Beginning beginning(const SavedRows& saved, std::string_view buffered) {
    const auto wrong = [this, saved, buffered](int file) -> std::string {
      const std::uint64_t size = size_of_file(file), chunks = saved.rows / layout_.chunk_rows();
      if (size < layout_.begin()) return too_short_text(size, layout_.begin());
      int which = 0;
      Extent extent;
      if (!layout_.find(file, which, extent)) return other_columns_text();
      if (extent.rows < chunks * layout_.chunk_rows()) return too_few_rows_text(extent.rows, saved.rows);
      content_ = Checksum();
      for (std::uint64_t number = 0; number < chunks; ++number) {
        for (std::size_t i = 0; i < extent.roots.size(); ++i) {
          hdf5::Chunk chunk;
          const bool is_there = layout_.index(i).find(file, extent.roots[i], chunk_count(extent), number, chunk);
          if (!is_there) return too_short_text(size, saved.size);
          if (chunk.place > size || chunk.size > size - chunk.place) return too_short_text(size, saved.size);
          packed_.resize(chunk.size);
          if (!read_at(file, chunk.place, packed_.data(), packed_.size())) return "cannot be read";
          content_.add(packed_);
        }
      }
      Checksum all = content_;
      all.add(buffered);
      return all.value() == saved.checksum ? "" : other_content_text();
    };
    return {{}, wrong, wrong, copy_file};
  }

  std::uint64_t chunk_count(const Extent& extent) const {
    return (extent.rows + layout_.chunk_rows() - 1) / layout_.chunk_rows();
  }

  /// The file has nothing but the chunks that are whole.
  void go_back() {
    Extent extent;
    bool is_there = layout_.find(file_.part(), which_, extent);
    for (std::size_t i = 0; i < indices_.size() && chunks_ > 0; ++i) {
      is_there = is_there && indices_[i].cut(file_.part(), extent.roots[i], chunk_count(extent), chunks_, patches_);
      hdf5::Chunk chunk;
      is_there = is_there && indices_[i].find(file_.part(), extent.roots[i], chunk_count(extent), chunks_ - 1, chunk);
      end_ = hdf5::rounded_up(chunk.place + chunk.size);
    }
    if (!is_there) throw FileError("cannot read " + file_.name());
    describe(Extent{chunks_ * layout_.chunk_rows(), roots(indices_)}, end_);
    for (const hdf5::Patch& patch : patches_) file_.put(patch.place, patch.bytes);
    file_.cut(end_);
  }

  hdf5::Layout layout_;
  WordColumns word_columns_;
  Checksum content_;  ///< of all chunks that are whole
  hdf5::Packer packer_;
  std::string packed_, block_;
  std::vector<hdf5::Patch> patches_;
  OutputFile file_;
  int which_ = 0;             ///< the description that is valid
  Extent shown_;              ///< what it says
  std::uint64_t shown_end_ = 0;
  std::vector<hdf5::Index> indices_;  ///< of the chunks that are whole
  std::uint64_t chunks_ = 0, end_ = 0;
  std::vector<double> values_;       ///< the rows that follow, number after number of all of them
  const double* chunk_ = nullptr;    ///< their beginning, or a row that is a chunk
  std::size_t buffered_ = 0;
  FlushClock clock_{0.5};
  bool is_closed_ = false;
};

}  // namespace

std::unique_ptr<RowSink> open_hdf5(const RowFile& file) { return std::make_unique<Hdf5Sink>(file); }

std::unique_ptr<RowSink> resume_hdf5(const RowFile& file, std::string_view saved) {
  const std::size_t end = std::min(saved.find('\n'), saved.size());
  const SavedRows numbers = SavedRows::read("HDF5", file.name, saved.substr(0, end));
  saved.remove_prefix(std::min(end + 1, saved.size()));
  const std::size_t rest = numbers.rows % hdf5::Layout(file).chunk_rows();
  if (saved.size() != rest * RowShape(file).size() * sizeof(double)) SavedRows::read("HDF5", file.name, "");
  return std::make_unique<Hdf5Sink>(file, numbers, saved);
}

}  // namespace noslip
