#include <noslip/ensemble/ensemble.hpp>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <noslip/core/default_arithmetic.hpp>
#include <noslip/core/stopping.hpp>

#include "ensemble/conductor.hpp"
#include "ensemble/crew.hpp"
#include "ensemble/rank_work.hpp"

namespace noslip {

namespace {

using Clock = std::chrono::steady_clock;

void describe(Ensemble& result, const EnsemblePlan& plan, const Crew& crew, int threads) {
  result.system = plan.system.name();
  result.method = crew.program().method->traits().name;
  result.backend = crew.program().steps ? crew.program().steps->backend() : plan.options.run.backend;
  result.step = plan.h;
  result.lanes = plan.needs_runs ? 1 : plan.lanes;
  result.threads = threads;
  result.ranks = plan.options.ranks != nullptr ? plan.options.ranks->size() : 1;
  result.member_columns = plan.table.member_columns;
  result.columns = plan.table.columns;
  result.times = plan.table.times;
  result.members = plan.members();
}

/// glibc counts the processors that the process is bound to.
int thread_count(const EnsemblePlan& plan) {
  if (plan.options.threads > 0) return plan.options.threads;
  const Ranks* const ranks = plan.options.ranks;
  const int available = ranks != nullptr ? ranks->processors() : static_cast<int>(std::thread::hardware_concurrency());
  const std::size_t most = std::min<std::size_t>(static_cast<std::size_t>(std::max(1, available)), plan.blocks());
  return std::max(1, static_cast<int>(most));
}

/// What this rank finds, and, if it leads, the others.
std::vector<Problem> problems_of_starts(const EnsemblePlan& plan, Crew& crew) {
  Ranks* const ranks = plan.options.ranks;
  if (!plan.starts.is_table()) return {};
  if (ranks == nullptr) return crew.problems(plan.first, plan.end);
  const auto [first, end] = share_of(plan, 0, ranks->size());
  std::vector<Problem> problems = crew.problems(first, end), others = collect_problems(*ranks);
  std::move(others.begin(), others.end(), std::back_inserter(problems));
  if (problems.size() > most_start_problems) problems.resize(most_start_problems);
  return problems;
}

void conduct(const EnsemblePlan& plan, Crew& crew, int threads, Ensemble& result) {
  Ranks* const ranks = plan.options.ranks;
  std::vector<Problem> problems = problems_of_starts(plan, crew);
  if (!problems.empty()) throw InputError(std::move(problems));
  const auto workers = static_cast<std::size_t>(threads) * static_cast<std::size_t>(result.ranks);
  Conductor conductor(plan, result, workers);
  if (ranks != nullptr) {
    lead(*ranks, crew, conductor);
  } else {
    crew.work({[&] { return conductor.next(true); }, [&](MemberBlock block) { conductor.deliver(std::move(block)); },
               [&](long long steps) { return conductor.report(steps); },
               [&](std::exception_ptr error) { conductor.fail(std::move(error)); }});
  }
  conductor.finish();
}

/// Whatever happens to rank 0, the others do not wait for ever.
class Dismissal {
 public:
  explicit Dismissal(Ranks* ranks) : ranks_(ranks != nullptr && ranks->rank() == 0 ? ranks : nullptr) {}
  ~Dismissal() {
    if (ranks_ != nullptr) dismiss(*ranks_);
  }
  Dismissal(const Dismissal&) = delete;
  Dismissal& operator=(const Dismissal&) = delete;

 private:
  Ranks* ranks_;
};

Ensemble integrate_all(const System& system, const MemberStarts& starts, const EnsembleOptions& options) {
  const Clock::time_point begin = Clock::now();
  const Dismissal dismissal(options.ranks);
  Ensemble result;
  try {
    const StopScope scope(options.run.stop);
    const EnsemblePlan plan(system, starts, options);
    const int threads = thread_count(plan);
    Crew crew(plan, threads);
    if (options.ranks != nullptr && options.ranks->rank() > 0) {
      follow(*options.ranks, crew, plan);
      return result;
    }
    describe(result, plan, crew, threads);
    conduct(plan, crew, threads, result);
  } catch (const Interrupted& interrupted) {
    result.outcome = {Status::interrupted, interrupted.what()};
  }
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace

void EnsembleOptions::check() const {
  std::vector<Problem> problems;
  const auto refuse = [&](std::string what, std::string remedy) {
    problems.push_back({std::move(what), {}, std::move(remedy)});
  };
  try {
    run.check();
  } catch (const InputError& error) {
    problems = error.problems();
  }
  if (run.precision != Precision::double_precision) {
    refuse(fmt::format("ensembles are computed in double precision, not in {}", to_text(run.precision)),
           "run the members with integrate");
  }
  const bool asks_too_much = !run.at.empty() || run.dense || run.observe || run.sink || run.event_sink ||
                             run.checkpoint || !run.from.empty();
  if (asks_too_much) {
    refuse("the options of the members' runs have something that belongs to a single run",
           "leave out at, dense, observe, sink, event_sink, checkpoint and from");
  }
  if (threads < 0) refuse(fmt::format("{} threads are not possible", threads), "choose 1 or more, or 0 for all");
  if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8) {
    refuse(fmt::format("{} lanes are not possible", lanes), "choose 1, 4 or 8, or 0 for what suits the members");
  }
  for (const Event& event : run.events) {
    if (event.function || event.act) {
      refuse(fmt::format("event '{}' has a function in C++, which ensembles do not call", event.when),
             "write it as an expression, or run the members with integrate");
    }
  }
  if (!run.control.controllers.empty()) {
    refuse("there are controllers in C++, which members would share", "write them as [sampled] in the system file");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::vector<double> Ensemble::last(std::size_t member) const {
  std::vector<double> result;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    result.push_back(value(column, times.size() - 1, member));
  }
  return result;
}

Ensemble integrate_ensemble(const System& system, const Members& members, const EnsembleOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  options.run.control.check(system);
  return integrate_all(system, MemberStarts(system, members, options), options);
}

Ensemble integrate_ensemble(const System& system, std::span<const InitialState> members,
                            const EnsembleOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  options.run.control.check(system);
  return integrate_all(system, MemberStarts(system, members, options), options);
}

EnsembleTable ensemble_table(const System& system, const Members& members, const EnsembleOptions& options) {
  const DefaultArithmetic arithmetic;
  options.check();
  const MemberStarts starts(system, members, options);
  return EnsemblePlan(system, starts, options).table;
}

}  // namespace noslip
