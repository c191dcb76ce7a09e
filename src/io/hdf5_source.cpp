// The description says which columns there are. After that everything has to be as hdf5::Layout has it.
#include "io/hdf5_source.hpp"

#include <optional>

#include <noslip/io/output_file.hpp>

#include "io/damaged.hpp"
#include "io/hdf5_chunk.hpp"
#include "io/hdf5_layout.hpp"
#include "io/hdf5_objects.hpp"
#include "io/notes.hpp"

namespace noslip {

namespace {

class Hdf5Source : public RowSource {
 public:
  explicit Hdf5Source(const std::string& name) : readable_(name) {
    hdf5::Described found = hdf5::described_in(readable_);
    file_ = std::move(found.file);
    check_version(name, found.version);
    layout_.emplace(file_);
    int which = 0;
    if (!layout_->find(readable_.number(), which, extent_))
      refuse_damaged(name, "has another description than it should have");
    row_count_ = extent_.rows;
    const std::uint64_t size = size_of_file(readable_.number());
    if (extent_.record_size == 0) return;
    if (extent_.record_place > size || extent_.record_size > size - extent_.record_place) {
      refuse_damaged(name, "is shorter than it says");
    }
    readable_.append(record_, extent_.record_place, extent_.record_size);
  }

  std::uint64_t read(const std::function<bool(std::span<const double> row)>& take) const override {
    const std::size_t rows = layout_->chunk_rows(), size = layout_->shape().size();
    const std::uint64_t chunks = (extent_.rows + rows - 1) / rows;
    std::vector<double> values(size * rows), row(size);  // number after number of all rows of a chunk
    std::string packed;
    std::uint64_t taken = 0, end = layout_->begin();
    for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
      read_chunk(chunk, chunks, values, packed, end);
      for (std::size_t i = 0; i < rows && taken < extent_.rows; ++i, ++taken) {
        for (std::size_t k = 0; k < size; ++k) row[k] = values[k * rows + i];
        if (!take(row)) return taken;
      }
    }
    return taken;
  }

 private:
  /// Chunks follow each other: a damaged index does not lead in circles.
  void read_chunk(std::uint64_t number, std::uint64_t chunks, std::vector<double>& values, std::string& packed,
                  std::uint64_t& end) const {
    const std::uint64_t file_size = size_of_file(readable_.number());
    for (std::size_t i = 0; i < layout_->column_count(); ++i) {
      hdf5::Chunk chunk;
      const bool is_there = layout_->index(i).find(readable_.number(), extent_.roots[i], chunks, number, chunk) &&
                            chunk.place >= end && chunk.place <= file_size && chunk.size <= file_size - chunk.place;
      if (!is_there) refuse_damaged(file_.name, "has rows that are not there");
      end = chunk.place + chunk.size;
      packed.clear();
      readable_.append(packed, chunk.place, chunk.size);
      const std::size_t rows = layout_->chunk_rows();
      const std::span<double> numbers(&values[layout_->first_number(i) * rows], layout_->number_count(i) * rows);
      if (!hdf5::unpack_numbers(packed, numbers)) refuse_damaged(file_.name, "has other numbers than at first");
    }
  }

  ReadableFile readable_;
  std::optional<hdf5::Layout> layout_;
  hdf5::Extent extent_;
};

}  // namespace

std::unique_ptr<RowSource> open_hdf5_source(const std::string& file) { return std::make_unique<Hdf5Source>(file); }

}  // namespace noslip
