// Small PNG pictures with a palette, made without a library, to be put into documents.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace noslip {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

/// `#rrggbb`
std::string to_text(Rgb colour);
Rgb rgb_of(const char* text);  ///< of such a text

struct IndexedImage {
  std::size_t width = 0, height = 0;  ///< at least 1
  std::vector<std::uint8_t> pixels;   ///< places in the palette, row by row from the top
  std::vector<Rgb> palette;           ///< 1 to 256
};

std::string png_of(const IndexedImage& image);

}  // namespace noslip
