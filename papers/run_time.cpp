// Runs over time: one trajectory per method, quantities at every K-th step; the methods side by side.
#include <noslip/run/run.hpp>

#include "parallel.hpp"
#include "prepare.hpp"
#include "quantities.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

namespace {

Table run_one(const TimeRun& run, const std::string& method, bool quick, const Progress& progress) {
  const Prepared prepared = prepare(run.setting);
  QuantityReader reader(prepared, run.quantities);
  Table table;
  table.label = label_of(run.label, run.methods, method);
  table.method = method;
  table.step = run.step;
  table.columns.push_back("t");
  for (const Quantity& quantity : run.quantities) table.columns.push_back(quantity.name);
  table.values.resize(table.columns.size());

  RunOptions of_run;
  of_run.method = method;
  of_run.step = run.step;
  of_run.until = quick && run.quick_until > 0 ? run.quick_until : run.until;
  of_run.every = run.every;
  of_run.set = prepared.set;
  of_run.tolerance = run.tolerance;
  of_run.progress = progress;
  of_run.sink = [&](const Sample& sample) {
    const std::vector<double>& values = reader.read(sample);
    table.values[0].push_back(sample.t);
    for (std::size_t i = 0; i < values.size(); ++i) table.values[i + 1].push_back(values[i]);
  };
  const Trajectory trajectory =
      prepared.initial ? integrate(prepared.system, *prepared.initial, of_run) : integrate(prepared.system, of_run);
  table.outcome = trajectory.outcome;
  return table;
}

}  // namespace

std::vector<Table> carry_out(const TimeRun& run, const ReproduceOptions& options) {
  std::vector<Table> tables(run.methods.size());
  for (Table& table : tables) table.outcome.status = Status::interrupted;  // until it is its turn
  const std::string what = run.methods.size() == 1 ? label_of(run.label, run.methods, run.methods.front()) : run.label;
  side_by_side(run.methods.size(), what, options.progress, [&](std::size_t i, const Progress& progress) {
    tables[i] = run_one(run, run.methods[i], options.quick, progress);
  });
  return tables;
}

}  // namespace noslip::papers
