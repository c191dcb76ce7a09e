// Files of several parts in one: ZIP archives whose members are stored as they are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/io/output_file.hpp>

namespace noslip {

/// Writes an archive from front to back; sizes beyond 4 GiB are written as ZIP64. FileError as OutputFile has them.
class ZipFile {
 public:
  ZipFile(const std::string& name, bool overwrite) : file_(name, overwrite) {}

  /// A member whose bytes are the pieces, one after the other.
  void add(const std::string& name, std::span<const std::string_view> pieces);
  /// The list of members, without which it is no archive; to be called once, at the end.
  void close();

 private:
  struct Member {
    std::string name;
    std::uint64_t size, offset;
    std::uint32_t checksum;
  };
  void write(const std::string& bytes);

  OutputFile file_;
  std::vector<Member> members_;
  std::uint64_t written_ = 0;
};

}  // namespace noslip
