// Where the members of an ensemble come from: what varies from one to the next, how many there are, and the values of
// each. Sources: ensemble/members.hpp (lists, grids, samples), io/members_file.hpp (files), and classes of your own.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <noslip/core/error.hpp>

namespace noslip {

/// Immutable; any number of threads may read. Values are made or read when they are asked for: a source need not grow
/// with the number of its members.
class Members {
 public:
  virtual ~Members() = default;
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// What varies: initial values as System::with_initial calls them (x, x', p(x), R(1)), parameters, inputs.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t count() const { return count_; }
  /// The values of `count` members from `first` on, member after member, in the order of names(). FileError if they
  /// come from a file that has changed or can no longer be read. Best in blocks: calls for single members cost more.
  virtual void read(std::size_t first, std::size_t count, double* values) const = 0;
  /// How messages call a member: "member 3" (they count from 0), or its place in a file.
  virtual std::string name_of(std::size_t member) const;
  /// Where a name is written, for messages about it; without a file the place is empty.
  virtual Place place_of_name(std::size_t name) const;
  /// Sources with the same text have the same members: for the comparison with a checkpoint.
  virtual std::string identity() const = 0;
  /// Somebody has written down each member: all of them are checked before anything runs. Of a rule (a grid, a sample)
  /// members that cannot start fail by themselves.
  virtual bool is_table() const { return true; }

 protected:
  Members(std::vector<std::string> names, std::size_t count) : names_(std::move(names)), count_(count) {}

 private:
  std::vector<std::string> names_;
  std::size_t count_;
};

}  // namespace noslip
