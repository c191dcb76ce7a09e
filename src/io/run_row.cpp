#include "io/run_row.hpp"

#include <algorithm>

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
  std::vector<Expr> functions;
  for (const auto& [name, expression] : system.invariants()) {
    functions.push_back(expression);
    names_.push_back(name);
  }
  invariants_.emplace(system, functions, parameters);
}

std::size_t RunRow::find(const std::string& name) const {
  return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
}

void RunRow::read(const Sample& sample, std::vector<double>& values) {
  values.assign(1, sample.t);
  values.insert(values.end(), sample.q.begin(), sample.q.end());
  values.insert(values.end(), sample.v.begin(), sample.v.end());
  values.insert(values.end(), sample.multipliers.begin(), sample.multipliers.end());
  if (!invariants_) return;
  const std::vector<double> invariants = (*invariants_)(sample);
  values.insert(values.end(), invariants.begin(), invariants.end());
}

}  // namespace noslip
