// Checkpoints of runs and ensembles from Python: files that noslip.resume() goes on from.
#pragma once

#include <optional>
#include <string>

#include <noslip/core/archive.hpp>
#include <noslip/io/checkpoint_file.hpp>

#include "options.hpp"

namespace noslip::python {

inline constexpr const char* run_kind = "python run";
inline constexpr const char* ensemble_kind = "python ensemble";

/// A call that writes checkpoints, from the keywords `checkpoint` and `force`.
class CheckpointTarget {
 public:
  /// FileError if the file exists and may not be replaced, or if another program writes it.
  CheckpointTarget(const Given& given, bool goes_on);
  explicit operator bool() const { return !file_.empty(); }
  template <class Saved>
  void write(const char* kind, Saved& saved) const {
    write_checkpoint(file_, {kind, saved_bytes(saved)});
  }

 private:
  std::string file_;
  std::optional<CheckpointLock> lock_;
};

}  // namespace noslip::python
