#!/usr/bin/env python3
# No number that is none in what the tool prints: summaries, tables, CSV, JSON.
import re
import unittest

import tool

DAMPED = """
coordinates = ["x"]
lagrangian  = "(x'^2 - x^2)/2"
[forces]
x = "-x'/5"
[invariants]
pole = "1/(x - 1)"
[initial]
q = [1]
v = [0]
"""

# It falls onto a singularity.
WALL = """
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - log(x)"
constraints = ["y' = x*x'"]
[initial]
q = [1, 0]
v = [0, 0]
"""


class Finite(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("damped.toml", DAMPED)
        self.write("wall.toml", WALL)

    def clean(self, *words, code=0):
        text = self.tool(*words, code=code).stdout
        self.assertIsNone(re.search(r"\b(nan|inf)\b", text, re.IGNORECASE), text)
        return text

    def test_a_stop_inside_a_step(self):
        run = ("run", "damped.toml", "--method", "gauss:3", "--step", "0.1", "--until", "5", "--event", "x,down,stop=1")
        text = self.clean(*run)
        self.assertRegex(text, r"work +-0\.\d+")
        self.assertIn("pole has no value at the start", text)
        document = self.document(*run)
        self.assertEqual(document["status"], "stopped")
        self.assertAlmostEqual(document["energy"]["work"], document["energy"]["final"] - 0.5, delta=1e-6)
        self.clean(*run, "-o", "-", "--at", "0.05,0.77")

    def test_runs_that_fail(self):
        for method in ("gauss:2", "mp", "gonzalez"):
            self.clean("run", "wall.toml", "--method", method, "--step", "0.05", "--until", "3", code=1)
            self.clean("run", "wall.toml", "--method", method, "--step", "0.05", "--until", "3", "-o", "-", code=1)
        self.clean("compare", "wall.toml", "--method", "gauss:1,mp", "--step", "0.1", "--until", "3", code=1)
        text = self.clean("bench", "wall.toml", "--method", "gauss:1", "--step", "3", code=1)
        self.assertRegex(text, r"gauss:1 +1 +\w+ +- +-")
        self.document("bench", "wall.toml", "--method", "gauss:1", "--step", "3", code=1)

    def test_tables_of_studies(self):
        self.clean("compare", "damped.toml", "--method", "gauss:1,mp", "--step", "0.1", "--until", "1")
        self.clean("converge", "damped.toml", "--method", "gauss:1", "--steps-list", "0.1,0.05", "--until", "1")
        self.clean("check", "damped.toml")
        self.clean("check", "index2")
        self.clean("compare", "index2", "--method", "srk-gauss:2", "--step", "0.1", "--until", "1")


if __name__ == "__main__":
    unittest.main()
