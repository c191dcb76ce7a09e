// The events of noslip run: --events FILE, and how many are kept for the table and the JSON document.
#pragma once

#include <optional>
#include <vector>

#include <noslip/core/archive.hpp>
#include <noslip/run/rotations.hpp>
#include <noslip/run/row_reader.hpp>
#include <noslip/run/run.hpp>

#include "arguments.hpp"
#include "data_files.hpp"

namespace noslip::app {

/// Problems that can be seen without a system.
void check_event_file(Arguments& arguments);

/// Takes the events of a run: writes all, keeps the first ones.
class EventRows {
 public:
  /// Rows with these columns of states; `quaternions` have not seen a state yet. FileError where the file cannot be
  /// made. `has_begun`: the run is the rest of one that has made it.
  EventRows(const Arguments& arguments, const SystemChoice& choice, const std::vector<noslip::Column>& columns,
            std::optional<QuaternionOutput> quaternions, RunOptions& options, const FileNotes& notes, bool has_begun);

  /// After the run: closes the file, and gives the run the events that were kept, with a warning if there are more.
  void finish(Trajectory& run);

  /// What was taken so far, for a run that goes on later.
  void carry(Archive& archive);

 private:
  void take(const EventHit& hit);
  void write(const EventHit& hit);

  bool quiet_;
  RowReader read_;
  std::optional<QuaternionOutput> quaternions_;
  DataFiles files_;  ///< one, or none
  long long most_kept_;
  std::vector<double> row_;
  std::vector<EventHit> kept_;
  std::vector<long long> counts_;  ///< one per event
  long long all_ = 0;
};

}  // namespace noslip::app
