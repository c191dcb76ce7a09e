// Numbers as bytes of files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace noslip {

/// Numbers as bytes, the lowest first.
class Bytes {
 public:
  Bytes& one(std::uint64_t number) { return put(number, 1); }
  Bytes& two(std::uint64_t number) { return put(number, 2); }
  Bytes& four(std::uint64_t number) { return put(number, 4); }
  Bytes& eight(std::uint64_t number) { return put(number, 8); }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  Bytes& zeros(std::size_t count) {
    text_.append(count, '\0');
    return *this;
  }
  std::size_t size() const { return text_.size(); }
  const std::string& str() const { return text_; }

 private:
  Bytes& put(std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  std::string text_;
};

/// The number that so many bytes are.
inline std::uint64_t number_at(std::string_view bytes, std::size_t place, int count) {
  std::uint64_t number = 0;
  for (int i = count - 1; i >= 0; --i) number = number << 8 | static_cast<unsigned char>(bytes.at(place + i));
  return number;
}

}  // namespace noslip
