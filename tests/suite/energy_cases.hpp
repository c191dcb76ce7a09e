// Systems and starts on which energy-preserving methods are measured.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "suite/members.hpp"

namespace noslip::testing {

struct EnergyCase {
  const char* name;
  System system;
  InitialState start;
};

inline EnergyCase started(const char* name, const char* system) {
  const System found = catalogue_system(system);
  return {name, found, found.initial_state(found.parameter_values())};
}

/// Celledoni et al. 2019, sec. 4.4: the pendulum of the gearbox goes round with its rate p3, and q3 grows without end.
inline EnergyCase rotating_gearbox(double p3 = 3) {
  EnergyCase result = started("rotating gearbox", "gearbox");
  result.start = {0, {1, 1, 0.3}, {-std::sin(0.3) / 2, 0.5, p3}, {}};
  return result;
}

inline EnergyCase gliding_sleigh() {
  EnergyCase result = started("sleigh", "sleigh");
  result.start = {0, {1, 0, 0.2}, {0.5 * std::cos(0.2), 0.5 * std::sin(0.2), 0.7}, {}};
  return result;
}

inline EnergyCase curving_robot() {
  EnergyCase result = started("mobile robot", "mobile-robot");
  result.start.v = {1, 0, 0.7, 1};
  return result;
}

/// Celledoni et al. 2019, sec. 4.1, with the basis of the paper where it is asked for; the start is that of the
/// reference states.
inline System published_chaotic(bool has_basis) {
  return System::parse(std::string(R"toml(
    coordinates = ["x", "w1", "w2", "w3", "z1", "z2", "z3"]
    lagrangian  = """1/2*(x'^2 + w1'^2 + w2'^2 + w3'^2 + z1'^2 + z2'^2 + z3'^2)
                   - 1/2*(x^2 + w1^2 + w2^2 + w3^2 + z1^2 + z2^2 + z3^2
                          + z1^2*z2^2 + w1^2*z1^2 + w2^2*z2^2 + w3^2*z3^2)"""
    constraints = ["x' + w1*z1' + w2*z2' + w3*z3' = 0"]
    )toml") +
                       (has_basis ? R"toml(
    basis       = [[0, 1, 0, 0, 0, 0, 0],
                   [0, 0, 1, 0, 0, 0, 0],
                   [0, 0, 0, 1, 0, 0, 0],
                   ["w1", 0, 0, 0, -1, 0, 0],
                   ["w2", 0, 0, 0, 0, -1, 0],
                   ["w3", 0, 0, 0, 0, 0, -1]]
    )toml"
                                  : "") +
                       R"toml(
    [initial]
    q = [0.610514487046456, -0.324297086647163, 0.105418612924114, -0.00667513333190997, -0.682648499745127,
         -0.592301057697297, -1.21520451846666]
    v = [0.136575485803536, 0.793921917219814, 0.634426179823796, 0.376804231608237, 0.789053215633869,
         1.13804413547098, 0.0987037919551468]
    )toml");
}

inline Trajectory run(const EnergyCase& each, const RunOptions& o) { return integrate(each.system, each.start, o); }

/// Largest |E - E0| beside |E0|.
inline double relative_energy_error(const Trajectory& run) {
  return run.energy.max_abs_error / std::fabs(run.energy.initial);
}

}  // namespace noslip::testing
