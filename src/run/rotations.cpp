#include <noslip/run/rotations.hpp>

#include <algorithm>
#include <cassert>

#include <noslip/lie/quaternion.hpp>

namespace noslip {

QuaternionOutput::QuaternionOutput(std::span<const Factor> factors, std::span<const std::string> coordinates,
                                   std::span<const std::string> velocities)
    : factors_(factors.begin(), factors.end()) {
  if (!has_rotations()) {
    names_.assign(coordinates.begin(), coordinates.end());
    return;
  }
  const auto exists = [&](const std::string& name) {
    const auto is_in = [&](auto names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return is_in(coordinates) || is_in(velocities) || is_in(std::span<const std::string>(names_));
  };
  for (const Factor& factor : factors_) {
    const auto own = coordinates.subspan(factor.first, factor.size);
    if (!factor.is_matrix()) {
      names_.insert(names_.end(), own.begin(), own.end());
      continue;
    }
    before_.push_back({});
    for (std::size_t i = 3; i < own.size() && factor.columns() == 4; i += 4) names_.push_back(own[i]);
    for (const char* component : {"_w", "_x", "_y", "_z"}) {
      std::string name = factor.name + component;
      while (exists(name)) name += '_';
      names_.push_back(std::move(name));
    }
  }
}

bool QuaternionOutput::has_rotations() const {
  return std::any_of(factors_.begin(), factors_.end(), [](const Factor& factor) { return factor.is_matrix(); });
}

std::vector<double> QuaternionOutput::operator()(std::span<const double> q) {
  if (!has_rotations()) return {q.begin(), q.end()};
  std::vector<double> result;
  auto before = before_.begin();
  for (const Factor& factor : factors_) {
    assert(factor.first + factor.size <= q.size());
    const auto own = q.subspan(factor.first, factor.size);
    if (!factor.is_matrix()) {
      result.insert(result.end(), own.begin(), own.end());
      continue;
    }
    std::vector<double> rotation;
    for (std::size_t i = 0; i < own.size(); ++i) {
      (i % factor.columns() == 3 ? result : rotation).push_back(own[i]);
    }
    *before = quaternion_of(std::span<const double>(rotation), *before);
    result.insert(result.end(), before->begin(), before->end());
    ++before;
  }
  const Factor& last = factors_.back();
  result.insert(result.end(), q.begin() + static_cast<std::ptrdiff_t>(last.first + last.size), q.end());  // states
  return result;
}

Sample QuaternionOutput::operator()(const Sample& sample) {
  Sample result = sample;
  result.q = (*this)(std::span(sample.q));
  return result;
}

Trajectory with_quaternions(Trajectory trajectory) {
  QuaternionOutput convert(trajectory.about.factors, names_of(trajectory.about.columns, ColumnKind::coordinate));
  for (Sample& sample : trajectory.samples) sample = convert(sample);
  trajectory.last = convert(trajectory.last);
  if (!convert.has_rotations()) return trajectory;
  trajectory.about.columns = with_positions(trajectory.about.columns, convert.names());
  trajectory.about.factors.clear();
  return trajectory;
}

}  // namespace noslip
