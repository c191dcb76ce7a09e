// Runs over time: one trajectory, quantities at every K-th step.
#include <noslip/run/run.hpp>

#include "prepare.hpp"
#include "quantities.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

namespace {

Table run_one(const TimeRun& run, const Prepared& prepared, const std::string& method,
              const ReproduceOptions& options) {
  Table table;
  table.label = label_of(run.label, run.methods, method);
  table.step = run.step;
  table.columns.push_back("t");
  for (const Quantity& quantity : run.quantities) table.columns.push_back(quantity.name);
  table.values.resize(table.columns.size());

  QuantityReader reader(prepared, run.quantities);
  RunOptions of_run;
  of_run.method = method;
  of_run.step = run.step;
  of_run.until = options.quick && run.quick_until > 0 ? run.quick_until : run.until;
  of_run.every = run.every;
  of_run.set = prepared.set;
  of_run.tolerance = run.tolerance;
  of_run.sink = [&](const Sample& sample) {
    const std::vector<double>& values = reader.read(sample);
    table.values[0].push_back(sample.t);
    for (std::size_t i = 0; i < values.size(); ++i) table.values[i + 1].push_back(values[i]);
  };
  if (options.progress) {
    of_run.progress = [&](long long done, long long all) { return options.progress(table.label, done, all); };
  }
  const Trajectory trajectory =
      prepared.initial ? integrate(prepared.system, *prepared.initial, of_run) : integrate(prepared.system, of_run);
  table.outcome = trajectory.outcome;
  return table;
}

}  // namespace

std::vector<Table> carry_out(const TimeRun& run, const ReproduceOptions& options) {
  std::vector<Table> tables;
  const Prepared prepared = prepare(run.setting);
  for (const std::string& method : run.methods) {
    tables.push_back(run_one(run, prepared, method, options));
    if (tables.back().outcome.status == Status::stopped) break;
  }
  return tables;
}

}  // namespace noslip::papers
