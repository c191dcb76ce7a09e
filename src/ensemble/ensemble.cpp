#include <noslip/ensemble/ensemble.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>

#include "ensemble/block.hpp"

namespace noslip {

namespace {

using Clock = std::chrono::steady_clock;

/// What a step costs in lanes, compared with one of a single trajectory; roughly.
struct Width {
  int lanes;
  double cost;
};
constexpr std::array<Width, 3> widths{{{1, 1.0}, {4, 1.5}, {8, 2.0}}};

std::size_t blocks_of(std::size_t members, int lanes) {
  return (members + static_cast<std::size_t>(lanes) - 1) / static_cast<std::size_t>(lanes);
}

/// The width with which the last block ends first.
int suitable_lanes(std::size_t members, int threads) {
  int best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (const Width& width : widths) {
    const double rounds = std::ceil(static_cast<double>(blocks_of(members, width.lanes)) / threads);
    if (rounds * width.cost >= least) continue;
    least = rounds * width.cost;
    best = width.lanes;
  }
  return best;
}

/// The states that members start with; all that are wrong are told at once, and what has to be announced of the first
/// member that it is true of.
void find_starts(EnsemblePlan& plan, const RunSetup<double>& setup, std::span<const InitialState> members,
                 std::vector<Warning>& warnings) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string who = fmt::format("member {}: ", i);
    if (members[i].t != plan.t0) {
      problems.push_back(
          {fmt::format("{}starts at t = {}, the first one at t = {}", who, to_text(members[i].t), to_text(plan.t0)),
           {},
           "give all members the same initial time"});
      continue;
    }
    try {
      std::vector<Warning> announced;
      plan.starts.push_back(setup.state_at(members[i], &announced));
      for (Warning& warning : announced) {
        const bool is_known = std::any_of(warnings.begin(), warnings.end(),
                                          [&](const Warning& other) { return other.code == warning.code; });
        if (is_known) continue;
        warning.message.insert(0, who);
        warnings.push_back(std::move(warning));
      }
    } catch (const InputError& error) {
      for (Problem problem : error.problems()) {
        problem.what.insert(0, who);
        problems.push_back(std::move(problem));
      }
    }
    constexpr std::size_t enough = 20;
    if (problems.size() >= enough) break;
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// Hands out blocks to threads and collects how far they are.
class Conductor {
 public:
  Conductor(Ensemble& result, const EnsemblePlan& plan) : result_(result), plan_(plan) {}

  void work(BlockRunner& runner) {
    const std::size_t lanes = static_cast<std::size_t>(result_.lanes);
    while (!stopped_) {
      const std::size_t first = lanes * next_block_++;
      if (first >= result_.members.size()) return;
      runner.run(first, result_, [this](long long steps) { return report(steps); });
    }
  }

  /// As work(), but keeps what is thrown for the thread that waits.
  void work_in_thread(BlockRunner& runner) {
    const DefaultArithmetic arithmetic;
    try {
      work(runner);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stopped_ = true;
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  bool stopped() const { return stopped_; }

 private:
  bool report(long long steps) {
    done_ += steps;
    if (!plan_.options.progress || stopped_) return !stopped_;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return true;  // another thread is telling
    const Clock::time_point now = Clock::now();
    if (has_reported_ && now - last_report_ < std::chrono::milliseconds(100)) return true;
    has_reported_ = true;
    last_report_ = now;
    if (!plan_.options.progress(done_, plan_.steps() * static_cast<long long>(result_.members.size()))) stopped_ = true;
    return !stopped_;
  }

  Ensemble& result_;
  const EnsemblePlan& plan_;
  std::atomic<std::size_t> next_block_ = 0;
  std::atomic<long long> done_ = 0;
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::exception_ptr error_;
  bool has_reported_ = false;
  Clock::time_point last_report_;
};

void make_room(Ensemble& result, const EnsemblePlan& plan) {
  const long long every = plan.options.every;
  if (every == 0) return;
  for (long long step = 0; step < plan.steps(); step += every) result.times.push_back(plan.time_after(step));
  result.times.push_back(plan.time_after(plan.steps()));
  if (!plan.options.keep) return;
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < plan.options.quantities.size(); ++i) {
    result.values.emplace_back(result.times.size() * result.members.size(), none);
  }
}

}  // namespace

void EnsembleOptions::check() const {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  try {
    options_of_run(*this).check();
  } catch (const InputError& error) {
    problems = error.problems();
  }
  if (threads < 0) refuse(fmt::format("{} threads are not possible", threads), "choose 1 or more, or 0 for all");
  if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8) {
    refuse(fmt::format("{} lanes are not possible", lanes), "choose 1, 4 or 8, or 0 for what suits the members");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

Ensemble integrate_ensemble(const System& system, std::span<const InitialState> members,
                            const EnsembleOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  if (system.sampled() != nullptr) {
    throw InputError(fmt::format("'{}' has a controller ([sampled]), and ensembles have none", system.name()),
                     "remove [sampled] and give its inputs values, or run the members one by one with integrate");
  }
  if (members.empty()) throw InputError("the ensemble has no members", "give at least one initial state");
  const Clock::time_point begin = Clock::now();
  Ensemble result;
  const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  result.threads = options.threads > 0 ? options.threads : processors;
  result.lanes = options.lanes > 0 ? options.lanes : suitable_lanes(members.size(), result.threads);
  result.threads = std::min(result.threads, static_cast<int>(blocks_of(members.size(), result.lanes)));

  EnsemblePlan plan{
      .system = system, .members = members, .options = options, .count = {}, .t0 = members.front().t, .starts = {}};
  plan.positions = system.q().size();
  plan.velocities = system.v().size();
  std::vector<std::unique_ptr<BlockRunner>> runners;
  for (int i = 0; i < result.threads; ++i) {
    runners.push_back(std::make_unique<BlockRunner>(plan, result.lanes));
  }
  const RunSetup<double>& setup = runners.front()->setup();
  plan.count = count_steps(plan.t0, options_of_run(options));
  find_starts(plan, setup, members, result.warnings);

  result.system = system.name();
  result.method = setup.program->method->traits().name;
  result.backend = setup.program->steps->backend();
  result.step = options.step;
  result.steps = plan.steps();
  result.members.resize(members.size());
  make_room(result, plan);

  Conductor conductor(result, plan);
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < runners.size(); ++i) {
    threads.emplace_back([&conductor, &runner = *runners[i]] { conductor.work_in_thread(runner); });
  }
  conductor.work_in_thread(*runners.front());
  for (std::thread& thread : threads) thread.join();
  conductor.rethrow();
  if (conductor.stopped()) {
    result.outcome = {Status::interrupted, "interrupted before all members had reached the end"};
    for (Member& member : result.members) {
      if (member.q.empty()) member.outcome = {Status::interrupted, "not started"};
    }
  }
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace noslip
