#include "io/hdf5_messages.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace noslip::hdf5 {

std::uint32_t metadata_checksum(std::string_view bytes) {
  std::uint32_t a = 0xdeadbeefU + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  if (bytes.empty()) return c;
  const auto add = [&](std::string_view block) {
    std::uint32_t words[3] = {};
    for (std::size_t i = 0; i < block.size(); ++i) {
      words[i / 4] |= std::uint32_t(static_cast<unsigned char>(block[i])) << (8 * (i % 4));
    }
    a += words[0];
    b += words[1];
    c += words[2];
  };
  const auto mix = [](std::uint32_t& x, std::uint32_t y, std::uint32_t z, int turn) {
    x = (x - z) ^ std::rotl(z, turn);
    return z + y;
  };
  while (bytes.size() > 12) {
    add(bytes.substr(0, 12));
    c = mix(a, b, c, 4);
    a = mix(b, c, a, 6);
    b = mix(c, a, b, 8);
    c = mix(a, b, c, 16);
    a = mix(b, c, a, 19);
    b = mix(c, a, b, 4);
    bytes.remove_prefix(12);
  }
  add(bytes);
  const auto end = [](std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); };
  end(c, b, 14);
  end(a, c, 11);
  end(b, a, 25);
  end(c, b, 16);
  end(a, c, 4);
  end(b, a, 14);
  end(c, b, 24);
  return c;
}

std::string double_type() {
  Bytes type;
  type.one(0x11).one(0x20).one(0x3f).one(0).four(8);                   // the sign is bit 63
  type.two(0).two(64).one(52).one(11).one(0).one(52).four(1023);       // places and lengths of exponent and mantissa
  return type.str();
}

std::string integer_type() { return Bytes().one(0x10).one(0x08).two(0).four(4).two(0).two(32).str(); }

std::string byte_type() { return Bytes().one(0x10).one(0).two(0).four(1).two(0).two(8).str(); }

std::string reference_type() { return Bytes().one(0x17).one(0).two(0).four(8).str(); }

std::string list_of(const std::string& type) { return Bytes().one(0x19).one(0).two(0).four(16).text(type).str(); }

std::string long_text_type() {
  Bytes type;
  type.one(0x19).one(0x01).one(0x01).one(0).four(16);
  return type.text(byte_type()).str();
}

std::string back_reference_type() {
  Bytes type;
  type.one(0x36).two(2).one(0).four(16);
  type.text("dataset").one(0).one(0).text(reference_type());
  type.text("dimension").one(0).one(8).text(integer_type());
  return type.str();
}

std::string scalar_space() { return Bytes().one(2).one(0).one(0).one(0).str(); }

std::string simple_space(std::initializer_list<Dimension> dimensions) {
  Bytes space;
  space.one(2).one(dimensions.size()).one(1).one(1);
  for (const Dimension& dimension : dimensions) space.eight(dimension.size);
  for (const Dimension& dimension : dimensions) space.eight(dimension.most);
  return space.str();
}

std::string Heap::add(std::string_view bytes, std::uint64_t count) {
  if (count_ == 1000) finish_collection();
  ++count_;
  Bytes object;
  object.two(count_).two(0).four(0).eight(bytes.size()).text(bytes).zeros(rounded_up(bytes.size()) - bytes.size());
  objects_ += object.str();
  return Bytes().four(count).eight(place_).four(count_).str();
}

void Heap::finish_collection() {
  constexpr std::uint64_t head = 16, least = 4096;
  const std::uint64_t used = head + objects_.size(), size = std::max(least, used + head);
  Bytes all;
  all.text("GCOL").one(1).zeros(3).eight(size).text(objects_);
  all.two(0).two(0).four(0).eight(size - used).zeros(size - used - head);  // what is free
  finished_ += all.str();
  place_ += size;
  objects_.clear();
  count_ = 0;
}

std::string Heap::finish() {
  finish_collection();
  return finished_;
}

Header& Header::add(std::uint8_t type, const std::string& content, std::uint8_t flags) {
  assert(content.size() < 0x10000);
  messages_.one(type).two(content.size()).one(flags).text(content);
  return *this;
}

Header& Header::attribute(const std::string& name, const std::string& type, const std::string& space,
                          const std::string& content) {
  Bytes message;
  message.one(3).one(0).two(name.size() + 1).two(type.size()).two(space.size()).one(1);
  message.text(name).one(0).text(type).text(space).text(content);
  return add(attribute_message, message.str());
}

Header& Header::link(const std::string& name, std::uint64_t number, std::uint64_t address) {
  Bytes message;
  message.one(1).one(0x15).eight(number).one(1).two(name.size()).text(name).eight(address);  // a name in UTF-8
  return add(link_message, message.str());
}

std::string Header::finish() const {
  Bytes header;
  header.text("OHDR").one(2).one(0x02).four(messages_.size()).text(messages_.str());
  header.four(metadata_checksum(header.str()));
  return header.str();
}

}  // namespace noslip::hdf5
