# Ensembles as a user starts them, alone and under mpirun; shared by the test scripts about them.
import csv
import io
import os
import re
import shutil
import subprocess

import tool

LAUNCHERS = re.compile("^(OMPI_|PMIX_|PMI_|MV2_|SLURM_|I_MPI_)")
SECONDS = 60

CHAOTIC = ("ensemble", "chaotic", "--method", "mp", "--step", "0.05")
SKATES = ("ensemble", "skate", "--step", "0.1", "--until", "1")


def environment():
    """Without launchers; several ranks per core, and root, are allowed."""
    plain = {name: value for name, value in os.environ.items() if not LAUNCHERS.match(name)}
    return plain | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def environment_of_ranks():
    """MPI unloads modules that have not freed everything: nothing that a sanitizer should look for."""
    plain = environment()
    return plain | {"ASAN_OPTIONS": ":".join(filter(None, [plain.get("ASAN_OPTIONS"), "detect_leaks=0"]))}


def lacks_ranks():
    """Why there is no MPI here; nothing if there is."""
    if not shutil.which("mpirun"):
        return "there is no mpirun"
    result = subprocess.run(["mpirun", "--version"], env=environment(), capture_output=True, text=True)
    if "Open MPI" not in result.stdout:
        return "mpirun is not that of Open MPI"
    words = [tool.binary(), *SKATES, "--grid", "phi'=1:2:2", "--quiet"]
    result = subprocess.run(["mpirun", "--oversubscribe", "-n", "2", *words], env=environment_of_ranks(), capture_output=True,
                            text=True, stdin=subprocess.DEVNULL, timeout=SECONDS)
    return "the tool is built without MPI" if "libopenmpi-dev" in result.stderr else ""


class EnsembleTest(tool.ToolTest):
    """Runs ensembles, alone and under mpirun."""

    def start(self, *words, ranks=0, **options):
        before = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", str(ranks)] if ranks else []
        process = subprocess.Popen([*before, tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=environment_of_ranks() if ranks else environment(), **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def with_ranks(self, ranks, *words):
        process = self.start(*words, ranks=ranks)
        out, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, error)
        return out

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def rows(self, name):
        """Of a CSV file, by name; None where a value is missing."""
        text = self.bytes_of(name).decode()
        return [{key: float(value) if value else None for key, value in row.items()}
                for row in csv.DictReader(io.StringIO(text))]

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def formats(self):
        endings = ["csv", "npz"]
        result = subprocess.run([tool.binary(), *SKATES, "--grid", "phi'=1:2:2", "-o", "probe.h5"], cwd=self.folder,
                                capture_output=True)
        (self.folder / "probe.h5").unlink(missing_ok=True)
        return endings + (["h5"] if result.returncode == 0 else [])
