// CRC-32, eight bytes at a time.
#include "io/checksum.hpp"

namespace noslip {

namespace {

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

/// The first table is for one byte; each other one for a byte that so many bytes follow.
constexpr CrcTables crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320U : 0U);
    tables[0][byte] = rest;
  }
  for (std::size_t after = 1; after < tables.size(); ++after) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t rest = tables[after - 1][byte];
      tables[after][byte] = (rest >> 8) ^ tables[0][rest & 0xff];
    }
  }
  return tables;
}

}  // namespace

std::uint32_t crc32_of(std::uint32_t before, std::string_view piece) {
  static constexpr CrcTables tables = crc_tables();
  std::uint32_t rest = ~before;
  while (piece.size() >= 8) {
    std::array<unsigned char, 8> bytes{};
    std::memcpy(bytes.data(), piece.data(), bytes.size());
    for (std::size_t i = 0; i < 4; ++i) bytes[i] ^= static_cast<unsigned char>(rest >> (8 * i) & 0xff);
    rest = 0;
    for (std::size_t i = 0; i < 8; ++i) rest ^= tables[7 - i][bytes[i]];
    piece.remove_prefix(8);
  }
  for (const char c : piece) rest = tables[0][(rest ^ static_cast<unsigned char>(c)) & 0xff] ^ (rest >> 8);
  return ~rest;
}

}  // namespace noslip
