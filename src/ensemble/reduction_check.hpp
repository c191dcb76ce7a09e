// What a reduction may ask for.
#pragma once

#include <string>
#include <vector>

#include <noslip/ensemble/reduction.hpp>

namespace noslip {

inline constexpr std::size_t most_bins = 100'000;

/// What is wrong with the numbers of a reduction, and what to do; an empty text if nothing is.
struct ReductionFault {
  std::string what, remedy;
};
ReductionFault fault_of(const MemberReduction& reduction);

/// InputError, all problems at once: faults, expressions that are missing, texts that come twice.
void check_reductions(const std::vector<MemberReduction>& reductions);

}  // namespace noslip
