#include "ensemble/launch.hpp"

#include <charconv>
#include <cstring>

namespace noslip {

namespace {

/// How many processes a launcher says that it has started; 0 if that cannot be read.
int launched_size(const char* text) {
  int size = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, size);
  return error == std::errc() && stop == end && size > 0 ? size : 0;
}

}  // namespace

Launch find_launch(const Environment& environment) {
  Launch launch;
  for (const char* const name : {"PMIX_RANK", "PMI_RANK", "PMI_FD", "PMI_PORT", "I_MPI_PMI_LIBRARY"}) {
    if (environment(name)) launch.has_pmi = true;
  }
  const auto ask = [&](const char* name) {
    const char* const value = environment(name);
    if (!value) return false;
    launch.size = launched_size(value);
    launch.by = std::string(name) + "=" + value;
    return true;
  };
  // Open MPI, MVAPICH, everybody who speaks PMI (MPICH, Intel MPI, srun --mpi=pmi2). An mpirun inside a step counts.
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (ask(name)) {
      launch.is_step = name == std::string_view("PMI_SIZE") && environment("SLURM_STEP_NUM_TASKS");
      return launch;
    }
  }
  if (ask("SLURM_STEP_NUM_TASKS")) {
    launch.is_step = true;
  } else if (const char* const rank = environment("PMIX_RANK")) {
    launch.size = 0;
    launch.by = std::string("PMIX_RANK=") + rank;
  }
  return launch;
}

}  // namespace noslip
