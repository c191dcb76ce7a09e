// Rotations of a trajectory as unit quaternions, for files and pictures.
//
// In place of R11 ... R33 there are R_w, R_x, R_y, R_z; in place of g11 ... g34, the rows of (R | x), there are g14,
// g24, g34 (the translation) and g_w, g_x, g_y, g_z. Of the two quaternions of a rotation the first one has w >= 0, and
// each that follows is near the one before it.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/run.hpp>

namespace noslip {

class QuaternionOutput {
 public:
  /// Of systems with these factors (System::factors, AboutRun::factors) and coordinates.
  QuaternionOutput(std::span<const Factor> factors, std::span<const std::string> coordinates,
                   std::span<const std::string> velocities = {});

  bool has_rotations() const;
  /// Names of what the positions become. A column name that is also the name of a coordinate gets trailing underscores.
  const std::vector<std::string>& names() const { return names_; }
  /// The positions of the sample (or of a state q) with quaternions; samples are to come in the order of time.
  Sample operator()(const Sample& sample);
  std::vector<double> operator()(std::span<const double> q);
  /// The quaternions before, for core/archive.hpp.
  template <class To>
  void carry(To& archive) {
    archive.fixed(before_);
  }

 private:
  std::vector<Factor> factors_;
  std::vector<std::string> names_;
  std::vector<std::array<double, 4>> before_;  ///< of each matrix; zeros before the first
};

/// The trajectory with quaternions in all samples, in the last one, and in the names of the coordinates. `last_quad`
/// stays what was computed with.
Trajectory with_quaternions(Trajectory trajectory);

}  // namespace noslip
