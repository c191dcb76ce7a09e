#!/usr/bin/env python3
# Keys of mechanical systems that say more about a system than its equations do: what check and show make of them.
import unittest

import tool

BASIS = """name = "skate"
coordinates = ["x", "y", "theta"]
lagrangian = "(x'^2 + y'^2 + theta'^2)/2"
constraints = ["y'*cos(theta) = x'*sin(theta)"]
basis = [["cos(theta)", "sin(theta)", 0], [0, 0, 1]]
"""

# The pendulum turns over: about 160 turns in the run below.
ROTATING = """name = "pendulum"
coordinates = ["theta", "s"]
angles = ["theta"]
lagrangian = "theta'^2/2 + s'^2/2 + cos(theta)"
[initial]
v = { theta = 10, s = 1 }
"""

CONTROLLED = """name = "cart"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
[parameters]
T = 0.5
[inputs]
push = "2*T"
pull = 3
[forces]
x = "push - pull"
[sampled]
every = "T/10"
delay = 0.02
sum = "last(sum) + y"
push = "-x - sum"
[initial]
sampled = { sum = 1 }
"""


class Keys(tool.ToolTest):
    def file(self, text):
        self.write("system.toml", text)
        return "system.toml"

    def test_basis(self):
        text = self.tool("show", self.file(BASIS)).stdout
        self.assertIn("\nBasis of the allowed velocities, in the order x, y, theta\n"
                      "  X1 = (cos(theta), sin(theta), 0)\n  X2 = (0, 0, 1)\n", text)
        self.assertIn("X_{2} &= \\left(0,\\; 0,\\; 1\\right)", self.tool("show", "system.toml", "--latex").stdout)
        self.assertEqual(self.document("show", "system.toml")["basis"],
                         [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]])
        self.assertIn("basis of the allowed velocities   given", self.tool("check", "system.toml").stdout)
        self.document("run", "system.toml", "--step", "0.1", "--steps", "3")

    def test_inputs_and_a_controller(self):
        text = self.tool("check", self.file(CONTROLLED)).stdout
        self.assertIn("\n  inputs              push = 1, pull = 3\n", text)
        self.assertIn("  inputs from a controller          push, sampled every 0.1*T, acting 0.02 later\n", text)
        self.assertIn("  coordinates that appear nowhere   none\n", text)
        document = self.document("check", "system.toml", "--set", "T=1/4")
        self.assertEqual(document["parameters"], {"T": 0.25})
        self.assertEqual(document["inputs"], {"push": 0.5, "pull": 3})
        self.assertEqual(document["sampled"], {"every": 0.025, "delay": 0.02,
                                               "values": {"sum": "last(sum) + y", "push": "-x - sum"}})
        self.assertEqual(document["initial"]["accelerations"]["x"], -2.5)
        self.assertEqual(self.document("check", "skate.toml")["inputs"], {})
        self.assertNotIn("sampled", self.document("check", "skate.toml"))

        text = self.tool("show", "system.toml").stdout
        self.assertIn("\n  inputs        push = 2*T, pull = 3\n", text)
        self.assertIn("\nController, sampled every 0.1*T, acting 0.02 later\n"
                      "  sum = y + last(sum)\n  push = -(x + sum)\n", text)
        document = self.document("show", "system.toml")
        self.assertEqual(document["inputs"], {"push": "2*T", "pull": "3"})
        self.assertEqual(document["sampled"], {"every": "0.1*T", "delay": "0.02",
                                               "values": {"sum": "y + last(sum)", "push": "-(x + sum)"}})
        self.assertIn("\\mathrm{sum} &= y + \\mathrm{last}_{\\mathrm{sum}} \\\\\n",
                      self.tool("show", "system.toml", "--latex").stdout)

    def test_angles(self):
        text = self.tool("show", self.file(ROTATING)).stdout
        self.assertIn("\n  angles        theta\n", text)
        self.assertEqual(self.document("show", "system.toml")["angles"], ["theta"])
        self.assertEqual(self.document("check", "system.toml")["structure"]["angles"], ["theta"])
        self.assertIn("  angles, 2 pi periodic             theta\n", self.tool("check", "system.toml").stdout)
        self.assertEqual(self.document("check", "skate.toml")["structure"]["angles"], [])

    def test_angles_are_continuous_in_all_output(self):
        self.file(ROTATING)
        self.write("plain.toml", ROTATING.replace('angles = ["theta"]\n', ""))
        words = ["--step", "0.05", "--until", "100", "--method", "gauss:3"]
        folded, plain = (self.document("run", name, *words) for name in ("system.toml", "plain.toml"))
        self.assertGreater(folded["q"]["theta"], 900)
        self.assertAlmostEqual(folded["q"]["theta"], plain["q"]["theta"], delta=1e-9)
        self.assertNotEqual(folded["q"]["theta"], plain["q"]["theta"])
        self.assertLess(folded["energy"]["max_abs_error"], 1.1 * plain["energy"]["max_abs_error"])

        rows = self.tool("run", "system.toml", *words, "--every", "1", "-o", "-").stdout.splitlines()
        column = rows[0].split(",").index("theta")
        angles = [float(row.split(",")[column]) for row in rows[1:]]
        self.assertEqual(len(angles), 2001)
        for before, after in zip(angles, angles[1:]):
            self.assertLess(abs(after - before - 0.5), 0.0102)  # 10 at the bottom, sqrt(96) at the top

        until = ["--until", "20", "--method", "gauss:2"]
        words = ["--steps-list", "0.1,0.05,0.025"] + until
        ours, theirs = (self.document("converge", name, *words)["results"][0] for name in ("system.toml", "plain.toml"))
        self.assertAlmostEqual(ours["order_q"], 4, delta=0.1)
        for mine, other in zip(ours["rows"], theirs["rows"]):
            self.assertAlmostEqual(mine["error_q"], other["error_q"], delta=1e-5 * other["error_q"])
        words = ["--step", "0.05"] + until
        ours, theirs = (self.document("compare", name, *words)["results"][0] for name in ("system.toml", "plain.toml"))
        self.assertAlmostEqual(ours["q"]["theta"], theirs["q"]["theta"], delta=1e-10)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
