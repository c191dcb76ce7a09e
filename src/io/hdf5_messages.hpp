// The small pieces that HDF5 files are made of, as bytes.
//
// After "HDF5 File Format Specification Version 3.0" (The HDF Group): superblock version 2, object headers version 2,
// everything about an object in one header. All of it is read by HDF5 1.8 and later.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes.hpp"

namespace noslip::hdf5 {

constexpr std::uint64_t nowhere = ~std::uint64_t(0);  // an address that is not there; a length without limit

/// Messages of object headers.
enum MessageType : std::uint8_t {
  space_message = 0x01,
  link_info_message = 0x02,
  type_message = 0x03,
  fill_message = 0x05,
  link_message = 0x06,
  layout_message = 0x08,
  group_info_message = 0x0a,
  filter_message = 0x0b,
  attribute_message = 0x0c,
};

/// Bytes that follow each other, up to a multiple of eight.
inline std::uint64_t rounded_up(std::uint64_t size) { return (size + 7) / 8 * 8; }

/// The checksum of all metadata: the hash function lookup3 of Bob Jenkins.
std::uint32_t metadata_checksum(std::string_view bytes);

std::string double_type();
std::string integer_type();                   ///< 32 bits, with a sign
std::string byte_type();
std::string reference_type();                 ///< the address of an object
std::string list_of(const std::string& type); ///< any number of them, kept in a heap
std::string long_text_type();                 ///< a text in UTF-8, kept in a heap
std::string back_reference_type();            ///< of the attribute REFERENCE_LIST

std::string scalar_space();
struct Dimension {
  std::uint64_t size, most;
};
std::string simple_space(std::initializer_list<Dimension> dimensions);

/// Texts and lists that do not stand in an object header themselves.
class Heap {
 public:
  explicit Heap(std::uint64_t place) : place_(place) {}
  /// What a header holds in the place of these bytes; `count` is the number of elements.
  std::string add(std::string_view bytes, std::uint64_t count);
  /// To be called once, after everything was added.
  std::string finish();

 private:
  void finish_collection();
  std::uint64_t place_;  ///< of the collection that is being filled
  std::string finished_, objects_;
  std::uint64_t count_ = 0;
};

/// The header of an object, message by message.
class Header {
 public:
  Header& add(std::uint8_t type, const std::string& content, std::uint8_t flags = 0);
  Header& attribute(const std::string& name, const std::string& type, const std::string& space,
                    const std::string& content);
  Header& link(const std::string& name, std::uint64_t number, std::uint64_t address);
  /// So many bytes are before the content of the next message that is added.
  std::size_t next_content() const { return prefix + messages_.size() + 4; }
  std::string finish() const;

 private:
  static constexpr std::size_t prefix = 10;
  Bytes messages_;
};

}  // namespace noslip::hdf5
