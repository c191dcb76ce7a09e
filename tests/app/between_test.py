#!/usr/bin/env python3
# Between the steps: run --at and --event, section; documents, files, refusals.
import csv
import io
import json
import math
import resource
import subprocess
import unittest

import tool

RUN = ("run", "oscillator.toml", "--method", "gauss:5", "--step", "0.1", "--until", "10", "--between", "step")
SECTION = ("section", "oscillator.toml", "--method", "gauss:5", "--step", "0.1", "--when", "x", "--between", "step",
           "--crossings", "4", "--columns", "x',energy")


class BetweenTest(tool.ToolTest):
    def bad(self, *words, code, says):
        result = self.tool(*words, code=code)
        self.assertIn(says, result.stderr)
        return result


class Times(BetweenTest):
    def test_states_at_times(self):
        document = self.document(*RUN, "--at", "0.25,pi,0:10:3")
        self.assertEqual([state["t"] for state in document["at"]], [0.25, math.pi, 0, 5, 10])
        for state in document["at"]:
            self.assertAlmostEqual(state["q"]["x"], math.cos(state["t"]), delta=1e-13)
            self.assertAlmostEqual(state["v"]["x"], -math.sin(state["t"]), delta=1e-13)
            self.assertAlmostEqual(state["energy"], 0.5, delta=1e-13)

    def test_states_go_to_a_file(self):
        out = self.tool(*RUN, "--at", "2,1", "-o", "-").stdout
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([row["t"] for row in rows], ["2", "1"])
        self.assertAlmostEqual(float(rows[0]["x"]), math.cos(2), delta=1e-13)

    def test_tables_on_the_screen(self):
        out = self.tool(*RUN, "--at", "1.5", "--event", "x,down,stop").stdout
        self.assertIn("0.070737202", out)
        self.assertIn("DIRECTION", out)
        self.assertIn("no events", self.tool(*RUN, "--event", "x - 2").stdout)

    def test_refusals(self):
        for options, what in [(("--at", "11"), "time 11 is outside of the run"), (("--at", "x"), "--at x"),
                              (("--at", "0:1"), "neither a number nor a range"), (("--at", "0:1:0.5"), "count of a range"),
                              (("--at", "1", "--every", "2"), "--every and --at"), (("--looks", "0"), "--looks"),
                              (("--looks", "2000"), "at most 1000"), (("--looks", "3"), "no effect without --event"), (("--between", "magic"), "--between"),
                              (("--event", ",up"), "expression is missing"), (("--event", "y"), "unknown symbol 'y'"),
                              (("--event", "x,stop=0"), "no number of crossings"), (("--event", "2"), "never happens"),
                              (("--event", "x +"), "x +"), (("--event", "x,sotp"), "did you mean 'stop'"),
                              (("--event", "x,up,down"), "two directions")]:
            with self.subTest(options):
                self.bad(*RUN, *options, code=2, says=what)


class Events(BetweenTest):
    def test_stop(self):
        document = self.document(*RUN, "--event", "x,up", "--event", "x',both,stop=2")
        self.assertEqual(document["status"], "stopped")
        self.assertAlmostEqual(document["t"], 2 * math.pi, delta=1e-13)
        self.assertAlmostEqual(document["q"]["x"], 1, delta=1e-13)
        found = [(event["event"], event["number"], event["direction"]) for event in document["events"]]
        self.assertEqual(found, [(1, 1, "up"), (0, 1, "up"), (1, 2, "down")])
        self.assertEqual([event["when"] for event in document["events"]], ["x'", "x", "x'"])

    def test_a_file_that_cannot_be_made_is_refused_first(self):
        self.bad(*RUN, "--at", "1", "-o", "nowhere/x.csv", code=3, says="the folder has to exist")
        self.bad(*SECTION, "-o", "nowhere/x.csv", code=3, says="the folder has to exist")

    def test_events_go_to_a_file(self):
        words = [*RUN, "--event", "x,up", "--event", "x'"]
        listed = self.document(*words, "--events", "events.csv")["events"]
        rows = list(csv.DictReader(io.StringIO((self.folder / "events.csv").read_text())))
        self.assertEqual(list(rows[0])[:6], ["event", "number", "direction", "t", "x", "x'"])
        self.assertEqual(len(rows), len(listed))
        for row, event in zip(rows, listed):
            self.assertEqual((float(row["event"]), float(row["number"])), (event["event"], event["number"]))
            self.assertEqual(float(row["direction"]), 1 if event["direction"] == "up" else -1)
            self.assertEqual((float(row["t"]), float(row["x"])), (event["t"], event["q"]["x"]))
        self.bad(*words, "--events", "events.csv", code=3, says="exists")
        self.tool(*words, "--events", "events.npz", "--force")
        self.tool(*RUN, "--event", "x - 5", "--events", "none.csv")
        self.assertTrue((self.folder / "none.csv").read_text().startswith("event,number,direction,t,"))
        self.assertEqual((self.folder / "none.csv").read_text().count("\n"), 1)
        self.assertEqual(self.tool(*words, "--events", "-", "--quiet").stdout.count("\n"), len(rows) + 1)

    def test_events_of_rotations_as_quaternions(self):
        coin = ("run", "rolling-coin-so3", "--step", "0.1", "--until", "9", "--quaternions")
        self.tool(*coin, "--event", "sin(3*t)", "--events", "e.csv", "-o", "a.csv")
        events, states = (list(csv.reader(io.StringIO((self.folder / name).read_text()))) for name in ("e.csv", "a.csv"))
        self.assertEqual(events[0], ["event", "number", "direction", *states[0]])
        first = next(i for i, name in enumerate(events[0]) if name.endswith("_w"))
        turns = [[float(number) for number in row[first:first + 4]] for row in events[1:]]
        self.assertGreater(len(turns), 5)
        self.assertGreaterEqual(turns[0][0], 0)
        for turn in turns:
            self.assertAlmostEqual(sum(number**2 for number in turn), 1, delta=1e-12)
        for before, turn in zip(turns, turns[1:]):
            self.assertGreaterEqual(sum(a * b for a, b in zip(before, turn)), 0)

    def test_fewer_events_of_large_systems_are_kept(self):
        self.write("large.toml", 'coordinates = ["q[0:5000]"]\nlagrangian = "sum(i, 0, 5000, q[i]\'^2/2)"\n')
        result = self.tool("run", "large.toml", "--step", "1", "--steps", "250", "--event", "sin(pi*t + 1)")
        self.assertIn("of 250 events the first 199 are listed", result.stderr)

    def test_events_in_files_are_refused(self):
        self.bad(*RUN, "--events", "e.csv", code=2, says="--events has no effect without --event")
        self.bad(*RUN, "--event", "x", "--events", "e.xyz", code=2, says="--events e.xyz: the ending")
        self.bad(*RUN, "--event", "x", "--events", "-", "--json", code=2, says="both want standard output")
        self.bad(*RUN, "--event", "x", "--events", "a.csv", "-o", "a.csv", code=2, says="the same file")
        self.bad(*RUN, "--event", "x", "--events", "./a.csv", "-o", "a.csv", code=2, says="the same file")
        self.bad(*RUN, "--event", "x", "--events", "nowhere/e.csv", code=3, says="the folder has to exist")

    def test_many_events_take_no_memory(self):
        words = [*RUN[:2], "--method", "gauss:2", "--step", "0.1", "--steps", "400000", "--event", "x", "--event", "x'"]
        most = 300 * 1024  # KB

        def limited(*more):
            limit = (most * 1024, most * 1024)
            return subprocess.run([tool.binary(), *words, *more], cwd=self.folder, capture_output=True, encoding="utf-8",
                                  timeout=6 * tool.TIMEOUT_SECONDS,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        result = limited("--json", "--events", "all.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertEqual(len(document["events"]), 10000)
        count = sum(document["event_counts"])
        self.assertGreater(count, 25000)
        with open(self.folder / "all.csv", encoding="utf-8") as file:
            self.assertEqual(sum(1 for line in file), count + 1)
        self.assertEqual([warning["code"] for warning in document["warnings"]], [])
        result = limited()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"of {count} events the first 10000 are listed; --events FILE.csv writes them all", result.stderr)
        self.assertIn(f"... and {count - 30} more: --events FILE.csv has them all", result.stdout)

    def test_functions_with_commas(self):
        document = self.document(*RUN, "--event", "atan2(x', x),up")
        self.assertEqual([event["when"] for event in document["events"]][0], "atan2(x', x)")


class Section(BetweenTest):
    def test_rows(self):
        rows = list(csv.reader(io.StringIO(self.tool(*SECTION).stdout)))
        self.assertEqual(rows[0], ["t", "x'", "energy"])
        self.assertEqual(len(rows), 5)
        for i, row in enumerate(rows[1:]):
            self.assertAlmostEqual(float(row[0]), math.pi * (i + 0.5), delta=1e-13)
            self.assertAlmostEqual(float(row[1]), -1 if i % 2 == 0 else 1, delta=1e-13)

    def test_document_of_several_orbits(self):
        document = self.document(*SECTION, "--direction", "up", "--orbits", "x=1:3:3")
        self.assertEqual(document["columns"], ["x'", "energy"])
        self.assertEqual([orbit["init"]["x"] for orbit in document["orbits"]], [1, 2, 3])
        for orbit in document["orbits"]:
            self.assertEqual(orbit["status"], "done")
            self.assertEqual(len(orbit["crossings"]), 4)
            for crossing in orbit["crossings"]:
                self.assertEqual(crossing["direction"], "up")
                self.assertAlmostEqual(crossing["values"]["x'"], orbit["init"]["x"], delta=1e-12)

    def test_files(self):
        self.tool(*SECTION, "-o", "points.csv", "--plot", "points.svg")
        self.assertTrue((self.folder / "points.csv").read_text().startswith("t,x',energy\n"))
        self.assertIn("<svg", (self.folder / "points.svg").read_text())
        self.bad(*SECTION, "-o", "points.csv", code=3, says="exists")

    def test_too_few_crossings(self):
        result = self.bad(*SECTION, "--until", "-1", code=2, says="before")
        never = self.bad(*SECTION[:7], "x - 5", *SECTION[8:], code=1, says="only 0 of 4 crossings")
        self.assertEqual(never.stdout, "t,x',energy\n")
        self.assertEqual(self.tool(*SECTION, "--until", "2").stdout.count("\n"), 2)
        self.assertEqual(result.stdout, "")

    def test_refusals(self):
        without = [word for word in SECTION if word not in ("--crossings", "4")]
        self.bad(*without, code=2, says="--crossings is missing")
        for options, what in [(("--columns", "x,,t"), "a column is empty"), (("--columns", "u"), "unknown symbol 'u'"),
                              (("--orbits", "x"), "expected name=values"), (("--orbits", "u=1"), "neither a parameter nor"),
                              (("--crossings", "1e15"), "too many"),
                              (("--direction", "left"), "--direction"), (("-o", "a.txt"), ".csv")]:
            with self.subTest(options):
                place = SECTION.index(options[0]) if options[0] in SECTION else len(SECTION)
                self.bad(*SECTION[:place], *SECTION[place + 2:], *options, code=2, says=what)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
