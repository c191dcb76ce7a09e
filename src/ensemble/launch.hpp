// Who started this process, and together with how many others: read from the environment, before anything is loaded.
#pragma once

#include <functional>
#include <string>

namespace noslip {

/// What launchers leave in the environment.
struct Launch {
  int size = 1;          ///< processes that were started together; 0 if there is a launcher that does not say
  std::string by;        ///< the variable that says so, with its value, for messages
  bool is_step = false;  ///< started by srun, which is not always able to connect processes
  bool has_pmi = false;  ///< there is somebody who connects them (PMIx, PMI)

  bool is_alone() const { return size == 1; }
};

/// The value of an environment variable, or null.
using Environment = std::function<const char*(const char*)>;

/// Inside a batch script of Slurm a process is alone, although SLURM_NTASKS and SLURM_PROCID are set there: only the steps
/// that srun starts have SLURM_STEP_NUM_TASKS.
Launch find_launch(const Environment& environment);

}  // namespace noslip
