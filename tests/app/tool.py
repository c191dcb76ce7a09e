# Runs the tool as a user does; shared by the test scripts of this folder.
#
# The binary is named by the environment variable NOSLIP_TOOL, or by the first argument of a script.
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

# A build with sanitizers is slower: NOSLIP_SLOWNESS says how many times.
TIMEOUT_SECONDS = 10 * float(os.environ.get("NOSLIP_SLOWNESS", "1"))
# Names Class.test, separated by colons: tests that are left out.
LEFT_OUT = os.environ.get("NOSLIP_LEFT_OUT", "").split(":")

SKATE = """
name        = "skate"
coordinates = ["x", "y", "theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + J/2*theta'^2 - m*g*sin(alpha)*x"
constraints = ["y'*cos(theta) = x'*sin(theta)"]

[parameters]
m = 1.0
J = "m/2"
g = 9.81
alpha = "pi/6"

[invariants]
spin = "theta'"

[initial]
q = { x = 0.0, y = 0.0, theta = 0.0 }
v = [1.0, 0.0, 0.5]
"""

# The exact solution is known and simple.
OSCILLATOR = """
name        = "oscillator"
coordinates = ["x"]
lagrangian  = "x'^2/2 - x^2/2"
[initial]
q = [1]
v = [0]
[exact]
x = "cos(t)"
"""

# Any step of this one ends where the Lagrangian is not defined.
FALLING_OFF = """
name        = "falling off"
coordinates = ["x"]
lagrangian  = "x'^2/2 + 4*log(x)"
[initial]
q = [1.0]
v = [-1000.0]
"""


def binary():
    name = os.environ.get("NOSLIP_TOOL") or (sys.argv.pop(1) if len(sys.argv) > 1 else "")
    if not name:
        sys.exit("name the tool: NOSLIP_TOOL=path/to/noslip, or as the first argument")
    os.environ["NOSLIP_TOOL"] = str(pathlib.Path(name).resolve())
    return os.environ["NOSLIP_TOOL"]


def run(*words, folder=None, stdout=subprocess.PIPE):
    """The finished process; fails by subprocess.TimeoutExpired if it hangs."""
    return subprocess.run([binary(), *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS, encoding="utf-8", errors="replace")


def skip_if_left_out(test):
    if test.id().split(".", 1)[1] in LEFT_OUT:
        test.skipTest("NOSLIP_LEFT_OUT names it")


class ToolTest(unittest.TestCase):
    """A folder with the system files above, thrown away afterwards."""

    maxDiff = None

    def setUp(self):
        skip_if_left_out(self)
        holder = tempfile.TemporaryDirectory(prefix="noslip-test-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write("skate.toml", SKATE)
        self.write("oscillator.toml", OSCILLATOR)
        self.write("falling.toml", FALLING_OFF)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def wait_until(self, holds, what):
        """Fails if it does not hold in time."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not holds():
            if time.monotonic() > deadline:
                self.fail(what)
            time.sleep(0.005)

    def figure(self, name, count):
        """A count for docs/reliability.md (tools/check_figures.py)."""
        folder = os.environ.get("NOSLIP_FIGURES")
        if folder:
            pathlib.Path(folder, f"{name}.{self.id()}").write_text(f"{count}\n", encoding="utf-8")

    def tool(self, *words, code=0, **options):
        result = run(*words, folder=self.folder, **options)
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def document(self, *words, code=0):
        """The JSON document that a command prints; strict, so that NaN would be noticed."""
        def refuse(constant):
            raise AssertionError(f"{constant} in JSON")
        return json.loads(self.tool(*words, "--json", code=code).stdout, parse_constant=refuse)
