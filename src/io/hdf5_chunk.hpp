// Blocks of a column as HDF5 files have them: bytes of numbers sorted by their significance (the filter `shuffle`), then
// compressed (`deflate`).
#pragma once

#include <string>
#include <string_view>

namespace noslip::hdf5 {

/// Appends doubles or texts of one length, packed, to a text. Numbers are sorted by significance; those bytes that
/// look random are stored as they are, which is much faster than an attempt to compress them. Without zlib all are.
void pack_numbers(std::string_view numbers, std::string& packed);
void pack_texts(std::string_view texts, std::string& packed);

}  // namespace noslip::hdf5
