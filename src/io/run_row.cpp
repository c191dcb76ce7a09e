#include "io/run_row.hpp"

#include <algorithm>
#include <cassert>

namespace noslip {

RunRow::RunRow(const System& system, std::span<const double> parameters)
    : coordinates_(system.coordinates().size()),
      velocities_(system.v().size()),
      multipliers_(system.multiplier_names().size()),
      names_{"t"} {
  names_.insert(names_.end(), system.coordinates().begin(), system.coordinates().end());
  for (const Expr velocity : system.v()) names_.push_back(velocity.name());
  names_.insert(names_.end(), system.multiplier_names().begin(), system.multiplier_names().end());
  if (system.has_implicit_momenta() || system.invariants().empty()) return;

  std::vector<Tape::Input> from;
  std::vector<Tape::Output> to;
  const auto read = [&](Expr symbol) { from.push_back({symbol, static_cast<std::uint32_t>(from.size())}); };
  read(system.t());
  for (const auto& symbols : {system.q(), system.v(), system.z()}) {
    for (const Expr& symbol : symbols) read(symbol);
  }
  parameters_at_ = from.size();
  for (const Parameter& parameter : system.parameters()) read(parameter.symbol);
  results_at_ = from.size();
  for (const auto& [name, expression] : system.invariants()) {
    to.push_back({expression, static_cast<std::uint32_t>(results_at_ + to.size())});
    names_.push_back(name);
  }
  kernel_ = Kernel<double>(Tape(from, to), Backend::automatic);
  workspace_.assign(results_at_ + to.size(), 0);
  assert(parameters.size() == results_at_ - parameters_at_);
  std::copy(parameters.begin(), parameters.end(), workspace_.begin() + static_cast<std::ptrdiff_t>(parameters_at_));
  scratch_.resize(kernel_.scratch_size());
}

std::size_t RunRow::find(const std::string& name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

void RunRow::read(const Sample& sample, std::vector<double>& values) {
  values.assign(1, sample.t);
  values.insert(values.end(), sample.q.begin(), sample.q.end());
  values.insert(values.end(), sample.v.begin(), sample.v.end());
  values.insert(values.end(), sample.multipliers.begin(), sample.multipliers.end());
  if (invariant_count() == 0) return;
  // What follows v in the workspace are multipliers, if they are a part of the state.
  const std::size_t known = std::min(values.size(), parameters_at_);
  std::copy_n(values.begin(), known, workspace_.begin());
  kernel_(workspace_.data(), scratch_.data());
  values.insert(values.end(), workspace_.begin() + static_cast<std::ptrdiff_t>(results_at_), workspace_.end());
}

}  // namespace noslip
