#!/usr/bin/env python3
# Outputs, guards, names of constraints and rows as starts, as the tool has them.
import csv
import io
import json
import math
import unittest

import tool

LOOP = """
name        = "loop"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - y"
holonomic   = { ring = "x^2 + y^2 = 1" }
guards      = ["lambda(ring) < 0", "y < 5"]
[definitions]
height = "y + 1"
[outputs]
push  = "2*lambda(ring)"
speed = "sqrt(x'^2 + y'^2)"
[initial]
q = [0, -1]
v = [1.9, 0]
"""
RUN = ("run", "loop.toml", "--method", "gauss:3", "--step", "0.05", "--until", "3")
LIFT_OFF = (1.9**2 - 2) / 3  # the height where the ring would have to pull


class OutputsTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("loop.toml", LOOP)

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.tool(*words, "-o", "-", "--quiet").stdout)))


class Columns(OutputsTest):
    def test_outputs_stand_behind_the_others(self):
        rows = self.rows(*RUN)
        self.assertEqual(list(rows[0]), ["t", "x", "y", "x'", "y'", "lambda_ring", "energy", "constraint", "push", "speed"])
        for row in rows:
            self.assertEqual(float(row["push"]), 2 * float(row["lambda_ring"]))
            self.assertAlmostEqual(float(row["speed"]), math.hypot(float(row["x'"]), float(row["y'"])), delta=1e-15)

    def test_columns_are_names_and_expressions(self):
        rows, whole = self.rows(*RUN, "--columns", "t,speed,lambda(ring),2*push + height,energy"), self.rows(*RUN)
        self.assertEqual(list(rows[0]), ["t", "speed", "lambda(ring)", "2*push + height", "energy"])
        for row, other in zip(rows, whole):
            self.assertEqual(row["speed"], other["speed"])
            self.assertEqual(row["lambda(ring)"], other["lambda_ring"])
            self.assertAlmostEqual(float(row["2*push + height"]), 2 * float(other["push"]) + float(other["y"]) + 1, delta=1e-13)

    def test_all_formats_have_the_same_columns(self):
        self.tool(*RUN, "-o", "a.csv", "-o", "a.npz", "-o", "a.h5", "--columns", "t,push,x*y", "--quiet")
        sections = [self.tool("run", "loop.toml", "--step", "0.1", "--steps", "1", "--init-from", f"a.{ending}", code=2).stderr
                    for ending in ("csv", "npz", "h5")]  # fmt: skip
        for text in sections:
            self.assertIn("is no state: it has no x, y, x' and y' of 'loop'", text)

    def test_events_have_the_same_columns(self):
        self.tool(*RUN, "--event", "push", "--events", "hits.csv", "--columns", "t,push", "--quiet")
        rows = list(csv.DictReader(io.StringIO((self.folder / "hits.csv").read_text())))
        self.assertEqual(list(rows[0]), ["event", "number", "direction", "t", "push"])
        self.assertAlmostEqual(float(rows[0]["push"]), 0, delta=1e-12)

    def test_quaternions_beside_expressions(self):
        words = ("run", "rolling-coin-so3", "--step", "0.02", "--steps", "4")
        rows = self.rows(*words, "--quaternions", "--columns", "t,R_w,R31^2 + R32^2 + R33^2,x")
        self.assertEqual(list(rows[0]), ["t", "R_w", "R31^2 + R32^2 + R33^2", "x"])
        for row in rows:
            self.assertAlmostEqual(float(row["R31^2 + R32^2 + R33^2"]), 1, delta=1e-14)


class Messages(OutputsTest):
    def test_expressions(self):
        for words, says in ((("--event", "lambda1"), ("constraint 1 has the name ring", "write lambda(ring)")),
                            (("--event", "lambda(rin)"), ("no constraint has the name 'rin'", "did you mean 'ring'?")),
                            (("--event", "spede"), ("unknown symbol 'spede'", "did you mean 'speed'?")),
                            (("-o", "a.csv", "--columns", "x,zz"), ("--columns:1:1: unknown symbol 'zz'",))):  # fmt: skip
            result = self.tool(*RUN, *words, code=2)
            for part in says:
                self.assertIn(part, result.stderr)
        self.assertFalse((self.folder / "a.csv").exists())


class Documents(OutputsTest):
    def test_names(self):
        document = self.document(*RUN, "--at", "0.5")
        self.assertEqual(document["multiplier_names"], ["lambda_ring"])
        self.assertEqual(document["holonomic"]["by_name"][0]["name"], "ring")
        self.assertEqual(document["outputs"]["push"], 2 * document["multipliers"][0])
        self.assertEqual(set(document["at"][0]["outputs"]), {"push", "speed"})
        check = self.document("check", "loop.toml")
        self.assertEqual(check["holonomic"][0]["name"], "ring")
        self.assertEqual(check["initial"]["outputs"]["speed"], 1.9)
        self.assertEqual(check["guards"], [{"text": "lambda(ring) < 0", "holds": True}, {"text": "y < 5", "holds": True}])
        self.assertIn("(ring) x^2 + y^2 = 1", self.tool("check", "loop.toml").stdout)
        self.assertIn("\\lambda_{\\mathrm{ring}}", self.tool("show", "loop.toml", "--latex").stdout)
        self.assertIn("lambda_ring", self.tool("show", "loop.toml").stdout)

    def test_guards(self):
        result = self.tool(*RUN, "--json")
        document = json.loads(result.stdout)
        self.assertEqual(document["status"], "done")
        self.assertEqual([guard["holds"] for guard in document["guards"]], [False, True])
        self.assertEqual([warning["code"] for warning in document["warnings"]], ["guards"])
        self.assertAlmostEqual(document["warnings"][0]["t"], document["guards"][0]["failed_at"])
        self.assertIn("guard 'lambda(ring) < 0' fails at t =", result.stderr)
        strict = json.loads(self.tool(*RUN, "--strict", "--json", code=1).stdout)
        self.assertEqual(strict["status"], "stopped")
        self.assertAlmostEqual(strict["q"]["y"], LIFT_OFF, delta=1e-6)
        self.assertEqual(strict["t"], strict["guards"][0]["failed_at"])
        self.assertEqual(self.tool(*RUN, "--set", "x=1", code=2).returncode, 2)

    def test_a_broken_run_knows_its_guards(self):
        whole = self.document(*RUN, "--checkpoint", "whole.checkpoint")
        self.tool("run", "loop.toml", "--method", "gauss:3", "--step", "0.05", "--until", "2.5", "--checkpoint", "part.checkpoint",
                  "--quiet")
        rest = self.document("resume", "part.checkpoint", "--until", "3")
        self.assertEqual(rest["guards"], whole["guards"])
        self.assertEqual(rest["outputs"], whole["outputs"])

    def test_the_wheel_of_the_catalogue_falls(self):
        words = ("run", "rolling-wheel", "--method", "gauss:2", "--step", "0.01", "--until", "3", "--set", "spin_rate=0", "--set", "yaw_rate=0")
        document = self.document(*words)
        self.assertFalse(document["guards"][1]["holds"])
        self.assertIn("'z > 0' fails", document["warnings"][0]["message"])


class Ensembles(OutputsTest):
    WORDS = ("ensemble", "loop.toml", "--method", "gauss:3", "--step", "0.05", "--until", "3", "--grid", "x'=1.9:3:2")

    def test_outputs_and_multipliers_are_columns(self):
        self.tool(*self.WORDS, "--columns", "speed,push,lambda(ring),lambda_ring", "-o", "m.csv", "--quiet")
        for row in csv.DictReader(io.StringIO((self.folder / "m.csv").read_text())):
            self.assertEqual(float(row["push"]), 2 * float(row["lambda(ring)"]))
            self.assertEqual(row["lambda_ring"], row["lambda(ring)"])

    def test_members_are_runs(self):
        self.tool(*self.WORDS, "--columns", "speed,push", "--every", "10", "-o", "m.csv", "--quiet")
        rows = list(csv.DictReader(io.StringIO((self.folder / "m.csv").read_text())))
        run = self.rows(*RUN, "--init", "x'=1.9", "--every", "10")
        for column in ("speed", "push"):
            self.assertEqual([row[column] for row in rows if row["number"] == "0"], [row[column] for row in run])

    def test_reductions(self):
        document = self.document(*self.WORDS, "--reduce", "max(push), mean(speed + height)")
        self.assertEqual(len(document["outputs"]), 2)

    def test_guards(self):
        result = self.tool(*self.WORDS, "--json")
        document = json.loads(result.stdout)
        self.assertEqual((document["done"], document["failed"]), (2, 0))
        self.assertEqual([warning["code"] for warning in document["warnings"]], ["guards"])
        strict = json.loads(self.tool(*self.WORDS, "--strict", "--json", code=1).stdout)
        self.assertEqual((strict["done"], strict["failed"]), (1, 1))
        self.assertIn("guard 'lambda(ring) < 0' fails at t =", strict["failures"][0]["message"])


class Pictures(OutputsTest):
    def shown(self, show):
        self.tool(*RUN, "--plot", "p.svg", "--show", show, "--force", "--quiet")
        return (self.folder / "p.svg").read_text()

    def test_names(self):
        for name in ("speed", "height", "lambda_ring", "outputs"):
            self.assertIn(name, self.shown(name))

    def test_several_in_one_panel(self):
        curves = self.shown("x + push+height")
        for name in ("x", "push", "height", "x, push, height"):
            self.assertIn(f">{name}<", curves)
        paths = self.shown("x:y + y:x,speed")
        for name in ("x:y", "y:x", "x, y", "y, x"):
            self.assertIn(f">{name}<", paths)

    def test_many_orbits_have_a_scale_in_place_of_a_legend(self):
        words = ("section", "contact-oscillator", "--method", "mp", "--step", "0.1", "--when", "y'", "--crossings", "2",
                 "--columns", "z,z'", "--plot", "s.svg", "--force", "--quiet")  # fmt: skip
        for count, has_legend in ((10, True), (200, False)):
            self.tool(*words, "--orbits", f"z0=-1:1:{count}")
            picture = (self.folder / "s.svg").read_text()
            self.assertEqual("z0 = -1" in picture, has_legend)
            self.assertEqual(">z0<" in picture, not has_legend)

    def test_refusals(self):
        for show, says in (("x + x:y", "a panel has curves over time or paths, not both"), ("energy + x", "no errors beside them"),
                           ("x + spede", "did you mean 'speed'?"), ("x +", "a name is missing")):  # fmt: skip
            with self.subTest(show):
                result = self.tool(*RUN, "--plot", "p.svg", "--show", show, code=2)
                self.assertIn(says, result.stderr)


class Starts(OutputsTest):
    def test_a_row_goes_in(self):
        for name, words in (("skate", ()), ("rolling-coin-so3", ()), ("rolling-wheel", ()), ("rolling-coin-so3", ("--quaternions",))):
            with self.subTest(f"{name} {words}"):
                run = ("run", name, "--method", "gauss:3", "--step", "0.05", "--quiet", "--force")
                self.tool(*run, "--until", "1", "-o", "whole.csv", *words)
                whole, rest = self.rows(*run, "--until", "1"), self.rows(*run, "--until", "1", "--init-from", "whole.csv:11")
                self.assertEqual(len(rest), 11)
                for column in whole[0]:
                    self.assertAlmostEqual(float(rest[-1][column] or 0), float(whole[-1][column] or 0), delta=1e-12)
                if not words:
                    self.assertEqual(rest[0]["x"], whole[10]["x"])

    def test_init_changes_it(self):
        self.tool(*RUN, "--quiet", "-o", "whole.csv")
        document = self.document("check", "loop.toml", "--init-from", "whole.csv:3", "--init", "t=7")
        self.assertEqual(document["initial"]["t"], 7)
        self.assertNotEqual(document["initial"]["q"]["x"], 0)

    def test_every_verb(self):
        self.tool("run", "skate", "--step", "0.05", "--until", "1", "--quiet", "-o", "s.csv")
        start = ("--init-from", "s.csv:5")
        rows = list(csv.reader(io.StringIO((self.folder / "s.csv").read_text())))
        table = [dict(zip(rows[0], row)) for row in rows[1:]]
        self.assertEqual(str(self.document("check", "skate", *start)["initial"]["q"]["x"]), table[4]["x"])
        self.tool("section", "skate", "--step", "0.1", "--when", "sin(phi)", "--crossings", "2", *start)
        self.tool("converge", "skate", "--steps-list", "0.1,0.05", "--until", "1", *start)
        self.tool("compare", "skate", "--method", "gauss:1,gauss:2", "--step", "0.1", "--until", "1", *start)
        self.tool("ensemble", "skate", "--step", "0.1", "--until", "1", "--grid", "phi'=1:2:2", *start)
        self.tool("bench", "skate", "--step", "0.1", *start)

    def test_a_checkpoint_keeps_the_row(self):
        self.tool("run", "skate", "--step", "0.05", "--until", "1", "--quiet", "-o", "s.npz")
        words = ("run", "skate", "--step", "0.05", "--init-from", "s.npz:5")
        self.tool(*words, "--until", "2", "--checkpoint", "c", "--quiet")
        (self.folder / "s.npz").unlink()
        rest = self.document("resume", "c", "--until", "3")
        self.assertEqual(rest["t"], 3)

    def test_inputs_of_the_row(self):
        self.write("cart.toml", "coordinates = ['x']\nlagrangian = \"x'^2/2\"\n[inputs]\ntau = 0\n[forces]\nx = 'tau'\n")
        self.tool("run", "cart.toml", "--step", "0.1", "--until", "1", "--input", "tau=2", "-o", "cart.csv", "--quiet")
        words = ("run", "cart.toml", "--step", "0.1", "--until", "2", "--init-from", "cart.csv")
        self.assertAlmostEqual(self.document(*words)["q"]["x"], 4, delta=1e-12)
        self.assertAlmostEqual(self.document(*words, "--input", "tau=0")["q"]["x"], 3, delta=1e-12)


class InputsOfRows(tool.ToolTest):
    def test_given_inputs_come_before_those_of_a_row(self):
        self.write("push.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[inputs]\nu = 1\n[forces]\nx = "u"\n')
        self.write("u.csv", "t,u\n0,2\n5,2\n")
        words = ("run", "push.toml", "--step", "0.1")
        self.tool(*words, "--until", "1", "--input", "u=u.csv", "-o", "a.csv", "--quiet")
        again = self.document(*words, "--until", "2", "--input", "u=u.csv", "--init-from", "a.csv")
        self.assertAlmostEqual(again["q"]["x"], 4, delta=1e-12)
        self.assertAlmostEqual(self.document(*words, "--until", "2", "--init-from", "a.csv")["q"]["x"], 4, delta=1e-12)
        self.tool("ensemble", "push.toml", "--step", "0.1", "--until", "2", "--grid", "u=0:2:3", "--init-from", "a.csv", "-o",
                  "many.csv", "--quiet")
        rows = [line.split(",") for line in (self.folder / "many.csv").read_text().splitlines() if not line.startswith("#")]
        self.assertAlmostEqual(float(rows[-1][rows[0].index("x")]), 4, delta=1e-12)


class GuardsAgain(tool.ToolTest):
    def test_a_resumed_run_that_was_stopped_ends_as_it_did(self):
        self.write("fall.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\nguards = ["x < 0.5"]\n[initial]\nv = [1]\n')
        words = ("run", "fall.toml", "--step", "0.1", "--until", "2", "--strict", "--checkpoint", "c", "--json")
        before = self.document(*words, code=1)
        after = self.document("resume", "c", code=1)
        self.assertEqual(before["warnings"], after["warnings"])
        self.assertEqual(self.document("resume", "c", "--until", "3", code=1)["status"], "stopped")

    def test_joined_guards_at_equality_and_without_value(self):
        self.write("rest.toml", 'coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2"\n'
                                'guards = ["x > -5 and y >= 0", "x > 50 or y >= 0", "sqrt(0.45 - x) > -1 and x < 9"]\n'
                                "[initial]\nv = [1, 0]\n")
        guards = self.document("run", "rest.toml", "--step", "0.1", "--until", "1")["guards"]
        self.assertEqual([guard["failed_at"] for guard in guards], [None, None, None])
        self.assertEqual([guard["unknown_from"] is None for guard in guards], [True, True, False])

    def test_a_value_beyond_the_end_does_not_count(self):
        self.write("end.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\nguards = ["sqrt(0.55 - x) > -1"]\n'
                               "[initial]\nv = [1]\n")
        run = self.document("run", "end.toml", "--step", "0.1", "--until", "2", "--event", "x = 0.52,up,stop")
        self.assertEqual(run["warnings"], [])


if __name__ == "__main__":
    unittest.main()
