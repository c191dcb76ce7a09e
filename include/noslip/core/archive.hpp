// One list for saving and loading: a class names its members once, and what is saved is what is loaded.
//
//   void Monitor::carry(Archive& archive) { archive(initial_, histories_, warnings_); }
#pragma once

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <noslip/core/bytes.hpp>
#include <noslip/core/status.hpp>

namespace noslip {

class Archive;

/// It names its members itself.
template <class Value>
concept CarriesItself = requires(Value& value, Archive& archive) { value.carry(archive); };
/// It has functions for either direction.
template <class Value>
concept SavesItself = requires(Value& value, ByteWriter& to, ByteReader& from) {
  value.save(to);
  value.load(from);
};

/// Writes what it is given, or reads it, in the order of the calls. InputError where bytes are missing, or where a list
/// has another length than it must have.
class Archive {
 public:
  explicit Archive(ByteWriter& to) : to_(&to) {}
  explicit Archive(ByteReader& from) : from_(&from) {}

  bool loads() const { return from_ != nullptr; }

  /// Lists get the length that they were saved with.
  template <class... Values>
  void operator()(Values&... values) {
    (carry(values), ...);
  }
  /// Of a list whose length is known beforehand.
  template <class Value>
  void fixed(std::vector<Value>& values) {
    auto count = static_cast<std::uint64_t>(values.size());
    carry(count);
    if (count != values.size()) throw InputError("the saved numbers are not as many as they have to be");
    for (Value& value : values) carry(value);
  }

 private:
  template <class Value>
  static constexpr bool is_number = std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_same_v<Value, quad>;

  template <class Value>
  void carry(Value& value) {
    if constexpr (CarriesItself<Value>) {
      value.carry(*this);
    } else if constexpr (SavesItself<Value>) {
      loads() ? value.load(*from_) : value.save(*to_);
    } else {
      static_assert(is_number<Value>, "it has to say what it carries");
      loads() ? from_->get(value) : to_->put(value);
    }
  }
  void carry(std::string& text) {
    if (loads()) {
      text = from_->get_text();
    } else {
      to_->put_text(text);
    }
  }
  template <class Value>
  void carry(std::vector<Value>& values) {
    values.resize(count(values.size()));
    for (Value& value : values) carry(value);
  }
  void carry(std::vector<bool>& values) {
    std::vector<unsigned char> bytes((values.size() + 7) / 8);
    auto size = static_cast<std::uint64_t>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) bytes[i / 8] |= static_cast<unsigned char>(1U << i % 8);
    }
    operator()(size, bytes);
    const std::uint64_t needed = size / 8 + (size % 8 != 0 ? 1 : 0);
    if (needed != bytes.size()) throw InputError("the saved numbers are not as many as they have to be");
    values.resize(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (bytes[i / 8] >> i % 8 & 1U) != 0;
  }
  template <class Value, std::size_t size>
  void carry(std::array<Value, size>& values) {
    for (Value& value : values) carry(value);
  }
  template <class First, class Second>
  void carry(std::pair<First, Second>& pair) {
    carry(pair.first), carry(pair.second);
  }
  template <class Value>
  void carry(std::optional<Value>& value) {
    bool is_there = value.has_value();
    carry(is_there);
    if (!is_there) {
      value.reset();
    } else {
      if (!value) value.emplace();
      carry(*value);
    }
  }
  void carry(Outcome& outcome) { operator()(outcome.status, outcome.message); }
  void carry(Warning& warning) { operator()(warning.code, warning.message, warning.t); }

  /// Of elements that follow.
  std::size_t count(std::size_t here) {
    if (loads()) return from_->get_count();
    to_->put(static_cast<std::uint64_t>(here));
    return here;
  }

  ByteWriter* to_ = nullptr;
  ByteReader* from_ = nullptr;
};

/// What an object carries, as bytes, and back.
template <class Value>
std::string saved_bytes(Value& value) {
  ByteWriter to;
  Archive archive(to);
  archive(value);
  return to.take();
}
template <class Value>
void load_bytes(Value& value, std::string_view bytes) {
  ByteReader from(bytes);
  Archive archive(from);
  archive(value);
  if (!from.is_at_end()) throw InputError("the saved state has more bytes than it should have", "save it again");
}

}  // namespace noslip
