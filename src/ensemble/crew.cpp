#include "ensemble/crew.hpp"

#include <algorithm>
#include <atomic>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/stopping.hpp>

namespace noslip {

namespace {

/// Members whose starts a thread checks at a time.
constexpr std::size_t checked_at_once = 4096;

}  // namespace

Crew::Crew(const EnsemblePlan& plan, int threads) {
  for (int i = 0; i < std::max(1, threads); ++i) runners_.push_back(std::make_unique<BlockRunner>(plan));
}

void Crew::work_in_thread(BlockRunner& runner, const CrewTask& task) {
  const DefaultArithmetic arithmetic;
  const StopScope scope([&task] { return !task.goes_on(0); });
  try {
    while (const std::optional<std::size_t> first = task.take()) {
      std::optional<MemberBlock> block = runner.run(*first, task.goes_on);
      if (!block) return;
      task.give(std::move(*block));
    }
  } catch (const Interrupted&) {  // somebody has ended it, and knows
  } catch (...) {
    task.fail(std::current_exception());
  }
}

std::vector<std::jthread> Crew::start(const CrewTask& task) {
  std::vector<std::jthread> threads;
  for (const auto& runner : runners_) threads.emplace_back([&runner = *runner, &task] { work_in_thread(runner, task); });
  return threads;
}

void Crew::work(const CrewTask& task) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < runners_.size(); ++i) {
    threads.emplace_back([&runner = *runners_[i], &task] { work_in_thread(runner, task); });
  }
  work_in_thread(*runners_.front(), task);
}

std::vector<Problem> Crew::problems(std::size_t first, std::size_t end) {
  const std::size_t pieces = (end - first + checked_at_once - 1) / checked_at_once;
  std::vector<std::vector<Problem>> found(pieces);
  std::atomic<std::size_t> next = 0, count = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto check = [&](BlockRunner& runner) {
    const DefaultArithmetic arithmetic;
    try {
      for (std::size_t piece = next++; piece < pieces && count < most_start_problems; piece = next++) {
        end_if_stopped();
        const std::size_t begin = first + piece * checked_at_once;
        found[piece] = runner.problems(begin, std::min(checked_at_once, end - begin), most_start_problems);
        count += found[piece].size();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < runners_.size() && i < pieces; ++i) {
      threads.emplace_back([&check, &runner = *runners_[i]] { check(runner); });
    }
    check(*runners_.front());
  }
  if (error) std::rethrow_exception(error);
  std::vector<Problem> problems;
  for (std::vector<Problem>& some : found) std::move(some.begin(), some.end(), std::back_inserter(problems));
  if (problems.size() > most_start_problems) problems.resize(most_start_problems);
  return problems;
}

}  // namespace noslip
