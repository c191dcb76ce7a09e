// Measured orders: errors at one time for several steps.
#include <cmath>

#include <noslip/run/converge.hpp>

#include "prepare.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

std::vector<Table> carry_out(const OrderRun& run, const ReproduceOptions& options) {
  const Prepared prepared = prepare(run.setting);
  ConvergeOptions of_study;
  of_study.methods = run.methods;
  of_study.steps = options.quick && !run.quick_steps.empty() ? run.quick_steps : run.steps;
  of_study.until = run.until;
  of_study.set = prepared.set;
  of_study.init = run.setting.init;  // exact in every precision, as the rest of the initial data
  of_study.progress = options.progress;
  const Convergence study = converge(prepared.system, of_study);
  std::vector<Table> tables;
  for (const ConvergeResult& result : study.results) {
    Table table;
    table.label = label_of(run.label, run.methods, result.method);
    table.method = result.method;
    table.columns = {"step", "q", "v", "multipliers"};
    table.values.resize(table.columns.size());
    table.outcome = study.outcome;
    for (const ConvergeRow& row : result.rows) {
      const auto counted = [](double error, double floor) {
        return is_above_floor(error, floor) ? error : std::nan("");
      };
      table.values[0].push_back(row.step);
      table.values[1].push_back(counted(row.error.q, row.floor.q));
      table.values[2].push_back(counted(row.error.v, row.floor.v));
      table.values[3].push_back(counted(row.error.multipliers, row.floor.multipliers));
      if (row.outcome.status == Status::failed) table.outcome = row.outcome;
    }
    tables.push_back(std::move(table));
  }
  if (tables.empty()) tables.push_back({.label = run.label, .columns = {}, .values = {}, .outcome = study.outcome});
  return tables;
}

}  // namespace noslip::papers
