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

class Hdf5Sink : public RowSink {
 public:
  explicit Hdf5Sink(const RowFile& file)
      : layout_(file), word_columns_(file.columns), file_(file.name, file.overwrites) {
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
    file_.keep_beginning();
  }

  /// `buffered` are the rows that do not fill a chunk, column after column.
  Hdf5Sink(const RowFile& file, const SavedRows& saved, std::string_view buffered)
      : layout_(file), word_columns_(file.columns), file_(file.name, file.overwrites, beginning(saved, buffered)) {
    prepare();
    file_.advise_when_full(file.when_full);
    chunks_ = saved.rows / layout_.chunk_rows();
    buffered_ = saved.rows % layout_.chunk_rows();
    for (std::size_t i = 0; i < layout_.column_count(); ++i) {
      std::memcpy(column(i), buffered.data() + i * buffered_ * sizeof(double), buffered_ * sizeof(double));
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
    assert(row.size() == layout_.column_count());
    word_columns_.check(row);
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
  double* column(std::size_t i) { return values_.data() + i * layout_.chunk_rows(); }

  static std::vector<std::uint64_t> roots(const std::vector<hdf5::Index>& indices) {
    std::vector<std::uint64_t> result;
    for (const hdf5::Index& index : indices) result.push_back(index.root());
    return result;
  }

  void prepare() {
    indices_.assign(layout_.column_count(), hdf5::Index(layout_.chunk_rows()));
    values_.resize(layout_.column_count() * layout_.chunk_rows());
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
    const std::vector<std::string>& words = layout_.words(i);
    if (words.empty()) {
      std::fill(column(i) + buffered_, column(i) + layout_.chunk_rows(), 0.0);
      const auto* bytes = reinterpret_cast<const char*>(column(i));
      return packer_.numbers({bytes, layout_.chunk_rows() * sizeof(double)}, packed);
    }
    std::string texts;
    for (std::size_t row = 0; row < buffered_; ++row) texts += words[WordColumns::word(column(i)[row], words.size())];
    texts.resize(layout_.chunk_rows() * layout_.width(i));
    packer_.texts(texts, packed);
  }

  /// Writes the next chunk of every column. Until the file says so, nothing of it counts.
  void put_block(std::vector<hdf5::Index>& indices, std::uint64_t& end, Checksum& content) {
    block_.clear();
    patches_.clear();
    for (std::size_t i = 0; i < indices.size(); ++i) {
      pack(i, packed_);
      content.add(packed_);
      indices[i].add(chunks_, packed_, end_, block_, patches_);
    }
    // What was shown in this place goes first, unless there is no room for what follows.
    if (shown_.rows > chunks_ * layout_.chunk_rows()) {
      file_.reserve(end_, block_.size());
      describe(Extent{chunks_ * layout_.chunk_rows(), roots(indices_)}, end_);
    }
    file_.put(end_, block_);
    for (const hdf5::Patch& patch : patches_) file_.put(patch.place, patch.bytes);
    end = end_ + block_.size();
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
    for (std::size_t i = 0; i < layout_.column_count(); ++i) {
      result.append(reinterpret_cast<const char*>(column(i)), buffered_ * sizeof(double));
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
        for (const std::uint64_t root : extent.roots) {
          hdf5::Chunk chunk;
          if (!hdf5::Index::find(file, root, chunk_count(extent), number, chunk)) return too_short_text(size, saved.size);
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
      is_there = is_there && hdf5::Index::find(file_.part(), extent.roots[i], chunk_count(extent), chunks_ - 1, chunk);
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
  std::vector<double> values_;  ///< the rows that follow, column after column
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
  if (saved.size() != rest * file.columns.size() * sizeof(double)) SavedRows::read("HDF5", file.name, "");
  return std::make_unique<Hdf5Sink>(file, numbers, saved);
}

}  // namespace noslip
