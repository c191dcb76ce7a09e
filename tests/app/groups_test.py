#!/usr/bin/env python3
# Systems on Lie groups: what every verb says about them, rotation vectors and quaternions, wrong files and options.
import csv
import math
import unittest

import tool

BALL = """name = "ball"
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x", "y"]
lagrangian  = "1/2*(x'^2 + y'^2) + 1/2*(a*w1^2 + b*w2^2 + c*w3^2) - 0.6*R33 - x^2/2"
constraints = ["x' - R21*w1 - R22*w2 - R23*w3 = 0", "y' + R11*w1 + R12*w2 + R13*w3 = 0"]
[parameters]
a = 0.4
b = 0.5
c = 0.6
[initial]
q = { R = [0, 0, "pi/2"], x = 1 }
v = { w1 = 0.5, w3 = 2, x = 0.5 }
"""
SLEIGH = """name = "sleigh"
coordinates = [{ group = "SE(2)", names = ["x", "y", "theta"], velocity = ["v1", "v2", "omega"] }]
lagrangian  = "m/2*(v1^2 + v2^2) + J/2*omega^2 - x"
constraints = ["v2 = 0"]
[parameters]
m = 2
J = 0.5
[initial]
q = [1, 0.5, 0.3]
v = [0.8, 0, 1.2]
"""
SATELLITE = """name = "satellite"
coordinates = [{ group = "SE(3)", name = "g", velocity = ["v1", "v2", "v3", "w1", "w2", "w3"] }]
lagrangian  = "1/2*(v1^2 + v2^2 + v3^2) + 1/2*(w1^2 + 2*w2^2 + 3*w3^2) - 1/2*(g14^2 + g24^2 + g34^2) - 0.1*g11*g14"
[initial]
q = { g = [1, 0, 0, 0, 0, 3] }
v = [0, 1, 0, 0, 0.1, 4]
"""

# what is replaced in BALL, by what, what the message has to contain
FILES = [
    ('"SO(3)"', '"SO3"', ["bad.toml:2:27:", "unknown group 'SO3'", "did you mean 'SO(3)'?"]),
    ('"SO(3)"', "3", ["bad.toml:2:26:", "`group` has to be a string"]),
    (', velocity = ["w1", "w2", "w3"]', "", ["bad.toml:2:16:", "`velocity` is missing"]),
    ('"w2", "w3"]', '"w2"]', ["bad.toml:2:16:", "2 velocities for SO(3), which has 3"]),
    ('"x", "y"]', '"x", "y", "w1"]', ["bad.toml:2:60:", "'w1' is already the name of a coordinate"]),
    ("0.6*R33", "0.6*R", ["bad.toml:3:73:", "'R' is a group element", "R11, R12"]),
    ("0.6*R33", "0.6*R33'", ["bad.toml:3:73:", "has no velocity", "without a prime"]),
    ("[initial]", '[forces]\nR = "1"\n[initial]', ["bad.toml:10:1:", "unknown velocity 'R'", "w1, w2, w3, x and y"]),
    ("[initial]", '[forces]\nw4 = "1"\n[initial]', ["bad.toml:10:1:", "did you mean 'w1'?"]),
    ('R = [0, 0, "pi/2"]', "R = [0, 0]", ["bad.toml:10:11:", "initial q of 'R' has 2 values, not 3"]),
    ('R = [0, 0, "pi/2"]', "R = 1", ["bad.toml:10:7:", "is not one number", "R = [0, 0, 0]"]),
    ('R = [0, 0, "pi/2"]', "R11 = 1", ["bad.toml:10:7:", "an entry of the matrix R", "R = [0, 0, 0]"]),
    ('R = [0, 0, "pi/2"]', "R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]", ["bad.toml:10:11:", "rotation vector"]),
    ('R = [0, 0, "pi/2"]', 'R = [0, "1/0", 0]', ["bad.toml:10:16:", "the initial value of R(2) is not finite"]),
    ('{ R = [0, 0, "pi/2"], x = 1 }', "[0, 0, 1]", ["bad.toml:10:5:", "initial q has 3 values for 5 numbers"]),
    ('{ R = [0, 0, "pi/2"], x = 1 }', "[1, [0, 0, 1], 0]",
     ["bad.toml:10:9:", "has to be a number", "in the place that it has"]),
    ('{ R = [0, 0, "pi/2"], x = 1 }', "[[0, 0], 1, 0]", ["bad.toml:10:6:", "an element of SO(3) has 3"]),
    ("x = 1 }", "x = [1] }", ["bad.toml:10:31:", "initial q of 'x' has to be a number"]),
    ("w3 = 2, x = 0.5 }", "R = [1, 2, 3] }", ["unknown velocity 'R'", "w1, w2, w3"]),
]


class Groups(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("ball.toml", BALL)
        self.write("plane.toml", SLEIGH)
        self.write("satellite.toml", SATELLITE)

    def test_check(self):
        text = self.tool("check", "ball.toml").stdout
        for fragment in ("SO(3) x R^2", "R (R11 ... R33), x, y", "w1, w2, w3, x', y'",
                         "3 (5 velocities and constraints of rank 2)", "appear nowhere   y\n", "a run can start here"):
            self.assertIn(fragment, text)
        document = self.document("check", "ball.toml")
        self.assertEqual(document["group"], "SO(3) x R^2")
        self.assertEqual(document["degrees_of_freedom"], 3)
        self.assertEqual(len(document["coordinates"]), 11)
        names = ["w1", "w2", "w3", "x", "y"]
        self.assertEqual(document["velocity_names"], names)
        initial = document["initial"]
        self.assertEqual(list(initial["q"]), document["coordinates"])
        self.assertEqual(list(initial["v"]), names)
        self.assertEqual(list(initial["accelerations"]), names)
        self.assertAlmostEqual(initial["q"]["R21"], 1, places=15)

    def test_accelerations_are_those_of_the_plane(self):
        # m (v1' - omega v2) = -cos(theta), m (v2' + omega v1) = sin(theta) + lambda
        initial = self.document("check", "plane.toml")["initial"]
        self.assertAlmostEqual(initial["accelerations"]["v1"], -math.cos(0.3) / 2, places=14)
        self.assertAlmostEqual(initial["multipliers"][0], 2 * 1.2 * 0.8 - math.sin(0.3), places=14)

    def test_show(self):
        text = self.tool("show", "ball.toml").stdout
        for fragment in ("R11' = R12*w3 - R13*w2", "p(w1) = ", "p(x) = x'", "F(w1) = 0.6*R32", "T(w1) = ",
                         "M[w3, w3] = c", "d/dt L_v = ad*_v L_v + L_q + K^T lambda", "x'' = ", "a*w1' = "):
            self.assertIn(fragment, text)
        self.assertNotIn("w1''", text)
        self.assertNotIn("x' = x'\n  y'", text)
        latex = self.tool("show", "ball.toml", "--latex").stdout
        for fragment in (r"\dot{R}_{11} &= ", r"a\, \dot{w}_{1} &= ", r"\ddot{x} &= ", r"\mathrm{ad}^*"):
            self.assertIn(fragment, latex)
        document = self.document("show", "plane.toml")
        self.assertEqual(list(document["momenta"]), ["v1", "v2", "omega"])
        self.assertEqual(document["position_rates"]["theta"], "omega")
        self.assertEqual(document["turning"]["v1"], "v2*m*omega")
        self.tool("show", "satellite.toml")

    def test_run(self):
        words = ["run", "ball.toml", "--method", "gauss:2", "--step", 0.1, "--until", 1]
        lines = self.tool(*words).stdout.splitlines()
        first = next(i for i, line in enumerate(lines) if " R = " in line)
        numbers = lines[first].split("=")[1].split() + lines[first + 1].split() + lines[first + 2].split()
        document = self.document(*words)
        for number, name in zip(numbers, list(document["q"])[:9], strict=True):
            self.assertAlmostEqual(float(number), document["q"][name], places=9)
        self.assertIn("w3 = ", lines[first + 4])
        self.assertNotIn("w3'", lines[first + 4])
        self.assertIn("x' = ", lines[first + 4])
        self.assertEqual(list(document["v"]), ["w1", "w2", "w3", "x", "y"])
        self.assertLess(document["constraints"]["max_abs"], 1e-14)

    def rows(self, *words):
        self.tool("run", *words, "--step", 0.1, "--until", 3, "-o", "out.csv", "--force", "--quiet")
        with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def test_quaternions_are_the_rotations(self):
        matrices = self.rows("satellite.toml")
        quaternions = self.rows("satellite.toml", "--quaternions")
        self.assertEqual(list(quaternions[0])[1:8], ["g14", "g24", "g34", "g_w", "g_x", "g_y", "g_z"])
        self.assertNotIn("g11", quaternions[0])
        before = None
        for row, matrix in zip(quaternions, matrices, strict=True):
            w, x, y, z = (row["g_" + letter] for letter in "wxyz")
            self.assertAlmostEqual(w * w + x * x + y * y + z * z, 1, places=14)
            self.assertAlmostEqual(1 - 2 * (y * y + z * z), matrix["g11"], places=13)
            self.assertAlmostEqual(2 * (x * y - w * z), matrix["g12"], places=13)
            self.assertAlmostEqual(2 * (y * z + w * x), matrix["g32"], places=13)
            self.assertEqual(row["g24"], matrix["g24"])
            self.assertEqual(row["w2"], matrix["w2"])
            if before:
                self.assertGreater(sum(a * b for a, b in zip((w, x, y, z), before, strict=True)), 0.9)
            before = (w, x, y, z)
        self.assertLess(min(row["g_w"] for row in quaternions), -0.9)  # no jump on the way round

    def test_quaternions_are_refused(self):
        words = ["--step", 0.1, "--until", 1, "--quaternions"]
        self.assertIn("no effect without -o", self.tool("run", "ball.toml", *words, code=2).stderr)
        error = self.tool("run", "plane.toml", *words, "-o", "out.csv", code=2).stderr
        self.assertIn("has no rotation in space", error)
        self.assertFalse((self.folder / "out.csv").exists())

    def test_initial_values(self):
        def q(file, *words):
            return self.document("check", file, "--project", *words)["initial"]["q"]
        self.assertAlmostEqual(q("ball.toml", "--init", "R(3)=pi/6")["R21"], 0.5, places=15)
        turned = q("ball.toml", "--init", "R(3)=0", "--init", "R(1)=pi/2")
        self.assertAlmostEqual(turned["R32"], 1, places=15)
        self.assertEqual(turned["R11"], 1)
        self.assertEqual(q("plane.toml", "--init", "theta=2", "--init", "omega=1")["theta"], 2)
        moved = q("satellite.toml", "--init", "g(2)=7", "--init", "g(6)=0")
        self.assertEqual((moved["g24"], moved["g11"]), (7, 1))
        refused = {
            ("ball.toml", "R11=1"): ["an entry of the matrix R", "R(1), R(2) and R(3)"],
            ("ball.toml", "R=1"): ["not one number", "R(1), R(2) and R(3)"],
            ("ball.toml", "R(4)=1"): ["did you mean 'R(1)'?"],
            ("ball.toml", "w1'=1"): ["R(1), R(2), R(3), x and y", "w1, w2, w3, x' and y'"],
            ("plane.toml", "x'=1"): ["its velocities v1, v2 and omega"],
            ("satellite.toml", "g14=1"): ["g(1), g(2), g(3), g(4), g(5) and g(6)", "translation"],
        }
        for (file, assignment), fragments in refused.items():
            error = self.tool("check", file, "--init", assignment, code=2).stderr
            for fragment in fragments:
                self.assertIn(fragment, error)
        self.assertIn("use --init", self.tool("check", "ball.toml", "--set", "w1=1", code=2).stderr)

    def test_what_methods_keep(self):
        names = "gauss:2,lobatto-ab:3,map=exp,gauss:2,chart=start,mp"
        methods = self.document("check", "satellite.toml", "--method", names, "--step", 0.1)["methods"]
        self.assertTrue(all(method["holds"] for method in methods))
        for method, is_symmetric in zip(methods, (True, True, False, True), strict=True):
            self.assertEqual(method["symmetry_defect"]["claimed"], is_symmetric)
            self.assertEqual(method["symmetry_defect"]["value"] < 1e-30, is_symmetric)
            self.assertIsNone(method["variational_defect"])
        for method in methods[:3]:
            self.assertTrue(method["symplecticity_defect"]["claimed"])
            self.assertLess(method["symplecticity_defect"]["value"], 1e-15)
        self.assertGreater(methods[3]["symplecticity_defect"]["value"], 1e-6)
        text = self.tool("check", "ball.toml", "--method", "gauss:2,nh-lobatto:3,gonzalez", "--step", 0.1).stdout
        self.assertIn("not measured on groups", text)

    def test_methods(self):
        text = self.tool("methods", "ball.toml").stdout
        self.assertIn("Hamilton-Pontryagin steps", text)
        self.assertIn("steps in local coordinates", text)
        ways = {method["name"]: method.get("on_group") for method in self.document("methods", "ball.toml")["methods"]}
        self.assertEqual(ways["nh-lobatto"], "hamilton-pontryagin")
        self.assertEqual(ways["mp"], "local-coordinates")

    def test_systems(self):
        name = next(s["name"] for s in self.document("systems")["systems"] if s.get("group", "").startswith("SO(3)"))
        self.assertIn("group ", self.tool("systems", name).stdout)
        self.assertIn("On the group SO(3)", self.tool("systems").stdout)

    def test_hamiltonian_without_a_closed_form(self):
        self.write("rotor.toml", """coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }, "x"]
hamiltonian = "sqrt(1 + p(w1)^2) + p(w2)^2/4 + p(w3)^2/6 + p(x)^2/2 + R33*x"
[initial]
p = { w1 = 1, w2 = 2, w3 = 3 }
""")
        self.assertIn("p(w1)' = w3*p(w2) - w2*p(w3) + R32*x", self.tool("show", "rotor.toml").stdout)
        initial = self.document("check", "rotor.toml", "--init", "p(w2)=4")["initial"]
        self.assertEqual(initial["p"], {"w1": 1, "w2": 4, "w3": 3, "x": 0})
        self.assertEqual(initial["v"]["w2"], 2)
        words = ["rotor.toml", "--step", 0.01, "--until", 1]
        self.assertLess(self.document("run", *words)["energy"]["max_abs_error"], 1e-8)
        self.assertIn("closed form", self.tool("run", *words, "--method", "mp", code=2).stderr)

    def test_studies(self):
        words = ["--method", "gauss:1,nh-lobatto:3", "--until", 1]
        for file in ("ball.toml", "plane.toml"):
            results = self.document("converge", file, *words, "--steps-list", "0.1,0.05")["results"]
            for result in results:
                self.assertAlmostEqual(result["order_q"], result["order_claimed"], delta=0.3)
                self.assertAlmostEqual(result["order_v"], result["order_claimed"], delta=0.3)
            compared = self.document("compare", file, *words, "--step", 0.1)["results"]
            self.assertEqual(len(compared), 2)
        self.tool("bench", "ball.toml", "--step", 0.1, "--method", "gauss:1")

    def test_wrong_files(self):
        for old, new, fragments in FILES:
            self.assertIn(old, BALL)
            self.write("bad.toml", BALL.replace(old, new, 1))
            error = self.tool("check", "bad.toml", code=2).stderr
            for fragment in fragments:
                self.assertIn(fragment, error, f"{new}\n{error}")
            self.assertLessEqual(error.count("bad.toml:"), 2, error)

    def test_a_matrix_with_a_bad_name_is_one_problem(self):
        for name in ("R 1", "", "sin", "x"):
            element = f'{{ group = "SO(3)", name = "{name}", velocity = ["a", "b", "c"] }}'
            self.write("bad.toml", f"""coordinates = ["x", {element}]
lagrangian = "x'^2 + a^2 + b^2 + c^2"
""")
            error = self.tool("check", "bad.toml", code=2).stderr
            self.assertEqual(error.count("bad.toml:1:"), 1, error)
            self.assertEqual(error.count("choose another name") + error.count("is missing"), 1, error)


if __name__ == "__main__":
    unittest.main()
