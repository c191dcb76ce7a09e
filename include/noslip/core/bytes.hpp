// Numbers as bytes, for states that are saved and loaded on machines of one kind.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
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

/// Of bytes that have arrived as they were sent (FNV-1a): never the same if one byte differs.
inline std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037ULL;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  return sum;
}

/// Bytes with their checksum behind them.
inline std::string sealed(std::string bytes) {
  const std::uint64_t sum = checksum(bytes);
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}
/// The bytes before the checksum; nothing if they are not complete, or have changed.
inline std::optional<std::string_view> unsealed(std::string_view bytes) {
  std::uint64_t sum = 0;
  if (bytes.size() < sizeof sum) return std::nullopt;
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes.remove_suffix(sizeof sum);
  return checksum(bytes) == sum ? std::optional(bytes) : std::nullopt;
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

/// InputError unless a number that was read makes sense. Whoever uses it as an index or counts on with it has to ask: a
/// checksum tells only that the bytes are as they were sent.
inline void require_saved(bool makes_sense) {
  if (!makes_sense) throw InputError("the saved state has numbers that no stepper saves", "save it again");
}
/// An index from 0 to n - 1 that was saved as a number.
template <class T>
int saved_index(T number, int n) {
  require_saved(number >= T(0) && number < T(n));
  return static_cast<int>(number);
}
/// A counter to which more may be added.
template <class T>
void require_counter(T number) {
  require_saved(number >= 0 && number <= std::numeric_limits<T>::max() / 2);
}

/// InputError where bytes are missing.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, bool>) {  // other bytes are none
      const auto byte = get<unsigned char>();
      require_saved(byte <= 1);
      value = byte != 0;
    } else {
      T read{};
      std::memcpy(&read, next(bytes_of<T>()).data(), bytes_of<T>());
      value = read;
    }
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
