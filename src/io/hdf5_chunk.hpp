// Blocks of a column as HDF5 files have them: bytes of numbers sorted by their significance (the filter `shuffle`), then
// compressed (`deflate`).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace noslip::hdf5 {

class Deflater;

/// Appends doubles or texts of one length, packed, to a text. Numbers are sorted by significance; those bytes that
/// look random are stored as they are, which is much faster than an attempt to compress them. Without zlib all are.
class Packer {
 public:
  Packer();
  ~Packer();
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  void numbers(std::string_view numbers, std::string& packed);
  void texts(std::string_view texts, std::string& packed);

 private:
  void block(std::string_view bytes, std::string& stream);

  std::string sorted_;
  std::unique_ptr<Deflater> searching_, counting_;
};

/// The way back: exactly so many doubles. False if they are not in it, or not as they were packed; without zlib also if they
/// are compressed.
bool unpack_numbers(std::string_view packed, std::span<double> numbers);

}  // namespace noslip::hdf5
