#!/usr/bin/env python3
# States in the tool: columns, JSON, options, check and show; ensembles, sections, checkpoints; a controller and an input.
import csv
import io
import json
import math
import unittest

import tool

CART = """
name        = "cart"
coordinates = ["x"]
lagrangian  = "x'^2/2"
[parameters]
lag = 0.5
[inputs]
command = 1
[states]
push = "(command - push)/lag"
cost = "x^2"
[forces]
x = "push"
[initial]
states = { push = 0.25 }
"""
RUN = ("run", "cart.toml", "--method", "gauss:4", "--step", "0.05", "--until", "2")


def push(t, start=0.25):
    return 1 - (1 - start) * math.exp(-2 * t)


class States(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("cart.toml", CART)

    def bad(self, *words, says):
        self.assertIn(says, self.tool(*words, code=2).stderr)

    def test_run_gives_them_everywhere(self):
        document = self.document(*RUN)
        self.assertEqual(list(document["q"]), ["x"])
        self.assertEqual(list(document["states"]), ["push", "cost"])
        self.assertAlmostEqual(document["states"]["push"], push(2), delta=1e-12)
        self.assertAlmostEqual(self.document(*RUN, "--init", "push=1/2")["states"]["push"], push(2, 0.5), delta=1e-12)
        rows = list(csv.DictReader(io.StringIO(self.tool(*RUN, "--every", "10", "-o", "-", "--quiet").stdout)))
        self.assertEqual(list(rows[0])[:5], ["t", "x", "x'", "push", "cost"])
        for row in rows:
            self.assertAlmostEqual(float(row["push"]), push(float(row["t"])), delta=1e-11)
        self.assertIn("push = ", self.tool(*RUN).stdout)
        quad = self.document(*RUN, "--precision", "quad")
        self.assertTrue(quad["states_text"]["push"].startswith(repr(quad["states"]["push"])[:15]))

    def test_check_and_show_print_them(self):
        text = self.tool("check", "cart.toml").stdout
        self.assertIn("states              push, cost", text)
        self.assertRegex(text, r"push +0.25 +1.5")
        document = self.document("check", "cart.toml")
        self.assertEqual(document["states"], ["push", "cost"])
        self.assertEqual(document["initial"]["states"], {"push": 0.25, "cost": 0})
        self.assertEqual(document["initial"]["state_rates"], {"push": 1.5, "cost": 0})
        self.assertIn("push' = (command - push)/lag", self.tool("show", "cart.toml").stdout)
        self.assertIn("push", self.document("show", "cart.toml")["states"])

    def test_units_are_shown_and_written(self):
        self.write("units.toml", CART + """
[units]
x = "m"
lag = "s"
push = "m/s^2"
command = "m/s^2"
""")
        self.assertIn("x in m", self.tool("check", "units.toml").stdout)
        self.assertEqual(self.document("check", "units.toml")["units"]["push"], "m/s^2")
        self.assertEqual(self.document("show", "units.toml")["units"]["x"], "m")
        self.tool("run", "units.toml", "--step", "0.1", "--until", "1", "--show", "x,push,x:x'", "--plot", "a.svg")
        picture = (self.folder / "a.svg").read_text()
        for label in ("x [m]", "push [m/s", "x' [m/s]", "t [s]"):
            self.assertIn(label, picture)

    def test_other_verbs(self):
        self.tool("section", "cart.toml", "--when", "push=0.9", "--crossings", "1", "--until", "2", "--step", "0.01", "-o",
                  "points.csv")
        with open(self.folder / "points.csv", encoding="utf-8") as file:
            point = next(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertAlmostEqual(float(point["t"]), math.log(7.5) / 2, delta=1e-6)
        self.assertAlmostEqual(float(point["push"]), 0.9, delta=1e-12)
        self.tool("ensemble", "cart.toml", "--grid", "push=0:1:5", "--method", "gauss:2", "--step", "0.05", "--until",
                  "2", "-o", "many.csv")
        with open(self.folder / "many.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual(len(rows), 5)
        for i, row in enumerate(rows):
            self.assertAlmostEqual(float(row[[name for name in row if name.startswith("push")][-1]]), push(2, i / 4),
                                   delta=1e-6)
        self.assertIn("mp", self.tool("compare", "cart.toml", "--method", "gauss:2,mp", "--step", "0.05", "--until", "1").stdout)
        self.write("fuel.toml", CART.replace("x'^2/2", "(1 + cost)*x'^2/2"))
        self.assertIn("contains the state 'cost'", self.tool("run", "fuel.toml", "--method", "gonzalez", "--step", "0.1",
                                                             "--until", "1", code=2).stderr)

    def test_inputs_jump_and_controllers_read_them(self):
        self.write("jump.csv", "0,1\n1,-1\n")
        value = self.document(*RUN, "--input", "command=jump.csv")["states"]["push"]
        self.assertAlmostEqual(value, -1 + (push(1) + 1) * math.exp(-2), delta=1e-12)
        self.write("sampled.toml", CART + "[sampled]\nevery = 0.1\ncommand = \"-push - x\"\n")
        words = ("run", "sampled.toml", "--method", "gauss:3", "--until", "2")
        one, two = (self.document(*words, "--step", step) for step in ("0.05", "0.025"))
        self.assertAlmostEqual(one["states"]["push"], two["states"]["push"], delta=1e-9)

    def test_a_resumed_run_is_the_same(self):
        words = (*RUN, "--every", "1", "-o")
        self.tool(*words, "whole.csv")
        self.tool("run", "cart.toml", "--method", "gauss:4", "--step", "0.05", "--until", "1", "--every", "1", "-o",
                  "parts.csv", "--checkpoint", "c")
        self.tool("resume", "c", "--until", "2")
        with open(self.folder / "whole.csv", "rb") as a, open(self.folder / "parts.csv", "rb") as b:
            whole, parts = a.read(), b.read()
        data = lambda text: [line for line in text.splitlines() if not line.startswith(b"#")]
        self.assertEqual(data(whole), data(parts))

    def test_names_that_are_wrong(self):
        self.bad(*RUN, "--init", "pusch=1", says="did you mean 'push'?")
        self.bad(*RUN, "--set", "push=1", says="push")
        self.bad("run", "cart.toml", "--step", "0.1", "--until", "1", "--init", "push'=1", says="push")

    def test_rows_with_states_are_starts(self):
        end = self.document(*RUN)["states"]
        for name in ("a.csv", "a.npz", "a.h5"):
            self.tool(*RUN[:-1], "1", "-o", name, "--quiet")
            self.assert_near(self.document(*RUN, "--init-from", name)["states"], end)
        (self.folder / "a.json").write_text(self.tool(*RUN[:-1], "1", "--json").stdout)
        self.assert_near(self.document(*RUN, "--init-from", "a.json")["states"], end)

    def assert_near(self, states, others):
        """To rounding: a file has no low parts of sums."""
        self.assertEqual(list(states), list(others))
        for name, value in states.items():
            self.assertAlmostEqual(value, others[name], delta=1e-15)

    def test_states_of_a_rotation_stay_beside_quaternions(self):
        self.write("body.toml", """
coordinates = [{ group = "SO(3)", name = "R", velocity = ["w1", "w2", "w3"] }]
lagrangian  = "(w1^2 + 2*w2^2 + 3*w3^2)/2"
[states]
u = "(w1 - u)/0.3"
[initial]
v = [1, 0.2, 0.3]
states = [0.5]
""")
        words = ("run", "body.toml", "--step", "0.1", "--until", "1", "--every", "5", "-o", "-", "--quiet")
        matrices, quaternions = (list(csv.DictReader(io.StringIO(self.tool(*words, *more).stdout)))
                                 for more in ((), ("--quaternions",)))
        self.assertIn("R_w", quaternions[0])
        self.assertEqual([row["u"] for row in matrices], [row["u"] for row in quaternions])
        self.assertEqual(float(matrices[0]["u"]), 0.5)
        self.tool("run", "body.toml", "--step", "0.1", "--until", "1", "-o", "q.csv", "--quaternions", "--quiet")
        again = self.document("run", "body.toml", "--step", "0.1", "--until", "2", "--init-from", "q.csv")
        whole = self.document("run", "body.toml", "--step", "0.1", "--until", "2")
        self.assertAlmostEqual(again["states"]["u"], whole["states"]["u"], delta=1e-14)


if __name__ == "__main__":
    unittest.main()
