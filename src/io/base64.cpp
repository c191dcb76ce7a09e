// Three bytes are four letters.
#include "io/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace noslip {

namespace {

constexpr std::string_view letters_of_base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto places_in_base64 = [] {
  std::array<std::uint8_t, 256> places{};
  places.fill(64);
  for (std::size_t i = 0; i < letters_of_base64.size(); ++i) {
    places[static_cast<unsigned char>(letters_of_base64[i])] = static_cast<std::uint8_t>(i);
  }
  return places;
}();

}  // namespace

std::string base64_of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters_of_base64[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const std::size_t padding = !is_last || text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint8_t place = k < 4 - padding ? places_in_base64[static_cast<unsigned char>(text[i + k])] : 0;
      if (place == 64) return std::nullopt;
      word = word << 6 | place;
    }
    for (std::size_t k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 0xff);
    if (padding > 0 && (word & ((1U << 8 * padding) - 1)) != 0) return std::nullopt;
  }
  return bytes;
}

}  // namespace noslip
