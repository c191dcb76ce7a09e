#include "io/zip_file.hpp"

#include "io/bytes.hpp"

namespace noslip {

namespace {

constexpr std::uint64_t limit = 0xffffffff;  // a size or an offset that stands in the ZIP64 part
constexpr std::uint16_t plain_version = 20, long_version = 45;
constexpr std::uint16_t names_in_utf8 = 1 << 11;
constexpr std::uint16_t first_day = (1 << 5) | 1;  // 1980-01-01, so that equal rows make equal files

}  // namespace

void ZipLayout::add(const std::string& name, std::uint64_t size) {
  Member member{name, size, end_, 0};
  member.place = end_ + header_of(member).size();
  end_ = member.place + size;
  members_.push_back(std::move(member));
}

std::string ZipLayout::header_of(const Member& member) {
  const bool is_long = member.size >= limit;
  Bytes header, extra;
  if (is_long) extra.two(1).two(16).eight(member.size).eight(member.size);
  header.four(0x04034b50).two(is_long ? long_version : plain_version).two(names_in_utf8).two(0).two(0).two(first_day);
  header.four(member.checksum).four(is_long ? limit : member.size).four(is_long ? limit : member.size);
  header.two(member.name.size()).two(extra.str().size()).text(member.name).text(extra.str());
  return header.str();
}

std::string ZipLayout::directory() const {
  Bytes all;
  for (const Member& member : members_) {
    const bool is_long = member.size >= limit, is_far = member.header_place >= limit;
    Bytes extra;
    if (is_long || is_far) {
      extra.two(1).two((is_long ? 16 : 0) + (is_far ? 8 : 0));
      if (is_long) extra.eight(member.size).eight(member.size);
      if (is_far) extra.eight(member.header_place);
    }
    const std::uint16_t version = is_long || is_far ? long_version : plain_version;
    all.four(0x02014b50).two(version).two(version).two(names_in_utf8).two(0).two(0).two(first_day);
    all.four(member.checksum).four(is_long ? limit : member.size).four(is_long ? limit : member.size);
    all.two(member.name.size()).two(extra.str().size()).two(0).two(0).two(0).four(0);
    all.four(is_far ? limit : member.header_place).text(member.name).text(extra.str());
  }
  const std::uint64_t size = all.str().size(), count = members_.size(), end = end_ + size;
  const bool is_far = end_ >= limit || size >= limit || count >= 0xffff;
  if (is_far) {
    all.four(0x06064b50).eight(44).two(long_version).two(long_version).four(0).four(0);
    all.eight(count).eight(count).eight(size).eight(end_);
    all.four(0x07064b50).four(0).eight(end).four(1);
  }
  all.four(0x06054b50).two(0).two(0).two(is_far ? 0xffff : count).two(is_far ? 0xffff : count);
  all.four(is_far ? limit : size).four(is_far ? limit : end_);
  all.two(comment_.size()).text(comment_);
  return all.str();
}

}  // namespace noslip
