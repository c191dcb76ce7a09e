// Runs, then measures, then judges.
#include "reproduce.hpp"

#include <algorithm>
#include <chrono>

namespace noslip::papers {

namespace {

const Bounds& bounds_of(const Check& check, bool quick) { return quick && check.quick ? *check.quick : check.full; }

bool is_asked(const Check& check, bool quick) { return !(quick && check.only_in_full); }

}  // namespace

Verdict recorded_verdict(const Experiment& experiment, bool quick) {
  Verdict worst = Verdict::agrees;
  for (const Check& check : experiment.checks) {
    if (is_asked(check, quick)) worst = std::max(worst, bounds_of(check, quick).recorded);
  }
  return worst;
}

Reproduction reproduce(const Experiment& experiment, const ReproduceOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Reproduction result;
  result.experiment = &experiment;
  result.recorded = recorded_verdict(experiment, options.quick);
  for (const Run& run : experiment.runs) {
    std::vector<Table> tables = std::visit([&](const auto& one) { return carry_out(one, options); }, run);
    for (Table& table : tables) {
      if (table.outcome.status == Status::interrupted) result.outcome = table.outcome;
      result.tables.push_back(std::move(table));
    }
    if (result.outcome.status == Status::interrupted) break;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (result.outcome.status == Status::interrupted) return result;
  for (const Check& check : experiment.checks) {
    if (!is_asked(check, options.quick)) continue;
    const Bounds& bounds = bounds_of(check, options.quick);
    const double measured = measure(result.tables, check);
    const Verdict verdict = judge(measured, bounds);
    result.checks.push_back({&check, &bounds, measured, verdict});
    result.verdict = std::max(result.verdict, verdict);
    result.as_recorded = result.as_recorded && verdict == bounds.recorded;
  }
  return result;
}

}  // namespace noslip::papers
