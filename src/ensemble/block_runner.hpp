// Computes blocks of members: in lanes where that is possible, otherwise one by one.
#pragma once

#include <optional>
#include <vector>

#include <noslip/run/row_reader.hpp>

#include "ensemble/lane_runner.hpp"

namespace noslip {

/// One per thread.
class BlockRunner {
 public:
  explicit BlockRunner(const EnsemblePlan& plan);

  /// What is wrong with the starts of these members; the search ends after `most` problems.
  std::vector<Problem> problems(std::size_t first, std::size_t count, std::size_t most);

  /// The block that begins with this member; nothing if it was ended early.
  std::optional<MemberBlock> run(std::size_t first, const GoesOn& goes_on);

  /// The program that all members share.
  const ProgramData<double>& program() const { return *tools_->program; }

 private:
  void run_in_lanes(MemberBlock& block, const GoesOn& goes_on);
  /// By integrate(), with all that it checks.
  void run_alone(MemberBlock& block, std::size_t member, const GoesOn& goes_on);
  /// In any case, because somebody has to look at the size of the steps.
  static bool is_example(std::size_t member);
  void announce(MemberBlock& block, std::size_t member, std::vector<Warning> warnings);
  double* values_of(MemberBlock& block, std::size_t member) const {
    return block.values.data() + (member - block.first) * plan_.table.columns.size() * plan_.rows();
  }
  double* numbers_of(MemberBlock& block, std::size_t member) const {
    return block.of_member.data() + (member - block.first) * plan_.table.member_columns.size();
  }
  void settle(Start<double>& start, std::vector<Warning>* announced);
  /// Where a member starts, not checked; nothing, and the member has failed, if that cannot be found.
  std::optional<Start<double>> given_start(MemberBlock& block, std::size_t member);
  /// Checks it as runs do; false, and the member has failed, if it cannot start there.
  bool can_settle(MemberBlock& block, std::size_t member, Start<double>& start);
  /// The same for all of the group. Those that cannot start are removed from it.
  void settle_group(MemberBlock& block);
  void fail(MemberBlock& block, std::size_t member, double t, std::string message);

  const EnsemblePlan& plan_;
  BorrowedTools<double> tools_;      ///< for the check of starts
  std::optional<LaneRunner> lanes_;  ///< made when it is needed first
  std::vector<std::size_t> group_;   ///< members that are in the lanes at a time
  std::vector<Start<double>> starts_;
  std::vector<double*> values_;
  std::vector<double> accelerations_, multipliers_;
  GivenValues given_;  ///< MemberStarts::start
  std::size_t names_;  ///< how many there are
  bool is_ended_ = false;
};

}  // namespace noslip
