#!/usr/bin/env python3
# noslip run: its summary, its JSON, its CSV, its exit codes.
import csv
import io
import math
import os
import pty
import signal
import subprocess
import time
import unittest

import tool

SKATE = ("run", "skate.toml", "--step", "0.1", "--until", "2")
DAMPED = """coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2 - x^4/20"
[forces]
x = "sin(t)/5 - x'/3"
[initial]
q = [1]
"""
LONG_RUN = ("run", "skate.toml", "--step", "1e-6", "--steps", "1e12")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


class Json(tool.ToolTest):
    def test_documented_keys(self):
        document = self.document(*SKATE, "--method", "gauss:3")
        for key in ("system", "method", "order", "step", "steps", "t", "q", "v", "multipliers", "energy", "constraints",
                    "holonomic", "invariants", "solver", "backend", "wall_seconds", "nanoseconds_per_step", "status",
                    "message"):
            self.assertIn(key, document)
        self.assertEqual(document["system"], "skate")
        self.assertEqual(document["method"], "gauss:3")
        self.assertEqual(document["order"], 6)
        self.assertEqual(document["step"], 0.1)
        self.assertEqual(document["steps"], 20)
        self.assertAlmostEqual(document["t"], 2, places=14)
        self.assertEqual(list(document["q"]), ["x", "y", "theta"])
        self.assertEqual(list(document["v"]), ["x", "y", "theta"])
        self.assertEqual(len(document["multipliers"]), 1)
        energy = document["energy"]
        self.assertEqual(set(energy), {"initial", "final", "max_abs_error", "drift_per_time", "work",
                                       "max_abs_balance_error", "balance_drift_per_time"})
        self.assertEqual(energy["work"], 0)  # nothing does any
        self.assertEqual(energy["max_abs_balance_error"], energy["max_abs_error"])
        self.assertLess(document["constraints"]["max_abs"], 1e-13)
        self.assertEqual(document["constraints"]["by_name"][0]["text"], "y'*cos(theta) = x'*sin(theta)")
        self.assertEqual(document["holonomic"]["by_name"], [])
        self.assertLessEqual({"initial", "final", "max_abs_error"}, set(document["invariants"]["spin"]))
        self.assertLess(document["invariants"]["spin"]["max_abs_error"], 1e-13)
        self.assertEqual(set(document["solver"]), {"iterations_mean", "iterations_max"})
        self.assertIn(document["backend"], ("jit", "interpreter"))
        self.assertEqual(document["status"], "done")
        self.assertEqual(self.tool(*SKATE, "--json").stderr, "")

    def test_a_known_solution(self):
        document = self.document("run", "oscillator.toml", "--method", "gauss:4", "--step", "0.1", "--until", "1")
        self.assertAlmostEqual(document["q"]["x"], math.cos(1), places=13)
        self.assertAlmostEqual(document["v"]["x"], -math.sin(1), places=13)
        self.assertLess(document["error_at_end"], 1e-13)

    def test_work_and_the_balance_of_the_energy(self):
        self.write("pushed.toml", DAMPED)
        words = ("run", "pushed.toml", "--method", "gauss:2", "--step", "0.05", "--until", "2")
        energy = self.document(*words)["energy"]
        self.assertLess(energy["work"], -0.1)
        self.assertGreater(energy["max_abs_error"], 0.1)
        self.assertLess(energy["max_abs_balance_error"], 1e-7)
        self.assertAlmostEqual(energy["work"], energy["final"] - energy["initial"], places=7)
        self.assertRegex(self.tool(*words).stdout, r"\nwork +-0\.\d+ +largest error of the balance \d")
        rows = rows_of(self.tool(*words, "-o", "-").stdout)
        self.assertEqual(float(rows[0]["work"]), 0)
        self.assertEqual(float(rows[-1]["work"]), energy["work"])
        self.assertNotIn("work", self.tool(*SKATE).stdout)

    def test_until_and_steps(self):
        by_time = self.document("run", "oscillator.toml", "--step", "0.1", "--until", "0.7")
        by_count = self.document("run", "oscillator.toml", "--step", "0.1", "--steps", "7")
        self.assertEqual(by_time["steps"], 7)
        self.assertEqual(by_time["q"], by_count["q"])
        shortened = self.document("run", "oscillator.toml", "--step", "0.3", "--until", "1")
        self.assertEqual(shortened["steps"], 4)
        self.assertEqual(shortened["t"], 1)

    def test_values_may_be_expressions(self):
        by_expression = self.document(*SKATE, "--set", "alpha=pi/4", "--set", "m=1/4+1", "--init", "theta=pi/3 - pi/3",
                                      "--init", "x=2*m")
        by_number = self.document(*SKATE, "--set", f"alpha={math.pi / 4!r}", "--set", "m=1.25", "--init", "x=2.5")
        for document in (by_expression, by_number):
            for key in ("wall_seconds", "nanoseconds_per_step"):
                del document[key]
        self.assertEqual(by_expression, by_number)
        self.assertEqual(self.document("run", "oscillator.toml", "--step", "1/8", "--steps", "1e2")["steps"], 100)

    def test_initial_data(self):
        document = self.document("run", "oscillator.toml", "--step", "0.1", "--steps", "1", "--init", "x=0", "--init",
                                 "x'=2", "--init", "t=5")
        self.assertEqual(document["energy"]["initial"], 2)
        self.assertAlmostEqual(document["t"], 5.1, places=14)

    def test_projection(self):
        self.assertLess(self.document(*SKATE, "--init", "y'=1", "--project")["constraints"]["max_abs"], 1e-13)

    def test_precisions(self):
        words = ("run", "oscillator.toml", "--method", "gauss:8", "--step", "1/8", "--until", "1")
        for precision, digits in (("double", 14), ("long", 17), ("quad", 24)):
            document = self.document(*words, "--precision", precision)
            self.assertEqual(document["precision"], precision)
            self.assertAlmostEqual(document["q"]["x"], math.cos(1), places=13)
            self.assertLess(document["error_at_end"], 10.0 ** -digits)
            self.assertEqual("q_text" in document, precision != "double")
        self.assertTrue(document["q_text"]["x"].startswith("0.54030230586813971740093660"), document["q_text"])
        self.assertTrue(document["v_text"]["x"].startswith("-0.8414709848078965066525023"), document["v_text"])

    def test_back_ends_give_the_same_bits(self):
        documents = []
        for backend in ("interpreter", "auto", "jit"):
            result = tool.run(*SKATE, "--json", "--backend", backend, "-o", f"{backend}.csv", folder=self.folder)
            if backend == "jit" and result.returncode == 2:
                self.skipTest(result.stderr)  # no machine code on this processor or in this build
            documents.append((self.folder / f"{backend}.csv").read_bytes())
        self.assertEqual(documents[0], documents[1])
        self.assertEqual(documents[0], documents[2])

    def test_two_runs_are_equal(self):
        self.assertEqual(self.tool(*SKATE, "-o", "-", "--quiet").stdout, self.tool(*SKATE, "-o", "-", "--quiet").stdout)


class Text(tool.ToolTest):
    def test_summary_goes_to_standard_output(self):
        result = self.tool(*SKATE)
        self.assertIn("skate", result.stdout)
        self.assertIn("gauss:2", result.stdout)
        self.assertEqual(result.stderr, "")

    def test_quiet(self):
        result = self.tool(*SKATE, "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_warnings_go_to_standard_error(self):
        # A force that sets in at t = 1: the midpoint rule misses a quarter of the first step.
        self.write("kick.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[forces]\nx = "1e8*max(t - 1, 0)^2"\n'
                   '[initial]\nv = [1]\n')
        run = ("run", "kick.toml", "--step", "0.1", "--until", "2", "--method")
        self.assertIn("noslip: warning: step size 0.1 does not follow the motion", self.tool(*run, "gauss:1").stderr)
        self.assertIn("step", [warning["code"] for warning in self.document(*run, "gauss:1")["warnings"]])
        self.assertNotIn("warning", self.tool(*run, "gauss:2").stderr)

    def test_every_without_file_is_noted(self):
        self.assertIn("--every has no effect", self.tool(*SKATE, "--every", "2").stderr)

    def test_catalogue_system_and_equals_sign(self):
        self.tool("run", "sleigh", "--step=0.1", "--steps=10", "--method=gauss:1")


class Csv(tool.ToolTest):
    def test_columns_and_rows(self):
        result = self.tool(*SKATE, "-o", "a.csv")
        text = (self.folder / "a.csv").read_text()
        self.assertEqual(text.splitlines()[0], "t,x,y,theta,x',y',theta',lambda1,energy,constraint")
        rows = rows_of(text)
        self.assertEqual(len(rows), 21)
        self.assertIn("wrote 21 rows to 'a.csv'", result.stderr)
        self.assertEqual([float(rows[0][name]) for name in ("t", "x", "x'", "theta'")], [0, 0, 1, 0.5])

    def test_numbers_round_trip(self):
        document = self.document(*SKATE, "-o", "a.csv")
        last = rows_of((self.folder / "a.csv").read_text())[-1]
        self.assertEqual(float(last["t"]), document["t"])
        for name in document["q"]:
            self.assertEqual(float(last[name]), document["q"][name])
            self.assertEqual(float(last[name + "'"]), document["v"][name])
        self.assertEqual(float(last["lambda1"]), document["multipliers"][0])
        self.assertEqual(float(last["energy"]), document["energy"]["final"])

    def test_every(self):
        rows = rows_of(self.tool(*SKATE, "-o", "-", "--every", "5").stdout)
        self.assertEqual([round(float(row["t"]), 9) for row in rows], [0, 0.5, 1, 1.5, 2])
        rows = rows_of(self.tool(*SKATE, "-o", "-", "--every", "8").stdout)
        self.assertEqual([round(float(row["t"]), 9) for row in rows], [0, 0.8, 1.6, 2])

    def test_standard_output(self):
        result = self.tool(*SKATE, "-o", "-")
        self.tool(*SKATE, "-o", "a.csv")
        self.assertEqual(result.stdout, (self.folder / "a.csv").read_text())
        self.assertIn("skate", result.stderr)  # the summary stays out of the data
        self.assertEqual(self.tool(*SKATE, "-o", "-", "--quiet").stderr, "")

    def test_force(self):
        self.tool(*SKATE, "-o", "a.csv")
        before = (self.folder / "a.csv").read_bytes()
        (self.folder / "a.csv").write_text("longer " * 10000)
        self.tool(*SKATE, "-o", "a.csv", code=3)
        self.assertTrue((self.folder / "a.csv").read_text().startswith("longer"))
        self.tool(*SKATE, "-o", "a.csv", "--force")
        self.assertEqual((self.folder / "a.csv").read_bytes(), before)

    def test_a_refused_run_does_not_touch_the_file(self):
        (self.folder / "a.csv").write_text("precious")
        self.tool(*SKATE, "--init", "y'=1", "-o", "a.csv", "--force", code=2)
        self.assertEqual((self.folder / "a.csv").read_text(), "precious")

    def test_devices_need_no_ending(self):
        self.tool(*SKATE, "-o", os.devnull)


class Endings(tool.ToolTest):
    def test_numerical_failure(self):
        words = ("run", "falling.toml", "--step", "1", "--steps", "50")
        document = self.document(*words, code=1)
        self.assertEqual(document["status"], "failed")
        self.assertNotEqual(document["message"], "")
        self.assertTrue(math.isfinite(document["q"]["x"]))
        result = self.tool(*words, "-o", "a.csv", code=1)
        self.assertIn("falling off", result.stdout)
        self.assertIn("noslip: ", result.stderr)
        rows = rows_of((self.folder / "a.csv").read_text())
        self.assertGreaterEqual(len(rows), 1)
        for row in rows:
            self.assertTrue(all(math.isfinite(float(value)) for value in row.values()), row)

    def start(self, *words, **options):
        process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, encoding="utf-8", **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_interruption(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number):
                process = self.start(*LONG_RUN, "-o", "a.csv", "--every", "1000", "--force", stderr=subprocess.PIPE)
                self.addCleanup(process.stderr.close)
                file = self.folder / "a.csv"
                part = self.folder / "a.csv.part"
                self.wait_until(lambda: part.exists() and part.stat().st_size > 0, "no row is written")
                process.send_signal(number)
                output, messages = process.communicate(timeout=tool.TIMEOUT_SECONDS)
                self.assertEqual(process.returncode, code, messages)
                self.assertIn("interrupted", output)
                self.assertTrue(file.read_text().endswith("\n"))
                file.unlink()

    def test_reader_that_goes_away(self):
        process = self.start(*LONG_RUN, "-o", "-", stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=tool.TIMEOUT_SECONDS), 0)
        self.assertEqual(process.stderr.read(), "")

    def test_closed_standard_output_is_an_error_and_harms_no_file(self):
        command = '"$@" -o a.csv --json >&-'
        result = subprocess.run(["sh", "-c", command, "sh", tool.binary(), *SKATE], cwd=self.folder,
                                stderr=subprocess.PIPE, encoding="utf-8", timeout=tool.TIMEOUT_SECONDS, check=False)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(len(rows_of((self.folder / "a.csv").read_text())), 21)

    def test_progress_is_drawn_on_a_terminal_only(self):
        for quiet in (False, True):
            try:
                master, slave = pty.openpty()
            except OSError as error:
                self.skipTest(f"there are no pseudo-terminals here: {error}")
            process = self.start(*LONG_RUN, *(["--quiet"] if quiet else []), stderr=slave)
            os.close(slave)
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            process.wait(timeout=tool.TIMEOUT_SECONDS)
            seen = os.read(master, 100000).decode()
            os.close(master)
            self.assertEqual("%" in seen, not quiet, seen)
            self.assertIn("interrupted", seen)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
