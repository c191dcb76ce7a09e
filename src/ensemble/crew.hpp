// The threads of this process that compute blocks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "ensemble/block_runner.hpp"

namespace noslip {

/// Where threads get their work, and what becomes of it. All functions are called from several threads at once.
struct CrewTask {
  std::function<std::optional<std::size_t>()> take;  ///< the first member of a block; nothing: the thread ends
  std::function<void(MemberBlock)> give;
  GoesOn goes_on;
  std::function<void(std::exception_ptr)> fail;
};

class Crew {
 public:
  Crew(const EnsemblePlan& plan, int threads);

  /// What is wrong with the starts of these members, in the order of the members.
  std::vector<Problem> problems(std::size_t first, std::size_t end);

  /// Works in all threads, of which the caller is one; returns when all have ended.
  void work(const CrewTask& task);
  /// The same in threads beside the caller, who has to wait for them.
  std::vector<std::jthread> start(const CrewTask& task);

  /// The program that all members share.
  const ProgramData<double>& program() const { return runners_.front()->program(); }

 private:
  static void work_in_thread(BlockRunner& runner, const CrewTask& task);
  std::vector<std::unique_ptr<BlockRunner>> runners_;
};

constexpr std::size_t most_start_problems = 20;

}  // namespace noslip
