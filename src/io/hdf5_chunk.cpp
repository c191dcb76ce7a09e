#include "io/hdf5_chunk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
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

/// How alike two bytes of a sample are: their chance to be equal, in 256ths. 1 for random bytes.
double likeness(std::string_view bytes) {
  constexpr std::size_t samples = 1024;
  std::array<std::uint32_t, 256> counts{};
  const std::size_t stride = std::max<std::size_t>(1, bytes.size() / samples);
  std::uint64_t count = 0, pairs = 0;
  for (std::size_t i = 0; i < bytes.size(); i += stride, ++count) ++counts[static_cast<unsigned char>(bytes[i])];
  for (const std::uint64_t number : counts) pairs += number * number;
  if (count < 2) return 0;
  return 256 * static_cast<double>(pairs - count) / static_cast<double>(count * (count - 1));
}

/// Do groups of bytes come again, in a sample, more often than they do where bytes are as likely but come at random?
bool has_repetitions(std::string_view bytes, double likeness) {
  constexpr std::size_t samples = 1024, longest = 16;
  constexpr int bits = 10;
  if (bytes.size() < 2 * longest) return true;
  // Among random groups of this length about two would be equal.
  const double length = 19 / std::log2(256 / std::clamp(likeness, 1.0, 255.0));
  const auto used = static_cast<unsigned>(std::clamp(std::ceil(length), 4.0, static_cast<double>(longest)));
  const std::uint64_t first_mask = used >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * used) - 1;
  const std::uint64_t second_mask = used >= 16 ? ~std::uint64_t{0} : used > 8 ? (std::uint64_t{1} << 8 * (used - 8)) - 1 : 0;
  std::array<std::uint64_t, std::size_t{1} << bits> seen{};
  const std::size_t end = std::min(samples, bytes.size() - longest);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < end; ++i) {
    std::uint64_t first = 0, second = 0;
    std::memcpy(&first, bytes.data() + i, 8);
    std::memcpy(&second, bytes.data() + i + 8, 8);
    const std::uint64_t mixed = ((first & first_mask) * 0x9e3779b97f4a7c15U ^ (second & second_mask)) * 0xd6e8feb86659fd93U;
    std::uint64_t& last = seen[mixed >> (64 - bits)];
    if (last == (mixed | 1)) ++hits;
    last = mixed | 1;
  }
  return 24 * hits > end;
}

std::uint32_t stream_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      adler32(1, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

bool unpack_stream(std::string_view stream, std::string& bytes) {
  uLongf size = bytes.size();
  uLong used = stream.size();
  const int result = uncompress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                                 reinterpret_cast<const Bytef*>(stream.data()), &used);
  return result == Z_OK && size == bytes.size() && used == stream.size();
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

/// Of blocks that are stored as they are.
bool unpack_stream(std::string_view stream, std::string& bytes) {
  constexpr std::size_t head = 2, block_head = 5, end = 4;
  if (stream.size() < head + end || stream[0] != '\x78') return false;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(stream[i])); };
  const std::size_t stop = stream.size() - end;
  std::size_t at = head, filled = 0;
  for (bool is_last = false; !is_last;) {
    if (stop - at < block_head || byte(at) > 1) return false;
    is_last = byte(at) == 1;
    const std::size_t size = byte(at + 1) | byte(at + 2) << 8;
    at += block_head;
    if (size > stop - at || size > bytes.size() - filled) return false;
    std::memcpy(bytes.data() + filled, stream.data() + at, size);
    at += size;
    filled += size;
  }
  const std::uint32_t sum = byte(stop) << 24 | byte(stop + 1) << 16 | byte(stop + 2) << 8 | byte(stop + 3);
  return at == stop && filled == bytes.size() && sum == adler(bytes);
}

#endif

/// The first bytes of all numbers, then the second ones, and so on.
void sort_bytes(const char* numbers, std::size_t count, char* sorted) {
  static_assert(std::endian::native == std::endian::little);
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    std::array<std::uint64_t, 8> rows;
    std::memcpy(rows.data(), numbers + i * number_size, sizeof rows);
    // Blocks of a matrix of 8 x 8 bytes change places with those across the diagonal: 4 x 4, 2 x 2, single ones.
    const auto exchange = [&](std::size_t distance, std::uint64_t low) {
      const int shift = static_cast<int>(8 * distance);
      for (std::size_t a = 0; a < 8; ++a) {
        if ((a & distance) != 0) continue;
        const std::uint64_t changed = (rows[a] >> shift ^ rows[a + distance]) & low;
        rows[a + distance] ^= changed;
        rows[a] ^= changed << shift;
      }
    };
    exchange(4, 0x00000000ffffffffU);
    exchange(2, 0x0000ffff0000ffffU);
    exchange(1, 0x00ff00ff00ff00ffU);
    for (std::size_t byte = 0; byte < 8; ++byte) std::memcpy(sorted + byte * count + i, &rows[byte], 8);
  }
  for (; i < count; ++i) {
    for (std::size_t byte = 0; byte < number_size; ++byte) sorted[byte * count + i] = numbers[i * number_size + byte];
  }
}

void begin_stream(std::string& stream) { stream += {'\x78', '\x01'}; }

void end_stream(std::string_view bytes, std::string& stream) {
  stream += {'\x01', '\0', '\0', '\xff', '\xff'};  // a last block without bytes
  const std::uint32_t checksum = stream_checksum(bytes);
  for (int shift = 24; shift >= 0; shift -= 8) stream += static_cast<char>(checksum >> shift & 0xff);
}

}  // namespace

#if NOSLIP_HAS_ZLIB

/// One compressor for all blocks. With `searches` it looks for repetitions; otherwise bytes that are frequent become
/// short, which takes half of the time.
class Deflater {
 public:
  explicit Deflater(bool searches) {
    const int strategy = searches ? Z_DEFAULT_STRATEGY : Z_HUFFMAN_ONLY;
    if (deflateInit2(&stream_, 1, Z_DEFLATED, -15, 8, strategy) != Z_OK) throw std::bad_alloc();  // raw
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
  constexpr double worth_counting = 8;  // less saves a byte in four at most, and takes longer than everything else
  const double like = likeness(bytes);
  if (has_repetitions(bytes, like)) {
    searching_->add(bytes, stream);
  } else if (like > worth_counting) {
    counting_->add(bytes, stream);
  } else {
    store(bytes, stream);
  }
}

#else

class Deflater {
 public:
  explicit Deflater(bool) {}
};

void Packer::block(std::string_view bytes, std::string& stream) { store(bytes, stream); }

#endif

Packer::Packer() : searching_(std::make_unique<Deflater>(true)), counting_(std::make_unique<Deflater>(false)) {}
Packer::~Packer() = default;

void Packer::numbers(std::string_view numbers, std::string& packed) {
  const std::size_t count = numbers.size() / number_size;
  sorted_.resize(numbers.size());
  sort_bytes(numbers.data(), count, sorted_.data());
  begin_stream(packed);
  for (std::size_t byte = 0; byte < number_size; ++byte) {
    block(std::string_view(sorted_).substr(byte * count, count), packed);
  }
  end_stream(sorted_, packed);
}

bool unpack_numbers(std::string_view packed, std::span<double> numbers) {
  std::string sorted(numbers.size_bytes(), '\0');
  if (!unpack_stream(packed, sorted)) return false;
  const std::size_t count = numbers.size();
  auto* const bytes = reinterpret_cast<char*>(numbers.data());
  for (std::size_t byte = 0; byte < number_size; ++byte) {
    const char* const from = sorted.data() + byte * count;
    for (std::size_t i = 0; i < count; ++i) bytes[i * number_size + byte] = from[i];
  }
  return true;
}

void Packer::texts(std::string_view texts, std::string& packed) {
  begin_stream(packed);
  block(texts, packed);
  end_stream(texts, packed);
}

}  // namespace noslip::hdf5
