// The files of an ensemble: members as they come, or what is known of all of them in the end.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <noslip/ensemble/ensemble.hpp>

#include "data_files.hpp"
#include "ensemble_options.hpp"

namespace noslip::app {

/// Columns of a file of reductions: the time, and what each of them gives.
std::vector<noslip::Column> columns_of_reductions(const Reducer& reduced);
/// A row for each of the times.
void write_reductions(DataFiles& files, const Reducer& reduced, const std::vector<double>& times);
/// What each column of a file of reductions has over the rows, but for the time (EnsembleReport::outputs).
std::vector<std::pair<std::string, std::vector<double>>> outputs_of(const Reducer& reduced);
/// One line per reduction at the last row; empty without reductions.
std::string reduced_text(const Reducer& reduced, const std::vector<double>& times);

class EnsembleFiles {
 public:
  EnsembleFiles(const Arguments& arguments, FileNotes notes, const EnsembleChoice& choice, const EnsembleTable& table);

  void take(const MemberBlock& block);
  /// The rest, if it is complete. Files of a part say of which ensemble.
  void finish(const Ensemble& ensemble, const EnsembleChoice& choice);
  bool use_standard_output() const { return files_.use_standard_output(); }
  void tell_what_was_written() const;
  /// Bytes of all rows of one file, as numbers.
  double bytes_of(double members) const;
  void carry(Archive& archive) {
    if (has_members_) archive(files_);
  }

 private:
  RowFile description(const Arguments& arguments, FileNotes notes, const EnsembleChoice& choice) const;

  bool has_members_;
  std::size_t kept_, of_member_, columns_, rows_;
  const EnsembleTable& table_;
  RowFile description_;
  DataFiles files_;
  std::vector<double> row_;
};

}  // namespace noslip::app
