// What a sample of a run holds, under the names that the user knows.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <noslip/model/system.hpp>
#include <noslip/run/columns.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// t, coordinates, velocities, multipliers and invariants, in this order.
class RunRow {
 public:
  RunRow(const System& system, std::span<const double> parameters);

  const std::vector<std::string>& names() const { return names_; }
  /// Place of the first one with this name; names().size() if there is none.
  std::size_t find(const std::string& name) const;
  std::size_t first_coordinate() const { return 1; }
  std::size_t first_velocity() const { return 1 + coordinates_; }
  std::size_t first_multiplier() const { return first_velocity() + velocities_; }
  std::size_t first_invariant() const { return first_multiplier() + multipliers_; }
  /// None where momenta have no closed form: a sample does not hold them.
  std::size_t invariant_count() const { return names_.size() - first_invariant(); }

  /// `values` gets one number per name.
  void read(const Sample& sample, std::vector<double>& values);

 private:
  std::size_t coordinates_, velocities_, multipliers_;
  std::vector<std::string> names_;
  std::optional<Columns> invariants_;
};

}  // namespace noslip
