// What the description of an HDF5 file says, read back: columns, notes, times, and where the record is.
#pragma once

#include <cstdint>

#include <noslip/io/row_sink.hpp>

#include "io/row_blocks.hpp"

namespace noslip::hdf5 {

struct Described {
  RowFile file;         ///< as it was opened; columns are times or expressions
  std::string version;  ///< that wrote it; empty: not known
};

/// Reads no more than it needs: whether the rest is as noslip writes it, is to be asked of a Layout. InputError for a
/// file that is damaged or not one of noslip, and for columns of words.
Described described_in(const ReadableFile& file);

}  // namespace noslip::hdf5
