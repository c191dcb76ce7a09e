// Which launcher is found in an environment, with what Slurm 22.05 and Open MPI 4.1 really leave there.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "ensemble/launch.hpp"

namespace noslip {
namespace {

Launch launch_in(const std::map<std::string, std::string>& variables) {
  return find_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

using Variables = std::map<std::string, std::string>;

/// Inside the script of `sbatch -n 2`, or what it starts plainly.
const Variables batch = {{"SLURM_JOB_ID", "4"}, {"SLURM_NTASKS", "2"}, {"SLURM_NPROCS", "2"},        {"SLURM_PROCID", "0"},
                         {"SLURM_LOCALID", "0"}, {"SLURM_GTIDS", "0"}, {"SLURM_TASKS_PER_NODE", "2"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

Variables step(const std::string& size, const Variables& more = {}) {
  return with(batch, with({{"SLURM_STEP_ID", "0"},
                           {"SLURM_STEPID", "0"},
                           {"SLURM_STEP_NUM_TASKS", size},
                           {"SLURM_STEP_TASKS_PER_NODE", size}},
                          more));
}

TEST(Launch, NobodyStartedIt) {
  EXPECT_TRUE(launch_in({}).is_alone());
  EXPECT_TRUE(launch_in({{"PATH", "/usr/bin"}, {"OMP_NUM_THREADS", "4"}}).is_alone());
}

TEST(Launch, MpirunStartedIt) {
  const Launch launch = launch_in({{"OMPI_COMM_WORLD_SIZE", "3"}, {"OMPI_COMM_WORLD_RANK", "1"}, {"PMIX_RANK", "1"}});
  EXPECT_EQ(launch.size, 3);
  EXPECT_EQ(launch.by, "OMPI_COMM_WORLD_SIZE=3");
  EXPECT_TRUE(launch.has_pmi);
  EXPECT_FALSE(launch.is_step);
  EXPECT_TRUE(launch_in({{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}}).is_alone());
  EXPECT_EQ(launch_in({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}, {"PMI_FD", "6"}}).size, 4);  // MPICH
  EXPECT_EQ(launch_in({{"MV2_COMM_WORLD_SIZE", "2"}}).size, 2);
}

TEST(Launch, AScriptOfSlurmIsAlone) {
  EXPECT_TRUE(launch_in(batch).is_alone());
  // What salloc starts, without and with an interactive step.
  EXPECT_TRUE(launch_in({{"SLURM_JOB_ID", "5"}, {"SLURM_NTASKS", "2"}, {"SLURM_NPROCS", "2"}}).is_alone());
  EXPECT_TRUE(launch_in(step("1", {{"SLURM_STEP_ID", "4294967290"}})).is_alone());
  EXPECT_TRUE(launch_in(step("1", {{"PMIX_RANK", "0"}})).is_alone());  // srun -n 1 inside of it
}

TEST(Launch, SrunStartedIt) {
  const Launch unconnected = launch_in(step("2"));
  EXPECT_EQ(unconnected.size, 2);
  EXPECT_EQ(unconnected.by, "SLURM_STEP_NUM_TASKS=2");
  EXPECT_TRUE(unconnected.is_step);
  EXPECT_FALSE(unconnected.has_pmi);
  const Launch pmix = launch_in(step("2", {{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "slurm.pmix.3.0"}}));
  EXPECT_EQ(pmix.size, 2);
  EXPECT_TRUE(pmix.is_step);
  EXPECT_TRUE(pmix.has_pmi);
  const Launch pmi2 = launch_in(step("2", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"PMI_FD", "13"}}));
  EXPECT_EQ(pmi2.size, 2);
  EXPECT_TRUE(pmi2.is_step);
  EXPECT_TRUE(pmi2.has_pmi);
}

TEST(Launch, MpirunInsideOfSlurmCounts) {
  const Variables open_mpi = {{"OMPI_COMM_WORLD_SIZE", "8"}, {"PMIX_RANK", "5"}};
  EXPECT_EQ(launch_in(with(batch, open_mpi)).size, 8);
  // On several nodes it starts its helpers by srun, one per node.
  const Launch launch = launch_in(step("2", open_mpi));
  EXPECT_EQ(launch.size, 8);
  EXPECT_FALSE(launch.is_step);
}

TEST(Launch, ALauncherThatDoesNotSayHowMany) {
  const Launch launch = launch_in({{"PMIX_RANK", "0"}});
  EXPECT_FALSE(launch.is_alone());
  EXPECT_EQ(launch.size, 0);
  for (const char* const nonsense : {"", "many", "-3", "0", "2x", "99999999999999"}) {
    EXPECT_EQ(launch_in({{"OMPI_COMM_WORLD_SIZE", nonsense}}).size, 0) << nonsense;
  }
}

}  // namespace
}  // namespace noslip
