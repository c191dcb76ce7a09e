#!/usr/bin/env python3
# Arrays, sums and sizes of system files, as the tool shows and runs them.
import unittest

import tool

LATTICE = """name = "lattice"
coordinates = ["q[0:n]", "y"]
lagrangian = "sum(i, 0, n, m[i]*q[i]'^2)/2 + y'^2/2 - sum(i, 0, n - 1, (q[i+1] - q[i])^2)/2"
constraints = ["y' = q[1]*q[2]'", "for i = 3:n: q[i]' = q[i-1]'"]
[parameters]
n = 4
"m[0:n]" = 1
[initial]
q = { "q[i=0:n]" = "sin(pi*i/n)" }
v = { "q[0]" = 1 }
"""

WRITTEN_OUT = """name = "lattice"
coordinates = ["a", "b", "c", "y"]
lagrangian = "(ma*a'^2 + (mb*b'^2 + mc*c'^2))/2 + y'^2/2 - ((b - a)^2 + (c - b)^2)/2"
constraints = ["y' = b*c'"]
[parameters]
n = 2
ma = 1
mb = 1
mc = 1
[initial]
q = { a = "sin(pi*0/n)", b = "sin(pi*1/n)", c = "sin(pi*2/n)" }
v = { a = 1 }
"""


class Arrays(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.write("lattice.toml", LATTICE)

    def test_runs_as_the_file_that_is_written_out(self):
        self.write("written.toml", WRITTEN_OUT)
        words = ("--step", "0.1", "--until", "1", "-o", "-", "--quiet")
        rows = self.tool("run", "lattice.toml", "--set", "n=2", *words).stdout.splitlines()
        expected = self.tool("run", "written.toml", *words).stdout.splitlines()
        self.assertTrue(rows[0].startswith("t,q[0],q[1],q[2],y,q[0]',q[1]',q[2]',y',lambda1,energy"), rows[0])
        self.assertEqual(rows[1:], expected[1:])

    def test_sizes_of_every_verb(self):
        self.assertEqual(len(self.document("check", "lattice.toml")["coordinates"]), 6)
        document = self.document("check", "lattice.toml", "--set", "n=40", "--set", "m[7]=2")
        self.assertEqual(len(document["coordinates"]), 42)
        self.assertEqual(document["parameters"]["n"], 40)
        self.assertEqual(document["parameters"]["m[7]"], 2)
        self.assertEqual(len(document["constraints"]), 39)
        self.assertEqual(document["constraints"][1]["text"], "q[i]' = q[i-1]' (i = 3)")
        self.assertEqual(len(self.document("show", "lattice.toml", "--set", "n=40")["momenta"]), 42)
        self.tool("converge", "lattice.toml", "--set", "n=3", "--steps-list", "0.1,0.05", "--until", "1", "--method",
                  "gauss:2")

    def test_systems_of_the_catalogue(self):
        self.assertRegex(self.tool("systems", "trailers").stdout, r"\n  sizes +n, whole numbers\n")
        document = self.document("check", "trailers", "--set", "n=5", "--set", "m[4]=2")
        self.assertEqual(document["coordinates"][-1], "theta[5]")
        self.tool("run", "trailers", "--set", "n=4", "--step", "0.1", "--until", "5")
        self.tool("check", "trailers", "--set", "n=1", "--set", "m[4]=2", code=2)

    def test_names_in_options(self):
        document = self.document("check", "lattice.toml", "--init", "q[1]=2", "--init", "q[0]'=3")
        self.assertEqual(document["initial"]["q"]["q[1]"], 2)
        self.assertEqual(document["initial"]["v"]["q[0]"], 3)
        final = self.document("run", "lattice.toml", "--step", "0.1", "--steps", "1")
        self.assertIn("q[4]", final["q"])
        events = self.tool("section", "lattice.toml", "--step", "0.1", "--crossings", "2", "--when",
                           "sum(i, 0, n, q[i]')", "--columns", "q[0],q[1]'").stdout
        self.assertIn("q[0],q[1]'", events.splitlines()[0])

    def test_long_lists_are_short(self):
        text = self.tool("check", "lattice.toml", "--set", "n=300").stdout
        self.assertIn("q[0], q[1], q[2], ... (297 more), q[300], y", text)
        self.assertIn("m[0] = 1, m[1] = 1, m[2] = 1, ... (297 more), m[300] = 1", text)
        self.assertIn("... 297 more", text)
        self.assertRegex(text, r"\n  sizes +n\n")
        self.assertLess(len(text.splitlines()), 90)
        shown = self.tool("show", "lattice.toml", "--set", "n=300").stdout
        self.assertIn("p(q[2]) = q[2]'", shown)
        self.assertNotIn("p(q[3]) = ", shown)
        self.assertIn("more characters; --json has them all", shown)
        self.assertLess(len(shown), 40000)

    def test_short_lists_are_complete(self):
        text = self.tool("check", "lattice.toml", "--set", "n=20").stdout
        self.assertNotIn("more", text)

    def test_latex(self):
        text = self.tool("show", "lattice.toml", "--latex").stdout
        self.assertIn("\\dot{q}_{1}", text)
        self.assertNotIn("q[", text)

    def test_wrong_sizes(self):
        result = self.tool("check", "lattice.toml", "--set", "n=1", code=2)
        self.assertIn("lattice.toml:4:27: there is no q[2]\n", result.stderr)
        result = self.tool("check", "lattice.toml", "--set", "n=5/2", code=2)
        self.assertIn("lattice.toml:2:21: the last index is 5/2, not a whole number", result.stderr)
        result = self.tool("check", "lattice.toml", "--set", "n=200000", code=2)
        self.assertIn("a range of 200001 entries is too long", result.stderr)
        result = self.tool("run", "lattice.toml", "--init", "q[9]=1", "--step", "1", "--steps", "1", code=2)
        self.assertIn("--init q[9]: lattice has no coordinate 'q[9]'", result.stderr)


if __name__ == "__main__":
    unittest.main()
