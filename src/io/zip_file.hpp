// Files of several parts in one: ZIP archives whose members are stored as they are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace noslip {

/// Where everything is in an archive whose members have known sizes. What is not the bytes of a member may be written
/// last, when the checksums are known. Sizes beyond 4 GiB are written as ZIP64.
class ZipLayout {
 public:
  /// `comment`: of the whole file, for people and programs that ask for it; at most 65535 bytes.
  explicit ZipLayout(std::string comment = {}) : comment_(std::move(comment)) {}

  struct Member {
    std::string name;
    std::uint64_t size;
    std::uint64_t header_place, place;  ///< of what stands before the bytes, and of the bytes
    std::uint32_t checksum = 0;         ///< CRC-32
  };

  /// The next member.
  void add(const std::string& name, std::uint64_t size);
  std::vector<Member>& members() { return members_; }
  const std::vector<Member>& members() const { return members_; }

  /// What stands before the bytes of a member. Its checksum is in the four bytes from `checksum_place`.
  static std::string header_of(const Member& member);
  static constexpr std::size_t checksum_place = 14;
  /// End of the last member, where the list of members begins.
  std::uint64_t end() const { return end_; }
  /// The list of members, without which it is no archive.
  std::string directory() const;

 private:
  std::string comment_;
  std::vector<Member> members_;
  std::uint64_t end_ = 0;
};

}  // namespace noslip
