# Ranks under a real mpirun: messages, ends and failures; and environments that only look like it.
#
#   ranks_test.py RANKS_PROGRAM MODULES_FROM_PROGRAM [NOSLIP_MPI_MODULE]
#
# MODULES_FROM_PROGRAM leads from the folder of an installed program to that of the module. Exit code 77 (skip) if there is
# no module or no mpirun.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, MODULES_FROM_PROGRAM = sys.argv[1:3]
MODULE = sys.argv[3] if len(sys.argv) > 3 else None
SECONDS = 120
LAUNCHERS = re.compile("^(OMPI_|PMIX_|PMI_|MV2_|SLURM_|I_MPI_|NOSLIP_MPI)")


def environment(**more):
    """Without launchers, and fit for tests: several ranks per core, and root, are allowed."""
    plain = {name: value for name, value in os.environ.items() if not LAUNCHERS.match(name)}
    plain |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return plain | more


def has_mpirun():
    if not shutil.which("mpirun"):
        return False
    return "Open MPI" in subprocess.run(["mpirun", "--version"], env=environment(), capture_output=True, text=True).stdout


class WithoutLauncher(unittest.TestCase):
    """Needs no MPI."""

    def run_alone(self, program=PROGRAM, **more):
        return subprocess.run([program, "info"], env=environment(**more), capture_output=True, text=True, timeout=SECONDS)

    def refused(self, *words, **more):
        """With exit code 2 and a message that has these words in it."""
        result = self.run_alone(**more)
        self.assertEqual(result.returncode, 2, result)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_nobody_started_it(self):
        for more in ({}, {"OMPI_COMM_WORLD_SIZE": "1"}, {"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_JOB_ID": "7"},
                     {"SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_ID": "0"}):
            # A module that cannot be loaded: nothing tries to.
            result = self.run_alone(NOSLIP_MPI_MODULE="/nonexistent/module.so", **more)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "alone\n", ""), more)

    def test_told_to_work_alone(self):
        result = self.run_alone(NOSLIP_MPI_MODULE="none", OMPI_COMM_WORLD_SIZE="3")
        self.assertEqual((result.returncode, result.stdout), (0, "alone\n"), result)

    def test_no_module(self):
        with tempfile.TemporaryDirectory() as folder:
            program = shutil.copy2(PROGRAM, folder)
            self.refused("OMPI_COMM_WORLD_SIZE=3", "libopenmpi-dev", "noslip_mpi.so", f"is not in {folder}",
                         "NOSLIP_MPI_MODULE", program=program, OMPI_COMM_WORLD_SIZE="3", NOSLIP_MPI_MODULE="")

    def test_not_a_module(self):
        self.refused("cannot be loaded", "/nonexistent/module.so", "openmpi-bin", "NOSLIP_MPI_MODULE",
                     OMPI_COMM_WORLD_SIZE="3", NOSLIP_MPI_MODULE="/nonexistent/module.so")
        self.refused("cannot be loaded", PROGRAM, OMPI_COMM_WORLD_SIZE="3", NOSLIP_MPI_MODULE=PROGRAM)


@unittest.skipUnless(MODULE, "built without MPI")
class Unconnected(WithoutLauncher):
    """The environment tells of others, but there are none."""

    def run_alone(self, **more):
        return super().run_alone(**({"NOSLIP_MPI_MODULE": MODULE} | more))

    def test_srun_without_pmi(self):
        self.refused("SLURM_STEP_NUM_TASKS=2", "srun --mpi=pmix", "mpirun", "NOSLIP_MPI_MODULE=none",
                     SLURM_STEP_NUM_TASKS="2", SLURM_STEP_ID="0", SLURM_NTASKS="2", SLURM_PROCID="1")

    def test_mpirun_of_another_library(self):
        self.refused("PMI_SIZE=3", "mpirun of the MPI library", PMI_SIZE="3", PMI_RANK="0", PMI_FD="99")

    def test_size_is_not_known(self):
        result = self.run_alone(PMIX_RANK="0")
        self.assertEqual((result.returncode, result.stdout), (0, "alone\n"), result)

    def test_another_build(self):
        data = pathlib.Path(MODULE).read_bytes()
        at = data.index(b", interface ")
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "noslip_mpi.so")
            other.write_bytes(data[:at] + b", interfacx " + data[at + 12:])
            self.refused("belongs to another build", "interfacx", OMPI_COMM_WORLD_SIZE="3", NOSLIP_MPI_MODULE=str(other))


@unittest.skipUnless(MODULE, "built without MPI")
@unittest.skipUnless(has_mpirun(), "there is no mpirun of Open MPI")
class UnderMpirun(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, count, *words, program=None, options=(), **more):
        more = {"NOSLIP_MPI_MODULE": MODULE} | more
        return subprocess.Popen(["mpirun", "--oversubscribe", *options, "-n", str(count), program or PROGRAM, *words],
                                env=environment(**{name: value for name, value in more.items() if value is not None}),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def mpirun(self, *words, **more):
        process = self.start(*words, **more)
        try:
            output, messages = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.terminate()
            self.fail(f"{words}: no end after {SECONDS} s\n" + "\n".join(process.communicate()))
        return process.returncode, output, messages

    def works(self, *words, **more):
        code, output, messages = self.mpirun(*words, **more)
        self.assertEqual((code, messages), (0, ""), output)
        print(output.strip())
        return output

    def test_info(self):
        for count in (2, 3):
            lines = sorted(self.works(count, "info", options=["--bind-to", "none"]).splitlines())
            share = max(1, len(os.sched_getaffinity(0)) // count)
            for rank, line in enumerate(lines):
                self.assertIn(f"rank {rank} of {count}, {count} here, processors {share},", line)
        self.assertEqual(self.works(1, "info"), "alone\n")

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "one processor")
    def test_bound_to_processors(self):
        for line in self.works(2, "info", options=["--bind-to", "core"]).splitlines():
            self.assertIn("2 here, processors 1,", line)

    def test_ring(self):
        self.works(3, "ring")
        self.works(2, "ring")

    def test_flood(self):
        self.works(3, "flood")

    def test_flood_over_sockets(self):  # as between machines
        self.works(3, "flood", options=["--mca", "btl", "self,tcp"])

    def test_large_messages(self):
        self.works(3, "large")

    def test_a_sender_that_is_busy(self):
        self.works(3, "busy")
        self.works(3, "busy", options=["--mca", "btl", "self,tcp"])

    def test_waiting_costs_nothing(self):
        self.works(3, "patience")

    def test_abort(self):
        for who, exit_code in ((0, 3), (2, 77)):
            start = time.monotonic()
            code, output, messages = self.mpirun(3, "abort", str(who), str(exit_code))
            self.assertEqual(code, exit_code, messages)
            self.assertIn("about to abort", output)
            self.assertLess(time.monotonic() - start, 60)

    def test_a_rank_that_leaves(self):
        code, output, messages = self.mpirun(3, "throw", "1")
        self.assertEqual(code, 5, messages)
        self.assertIn("failed: rank 1 leaves", messages)

    def test_a_rank_that_dies(self):
        """The others get SIGTERM after a second and are killed after another one; how it was, is printed."""
        for who in (1, 0):
            folder = self.folder / str(who)
            folder.mkdir()
            code, output, messages = self.mpirun(3, "die", str(who), str(folder))
            self.assertEqual(code, 137, messages)
            self.assertIn(f"process rank {who}", messages)
            logs = {int(path.name): [line.split(maxsplit=1) for line in path.read_text().splitlines()]
                    for path in folder.iterdir()}
            self.assertEqual(sorted(logs), [0, 1, 2])
            killed = float(logs[who][-1][0])
            for rank in {0, 1, 2} - {who}:
                self.assertLess(float(logs[rank][-1][0]) - killed, 20)
                signals = [(round(float(at) - killed, 3), what) for at, what in logs[rank] if "alive" not in what]
                print(f"rank {who} killed; rank {rank}: {signals}, last seen {float(logs[rank][-1][0]) - killed:.3f} s later")

    def test_installed(self):
        """The module is found without a variable: beside the program, and where it is installed."""
        for program, module in (("bin/p", "bin/noslip_mpi.so"), ("bin/p", f"bin/{MODULES_FROM_PROGRAM}/noslip_mpi.so"),
                                ("lib/p", "lib/noslip/noslip_mpi.so")):
            root = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            for source, name in ((PROGRAM, program), (MODULE, module)):
                target = pathlib.Path(os.path.normpath(root / name))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
            self.assertIn("rank 1 of 2", self.works(2, "info", program=str(root / program), NOSLIP_MPI_MODULE=None))


if __name__ == "__main__":
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    if result.wasSuccessful() and result.skipped:
        print("skipped:", {reason for _, reason in result.skipped})
        sys.exit(77)
    sys.exit(not result.wasSuccessful())
