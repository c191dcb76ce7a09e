#include "io/hdf5_chunk.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#if NOSLIP_HAS_ZLIB
#include <zlib.h>
#endif

namespace noslip::hdf5 {

namespace {

constexpr std::size_t number_size = 8;
constexpr std::size_t most_stored = 65535;  // bytes of a block that is not compressed

/// Blocks that are not compressed, for a stream that is at a whole byte.
void store(std::string_view bytes, std::string& stream) {
  while (!bytes.empty()) {
    const std::string_view block = bytes.substr(0, most_stored);
    const auto size = static_cast<std::uint32_t>(block.size());
    stream += '\0';
    for (const std::uint32_t number : {size, ~size}) {
      stream += static_cast<char>(number & 0xff);
      stream += static_cast<char>(number >> 8 & 0xff);
    }
    stream += block;
    bytes.remove_prefix(block.size());
  }
}

#if NOSLIP_HAS_ZLIB

/// Few different bytes, or some much more often than others, in a sample.
bool looks_compressible(std::string_view bytes) {
  constexpr std::size_t samples = 1024;
  std::array<std::uint32_t, 256> counts{};
  const std::size_t stride = std::max<std::size_t>(1, bytes.size() / samples);
  std::uint64_t count = 0, pairs = 0;
  for (std::size_t i = 0; i < bytes.size(); i += stride, ++count) ++counts[static_cast<unsigned char>(bytes[i])];
  for (const std::uint64_t number : counts) pairs += number * number;
  // Random bytes have count + count^2/256 of them.
  return pairs * 256 > 256 * count + count * count * 3 / 2;
}

std::uint32_t stream_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      adler32(1, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

#else

/// The checksum at the end of a stream.
std::uint32_t adler(std::string_view bytes) {
  constexpr std::uint32_t modulus = 65521;
  std::uint32_t a = 1, b = 0;
  while (!bytes.empty()) {
    const std::string_view block = bytes.substr(0, 5552);  // as long as sums stay below 2^32
    for (const char c : block) b += a += static_cast<unsigned char>(c);
    a %= modulus;
    b %= modulus;
    bytes.remove_prefix(block.size());
  }
  return b << 16 | a;
}

std::uint32_t stream_checksum(std::string_view bytes) { return adler(bytes); }

#endif

void begin_stream(std::string& stream) { stream += {'\x78', '\x01'}; }

void end_stream(std::string_view bytes, std::string& stream) {
  stream += {'\x01', '\0', '\0', '\xff', '\xff'};  // a last block without bytes
  const std::uint32_t checksum = stream_checksum(bytes);
  for (int shift = 24; shift >= 0; shift -= 8) stream += static_cast<char>(checksum >> shift & 0xff);
}

}  // namespace

#if NOSLIP_HAS_ZLIB

/// One compressor for all blocks.
class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();  // raw
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Ends at a whole byte. What does not become shorter is stored.
  void add(std::string_view bytes, std::string& stream) {
    const std::size_t before = stream.size(), room = bytes.size() + bytes.size() / 1000 + 64;
    if (deflateReset(&stream_) == Z_OK) {
      stream.resize(before + room);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream_.avail_in = static_cast<uInt>(bytes.size());
      stream_.next_out = reinterpret_cast<Bytef*>(stream.data() + before);
      stream_.avail_out = static_cast<uInt>(room);
      const bool is_done = deflate(&stream_, Z_SYNC_FLUSH) == Z_OK && stream_.avail_in == 0 && stream_.avail_out > 0;
      const std::size_t size = room - stream_.avail_out;
      stream.resize(is_done && size < bytes.size() ? before + size : before);
      if (stream.size() > before) return;
    }
    store(bytes, stream);
  }

 private:
  z_stream stream_{};
};

void Packer::block(std::string_view bytes, std::string& stream) {
  looks_compressible(bytes) ? deflater_->add(bytes, stream) : store(bytes, stream);
}

#else

class Deflater {};

void Packer::block(std::string_view bytes, std::string& stream) { store(bytes, stream); }

#endif

Packer::Packer() : deflater_(std::make_unique<Deflater>()) {}
Packer::~Packer() = default;

void Packer::numbers(std::string_view numbers, std::string& packed) {
  const std::size_t count = numbers.size() / number_size;
  sorted_.resize(numbers.size());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t byte = 0; byte < number_size; ++byte) sorted_[byte * count + i] = numbers[i * number_size + byte];
  }
  begin_stream(packed);
  for (std::size_t byte = 0; byte < number_size; ++byte) {
    block(std::string_view(sorted_).substr(byte * count, count), packed);
  }
  end_stream(sorted_, packed);
}

void Packer::texts(std::string_view texts, std::string& packed) {
  begin_stream(packed);
  block(texts, packed);
  end_stream(texts, packed);
}

}  // namespace noslip::hdf5
