// What is computed of members in lanes beside their steps: kernels in the workspace of a stepper.
#pragma once

#include <vector>

#include <noslip/exec/function.hpp>

#include "ensemble/plan.hpp"
#include "run/program_data.hpp"

namespace noslip {

/// Immutable once it is made; the groups of lanes of one thread share it.
struct LaneFunctions {
  /// How a column is read.
  struct Source {
    enum class Kind { time, state, workspace, energy } kind;
    std::size_t index = 0;  ///< of the state, or slot of the workspace
  };

  LaneFunctions(const EnsemblePlan& plan, const ProgramData<double>& program);

  // slots of the workspace, behind what belongs to the stepper and to ProgramData::monitored
  std::size_t kinetic_slot = 0;  ///< a size of the kinetic energy
  std::size_t whole_slot = 0;    ///< the state, with angles that go on beyond a turn
  std::size_t margin_slot = 0;   ///< start_margins()
  std::size_t margin_count = 0;  ///< 0: nothing is known about starts
  std::size_t extra_slots = 0;   ///< all of them

  std::vector<Source> sources;  ///< of the columns
  bool has_functions = false;
  Function<double> kinetic, functions, margins;
  std::size_t scratch_size = 0;

 private:
  void find_sources(const EnsemblePlan& plan, const StepLayout& layout, std::size_t next_output);
};

/// Numbers of a state as columns count them: q, v and z.
std::size_t state_size(const System& system);

}  // namespace noslip
