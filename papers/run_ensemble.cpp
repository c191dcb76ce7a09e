// Many trajectories: how the mean square of the energy error grows.
#include <cmath>

#include <noslip/ensemble/ensemble.hpp>

#include "prepare.hpp"
#include "reproduce.hpp"

namespace noslip::papers {

namespace {

/// The states for which the counter has the values 0, 1, ...
std::vector<InitialState> members_of(const EnsembleRun& run, const Prepared& prepared, int count) {
  std::vector<InitialState> members;
  std::map<std::string, double> set = prepared.set;
  set[run.last] = count - 1;
  for (int i = 0; i < count; ++i) {
    set[run.counter] = i;
    members.push_back(prepared.system.initial_state(prepared.system.parameter_values(set)));
  }
  return members;
}

/// Mean squares over the members, row by row, as a table. A member that fails spoils the mean: then the run has failed.
Table table_of(const Ensemble& ensemble, double scale) {
  Table table;
  table.columns = {"t", "mean square", "largest"};
  table.step = ensemble.step;
  table.outcome = ensemble.outcome;
  const std::vector<double> zeros(ensemble.times.size());
  table.values = {ensemble.times, zeros, zeros};
  for (std::size_t row = 0; row < ensemble.times.size(); ++row) {
    double sum = 0;
    for (std::size_t member = 0; member < ensemble.members; ++member) {
      const double error = ensemble.value(0, row, member) - ensemble.value(0, 0, member);
      sum += error * error;
      if (!(std::fabs(error) <= table.values[2][row])) table.values[2][row] = std::fabs(error);
    }
    table.values[1][row] = scale * sum / static_cast<double>(ensemble.members);
  }
  if (!ensemble.failures.empty()) table.outcome = {Status::failed, ensemble.failures.back().message};
  return table;
}

}  // namespace

std::vector<Table> carry_out(const EnsembleRun& run, const ReproduceOptions& options) {
  const int count = options.quick && run.quick_members > 0 ? run.quick_members : run.members;
  const Prepared prepared = prepare(run.setting);
  const std::vector<InitialState> members = members_of(run, prepared, count);
  std::vector<Table> tables;
  for (const std::string& method : run.methods) {
    const std::string label = label_of(run.label, run.methods, method);
    EnsembleOptions many;
    many.run.method = method;
    many.run.step = run.step;
    many.run.until = options.quick && run.quick_until > 0 ? run.quick_until : run.until;
    many.run.every = run.every;
    many.run.set = Settings(prepared.set.begin(), prepared.set.end());
    many.columns = {"energy"};
    if (options.progress) {
      many.run.progress = [&](long long done, long long all) { return options.progress(label, done, all); };
    }
    tables.push_back(table_of(integrate_ensemble(prepared.system, members, many), std::pow(run.step, -run.power)));
    tables.back().label = label;
    tables.back().method = method;
    if (tables.back().outcome.status == Status::interrupted) break;
  }
  return tables;
}

}  // namespace noslip::papers
