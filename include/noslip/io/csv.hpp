// Trajectories as comma-separated values.
//
//   t,x,y,theta,x',y',theta',lambda1,energy,constraint
//   0,0,0,0,0,0,1,0,0.5,0
//
// One row per stored state: time, coordinates, velocities, multipliers, energy, work where something does work,
// largest |k|; for a dae2 system time, y, z, largest |g|. Every number is the shortest text that reads back as the same
// double; what is not finite is left empty.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <noslip/io/output_file.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// Names of the columns for trajectories of this system.
std::vector<std::string> csv_columns(const System& system);
/// The same with other positions in the samples (run/rotations.hpp), of these names.
std::vector<std::string> csv_columns(const System& system, std::span<const std::string> positions);

/// Writes rows as they come, so that memory does not grow with the run and what is there after a failure is valid.
class CsvWriter {
 public:
  /// Creates the file (see OutputFile) and writes the header.
  CsvWriter(const std::string& file, bool overwrite, const System& system);
  CsvWriter(const std::string& file, bool overwrite, const System& system, std::span<const std::string> positions);

  /// The sample must have as many values as the header has columns (assert). FileError where the disk is full.
  void write(const Sample& sample);
  /// To be called after the last row; FileError if not everything arrived.
  void close();

 private:
  OutputFile file_;
  std::size_t columns_;
  bool has_energy_, has_work_;
  std::string line_;
};

}  // namespace noslip
