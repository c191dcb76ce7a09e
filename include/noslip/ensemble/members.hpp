// Members of an ensemble from lists, grids and samples.
//
//   const auto members = grid_members({{"m", 1, 2, 11}, {"theta'", 0, 1, 101}});   // 1111, the last name varies
//   fastest integrate_ensemble(system, *members, {.run = {.method = "mp", .step = 0.05, .until = 50}});
//
// Values of grids and samples are computed when they are asked for, with sums, products and roots alone: they have the
// same bits on every machine. A value costs some 10 ns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <noslip/run/members.hpp>

namespace noslip {

/// Given values, member after member. InputError for names that come twice, numbers that are not finite or not as many
/// as names times members, and for no members.
std::shared_ptr<const Members> list_members(std::vector<std::string> names, std::vector<double> values);

/// Equally spaced values of one name, both ends included; a single one is `first`. Both ends are exact, the others are
/// rounded once (but for one in 1e15), and from `last` to `first` come the same values the other way round.
struct GridAxis {
  std::string name;
  double first = 0, last = 0;
  std::size_t count = 1;
};
/// All combinations; the last axis varies fastest. InputError for axes that make no sense (no values, several at one
/// place, ends that are not finite), and more than 2^53 members.
std::shared_ptr<const Members> grid_members(std::vector<GridAxis> axes);

/// A value that is drawn for every member.
struct Variation {
  enum class Kind { uniform, normal };
  std::string name;
  Kind kind = Kind::uniform;
  double a = 0, b = 1;  ///< uniform: from a to b, b excluded unless it is a; normal: mean and standard deviation
};
/// Draws by a counter-based generator (Philox 4x32-10: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
/// as 1, 2, 3", SC 2011). A value depends on the seed, the number of the member and the place of the variation alone:
/// member i is the same whatever the number of members, and whoever asks for it. Uniform values have 53 random bits;
/// normal ones lie within 8.6 standard deviations. InputError for limits that make no sense, names that come twice, no
/// members and more than 2^53 of them.
std::shared_ptr<const Members> sample_members(std::size_t count, std::uint64_t seed, std::vector<Variation> variations);

}  // namespace noslip
