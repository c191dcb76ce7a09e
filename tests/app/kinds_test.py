#!/usr/bin/env python3
# Hamiltonians, nonideal reactions and overdetermined systems: what check, show and --init say about them.
import unittest

import tool

CLOSED = """name = "skate"
coordinates = ["x", "y", "theta"]
hamiltonian = "(p(x)^2 + p(y)^2)/(2*m) + p(theta)^2/2 + m*x"
constraints = ["p(y)*cos(theta) = p(x)*sin(theta)"]
[parameters]
m = 2
[initial]
p = [1, 0, 1]
"""
IMPLICIT = CLOSED.replace("(p(x)^2 + p(y)^2)/(2*m)", "sqrt(1 + p(x)^2 + p(y)^2)").replace(
    "p(y)*cos(theta) = p(x)*sin(theta)", "y'*cos(theta) = x'*sin(theta)").replace("p = [1, 0, 1]", "p = [0.75, 0, 1]")
NONIDEAL = """coordinates = ["x", "y"]
lagrangian = "x'^2 + y'^2 - x"
constraints = ["x' = 0"]
[nonideal]
y = "-abs(psi(1))"
"""
ODAE = """kind = "odae"
name = "jay"
y = ["y1", "y2"]
z = ["z1", "z2"]
lambda = ["k"]
v = ["2*z1", "-z2"]
f = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]
r = ["y1*y2*k^2", "-sqrt(y1)*k"]
g = ["y1*y2^2 = 1"]
[initial]
y = [1, 1]
z = [1, 1]
"""


class Files(tool.ToolTest):
    def file(self, text):
        self.write("system.toml", text)
        return "system.toml"

    def test_closed_hamiltonian(self):
        text = self.tool("show", self.file(CLOSED)).stdout
        for fragment in ("Hamiltonian\n  H = ", "p(x)^2", "Lagrangian, L = p . v - H\n  L = ", "Equations of motion"):
            self.assertIn(fragment, text)
        document = self.document("check", "system.toml")
        self.assertEqual(document["initial"]["v"], {"x": 0.5, "y": 0, "theta": 1})
        self.assertIs(document["structure"]["implicit_momenta"], False)
        self.assertNotIn("p", document["initial"])
        moved = self.document("check", "system.toml", "--init", "p(x)=3")
        self.assertEqual(moved["initial"]["v"], {"x": 1.5, "y": 0, "theta": 1})
        self.assertIn("momenta in closed form", self.tool("check", "system.toml").stdout)

    def test_implicit_hamiltonian(self):
        text = self.tool("show", self.file(IMPLICIT)).stdout
        for fragment in ("Velocities, q' = H_p\n  x' = ", "Forces, F = -H_q", "Equations of motion, p' = F + K^T lambda",
                         "  p(x)' = -m - sin(theta)*lambda1"):
            self.assertIn(fragment, text)
        self.assertIn("\\dot{p_{x}} &= ", self.tool("show", "system.toml", "--latex").stdout)
        shown = self.document("show", "system.toml")
        self.assertIn("p(x)^2", shown["hamiltonian"])
        self.assertIn("p(x)", shown["velocities"]["x"])
        document = self.document("check", "system.toml")
        self.assertEqual(document["initial"]["p"], {"x": 0.75, "y": 0, "theta": 1})
        self.assertAlmostEqual(document["initial"]["v"]["x"], 0.6, places=15)
        self.assertIs(document["structure"]["implicit_momenta"], True)
        moved = self.document("check", "system.toml", "--init", "x'=0.8")
        self.assertAlmostEqual(moved["initial"]["p"]["x"], 4 / 3, places=14)

    def test_refused_momenta(self):
        self.file(IMPLICIT)
        fast = self.tool("check", "system.toml", "--init", "x'=1.5", code=2).stderr
        self.assertIn("no momenta were found for x' = 1.5, y' = 0 and theta' = 1", fast)
        both = self.tool("check", "system.toml", "--init", "x'=0", "--init", "p(x)=0", code=2).stderr
        self.assertIn("momenta and velocities are both given", both)
        wrong = self.tool("check", "system.toml", "--init", "p(z)=0", code=2).stderr
        self.assertIn("has no coordinate 'p(z)'", wrong)

    def test_nonideal(self):
        text = self.tool("show", self.file(NONIDEAL)).stdout
        for fragment in ("Nonideal reactions, N; psi(i) = -lambda_i\n  N(y) = -abs(psi(1))", " + K^T lambda + N\n",
                         "  2*y'' = -abs(lambda1)\n"):
            self.assertIn(fragment, text)
        self.assertEqual(self.document("show", "system.toml")["nonideal"], {"x": "0", "y": "-abs(psi(1))"})
        document = self.document("check", "system.toml")
        self.assertEqual(document["initial"]["multipliers"], [1])
        self.assertEqual(document["initial"]["accelerations"], {"x": 0, "y": -0.5})
        self.assertIs(document["structure"]["has_nonideal"], True)
        self.assertIn("nonideal reactions", self.tool("check", "system.toml").stdout)

    def test_overdetermined(self):
        text = self.tool("show", self.file(ODAE)).stdout
        for fragment in ("lambda        k", "Rates, y' = v(t, y, z)\n  y1' = 2*z1", "d/dt (z1) = ",
                         "Their derivatives, g_t + g_y v = 0"):
            self.assertIn(fragment, text)
        self.assertIn("\\frac{d}{dt}\\left(z_{1}\\right) &= ", self.tool("show", "system.toml", "--latex").stdout)
        shown = self.document("show", "system.toml")
        self.assertEqual(shown["kind"], "odae")
        self.assertEqual(shown["z"], ["z1", "z2"])
        self.assertEqual(shown["reactions"][1], "-k*sqrt(y1)")
        document = self.document("check", "system.toml")
        self.assertEqual(document["holonomic"], [{"text": "y1*y2^2 = 1"}])
        self.assertEqual(document["degrees_of_freedom"], 1)
        initial = document["initial"]
        self.assertEqual(initial["q"], {"y1": 1, "y2": 1})
        self.assertEqual(initial["v"], {"z1": 1, "z2": 1})
        self.assertAlmostEqual(initial["multipliers"][0], 1, places=14)
        self.assertAlmostEqual(initial["accelerations"]["z1"], 2, places=13)
        self.assertEqual(initial["rates"], {"y1": 2, "y2": -1})
        self.assertIsNone(initial["energy"])
        self.assertIn("variables z", self.tool("check", "system.toml").stdout)

    def test_overdetermined_initial_data(self):
        self.file(ODAE)
        wrong = self.tool("check", "system.toml", "--init", "y1=1.25", code=4).stderr
        self.assertIn("constraint 'y1*y2^2 = 1' is violated by 0.25", wrong)
        self.assertIn("the derivative g_t + g_y v = 0 of 'y1*y2^2 = 1' is violated by", wrong)
        projected = self.document("check", "system.toml", "--init", "y1=1.25", "--init", "z2=2", "--project")
        self.assertTrue(projected["consistent"])
        other = self.document("check", "system.toml", "--init", "k=-3")
        self.assertAlmostEqual(other["initial"]["multipliers"][0], -2, places=14)
        self.assertIn("'z1' is a variable", self.tool("check", "system.toml", "--set", "z1=1", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
