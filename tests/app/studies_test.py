#!/usr/bin/env python3
# converge and compare: documents, tables, pictures, failures, interruptions.
import math
import os
import pathlib
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import tool

STEPS = ("--steps-list", "0.4,0.2,1/10", "--until", "2")
CONVERGE = ("converge", "oscillator.toml", "--method", "gauss:1,gauss:2", *STEPS)
COMPARE = ("compare", "skate.toml", "--method", "gauss:3,gauss:1", "--step", "0.1", "--until", "2")


class Converge(tool.ToolTest):
    def test_documented_keys(self):
        document = self.document("converge", "skate.toml", "--method", "gauss:1,gauss:2", *STEPS)
        self.assertEqual(document["system"], "skate")
        self.assertEqual(document["status"], "done")
        self.assertEqual(document["reference"]["kind"], "computed")
        self.assertEqual([result["method"] for result in document["results"]], ["gauss:1", "gauss:2"])
        for result, order in zip(document["results"], (2, 4)):
            self.assertEqual(result["order_claimed"], order)
            for part in ("q", "v", "multipliers"):
                self.assertAlmostEqual(result[f"order_{part}"], order, delta=0.15)
            self.assertEqual([row["step"] for row in result["rows"]], [0.4, 0.2, 0.1])
            for row in result["rows"]:
                for part in ("q", "v", "multipliers"):
                    self.assertGreater(row[f"error_{part}"], 0)
                self.assertEqual(row["precision"], "double")

    def test_orders_are_the_slopes_of_the_rows(self):
        for result in self.document(*CONVERGE)["results"]:
            x = [math.log(row["step"]) for row in result["rows"]]
            y = [math.log(row["error_q"]) for row in result["rows"]]
            mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
            slope = (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x))
            self.assertAlmostEqual(result["order_q"], slope, places=9)

    def test_slopes_between_rows(self):
        text = self.tool(*CONVERGE).stdout
        for order in (2, 4):
            table = text.split(f"order {order}\n")[1].split("\n\n")[0]
            rows = [line.split() for line in table.splitlines()[1:]]
            self.assertEqual(rows[0][4], "-", table)
            for row in rows[1:]:
                self.assertAlmostEqual(float(row[4]), order, delta=0.2, msg=table)

    def test_errors_are_those_of_run(self):
        row = self.document(*CONVERGE)["results"][0]["rows"][1]
        run = self.document("run", "oscillator.toml", "--method", "gauss:1", "--step", "0.2", "--until", "2")
        self.assertAlmostEqual(row["error_q"], run["error_at_end"], delta=1e-15)
        self.assertAlmostEqual(row["error_v"], abs(run["v"]["x"] + math.sin(2)), delta=1e-15)

    def test_what_does_not_exist_is_null(self):
        document = self.document(*CONVERGE)
        self.assertEqual(document["reference"], {"kind": "exact"})
        for result in document["results"]:
            self.assertIsNone(result["order_multipliers"])
            self.assertTrue(all(row["error_multipliers"] is None for row in result["rows"]))

    def test_text(self):
        result = self.tool(*CONVERGE)
        for fragment in ("oscillator: errors at t = 2 against the exact solution", "gauss:1, order 2", "ERROR OF Q",
                         "SLOPE", "CLAIMED", "ORDER OF V"):
            self.assertIn(fragment, result.stdout)
        self.assertNotIn("MULTIPLIERS", result.stdout)
        self.assertEqual(result.stderr, "")
        last = result.stdout.splitlines()[-1].split()
        self.assertEqual(last[:2], ["gauss:2", "4"])
        self.assertAlmostEqual(float(last[2]), 4, delta=0.1)

    def test_precision(self):
        words = ("converge", "oscillator.toml", "--method", "gauss:5", "--steps-list", "0.2,0.1,0.05", "--until", "2")
        chosen = self.document(*words)["results"][0]
        self.assertAlmostEqual(chosen["order_q"], 10, delta=0.1)
        self.assertEqual(chosen["rows"][2]["precision"], "quad")
        given = self.document(*words, "--precision", "double")["results"][0]
        self.assertEqual({row["precision"] for row in given["rows"]}, {"double"})
        self.assertIsNone(given["order_q"])
        result = self.tool(*words, "--precision", "double")
        self.assertIn("no order of q and v", result.stderr)
        self.assertIn("more digits", result.stderr)
        self.assertIn("*", result.stdout)

    def test_parameters_initial_data_and_projection(self):
        words = ("converge", "skate.toml", "--method", "gauss:2", *STEPS)
        heavy = self.document(*words, "--set", "g=1")
        self.assertNotEqual(heavy["results"][0]["rows"][0]["error_q"],
                            self.document(*words)["results"][0]["rows"][0]["error_q"])
        projected = self.document(*words, "--init", "y'=1", "--project")
        self.assertAlmostEqual(projected["results"][0]["order_q"], 4, delta=0.3)
        elsewhere = self.tool(*CONVERGE, "--init", "x=2")
        self.assertIn("note: the exact solution", elsewhere.stderr)

    def test_a_time_that_is_no_multiple_is_told(self):
        result = self.tool("converge", "oscillator.toml", "--steps-list", "0.3,0.1", "--until", "2")
        self.assertIn("note: the time is no multiple of the step 0.3", result.stderr)

    def test_a_failure_leaves_the_other_rows(self):
        words = ("converge", "falling.toml", "--method", "lobatto-ab:2", "--init", "x'=-4", "--steps-list",
                 "1,0.02,0.01", "--until", "1")
        result = self.tool(*words, code=1)
        self.assertIn("lobatto-ab:2 with step 1: ", result.stderr)
        rows = self.document(*words, code=1)["results"][0]["rows"]
        self.assertIsNone(rows[0]["error_q"])
        self.assertEqual(rows[0]["status"], "failed")
        self.assertGreater(rows[1]["error_q"], rows[2]["error_q"])

    def test_where_nothing_can_be_computed(self):
        result = self.tool("converge", "falling.toml", "--steps-list", "0.1,0.05", "--until", "1", code=1)
        self.assertIn("the reference", result.stderr)

    def test_picture(self):
        self.tool("converge", "skate.toml", "--method", "gauss:1,gauss:2", *STEPS, "--plot", "a.svg")
        root = xml.etree.ElementTree.parse(self.folder / "a.svg").getroot()
        self.assertTrue(root.tag.endswith("svg"))
        text = " ".join(root.itertext())
        for fragment in ("skate", "gauss:1", "gauss:2", "slope 4", "error of the multipliers", "step"):
            self.assertIn(fragment, text)
        self.tool(*CONVERGE, "--plot", "a.svg", code=3)
        result = self.tool(*CONVERGE, "--plot", "a.svg", "--force")
        self.assertIn("wrote 'a.svg'", result.stderr)
        self.assertIn("oscillator", (self.folder / "a.svg").read_text())

    def test_quiet(self):
        result = self.tool(*CONVERGE, "--quiet", "--plot", "a.svg")
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertTrue((self.folder / "a.svg").exists())

    def wait_until_busy(self, process):
        """Until the process has worked for a second."""
        status = pathlib.Path(f"/proc/{process.pid}/stat")
        deadline = time.monotonic() + tool.TIMEOUT_SECONDS
        while status.exists() and time.monotonic() < deadline:
            user_ticks = int(status.read_text().rsplit(")", 1)[1].split()[11])
            if user_ticks > os.sysconf("SC_CLK_TCK"):
                return
            time.sleep(0.02)

    def test_interruption(self):
        words = ("converge", "oscillator.toml", "--method", "gauss:1", "--steps-list", "0.1,1e-8", "--until", "1000")
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = subprocess.Popen([tool.binary(), *words, "--plot", "a.svg"], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
            self.addCleanup(process.kill)
            self.wait_until_busy(process)  # the first row takes milliseconds, the second one hours
            process.send_signal(number)
            output, messages = process.communicate(timeout=tool.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, code, messages)
            self.assertIn("interrupted", messages)
            self.assertRegex(output, r"\n +0\.1 +10000 +double +\d", "the row that was finished")
            self.assertFalse((self.folder / "a.svg").exists())


class Compare(tool.ToolTest):
    def test_json(self):
        document = self.document(*COMPARE)
        # Which of the two is cheaper, a loaded machine may see differently; the list is in the order of what was measured.
        by_method = {result["method"]: result for result in document["results"]}
        self.assertEqual(set(by_method), {"gauss:1", "gauss:3"})
        costs = [result["nanoseconds_per_step"] for result in document["results"]]
        self.assertEqual(costs, sorted(costs))
        run = self.document("run", "skate.toml", "--method", "gauss:1", "--step", "0.1", "--until", "2")
        for key in ("order", "steps", "t", "q", "v", "multipliers", "energy", "constraints", "invariants", "solver",
                    "backend", "precision", "status"):
            self.assertEqual(by_method["gauss:1"][key], run[key])
        self.assertNotIn("error_q", document["results"][0])

    def test_text(self):
        text = self.tool(*COMPARE).stdout
        self.assertIn("skate: step 0.1, until t = 2", text)
        self.assertRegex(text, r"METHOD +ORDER +NS PER STEP +ENERGY +DRIFT +CONSTRAINTS +spin +ITERATIONS")
        self.assertNotIn("ERROR", text)

    def test_the_balance_where_something_does_work(self):
        self.write("pushed.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2 - x^4/4"\n[forces]\nx = "cos(t) - x\'"\n')
        words = ("compare", "pushed.toml", "--method", "gauss:1,gauss:2", "--step", "0.1", "--until", "2")
        self.assertRegex(self.tool(*words, "--plot", "a.svg").stdout, r"NS PER STEP +BALANCE +DRIFT")
        text = " ".join(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().itertext())
        self.assertIn("energy balance", text)

    def test_errors_where_they_are_known(self):
        words = ("compare", "oscillator.toml", "--method", "gauss:1", "--step", "0.1", "--until", "2")
        document = self.document(*words)["results"][0]
        self.assertAlmostEqual(document["error_q"], document["error_at_end"], delta=1e-15)
        self.assertIn("ERROR", self.tool(*words, "--plot", "a.svg").stdout)
        text = " ".join(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().itertext())
        self.assertIn("nanoseconds per step", text)
        self.assertIn("error of q", text)

    def test_against_time(self):
        words = ("compare", "skate.toml", "--method", "gauss:3,gonzalez,mp", "--step", "0.1", "--until", "20",
                 "--against", "time")
        result = self.tool(*words, "--plot", "a.svg")
        self.assertRegex(result.stdout, r"METHOD +ORDER +ENERGY +DRIFT +CONSTRAINTS +spin +ITERATIONS")
        rows = result.stdout.splitlines()[3:]
        self.assertEqual([row.split()[0] for row in rows], ["gauss:3", "gonzalez", "mp"], "in the order given")
        self.assertEqual(self.tool(*words).stdout, result.stdout, "nothing is measured that varies")
        text = " ".join(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().itertext())
        for fragment in ("Errors over time: skate", "|E - E0|", "residual of a constraint", "gonzalez"):
            self.assertIn(fragment, text)
        for result in self.document(*words)["results"]:
            self.assertIsNone(result["nanoseconds_per_step"])
            self.assertEqual(result["steps"], 200)

    def test_against_time_where_a_method_fails(self):
        words = ("compare", "falling.toml", "--method", "gauss:1,gauss:2", "--step", "0.1", "--until", "1",
                 "--against", "time", "--plot", "a.svg")
        result = self.tool(*words, code=1)
        self.assertIn("gauss:2: ", result.stderr)
        text = " ".join(xml.etree.ElementTree.parse(self.folder / "a.svg").getroot().itertext())
        self.assertIn("nothing to draw", text)

    def test_a_failure(self):
        result = self.tool("compare", "falling.toml", "--method", "gauss:1,gauss:2", "--step", "0.1", "--until", "1",
                           code=1)
        self.assertIn("gauss:1: ", result.stderr)
        self.assertIn("gauss:2: ", result.stderr)
        self.assertIn("METHOD", result.stdout)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
