// PNG pictures with a palette as tests read them: an inflate of stored blocks and fixed codes, written after RFC 1951,
// and failures where a checksum or a length is wrong.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/checksum.hpp"
#include "io/png.hpp"

namespace noslip::png_reading {

inline unsigned byte_at(const std::string& bytes, std::size_t i) { return static_cast<unsigned char>(bytes.at(i)); }

inline std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  return byte_at(bytes, at) << 24U | byte_at(bytes, at + 1) << 16U | byte_at(bytes, at + 2) << 8U |
         byte_at(bytes, at + 3);
}

class Bits {
 public:
  explicit Bits(const std::string& bytes, std::size_t from) : bytes_(bytes), at_(8 * from) {}
  unsigned take(int count) {
    unsigned value = 0;
    for (int i = 0; i < count; ++i, ++at_) value |= (byte_at(bytes_, at_ / 8) >> (at_ % 8) & 1U) << unsigned(i);
    return value;
  }
  unsigned take_code(unsigned before, int count) {  // the highest bit comes first
    for (int i = 0; i < count; ++i) before = before << 1U | take(1);
    return before;
  }
  std::size_t next_byte() {
    at_ = (at_ + 7) / 8 * 8;
    return at_ / 8;
  }
  void skip_bytes(std::size_t count) { at_ += 8 * count; }

 private:
  const std::string& bytes_;
  std::size_t at_;
};

/// A literal, 256, or a length of the fixed code.
inline int fixed_symbol(Bits& bits) {
  unsigned code = bits.take_code(0, 7);
  if (code < 24) return static_cast<int>(256 + code);
  code = bits.take_code(code, 1);
  if (code >= 48 && code < 192) return static_cast<int>(code - 48);
  if (code >= 192 && code < 200) return static_cast<int>(280 + code - 192);
  return static_cast<int>(144 + bits.take_code(code, 1) - 400);
}

inline void read_fixed_block(Bits& bits, std::string& result) {
  // Tables as the RFC prints them.
  constexpr std::array<int, 29> lengths{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                        31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
  constexpr std::array<int, 29> length_bits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                            2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  constexpr std::array<int, 30> distances{1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                          33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                          1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  while (true) {
    const int symbol = fixed_symbol(bits);
    if (symbol == 256) return;
    if (symbol < 256) {
      result += static_cast<char>(symbol);
      continue;
    }
    const auto which = static_cast<std::size_t>(symbol - 257);
    const int length = lengths.at(which) + static_cast<int>(bits.take(length_bits.at(which)));
    const unsigned far = bits.take_code(0, 5);
    const int distance = distances.at(far) + static_cast<int>(bits.take(far < 4 ? 0 : static_cast<int>(far / 2) - 1));
    ASSERT_LE(static_cast<std::size_t>(distance), result.size());
    for (int i = 0; i < length; ++i) result += result[result.size() - static_cast<std::size_t>(distance)];
  }
}

/// What zlib_stream() was given.
inline std::string inflated(const std::string& stream) {
  EXPECT_EQ((256 * byte_at(stream, 0) + byte_at(stream, 1)) % 31, 0U);
  EXPECT_EQ(byte_at(stream, 0), 0x78U);
  Bits bits(stream, 2);
  std::string result;
  bool is_last = false;
  while (!is_last && !::testing::Test::HasFatalFailure()) {
    is_last = bits.take(1) == 1;
    const unsigned kind = bits.take(2);
    EXPECT_LE(kind, 1U);
    if (kind == 1) {
      read_fixed_block(bits, result);
      continue;
    }
    const std::size_t at = bits.next_byte();
    const std::size_t length = byte_at(stream, at) + 256 * byte_at(stream, at + 1);
    EXPECT_EQ(length ^ 0xFFFFU, byte_at(stream, at + 2) + 256 * byte_at(stream, at + 3));
    result += stream.substr(at + 4, length);
    bits.skip_bytes(4 + length);
  }
  std::uint64_t a = 1, b = 0;  // without reducing them: short texts only
  for (const char c : result) {
    a += static_cast<unsigned char>(c);
    b += a;
  }
  const std::size_t end = bits.next_byte();
  EXPECT_EQ(end + 4, stream.size());
  EXPECT_EQ(number_at(stream, end), (b % 65521) << 16U | (a % 65521));
  return result;
}

inline IndexedImage image_of(const std::string& png) {
  IndexedImage image;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::string kinds, lines;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t length = number_at(png, at);
    const std::string kind = png.substr(at + 4, 4), content = png.substr(at + 8, length);
    EXPECT_EQ(number_at(png, at + 8 + length), crc32_of(0, kind + content)) << kind;
    kinds += kind;
    if (kind == "IHDR") {
      image.width = number_at(content, 0);
      image.height = number_at(content, 4);
      EXPECT_EQ(content.substr(8), std::string("\x08\x03\0\0\0", 5));
    } else if (kind == "PLTE") {
      for (std::size_t i = 0; i + 2 < content.size(); i += 3) {
        image.palette.push_back({static_cast<std::uint8_t>(content[i]), static_cast<std::uint8_t>(content[i + 1]),
                                 static_cast<std::uint8_t>(content[i + 2])});
      }
    } else if (kind == "IDAT") {
      lines = inflated(content);
    }
    at += 12 + length;
  }
  EXPECT_EQ(kinds, "IHDRPLTEIDATIEND");
  EXPECT_EQ(lines.size(), (image.width + 1) * image.height);
  for (std::size_t row = 0; row < image.height; ++row) {
    EXPECT_EQ(byte_at(lines, row * (image.width + 1)), 0U) << "filter";
    for (std::size_t i = 0; i < image.width; ++i) {
      image.pixels.push_back(static_cast<std::uint8_t>(lines.at(row * (image.width + 1) + 1 + i)));
    }
  }
  return image;
}

inline std::string from_base64(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  EXPECT_EQ(text.size() % 4, 0U);
  std::string bytes;
  unsigned held = 0, count = 0;
  for (const char c : text) {
    if (c == '=') break;
    held = held << 6U | static_cast<unsigned>(letters.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(held >> (count -= 8) & 0xFFU);
  }
  return bytes;
}

}  // namespace noslip::png_reading
