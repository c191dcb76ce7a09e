// PNG pictures written without a library: every content comes back, and what repeats takes little room.
#include <random>

#include <gtest/gtest.h>

#include "io/base64.hpp"
#include "io/deflate.hpp"
#include "io/png.hpp"
#include "png_reading.hpp"

namespace noslip {
namespace {

using namespace png_reading;

std::string noise(std::size_t length, int letters, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(random() % static_cast<unsigned>(letters));
  return text;
}

TEST(Deflate, ContentComesBack) {
  for (const std::size_t length : {0U, 1U, 2U, 3U, 4U, 257U, 258U, 259U, 260U, 65534U, 65535U, 65536U, 140000U}) {
    for (const int letters : {1, 2, 16, 256}) {
      const std::string text = noise(length, letters, 7);
      EXPECT_TRUE(inflated(zlib_stream(text)) == text) << length << " of " << letters;
    }
  }
}

TEST(Deflate, EveryLengthAndDistanceIsFoundAgain) {
  // A piece of noise, other noise, and the piece again: one match, `distance` back.
  for (std::size_t length = 3; length <= 300; ++length) {
    const std::string piece = noise(length, 256, 1);
    for (const std::size_t gap : {0U, 1U, 5U, 300U}) {
      const std::string text = piece + noise(gap, 256, 2) + piece;
      EXPECT_TRUE(inflated(zlib_stream(text)) == text) << length << ' ' << gap;
    }
  }
  const std::string piece = noise(200, 256, 1);
  std::vector<std::size_t> distances{32766, 32767, 32768, 32769, 32770, 33000};  // the farthest is 32768
  for (std::size_t distance = 200; distance < 32766; distance = distance * 9 / 8) distances.push_back(distance);
  for (const std::size_t distance : distances) {
    const std::string text = piece + noise(distance - piece.size(), 2, 3) + piece;
    EXPECT_TRUE(inflated(zlib_stream(text)) == text) << distance;
  }
}

TEST(Deflate, WhatRepeatsIsShortAndNoiseIsStored) {
  EXPECT_LT(zlib_stream(std::string(1000000, 'a')).size(), 10000U);
  EXPECT_LT(zlib_stream(noise(1000000, 256, 5)).size(), 1000000U + 200);
  std::string rows;
  for (int i = 0; i < 500; ++i) rows += noise(1000, 256, 9);
  EXPECT_LT(zlib_stream(rows).size(), 10000U) << "the same row again and again";
}

TEST(Png, PicturesComeBack) {
  for (const std::size_t width : {1U, 3U, 200U}) {
    IndexedImage image{width, 7, {}, {}};
    const std::string pixels = noise(width * 7, 200, 3);
    for (const char c : pixels) image.pixels.push_back(static_cast<std::uint8_t>(c));
    for (int i = 0; i < 200; ++i) image.palette.push_back({static_cast<std::uint8_t>(i), 2, 255});
    const IndexedImage read = image_of(png_of(image));
    EXPECT_EQ(read.width, image.width);
    EXPECT_EQ(read.height, image.height);
    EXPECT_EQ(read.pixels, image.pixels);
    EXPECT_EQ(read.palette, image.palette);
  }
}

TEST(Base64, IsWhatTheRfcPrints) {
  // RFC 4648, sec. 10.
  EXPECT_EQ(base64_of(""), "");
  EXPECT_EQ(base64_of("f"), "Zg==");
  EXPECT_EQ(base64_of("fo"), "Zm8=");
  EXPECT_EQ(base64_of("foo"), "Zm9v");
  EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64_of("\xff\xfe\xfd"), "//79");
}

TEST(Colours, AreWrittenAsSvgHasThem) {
  EXPECT_EQ(to_text(Rgb{255, 0, 10}), "#ff000a");
  EXPECT_EQ(rgb_of("#ff000a"), (Rgb{255, 0, 10}));
}

}  // namespace
}  // namespace noslip
