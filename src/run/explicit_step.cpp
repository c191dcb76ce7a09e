// A step that keeps what it replaces.
#include "run/explicit_step.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

#include <noslip/tape/backup.hpp>

namespace noslip {

Tape explicit_step(const Tape& finish, const StepLayout& layout) {
  const auto slots = [](int first, int count) {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), static_cast<std::uint32_t>(first));
    return all;
  };
  return with_backup(finish, {slots(layout.state, layout.moving_count()), static_cast<std::uint32_t>(layout.before),
                              slots(layout.state, layout.solved_count()), static_cast<std::uint32_t>(layout.verdict)});
}

}  // namespace noslip
