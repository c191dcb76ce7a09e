# Ensembles: the same bytes whoever computes them; members, reductions, failures and pictures.
import json
import math
import statistics
import unittest
import xml.etree.ElementTree

import ensembles
import other_readers
import tool
from ensembles import CHAOTIC, SKATES

# A fast member comes to x < 0, where the Lagrangian is not defined, in its first step.
LOGARITHM = """
name        = "logarithm"
coordinates = ["x"]
lagrangian  = "x'^2/2 + 4*log(x)"
[initial]
q = [1.0]
v = [0.0]
"""


# Arrays of an NPZ file and of an HDF5 file, missing values as null.
READ = """
import json, sys, numpy
def plain(array):
    return numpy.where(numpy.isnan(array), None, array).tolist()
if sys.argv[1].endswith("npz"):
    with numpy.load(sys.argv[1]) as file:
        print(json.dumps({name: plain(file[name]) for name in file.files}))
else:
    import h5py
    with h5py.File(sys.argv[1], "r") as file:
        arrays = {name: plain(file[name][()]) for name in file if name != "member"}
        print(json.dumps(arrays | {name: plain(file["member"][name][()]) for name in file["member"]}))
"""


class Identity(ensembles.EnsembleTest):
    WORDS = (*CHAOTIC, "--until", "50", "--every", "200", "--grid", "j=0:299:300", "--set", "J=299")

    def outputs(self, stem):
        return [word for ending in self.formats() for word in ("-o", f"{stem}.{ending}")]

    def assert_same(self, what):
        for ending in self.formats():
            self.assertEqual(self.bytes_of(f"b.{ending}"), self.bytes_of(f"a.{ending}"), f"{what}, {ending}")

    def test_threads_lanes_and_backends(self):
        self.tool(*self.WORDS, *self.outputs("a"), "--quiet")
        self.assertEqual(self.bytes_of("a.csv").count(b"\n"), 1 + 300 * 6)
        outputs = self.outputs("b")
        for threads in (1, 2, 3, 8):
            for lanes in (1, 4, 8):
                for backend in ("jit", "interpreter"):
                    result = self.document(*self.WORDS, *outputs, "--force", "--threads", threads, "--lanes", lanes,
                                           "--backend", backend)
                    self.assert_same((threads, lanes, backend))
                    self.assertEqual((result["lanes"], result["backend"], result["ranks"]), (lanes, backend, 1))
                    self.assertEqual((result["members"], result["done"], result["steps"]), (300, 300, 300 * 1000))

    def test_ranks(self):
        if reason := ensembles.lacks_ranks():
            self.skipTest(reason)
        reduced = ("--columns", "x,w1,energy", "--reduce", "mean(x),deviation(w1),quantile(x,0.9),histogram(x,-1,1,7)")
        words = (*self.WORDS, *reduced, "--json", "--force")
        whole = json.loads(self.tool(*words, *self.outputs("a")).stdout)
        for ranks in (1, 2, 5):
            result = json.loads(self.with_ranks(ranks, *words, *self.outputs("b"), "--threads", "1"))
            self.assert_same(f"{ranks} ranks")
            self.assertEqual((result["ranks"], result["done"], result["failures"]), (ranks, 300, []))
            self.assertEqual(result["outputs"], whole["outputs"])

    def test_formats(self):
        """[time, member], with the numbers of the CSV file."""
        self.write("logarithm.toml", LOGARITHM)
        self.tool("ensemble", "logarithm.toml", "--step", "0.1", "--until", "1", "--every", "5", "--grid", "x'=-1000:1:4",
                  "--columns", "x,energy", *self.outputs("a"))
        rows = self.rows("a.csv")
        for ending in self.formats()[1:]:
            arrays = other_readers.run(READ, self.folder / f"a.{ending}",
                                       modules=("numpy", "h5py") if ending == "h5" else ("numpy",))
            self.assertEqual(arrays["t"], [0, 0.5, 1])
            self.assertEqual(arrays["number"], [0, 1, 2, 3])
            self.assertEqual(arrays["failed"], [1, 1, 1, 0])
            self.assertEqual(arrays["x'"], [row["x'"] for row in rows[::3]])
            for name in ("x", "energy"):
                self.assertEqual(arrays[name], [[row[name] for row in rows[i::3]] for i in range(3)])

    def test_reductions(self):
        words = (*self.WORDS, "--reduce", "mean(x),variance(x),median(w1),histogram(x,-1,1,7)", "--force", "--quiet")
        self.tool(*words, *self.outputs("a"))
        for more in (("--threads", 1, "--lanes", 1), ("--threads", 3, "--lanes", 4), ("--threads", 8, "--lanes", 8)):
            self.tool(*words, *self.outputs("b"), *more)
            self.assert_same(more)


class WhoTheyAre(ensembles.EnsembleTest):
    def test_a_table_is_as_good_as_a_grid(self):
        grid = ("--grid", "phi'=0.5:2:7", "--grid", "beta=0:1.2:5")
        self.tool(*SKATES, *grid, "-o", "grid.csv")
        rows = self.rows("grid.csv")
        self.assertEqual(len(rows), 35)
        varied = [name for name in rows[0] if name in ("phi'", "member/phi'", "beta")][:2]
        self.write("members.csv", "phi',beta\n" + "".join(f"{row[varied[0]]!r},{row[varied[1]]!r}\n" for row in rows))
        self.tool(*SKATES, "--members", "members.csv", "-o", "table.csv")
        self.assertEqual(self.bytes_of("table.csv"), self.bytes_of("grid.csv"))
        self.write("windows.csv", "\"phi'\" , beta\r\n" + "".join(f"{row[varied[0]]!r}, {row[varied[1]]!r}\r\n"
                                                                 for row in rows))
        self.tool(*SKATES, "--members", "windows.csv", "-o", "windows-ends.csv")
        self.assertEqual(self.bytes_of("windows-ends.csv"), self.bytes_of("grid.csv"))
        # The last name varies fastest; ends are met.
        for row, value in zip(rows, (0, 0.3, 0.6, 0.9, 1.2, 0)):
            self.assertAlmostEqual(row["beta"], value, delta=2e-16)
        self.assertEqual((rows[0][varied[0]], rows[-1][varied[0]], rows[-1]["beta"]), (0.5, 2, 1.2))

    def test_draws_do_not_depend_on_their_number(self):
        vary = ("--vary", "phi'=uniform(0.5,2)", "--vary", "beta=normal(0.3,0.1)")
        for count in (100, 1000):
            self.tool(*SKATES, "--sample", count, "--seed", 7, *vary, "-o", f"{count}.csv")
        self.assertTrue(self.bytes_of("1000.csv").startswith(self.bytes_of("100.csv")))
        self.tool(*SKATES, "--sample", 100, "--seed", 8, *vary, "-o", "other.csv")
        self.assertNotEqual(self.bytes_of("other.csv"), self.bytes_of("100.csv"))
        drawn = self.rows("1000.csv")
        rates = [row["member/phi'"] for row in drawn]
        self.assertTrue(all(0.5 <= rate <= 2 for rate in rates))
        self.assertAlmostEqual(statistics.fmean(rates), 1.25, delta=5 * 1.5 / math.sqrt(12 * 1000))
        self.assertAlmostEqual(statistics.fmean(row["beta"] for row in drawn), 0.3, delta=5 * 0.1 / math.sqrt(1000))
        self.assertAlmostEqual(statistics.stdev(row["beta"] for row in drawn), 0.1, delta=0.02)

    def test_a_member_is_a_run(self):
        for words, names in ((("skate", "--method", "gauss:2", "--step", "0.1", "--until", "3.05"), ("phi'", "beta")),
                             (("chaotic", "--method", "mp", "--step", "0.05", "--until", "20", "--set", "J=99"), ("j",)),
                             (("skate.toml", "--method", "gauss:3", "--step", "0.05", "--until", "2"), ("theta'", "m"))):
            grid = [word for name in names for word in ("--grid", f"{name}={'0:99:12' if name == 'j' else '0.5:1.25:4'}")]
            self.tool("ensemble", *words, *grid, "-o", "a.csv", "--force")
            for row in self.rows("a.csv")[::3]:
                values = [word for name in names for word in
                          ("--init" if "'" in name else "--set", f"{name}={row.get(f'member/{name}', row.get(name))!r}")]
                run = self.document("run", *words, *values)
                self.assertEqual(row["t"], run["t"])
                for name, value in run["q"].items():
                    self.assertEqual(row[name], value, (values, name))
                for name, value in run["v"].items():
                    self.assertEqual(row[f"{name}'"], value, (values, name))

    def test_parts(self):
        grid = ("--grid", "phi'=0.5:2:10")
        for words in ((), ("--every", "5")):
            self.tool(*SKATES, *grid, *words, "-o", "whole.csv", "--force")
            head, *rows = self.bytes_of("whole.csv").decode().splitlines()
            found = []
            for part in range(1, 4):
                result = self.document(*SKATES, *grid, *words, "--part", f"{part}/3", "-o", "part.csv", "--force")
                first, *more = self.bytes_of("part.csv").decode().splitlines()
                self.assertEqual(first, head)
                more, said = [row for row in more if row[0] != "#"], [row for row in more if row[0] == "#"]
                self.assertEqual(len(said), 3)  # of which ensemble it is a part; tests/app/merge_test.py
                self.assertEqual(len(more), result["members"] * len(result["t"]))
                found += more
            self.assertEqual(found, rows)
        for part in ("0/3", "4/3", "1/0", "x", "1", "11/11"):
            self.tool(*SKATES, *grid, "--part", part, code=2)
        self.assertIn("there are only 10 members", self.tool(*SKATES, *grid, "--part", "1/1000000000000", code=2).stderr)

    def test_what_is_refused(self):
        """With the place in the file, before anything is written."""
        for text, part in (("phi'\n1\nnan\n", "m.csv:3:1: 'nan' is not a number"),
                           ("phi',beta\n1,0\n1,inf\n", "m.csv:3:3: 'inf' is not a number"),
                           ("phi'\n1e400\n", "m.csv:2:1"),
                           ("phi'\nfast\n", "m.csv:2:1: 'fast' is not a number"),
                           ("phi',speed\n1,2\n", "'speed' is neither an initial value nor a parameter nor an input"),
                           ("phi',beta\n1,0\n1\n", "m.csv:3:1"),
                           ("phi',beta\n1,0\n1,0,0\n", "m.csv:3:"),
                           ("phi',beta,phi'\n1,0,1\n", "m.csv:1:11: 'phi'' is the name of two columns"),
                           ("phi',\n1,2\n", "m.csv:1:6: a name is missing"),
                           ("phi',y'\n1,0\n1,0\n1,2\n", "m.csv:4: constraint"),
                           ("", "m.csv: there is nothing in it"),
                           ("phi'\n", "m.csv: there are no members in it"),
                           ("t\n1\n", "members cannot differ in the initial time"),
                           ("\0\n1\n", "m.csv:1:1: this is not text"),
                           (",".join(f"a{i}" for i in range(100000)) + "\n", "m.csv")):
            self.write("m.csv", text)
            before = self.names()
            error = self.tool(*SKATES, "--members", "m.csv", "-o", "bad.csv", "--checkpoint", "c", code=2).stderr
            self.assertIn(part, error)
            self.assertEqual(self.names(), before)
        self.assertIn("cannot read", self.tool(*SKATES, "--members", "nothing.csv", code=3).stderr)
        for words in (("--grid", "phi'=nan:1:3"), ("--grid", "phi'=1:inf:3"), ("--grid", "phi'=1:2:0"),
                      ("--grid", "phi'=1:2:1e18"), ("--grid", "speed=1:2:3"), ("--grid", "phi'"),
                      ("--grid", "phi'=1:2:3", "--grid", "phi'=1:2:3"), ("--grid", "phi'=1:2:3", "--init", "phi'=1"),
                      ("--grid", "beta=1:2:3", "--set", "beta=1"), ("--grid", "phi'=1:2:3", "--sample", "3"),
                      ("--sample", "3"), ("--sample", "3", "--vary", "phi'=uniform(2,1)"),
                      ("--sample", "3", "--vary", "phi'=normal(0,-1)"), ("--sample", "3", "--vary", "phi'=cauchy(0,1)"),
                      ("--grid", "phi'=1:2:3", "--reduce", "mean("), ("--grid", "phi'=1:2:3", "--reduce", "mode(y)"),
                      ("--grid", "phi'=1:2:3", "--reduce", "quantile(y,2)"), ("--grid", "phi'=1:2:3", "--lanes", "3"),
                      ("--grid", "phi'=1:2:3", "--threads", "0"), ()):
            before = self.names()
            self.assertTrue(self.tool(*SKATES, *words, "-o", "bad.csv", code=2).stderr)
            self.assertEqual(self.names(), before)

    def test_names_that_cannot_vary(self):
        for system, name, part in (("chaotic", "m", "--set m=3"), ("links", "n", "--set n=4"),
                                   ("trailers", "m", "it is an array: vary one of its elements, m[0] to m[2]"),
                                   ("lattice", "q", "one of its elements, q[1] to q[4]"), ("skate", "nothing", "what may vary is")):
            error = self.tool("ensemble", system, "--step", "0.1", "--until", "1", "--grid", f"{name}=2:3:2", code=2).stderr
            self.assertIn(f"'{name}' is ", error)
            self.assertIn(part, error)

    def test_quoted_numbers(self):
        self.write("plain.csv", "phi',beta\n1,0\n1.5,0.25\n")
        self.write("quoted.csv", "\"phi'\",\"beta\"\n\"1\",\"0\"\n\"1.5\", \"0.25\"\n")
        for name in ("plain", "quoted"):
            self.tool(*SKATES, "--members", f"{name}.csv", "-o", f"{name}-ends.csv")
        self.assertEqual(self.bytes_of("quoted-ends.csv"), self.bytes_of("plain-ends.csv"))
        for text, part in (('phi\'\n"fast"\n', "'\"fast\"' is not a number"), ('phi\'\n""\n', "a number is missing"),
                           ('"1","2"\n1,2\n', "the first row has to name the columns")):
            self.write("m.csv", text)
            self.assertIn(part, self.tool(*SKATES, "--members", "m.csv", code=2).stderr)

    def test_too_many_members_are_told(self):
        process = self.start(*SKATES, "--sample", "1e12", "--vary", "beta=uniform(0,1)", "--columns", "y", "-o", "a.npz")
        first = process.stderr.readline()
        process.kill()
        self.assertIn("note: there are 1e+12 members with 1e+13 steps in all, of which about 3.2e+04 GB are stored", first)
        self.assertNotIn("note", self.tool(*SKATES, *("--sample", "10", "--vary", "beta=uniform(0,1)")).stderr)

    def test_inconsistent_members_are_projected(self):
        self.write("m.csv", "phi',y'\n1,0\n1,2\n")
        self.tool(*SKATES, "--members", "m.csv", "-o", "a.csv", "--project")
        self.assertEqual([row["failed"] for row in self.rows("a.csv")], [0, 0])


class WhatIsKnownOfAll(ensembles.EnsembleTest):
    def test_reductions(self):
        words = (*CHAOTIC, "--until", "50", "--every", "500", "--grid", "j=0:299:300", "--set", "J=299")
        self.tool(*words, "--columns", "x", "-o", "members.csv")
        reductions = ("mean(x)", "variance(x)", "deviation(x)", "min(x)", "max(abs(x))", "count(x)", "median(x)",
                      "quantile(x,0.9)", "quantile(x,0)", "quantile(x,1)", "histogram(x,-1,1,8)")
        result = self.document(*words, "--reduce", ", ".join(reductions), "-o", "reduced.csv")
        times = {}
        for row in self.rows("members.csv"):
            times.setdefault(row["t"], []).append(row["x"])
        self.assertEqual(list(times), result["t"])
        written = self.rows("reduced.csv")
        for i, (t, values) in enumerate(times.items()):
            values.sort()
            self.assertEqual(len(values), 300)

            def quantile(p):
                place = p * (len(values) - 1)
                low = min(int(place), len(values) - 2)
                return values[low] + (place - low) * (values[low + 1] - values[low])

            mean = math.fsum(values) / len(values)
            variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
            expected = {"mean(x)": mean, "variance(x)": variance, "deviation(x)": math.sqrt(variance),
                        "min(x)": values[0], "max(abs(x))": max(map(abs, values)), "count(x)": len(values),
                        "median(x)": statistics.median(values), "quantile(x,0.9)": quantile(0.9),
                        "quantile(x,0)": values[0], "quantile(x,1)": values[-1],
                        "histogram(x,-1,1,8)[below]": sum(value < -1 for value in values)}
            for number in range(8):
                low, high = -1 + number / 4, -0.75 + number / 4
                expected[f"histogram(x,-1,1,8)[{number}]"] = sum(low <= value < high for value in values)
            expected["histogram(x,-1,1,8)[7]"] += values.count(1)  # the upper end belongs to the last bin
            expected["histogram(x,-1,1,8)[above]"] = sum(value > 1 for value in values)
            for name, value in expected.items():
                self.assertAlmostEqual(result["outputs"][name][i], value, delta=1e-13 * max(1, abs(value)), msg=name)
                self.assertEqual(written[i][name], result["outputs"][name][i])
            self.assertEqual(sum(number for name, number in written[i].items() if "histogram" in name), 300)

    def test_quantiles_of_many(self):
        """Off by at most 1/1024 of themselves."""
        words = ("ensemble", "oscillator.toml", "--step", "0.1", "--steps", "1", "--sample", "20000", "--vary",
                 "x=normal(3,1)")
        self.tool(*words, "--columns", "x", "-o", "a.csv")
        values = sorted(row["x"] for row in self.rows("a.csv") if row["x"] is not None)
        result = self.document(*words, "--reduce", "quantile(x,0.05),median(x),quantile(x,0.99)")
        for name, p in (("quantile(x,0.05)", 0.05), ("median(x)", 0.5), ("quantile(x,0.99)", 0.99)):
            place = int(p * (len(values) - 1))
            value = result["outputs"][name][0]
            self.assertTrue(values[place] * (1 - 1 / 1024) <= value <= values[place + 1] * (1 + 1 / 1024), (name, value))

    def test_what_json_has(self):
        result = self.document(*SKATES, "--grid", "phi'=1:2:5", "--threads", "1")
        self.assertEqual((result["members"], result["done"], result["failed"], result["steps"]), (5, 5, 0, 50))
        self.assertEqual((result["threads"], result["ranks"], result["outputs"], result["failures"]), (1, 1, {}, []))
        self.assertGreater(result["wall_seconds"], 0)
        self.assertAlmostEqual(result["trajectories_per_second"] * result["wall_seconds"], 5, delta=1e-9)

    def test_events(self):
        self.tool("ensemble", "oscillator.toml", "--step", "0.1", "--until", "10", "--grid", "x=1:4:4", "--event", "x",
                  "-o", "a.csv")
        for row in self.rows("a.csv"):
            self.assertEqual(row["count(x)"], 3)
            self.assertAlmostEqual(row["first(x)"], math.pi / 2, delta=1e-5)

    def test_failures(self):
        self.write("logarithm.toml", LOGARITHM)
        words = ("ensemble", "logarithm.toml", "--step", "0.1", "--until", "1")
        some, every = ("--grid", "x'=-1000:1:4"), ("--grid", "x'=-1000:-900:4")
        result = self.document(*words, *some, "--every", "5", "-o", "a.csv", "--reduce", "count(x)", "--columns", "x,x'")
        self.assertEqual((result["members"], result["done"], result["failed"]), (4, 1, 3))
        self.assertEqual([failure["member"] for failure in result["failures"]], [0, 1, 2])
        for failure in result["failures"]:
            self.assertEqual(set(failure), {"member", "t", "message"})
            self.assertTrue(0 <= failure["t"] <= 1)
            self.assertIn("log(", failure["message"])
        self.assertEqual(result["outputs"]["count(x)"], [4, 1, 1])
        rows = self.rows("a.csv")
        self.assertEqual([row["failed"] for row in rows], [1] * 9 + [0] * 3)
        for row in rows:
            self.assertEqual((row["x"] is None, row["x'"] is None), (row["failed"] == 1 and row["t"] > 0,) * 2)
        self.assertIn("member 2 failed: ", self.tool(*words, *some).stderr)
        self.tool(*words, *some, "--strict", "-o", "strict.csv", code=1)
        self.assertEqual(len(self.rows("strict.csv")), 4, "the file is written all the same")
        self.tool(*words, "--grid", "x'=0:1:4", "--strict")
        many = self.tool(*words, "--grid", "x'=-1000:-900:120", "--json", code=1)
        self.assertIn("115 more members failed; --json lists the first 100", many.stderr)
        self.assertEqual(len(json.loads(many.stdout)["failures"]), 100)
        result = self.document(*words, *every, "-o", "none.csv", code=1)
        self.assertEqual((result["done"], result["failed"]), (0, 4))
        self.assertEqual([row["failed"] for row in self.rows("none.csv")], [1] * 4)
        if not ensembles.lacks_ranks():
            process = self.start(*words, *every, "--quiet", ranks=2)
            process.communicate(timeout=ensembles.SECONDS)
            self.assertEqual(process.returncode, 1)

    def test_inputs_that_change(self):
        """Steps begin anew at each change; rows are there all the same, or the member has failed."""
        text = "".join(f"{0.1 * i:.1f},{i % 3}\n" for i in range(30))
        self.write("u.csv", "t,tau\n" + text)
        self.write("driven.toml", "coordinates = ['x']\nlagrangian = \"x'^2/2 - w^2*x^2/2\"\n[parameters]\nw = 1\n"
                                  "[inputs]\ntau = 0\n[forces]\nx = 'tau'\n")
        words = ("driven.toml", "--until", "3", "--every", "1", "--input", "tau=u.csv", "--quiet")
        self.tool("ensemble", *words, "--step", "0.02", "--grid", "w=1:2:2", "--columns", "x,x'", "-o", "a.csv")
        self.tool("run", *words, "--step", "0.02", "--set", "w=2", "-o", "b.csv")
        members, alone = self.rows("a.csv")[151:], self.rows("b.csv")
        self.assertEqual(len(members), 151)
        self.assertEqual([(row["x"], row["x'"]) for row in members], [(row["x"], row["x'"]) for row in alone])
        failed = self.tool("ensemble", *words, "--step", "0.03", "--grid", "w=1:2:2", "-o", "c.csv", code=1)
        self.assertIn("no row comes at t = 0.03", failed.stderr)
        self.assertEqual({row["failed"] for row in self.rows("c.csv")}, {1})

    def test_plots(self):
        draw = ("--sample", "100", "--vary", "phi'=uniform(0,1)", "--every", "2", "--reduce")
        for name, words in (("curve", ("--grid", "phi'=0.5:2:12", "--columns", "y")),
                            ("map", ("--grid", "phi'=2:0.5:12", "--grid", "beta=0:1:4", "--columns", "y")),
                            ("histogram", (*draw, "histogram(y,-1,1,10)")),
                            ("fan", (*draw, "quantile(y,0.1),median(y),quantile(y,0.9)"))):
            result = self.tool(*SKATES, *words, "--plot", f"{name}.svg")
            self.assertIn(f"{name}.svg", result.stderr)
            text = self.bytes_of(f"{name}.svg").decode()
            self.assertTrue(xml.etree.ElementTree.fromstring(text).tag.endswith("svg"))
            self.assertNotIn("nan", text.lower())
            self.assertIn("members", text)
            self.tool(*SKATES, *words, "--plot", f"{name}.svg", code=3)  # it is there
        for words in (("--columns", "sqrt(-1 - y^2)"), ("--reduce", "mean(sqrt(-1 - y^2))", "--every", "5")):
            result = self.tool(*SKATES, "--grid", "phi'=0.5:2:3", *words, "--plot", "empty.svg")
            self.assertIn("--plot empty.svg: nothing is drawn", result.stderr)
            self.assertNotIn("empty.svg", self.names())
        # Failed members are gaps.
        self.write("logarithm.toml", LOGARITHM)
        self.tool("ensemble", "logarithm.toml", "--step", "0.1", "--until", "1", "--grid", "x'=-1000:1:4", "--plot", "a.svg")
        self.assertNotIn("nan", self.bytes_of("a.svg").decode().lower())
        for words in ((*draw, "mean(y)")[:4] + ("--reduce", "mean(y)"), ("--grid", "phi'=1:2:3", "--part", "1/3")):
            self.tool(*SKATES, *words, "--plot", "none.svg", code=2)
        self.assertNotIn("none.svg", self.names())


if __name__ == "__main__":
    tool.binary()
    unittest.main()
