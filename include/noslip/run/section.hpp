// Poincare sections: the points of one or more orbits where a function of the state vanishes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <noslip/run/columns.hpp>
#include <noslip/run/run.hpp>

namespace noslip {

/// Where an orbit starts: what differs from the others.
struct OrbitStart {
  std::string label;   ///< "z0 = -0.5"; empty for the only one
  Settings set = {};   ///< parameters, beside those of SectionOptions::run
  Settings init = {};  ///< initial values (System::with_initial), beside those of SectionOptions::run
};

struct SectionPoint {
  double t = 0;
  Crossing direction = Crossing::up;
  std::vector<double> values;  ///< of the columns
};

struct SectionOptions {
  /// Method, step, parameters, precision, how states inside steps are found. `until` or `steps` end an orbit that has
  /// not crossed often enough; without them it ends after most_steps_per_crossing steps for each crossing wanted.
  RunOptions run;
  Event event;  ///< direction and function; stop_after is the number of crossings wanted, at least 1
  std::vector<std::string> columns;  ///< texts; empty: all coordinates and velocities
  std::vector<OrbitStart> orbits = {{}};
  /// Called like RunOptions::progress with the label of the orbit and crossings done of those wanted of all orbits.
  std::function<bool(const std::string& orbit, long long done, long long all)> progress = {};

  /// Called with every crossing and the number of its orbit, from 0, as they are found.
  std::function<void(std::size_t orbit, const SectionPoint& point)> sink = {};
  bool keep = true;  ///< crossings in SectionOrbit::points

  static constexpr long long most_steps_per_crossing = 100'000;
};

struct SectionOrbit {
  OrbitStart start;
  std::vector<SectionPoint> points;  ///< with SectionOptions::keep
  long long found = 0;               ///< crossings
  Trajectory run;  ///< its summary; nothing is stored in it
};

struct Section {
  std::string system, method;
  double step = 0;
  Event event;
  std::vector<Column> columns;  ///< of SectionPoint::values
  std::vector<SectionOrbit> orbits;
  /// Of all: failed if one has failed, or has not crossed often enough though no end was given; stopped if `progress`
  /// said so.
  Outcome outcome;
};

/// What the rows of a section hold: `orbit`, counted from 1, if there are several; t; the columns.
std::vector<Column> columns_of(const Section& section);
std::vector<Column> columns_of(const System& system, const SectionOptions& options);
/// Calls `take` with every crossing, orbit after orbit; the numbers live as long as the call.
void for_each_row(const Section& section, const std::function<void(std::span<const double>)>& take);

/// InputError as integrate has them, and for an event or columns that cannot be understood.
Section section(const System& system, const SectionOptions& options);

}  // namespace noslip
