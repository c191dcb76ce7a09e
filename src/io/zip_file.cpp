#include "io/zip_file.hpp"

#include <array>

namespace noslip {

namespace {

constexpr std::uint64_t limit = 0xffffffff;  // a size or an offset that stands in the ZIP64 part
constexpr std::uint16_t plain_version = 20, long_version = 45;
constexpr std::uint16_t names_in_utf8 = 1 << 11;
constexpr std::uint16_t first_day = (1 << 5) | 1;  // 1980-01-01, so that equal rows make equal files

/// Numbers as bytes, the lowest first.
class Bytes {
 public:
  Bytes& two(std::uint64_t number) { return put(number, 2); }
  Bytes& four(std::uint64_t number) { return put(number, 4); }
  Bytes& eight(std::uint64_t number) { return put(number, 8); }
  Bytes& text(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& str() const { return text_; }

 private:
  Bytes& put(std::uint64_t number, int count) {
    for (int i = 0; i < count; ++i) text_ += static_cast<char>(number >> (8 * i) & 0xff);
    return *this;
  }
  std::string text_;
};

constexpr std::array<std::uint32_t, 256> checksums_of_bytes() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320U : 0U);
    table[byte] = rest;
  }
  return table;
}

/// CRC-32, piece after piece.
std::uint32_t checksum(std::uint32_t before, std::string_view piece) {
  static constexpr std::array<std::uint32_t, 256> table = checksums_of_bytes();
  std::uint32_t rest = ~before;
  for (const char c : piece) rest = table[(rest ^ static_cast<unsigned char>(c)) & 0xff] ^ (rest >> 8);
  return ~rest;
}

}  // namespace

void ZipFile::write(const std::string& bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void ZipFile::add(const std::string& name, std::span<const std::string_view> pieces) {
  Member member{name, 0, written_, 0};
  for (const std::string_view piece : pieces) {
    member.size += piece.size();
    member.checksum = checksum(member.checksum, piece);
  }
  const bool is_long = member.size >= limit;
  Bytes header, extra;
  if (is_long) extra.two(1).two(16).eight(member.size).eight(member.size);
  header.four(0x04034b50).two(is_long ? long_version : plain_version).two(names_in_utf8).two(0).two(0).two(first_day);
  header.four(member.checksum).four(is_long ? limit : member.size).four(is_long ? limit : member.size);
  header.two(name.size()).two(extra.str().size()).text(name).text(extra.str());
  write(header.str());
  for (const std::string_view piece : pieces) {
    file_.write(piece);
    written_ += piece.size();
  }
  members_.push_back(std::move(member));
}

void ZipFile::close() {
  const std::uint64_t begin = written_;
  for (const Member& member : members_) {
    const bool is_long = member.size >= limit, is_far = member.offset >= limit;
    Bytes header, extra;
    if (is_long || is_far) {
      extra.two(1).two((is_long ? 16 : 0) + (is_far ? 8 : 0));
      if (is_long) extra.eight(member.size).eight(member.size);
      if (is_far) extra.eight(member.offset);
    }
    const std::uint16_t version = is_long || is_far ? long_version : plain_version;
    header.four(0x02014b50).two(version).two(version).two(names_in_utf8).two(0).two(0).two(first_day);
    header.four(member.checksum).four(is_long ? limit : member.size).four(is_long ? limit : member.size);
    header.two(member.name.size()).two(extra.str().size()).two(0).two(0).two(0).four(0);
    header.four(is_far ? limit : member.offset).text(member.name).text(extra.str());
    write(header.str());
  }
  const std::uint64_t size = written_ - begin, count = members_.size(), end = written_;
  const bool is_far = begin >= limit || size >= limit || count >= 0xffff;
  Bytes tail;
  if (is_far) {
    tail.four(0x06064b50).eight(44).two(long_version).two(long_version).four(0).four(0);
    tail.eight(count).eight(count).eight(size).eight(begin);
    tail.four(0x07064b50).four(0).eight(end).four(1);
  }
  tail.four(0x06054b50).two(0).two(0).two(is_far ? 0xffff : count).two(is_far ? 0xffff : count);
  tail.four(is_far ? limit : size).four(is_far ? limit : begin).two(0);
  write(tail.str());
  file_.close();
}

}  // namespace noslip
