// Runs of solvers that know nothing of the constraints: the equations with reduced index, with a variable step.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "adaptive.hpp"
#include "prepare.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

std::vector<Table> carry_out(const RivalRun& run, const ReproduceOptions& options) {
  const Prepared prepared = prepare(run.setting);
  const InitialState start = prepared.start();
  IndexReduced problem(prepared.system, prepared.set);
  Table table;
  table.label = run.label;
  table.columns = {"t", "step", "energy error", "constraint"};
  for (int r = 0; r < problem.multiplier_count(); ++r) table.columns.push_back(fmt::format("constraint {}", r + 1));
  table.values.resize(table.columns.size());
  const AdaptiveOptions of_run{run.relative, run.absolute, start.t, run.until};
  double initial_energy = 0;
  const AdaptiveSink sink = [&](double t, std::span<const double> y) {
    const bool is_first = table.values[0].empty();
    const double energy = problem.energy(t, y);
    if (is_first) initial_energy = energy;
    table.values[1].push_back(is_first ? std::nan("") : t - table.values[0].back());
    table.values[0].push_back(t);
    table.values[2].push_back(energy - initial_energy);
    double largest = 0;
    std::size_t column = 4;
    for (const double k : problem.constraints(t, y)) {
      largest = std::max(largest, std::fabs(k));
      table.values[column++].push_back(k);
    }
    table.values[3].push_back(largest);
  };
  if (options.progress && !options.progress(run.label, 0, 1)) {
    table.outcome = {Status::interrupted, "interrupted"};
    return {table};
  }
  const AdaptiveResult result = run.solver == RivalRun::Solver::dormand_prince
                                    ? dormand_prince(problem, problem.start(start), of_run, sink)
                                    : backward_differences(problem, problem.start(start), of_run, sink);
  if (!result.problem.empty()) table.outcome = {Status::failed, result.problem};
  return {table};
}

}  // namespace noslip::papers
