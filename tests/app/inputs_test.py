#!/usr/bin/env python3
# Inputs and controllers from outside: run --input with values and files, what is written of them, refusals.
import csv
import io
import math
import unittest

import tool

CART = """
name        = "cart"
coordinates = ["x"]
lagrangian  = "x'^2/2"
[parameters]
m = 2
[inputs]
u = "m/4"
w = 0
[forces]
x = "u + w"
"""
SAMPLED = CART + """
[sampled]
every = 0.1
u = "1 - x"
"""
RUN = ("run", "cart.toml", "--method", "gauss:2", "--step", "0.1", "--until", "2")


class InputsTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("cart.toml", CART)
        self.write("sampled.toml", SAMPLED)
        self.write("held.csv", "t,u\n0,1\n\n# a jump\n0.5,-2 # back\n1.3,3\n")
        self.write("line.csv", "0.5,1\n1.5,3\n2,0\n")

    def bad(self, *words, code=2, says):
        result = self.tool(*words, code=code)
        self.assertIn(says, result.stderr)

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.tool(*words, "-o", "-", "--quiet").stdout)))


class Values(InputsTest):
    def test_values_are_exact_and_may_use_parameters(self):
        self.assertAlmostEqual(self.document(*RUN)["q"]["x"], 1, delta=1e-14)
        document = self.document(*RUN, "--input", "u=m/8", "--input", "w=1/4", "--set", "m=4")
        self.assertAlmostEqual(document["q"]["x"], 1.5, delta=1e-14)
        self.assertEqual(document["inputs"], {"u": 0.5, "w": 0.25})
        document = self.document(*RUN, "--input", "u=1/3", "--precision", "quad")
        self.assertTrue(document["q_text"]["x"].startswith("0." + 32 * "6"), document["q_text"])

    def test_summary_and_check_show_them(self):
        self.assertIn("inputs      u = 3   w = 0\n", self.tool(*RUN, "--input", "u=3").stdout)
        self.assertIn("inputs              u = 3, w = 0\n", self.tool("check", "cart.toml", "--input", "u=3").stdout)
        self.assertEqual(self.document("check", "cart.toml", "--input", "u=3")["inputs"], {"u": 3, "w": 0})

    def test_other_verbs(self):
        section = ("section", "cart.toml", "--step", "0.1", "--when", "x = 2", "--crossings", "1", "--columns", "u,t")
        self.assertEqual(self.tool(*section, "--input", "u=1").stdout.splitlines()[1].split(",")[1:], ["1", "2"])
        study = ("--method", "gauss:2", "--until", "1")
        self.document("converge", "cart.toml", *study, "--steps-list", "0.2,0.1", "--input", "u=held.csv")
        compared = self.document("compare", "cart.toml", *study, "--step", "0.1", "--input", "u=held.csv")
        self.assertAlmostEqual(compared["results"][0]["v"]["x"], -0.5, delta=1e-14)
        result = self.tool("bench", "sampled.toml", "--step", "0.1", "--input", "w=2")
        self.assertIn("the controller does not act", result.stderr)

    def test_refusals(self):
        for given, says in [("uu=1", "did you mean 'u'"), ("m=1", "'m' is a parameter: use --set m=1"),
                            ("x=1", "'x' is a coordinate: use --init x=1"), ("u", "expected name=value"),
                            ("u=z", "unknown symbol 'z'"), ("u=inf", "finite"), ("u=line.csv,liner", "did you mean 'linear'"),
                            ("u=line.csv,linear,up", "'up' behind the comma")]:
            with self.subTest(given):
                self.bad(*RUN, "--input", given, says=says)
        self.bad(*RUN, "--input", "u=1", "--input", "u=2", says="'u' is given twice")
        self.bad("run", "skate.toml", *RUN[2:], "--input", "u=1", says="has no [inputs]")
        self.bad(*RUN, "--set", "u=1", says="'u' is an input: use --input")
        self.bad("check", "cart.toml", "--input", "u=held.csv", says="check takes values of inputs only")


class Files(InputsTest):
    def test_held(self):
        rows = self.rows(*RUN, "--input", "u=held.csv")
        self.assertEqual(list(rows[0]), ["t", "x", "x'", "energy", "work", "u", "w", "constraint"])
        self.assertEqual([float(row["u"]) for row in rows], 5 * [1] + 8 * [-2] + 8 * [3])
        self.assertAlmostEqual(float(rows[-1]["x'"]), 0.5 - 1.6 + 2.1, delta=1e-14)
        for row in rows:
            self.assertAlmostEqual(float(row["energy"]), float(row["work"]), delta=1e-14)

    def test_linear(self):
        document = self.document(*RUN, "--input", "u=line.csv,linear", "--at", "1,2")
        self.assertAlmostEqual(document["v"]["x"], 0.5 + 2 + 0.75, delta=1e-14)
        self.assertEqual(document["at"][0]["inputs"], {"u": 2, "w": 0})
        self.assertEqual(document["warnings"], [])

    def test_own_rows_are_read_back(self):
        self.tool("run", "sampled.toml", *RUN[2:], "-o", "first.csv")
        again = self.rows(*RUN, "--input", "u=first.csv")
        first = list(csv.DictReader(io.StringIO((self.folder / "first.csv").read_text())))
        for a, b in zip(first, again):
            self.assertAlmostEqual(float(a["x"]), float(b["x"]), delta=1e-14)

    def test_pictures_and_data(self):
        self.tool(*RUN, "--input", "u=held.csv", "--plot", "u.svg", "--show", "inputs,u,x:u", "-o", "u.npz")
        self.assertIn("<svg", (self.folder / "u.svg").read_text())
        self.bad("run", "skate.toml", *RUN[2:], "--plot", "v.svg", "--show", "inputs", says="has no inputs")

    def test_refusals(self):
        self.write("bad.csv", "t,u\n0,1\n1,x\n2\n")
        self.bad(*RUN, "--input", "u=bad.csv", says="bad.csv:3:3: 'x' is not a number\n  1,x\n    ^\n")
        self.bad(*RUN, "--input", "u=bad.csv", says="bad.csv:4:1: 1 field where the rows above have 2")
        self.write("bad.csv", "1,1\n0,1\n")
        self.bad(*RUN, "--input", "u=bad.csv", says="bad.csv:2:1: the time 0 does not come after 1")
        self.write("bad.csv", "\n")
        self.bad(*RUN, "--input", "u=bad.csv", says="no numbers")
        self.bad(*RUN, "--input", "u=nowhere.csv", code=3, says="cannot read 'nowhere.csv'")
        self.bad(*RUN, "--input", "u=.,linear", code=3, says="directory")
        self.bad("run", "sampled.toml", *RUN[2:], "--input", "u=held.csv", says="given by [sampled] and by a series")

    def test_a_long_file_is_fast(self):
        self.write("long.csv", "".join(f"{0.001 * i:.3f},{math.sin(i):.17g}\n" for i in range(100_000)))
        self.assertEqual(self.document("run", "cart.toml", "--step", "0.001", "--until", "100", "--input", "u=long.csv")["steps"],
                         100_000)


class Controllers(InputsTest):
    def test_input_of_a_controller_holds_until_it_acts(self):
        delayed = SAMPLED.replace("every = 0.1", "every = 0.1\ndelay = 1")
        self.write("delayed.toml", delayed)
        rows = self.rows("run", "delayed.toml", *RUN[2:], "--input", "u=7")
        self.assertEqual([float(row["u"]) for row in rows[:11]], 10 * [7] + [1])

    def test_steps_are_divided(self):
        document = self.document("run", "sampled.toml", "--step", "0.08", "--until", "1")
        self.assertEqual([warning["code"] for warning in document["warnings"]], ["inputs"])
        self.assertEqual(document["steps"], 20)

    def test_failure_is_told(self):
        self.write("root.toml", SAMPLED.replace("1 - x", "sqrt(0.35 - t)"))
        result = self.tool("run", "root.toml", *RUN[2:], "-o", "-", code=1)
        self.assertIn("input 'u' is nan at t = 0.4", result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 6)

    def test_orders_of_a_controlled_system(self):
        document = self.document("converge", "segway", "--method", "gauss:2", "--steps-list", "0.01,0.005", "--until", "0.5")
        coarse, fine = (row["error_q"] for row in document["results"][0]["rows"])
        self.assertAlmostEqual(math.log2(coarse / fine), 4, delta=0.1)

    def test_a_process_per_sample_does_the_same(self):
        """The robot's controller in this script: every process gets the torque, runs for one sample, and hands on."""
        whole = self.document("run", "segway", "--step", "0.005", "--until", "2")
        self.write("free.toml", self.tool("systems", "--toml", "segway").stdout.split("\n[sampled]")[0]
                   + '\n[initial]\nq = { pitch = "pitch0" }\n')
        state = self.document("check", "free.toml")["initial"]
        q, v, t = state["q"], state["v"], state["t"]
        for k in range(200):
            tau = 800 * q["pitch"] + 260 * v["pitch"] + 30 * q["x"] + 90 * v["x"]
            given = [f"t={t!r}"] + [f"{name}={value!r}" for name, value in q.items()]
            given += [f"{name}'={value!r}" for name, value in v.items()]
            words = [word for one in given for word in ("--init", one)]
            document = self.document("run", "free.toml", "--step", "0.005", "--until", (k + 1) / 100, "--input",
                                     f"tau={tau!r}", *words)
            q, v, t = document["q"], document["v"], document["t"]
        for name in q:
            self.assertAlmostEqual(q[name], whole["q"][name], delta=1e-13)
            self.assertAlmostEqual(v[name], whole["v"][name], delta=1e-12)
        self.assertAlmostEqual(document["inputs"]["tau"], whole["inputs"]["tau"], delta=1e-11)  # of 80 at first


if __name__ == "__main__":
    tool.binary()
    unittest.main()
