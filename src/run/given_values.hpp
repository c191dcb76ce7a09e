// What sources of members that were written down one by one have in common: lists in memory and files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/checksum.hpp"

namespace noslip {

/// Adds the bits of numbers to a checksum; in which pieces they come does not matter.
inline void add_numbers(Checksum& checksum, std::span<const double> numbers) {
  checksum.add({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

/// The identity of members (run/members.hpp) with these names and this checksum of all values, member after member.
std::string identity_of_values(const std::vector<std::string>& names, std::size_t count, const Checksum& checksum);

}  // namespace noslip
