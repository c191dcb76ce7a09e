// The members of an ensemble: what varies from one to the next, how many there are, and the values of each.
//
//   const auto members = grid_members({{"m", 1, 2, 11}, {"theta'", 0, 1, 101}});   // 1111, the last name varies fastest
//   integrate_ensemble(system, *members, {.run = {.method = "mp", .step = 0.05, .until = 50}});
//
// Values are made when they are asked for: a source does not grow with the number of its members.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace noslip {

/// Immutable; any number of threads may read.
class Members {
 public:
  virtual ~Members() = default;

  /// What varies: initial values as System::with_initial calls them (x, x', p(x), R(1)), parameters, inputs.
  const std::vector<std::string>& names() const { return names_; }
  std::size_t count() const { return count_; }
  /// The values of `count` members from `first` on, member after member, in the order of names().
  virtual void read(std::size_t first, std::size_t count, double* values) const = 0;
  /// How messages call a member: "member 3", or its place in a file.
  virtual std::string name_of(std::size_t member) const;
  /// Sources with the same text have the same members: for the comparison with a checkpoint.
  virtual std::string identity() const = 0;

 protected:
  Members(std::vector<std::string> names, std::size_t count) : names_(std::move(names)), count_(count) {}

 private:
  std::vector<std::string> names_;
  std::size_t count_;
};

/// Given values, member after member. InputError for names that come twice, numbers that are not finite or not as many
/// as names times members, and for no members.
std::shared_ptr<const Members> list_members(std::vector<std::string> names, std::vector<double> values);

/// Equally spaced values of one name, both ends included; a single one is `first`.
struct GridAxis {
  std::string name;
  double first = 0, last = 0;
  std::size_t count = 1;
};
/// All combinations; the last axis varies fastest. InputError for axes that make no sense, and more than 2^53 members.
std::shared_ptr<const Members> grid_members(std::vector<GridAxis> axes);

/// A value that is drawn for every member.
struct Variation {
  enum class Kind { uniform, normal };
  std::string name;
  Kind kind = Kind::uniform;
  double a = 0, b = 1;  ///< uniform: from a to b; normal: mean and standard deviation
};
/// Draws by a counter-based generator: member i is the same whatever the number of members, and whoever asks for it.
std::shared_ptr<const Members> sample_members(std::size_t count, std::uint64_t seed, std::vector<Variation> variations);

}  // namespace noslip
