// What a saved run is one of: everything that its rest depends on and that is given again when it goes on.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/run.hpp>

#include "run/program_data.hpp"

namespace noslip {

struct RunTrait {
  std::string what, value;
  void carry(Archive& archive) { archive(what, value); }
  friend bool operator==(const RunTrait&, const RunTrait&) = default;
};

/// In words for messages. The end of the run is not part of it.
template <class T>
std::vector<RunTrait> identity_of(const System& system, const ProgramData<T>& program, const Start<T>& start,
                                  const RunOptions& options);

/// InputError with all differences.
void require_same_run(const std::vector<RunTrait>& saved, const std::vector<RunTrait>& here);

}  // namespace noslip
