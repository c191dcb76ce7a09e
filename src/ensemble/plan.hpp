// What all threads and ranks of an ensemble know in the same way: members, rows, columns, blocks.
#pragma once

#include <string>
#include <vector>

#include <noslip/ensemble/ensemble.hpp>

#include "ensemble/starts.hpp"
#include "run/step_count.hpp"

namespace noslip {

/// Nothing of it changes while runners use it.
struct EnsemblePlan {
  EnsemblePlan(const System& of, const MemberStarts& from, const EnsembleOptions& given);

  const System& system;
  const MemberStarts& starts;
  const EnsembleOptions& options;
  StepCount count;
  double t0 = 0, h = 0;  ///< where members start, and the step size
  EnsembleTable table;
  std::size_t kept = 0;       ///< of the columns; the others are what reductions need
  bool needs_runs = false;    ///< integrate() has to run every member
  bool has_ends = false;      ///< events may stop members: a column tells when they have ended
  std::size_t first = 0, end = 0;  ///< members
  std::size_t block = 1;           ///< members of a block
  int lanes = 1;

  std::size_t rows() const { return table.times.size(); }
  std::size_t members() const { return end - first; }
  std::size_t blocks() const { return (members() + block - 1) / block; }
  long long steps() const { return count.all(); }
  /// That are kept of each.
  std::size_t bytes_of_member() const { return 8 * (rows() * table.columns.size() + table.member_columns.size()); }
  double time_after(long long step) const;
  std::vector<std::size_t> reduced_columns;  ///< where the expressions of the reductions are (Reducer::expressions)
  /// Everything that the results depend on, in words for messages.
  std::vector<std::pair<std::string, std::string>> identity() const;

 private:
  void choose_columns();
  void check_expressions();
  void choose_rows();

  bool has_reactions_ = false;  ///< a column contains multipliers, which lanes do not know
};

}  // namespace noslip
