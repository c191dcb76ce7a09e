#include <noslip/run/members.hpp>

#include <fmt/format.h>

#include "run/given_values.hpp"

namespace noslip {

std::string Members::name_of(std::size_t member) const { return fmt::format("member {}", member); }

Place Members::place_of_name(std::size_t) const { return {}; }

std::string identity_of_values(const std::vector<std::string>& names, std::size_t count, const Checksum& checksum) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return fmt::format("values of {} for {} members, checksum {:016x}", list, count, checksum.value());
}

}  // namespace noslip
