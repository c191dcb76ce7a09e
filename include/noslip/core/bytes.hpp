// Numbers as bytes, for states that are saved and loaded on machines of one kind.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <noslip/core/error.hpp>
#include <noslip/core/scalar.hpp>

namespace noslip {

/// Bytes of a number that mean something: a long double of 80 bits has six others.
template <class T>
constexpr std::size_t bytes_of() {
  if constexpr (std::is_same_v<T, long double>) {
    return std::numeric_limits<long double>::digits == 64 ? 10 : sizeof(long double);
  } else {
    return sizeof(T);
  }
}

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), bytes_of<T>());
  }
  template <class T>
  void put_all(std::span<const T> values) {
    for (const T& value : values) put(value);
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

/// InputError where bytes are missing.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    T read{};
    std::memcpy(&read, next(bytes_of<T>()).data(), bytes_of<T>());
    value = read;
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }
  template <class T>
  void get_all(std::span<T> values) {
    for (T& value : values) get(value);
  }
  /// Of things that follow: no more than there are bytes.
  std::size_t get_count() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size()) next(bytes_.size() + 1);
    return static_cast<std::size_t>(count);
  }
  std::string get_text() { return std::string(next(get_count())); }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view next(std::size_t count) {
    if (count > bytes_.size()) throw InputError("the saved state is not complete", "save it again");
    const std::string_view found = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return found;
  }

  std::string_view bytes_;
};

}  // namespace noslip
