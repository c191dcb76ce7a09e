#!/usr/bin/env python3
# Numbers on the command line are exact in every precision.
import decimal
import random
import unittest

import tool

decimal.getcontext().prec = 45
D = decimal.Decimal
PI = D("3.14159265358979323846264338327950288419716939937511")

# x = x0 + x0' t, y does not move.
EVENLY = """
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2"
[initial]
q = [0, "1/3"]
v = [1, 0]
"""
# x = a t^2/2 + b t
FALLING = """
coordinates = ["x"]
lagrangian  = "x'^2/2 + a*x"
[parameters]
a = 1
b = "3*a"
[initial]
v = ["b"]
"""
OSCILLATORS = """
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - (w*x)^2/2 - y^2/2"
[parameters]
w = 1
[initial]
q = [0, "1/3"]
v = ["w/3", 0]
[exact]
x = "sin(w*t)/3"
y = "cos(t)/3"
"""


class Exact(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("evenly.toml", EVENLY)
        self.write("falling.toml", FALLING)
        self.write("oscillators.toml", OSCILLATORS)

    def quad(self, name, *words):
        return self.document("run", name, *words, "--precision", "quad")

    def near(self, text, value, digits=32):
        self.assertLess(abs(D(text) - D(value)), D(10) ** -digits, text)

    def test_until(self):
        for end, value in (("pi", PI), ("22/7", D(22) / 7), ("0.3", D("0.3"))):
            document = self.quad("evenly.toml", "--step", "0.1", "--until", end)
            self.near(document["t_text"], value)
            self.near(document["q_text"]["x"], value)
            self.assertEqual(document["t"], float(value))
            long = self.document("run", "evenly.toml", "--step", "0.1", "--until", end, "--precision", "long")
            self.near(long["t_text"], value, 18)
            self.near(long["q_text"]["x"], value, 18)

    def test_step(self):
        for step, steps, end in (("1/3", 3, 1), ("1/7", 7, 1), ("0.1", 25, D("2.5")), ("pi/4", 4, PI)):
            document = self.quad("evenly.toml", "--step", step, "--steps", steps)
            self.near(document["t_text"], end)
            self.near(document["q_text"]["x"], end)
        self.assertEqual(self.quad("evenly.toml", "--step", "1/3", "--steps", 3)["t_text"], "1")
        document = self.quad("evenly.toml", "--step", "1/3", "--until", "1")
        self.assertEqual((document["t_text"], document["steps"]), ("1", 3))

    def test_a_late_start(self):
        document = self.quad("evenly.toml", "--init", "t=1e17", "--until", "1e17 + 1", "--step", "0.1")
        self.assertEqual((document["t_text"], document["steps"]), ("100000000000000001", 10))
        refused = self.tool("run", "evenly.toml", "--init", "t=1e17", "--until", "1e17 + 100", "--step", "0.1", code=2)
        self.assertIn("lost in the rounding", refused.stderr)

    def test_parameters(self):
        for text, value in (("0.1", D("0.1")), ("-2/3", D(-2) / 3), ("pi/6", PI / 6)):
            document = self.quad("falling.toml", "--set", f"a={text}", "--step", "1/4", "--until", "2")
            self.near(document["v_text"]["x"], 5 * value)
            self.near(document["q_text"]["x"], 8 * value)

    def test_initial_values(self):
        words = ("--step", "1/4", "--until", "1")
        document = self.quad("evenly.toml", "--init", "x=0", *words)
        self.near(document["q_text"]["y"], D(1) / 3)
        document = self.quad("evenly.toml", "--init", "x=0.1", "--init", "x'=pi", *words)
        self.near(document["q_text"]["x"], D("0.1") + PI)
        self.near(document["q_text"]["y"], D(1) / 3)
        # with parameters in them, which are exact as well
        document = self.quad("falling.toml", "--set", "a=0.1", "--init", "x=a/3", "--init", "x'=0", *words)
        self.near(document["q_text"]["x"], D("0.1") / 3 + D("0.05"))

    def test_small_differences_survive(self):
        self.write("pair.toml", EVENLY.replace('"1/3"', '"1 + 1e-33"'))
        document = self.quad("pair.toml", "--init", "x=0", "--step", "1/4", "--until", "1")
        self.near(document["q_text"]["y"], D(1) + D("1e-33"), 33)
        self.assertNotEqual(document["q_text"]["y"], "1")

    def test_momenta(self):
        self.write("momentum.toml", 'coordinates = ["x"]\nhamiltonian = "p(x)^2/6"\n[initial]\np = ["1/10"]\n')
        self.near(self.quad("momentum.toml", "--init", "x=0", "--step", "1/4", "--until", "1")["q_text"]["x"], D(1) / 30)
        document = self.quad("momentum.toml", "--init", "p(x)=0.7", "--step", "1/4", "--until", "1")
        self.near(document["q_text"]["x"], D("0.7") / 3)

    def test_times_between_the_steps(self):
        # So fast that the double nearest to the time misses the place by hundreds.
        for time in ("pi/3", "0.9"):
            document = self.quad("evenly.toml", "--step", "1/4", "--until", "2", "--at", f"{time},0:{time}:2",
                                 "--init", f"x=-1e20*({time})", "--init", "x'=1e20")
            self.assertEqual(len(document["at"]), 3)
            for i in (0, 2):
                self.assertLess(abs(document["at"][i]["q"]["x"]), 1e-12)

    def test_sections(self):
        # A crossing at t = 1 of orbits that start at a tenth; a double is beyond the section already.
        words = ("section", "evenly.toml", "--step", "1/4", "--when", "x - 1/10 - 1e-20", "--direction", "up",
                 "--crossings", "1", "--until", "3", "--init", "x'=1e-20", "--precision", "quad")
        for more in (("--orbits", "x=0.1"), ("--orbits", "x=0:0.2:3"), ("--init", "x=1/10")):
            orbits = self.document(*words, *more)["orbits"]
            found = [orbit["crossings"] for orbit in orbits if orbit["crossings"]]
            self.assertEqual(len(found), 1, more)
            self.assertAlmostEqual(found[0][0]["t"], 1, places=10)
        self.assertEqual(self.document(*words, "--init", "x=0.1")["orbits"][0]["init"], {"x": 0.1, "x'": 1e-20})

    def test_convergence(self):
        # gauss:6 is more exact than the initial data would be as doubles.
        words = ("converge", "oscillators.toml", "--method", "gauss:6", "--steps-list", "1/3,1/6", "--until", "2",
                 "--precision", "quad")
        for more in (("--init", "x=0"), ("--set", "w=1.1", "--init", "y=1/3")):
            document = self.document(*words, *more)
            self.assertEqual((document["reference"]["kind"], document["notes"]), ("exact", []))
            self.assertAlmostEqual(document["results"][0]["order_q"], 12, delta=0.1)
            self.assertLess(document["results"][0]["rows"][1]["error_q"], 1e-20)

    def test_comparisons(self):
        words = ("compare", "oscillators.toml", "--method", "gauss:8", "--step", "1/4", "--until", "pi",
                 "--precision", "quad", "--init", "x=0")
        result = self.document(*words)["results"][0]
        self.assertLess(result["error_q"], 1e-24)
        self.near(result["t_text"], PI)
        result = self.document(*words, "--against", "time")["results"][0]
        self.assertLess(result["error_at_end"], 1e-24)
        self.near(result["t_text"], PI)

    def test_doubles_are_the_nearest(self):
        generator = random.Random(5)
        values = ["0.1", "2.675", "1e23", "9007199254740993", "5e-324", "123456789012345678"]
        values += [f"{generator.randrange(10 ** 17)}e{generator.randrange(-40, 20)}" for _ in range(20)]
        for value in values:
            document = self.document("check", "evenly.toml", "--init", f"x={value}", "--init", f"y=-{value}")
            self.assertEqual(document["initial"]["q"], {"x": float(value), "y": -float(value)}, value)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
