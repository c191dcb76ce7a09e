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


if __name__ == "__main__":
    tool.binary()
    unittest.main()
