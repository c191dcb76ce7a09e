#include "io/png.hpp"

#include <cassert>

#include <fmt/format.h>

#include "io/checksum.hpp"
#include "io/deflate.hpp"

namespace noslip {

namespace {

void append_number(std::string& bytes, std::size_t number) {
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(number >> shift & 0xFFU);
}

/// Length, kind, content and checksum.
void append_png_chunk(std::string& bytes, std::string_view kind, std::string_view content) {
  append_number(bytes, content.size());
  bytes += kind;
  bytes += content;
  append_number(bytes, crc32_of(crc32_of(0, kind), content));
}

}  // namespace

std::string to_text(Rgb colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue); }

Rgb rgb_of(const char* text) {
  const auto digit = [&](int i) { return text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10; };
  const auto part = [&](int i) { return static_cast<std::uint8_t>(16 * digit(i) + digit(i + 1)); };
  return {part(1), part(3), part(5)};
}

std::string png_of(const IndexedImage& image) {
  assert(image.width > 0 && image.height > 0 && image.pixels.size() == image.width * image.height);
  assert(!image.palette.empty() && image.palette.size() <= 256);
  std::string header, palette, lines;
  append_number(header, image.width);
  append_number(header, image.height);
  header +=
      std::string("\x08\x03\x00\x00\x00", 5);  // 8 bits, palette, deflate, the only set of filters, not interlaced
  for (const Rgb& colour : image.palette) {
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) palette += static_cast<char>(part);
  }
  lines.reserve((image.width + 1) * image.height);
  for (std::size_t row = 0; row < image.height; ++row) {
    lines += '\0';  // no filter: neighbours in the palette are not neighbours in bytes
    const auto first = image.pixels.begin() + static_cast<std::ptrdiff_t>(row * image.width);
    lines.append(first, first + static_cast<std::ptrdiff_t>(image.width));
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  append_png_chunk(png, "IHDR", header);
  append_png_chunk(png, "PLTE", palette);
  append_png_chunk(png, "IDAT", zlib_stream(lines));
  append_png_chunk(png, "IEND", "");
  return png;
}

}  // namespace noslip
