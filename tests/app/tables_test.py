"""Tables from files: what a run carries when the file has gone, and steps that land where the equations change."""
import json
import os
import subprocess
import tempfile
import unittest

TOOL = os.environ["NOSLIP_TOOL"]

SYSTEM = """
coordinates = ["x"]
lagrangian = "1/2*(x'^2 - x^2)"
[forces]
x = "push(t) + if(x < 1/2, 0, 1)"
[tables]
push = { file = "push.csv", x = "t", y = "force", kind = "cubic" }
[initial]
v = [1]
"""
POINTS = "t,other,force\n0,9,0.1\n0.4,9,-0.2\n0.9,9,0.3\n1.7,9,0\n2.5,9,0.2\n"


def run(*words, code=0):
    done = subprocess.run([TOOL, *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        os.mkdir("data")
        with open("data/system.toml", "w") as file:
            file.write(SYSTEM)
        with open("data/push.csv", "w") as file:
            file.write(POINTS)

    def test_resume_goes_on_without_the_file(self):
        words = ["data/system.toml", "--method", "gauss:2", "--step", "0.05", "--quiet"]
        run("run", *words, "--until", "2", "-o", "whole.csv")
        run("run", *words, "--until", "1", "-o", "parts.csv", "--checkpoint", "saved")
        os.remove("data/push.csv")
        run("resume", "saved", "--until", "2", "--quiet")
        with open("whole.csv") as whole, open("parts.csv") as parts:
            rows = [[line for line in file if not line.startswith("#")] for file in (whole, parts)]
        self.assertEqual(*rows)
        self.assertIn("push.csv", run("run", *words, "--until", "1", code=2).stderr)

    def test_data_files_have_the_points(self):
        run("run", "data/system.toml", "--step", "0.05", "--until", "1", "-o", "run.h5", "-o", "run.npz", "--quiet")
        with open("run.h5", "rb") as file:
            self.assertIn(b"0.4, -0.2", file.read())

    def test_a_long_file(self):
        with open("data/push.csv", "w") as file:
            file.write("t,force\n" + "".join(f"{i / 1000},{i % 7}\n" for i in range(100000)))
        document = json.loads(run("run", "data/system.toml", "--step", "0.05", "--until", "1", "--json").stdout)
        self.assertEqual(document["status"], "done")
        self.assertEqual([w["code"] for w in document["warnings"]].count("switches"), 1)

    def test_warning_and_landing(self):
        words = ["run", "data/system.toml", "--method", "gauss:2", "--until", "1", "--json", "--step"]
        plain = json.loads(run(*words, "0.05").stdout)
        warning, = [w for w in plain["warnings"] if w["code"] == "switches"]
        self.assertIn('--event "1/2 - x" with --land', warning["message"])
        landing = ["--event", "1/2 - x", "--land"]
        exact = json.loads(run(*words, "0.001", *landing).stdout)["q"]["x"]
        errors = []
        for step in ("0.1", "0.05", "0.025"):
            document = json.loads(run(*words, step, *landing).stdout)
            self.assertEqual(document["warnings"], [])
            errors.append(abs(document["q"]["x"] - exact))
        self.assertGreater(errors[0] / errors[2], 8 ** 2)
        self.assertLess(errors[1], abs(plain["q"]["x"] - exact) / 100)

    def test_shown(self):
        self.assertIn("push(t)", run("show", "data/system.toml").stdout)
        self.assertIn("\\operatorname{push}", run("show", "data/system.toml", "--latex").stdout)
        self.assertIn("\\begin{cases}", run("show", "data/system.toml", "--latex").stdout)


if __name__ == "__main__":
    unittest.main()
