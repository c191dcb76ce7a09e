#!/usr/bin/env python3
# Systems of index 2: what check, show and systems say about them, and wrong files and options.
import shutil
import subprocess
import unittest

import tool

HEAD = 'kind = "dae2"\ny = ["a", "b"]\nz = ["c"]\n'
GOOD = HEAD + 'f = [["b", "0"], ["m*c", "c^2"]]\ng = ["a + b = 1"]\n[parameters]\nm = 2\n'

# file, exit code of check, what the message has to contain
FILES = [
    (GOOD + "[initial]\ny = [1, 0]\nz = [-2]\n", 0, []),
    (GOOD + "[initial]\ny = [1, 0]\nz = [1]\n", 4, ["hidden constraint", "violated by 3", "--project"]),
    (GOOD + "[initial]\ny = [1, 1]\n", 4, ["constraint 'a + b = 1' is violated by 1", "--project"]),
    (GOOD + "[initial]\ny = [1, 0]\nz = [-1]\n", 4, ["not of index 2", "constraint 1 'a + b = 1'", "rank 0 of 1"]),
    (GOOD + "[initial]\nq = [1, 0]\n", 2, ["bad.toml:9:1:", "unknown key 'q'", "t, y and z"]),
    (GOOD + '[forces]\na = "1"\n', 2, ["bad.toml:8:2:", "`forces` does not belong"]),
    (HEAD + 'f = [[], ["c"]]\ng = ["a"]\n', 2, ["bad.toml:4:10:", "part B of f has 1 text for 2 variables y"]),
    (HEAD + 'f = [[], ["c", "a"]]\ng = ["a", "b"]\n', 2, ["bad.toml:5:12:", "2 constraints g for 1 variable z"]),
    (HEAD + 'f = [[], ["c", "a"]]\ng = ["a + c"]\n', 2, ["bad.toml:5:11:", "'c' is an algebraic variable"]),
    (HEAD + 'f = [[], ["c", "a"]]\ng = ["b"]\n', 2, ["bad.toml:5:7:", "not of index 2"]),
    (GOOD.replace('"dae2"', '"dae3"'), 2, ["bad.toml:1:9:", "unknown kind 'dae3'", "did you mean 'dae2'"]),
    (GOOD.replace('"dae2"', '"odae"'), 2, ["bad.toml: no v", "f has 2 texts for 1 variable z"]),
    (GOOD.replace('"dae2"', '"skew-gradient"'), 2, ["bad.toml:2:1: `y` does not belong", "no variables x"]),
    (GOOD.replace('kind = "dae2"\n', ""), 2, ["`y` belongs to systems of kind", 'add the line kind = "dae2"']),
]


class Check(tool.ToolTest):
    def test_json(self):
        document = self.document("check", "index2")
        self.assertEqual(document["kind"], "dae2")
        self.assertEqual(document["coordinates"], ["y1", "y2"])
        self.assertEqual(document["constraints"], [{"text": "y1^2*y2 = 1", "kind": "algebraic"}])
        self.assertEqual(document["holonomic"], [])
        self.assertEqual(document["structure"]["parts"], ["B"])
        initial = document["initial"]
        self.assertEqual(initial["q"], {"y1": 1, "y2": 1})
        self.assertEqual(initial["v"], {})
        self.assertEqual(initial["accelerations"], {})
        self.assertEqual(initial["multipliers"], [1])
        self.assertIsNone(initial["energy"])
        self.assertEqual(initial["max_constraint"], 0)
        self.assertEqual(initial["rates"], {"y1": 1, "y2": -2})
        self.assertEqual(initial["multiplier_rates"], {"z1": 2})
        self.assertEqual(self.document("check", "index2-split")["structure"]["parts"], ["A", "B", "C", "C*", "D"])

    def test_text(self):
        text = self.tool("check", "index2-split").stdout
        for fragment in ("y1, y2", "z1", "y1^2*y2 = 1    algebraic", "A, B, C, C* and D", "largest |g|",
                         "a run can start here"):
            self.assertIn(fragment, text)
        for word in ("velocit", "energy", "mass", "lambda", "Lagrangian"):
            self.assertNotIn(word, text)

    def test_the_other_branch_and_projection(self):
        self.assertTrue(self.document("check", "index2", "--init", "z1=1/2")["consistent"])
        document = self.document("check", "index2", "--init", "y1=1.1", "--init", "z1=0.6", "--project")
        self.assertTrue(document["consistent"])
        y1 = document["initial"]["q"]["y1"]
        self.assertNotEqual(y1, 1.1)
        self.assertAlmostEqual(document["initial"]["z"]["z1"], y1**2 / 2, places=12)

    def test_files(self):
        for text, code, fragments in FILES:
            with self.subTest(text):
                self.write("bad.toml", text)
                result = self.tool("check", "bad.toml", code=code)
                for fragment in fragments:
                    self.assertIn(fragment, result.stderr)

    def test_options(self):
        for words, fragments in ((["--init", "z2=1"], ["no variable 'z2'", "did you mean"]),
                                 (["--init", "foo=1"], ["no variable 'foo'", "its variables are y1, y2 and z1"]),
                                 (["--init", "y1'=1"], ["no variable 'y1''", "did you mean 'y1'"]),
                                 (["--set", "z1=1"], ["'z1' is a variable: use --init z1="])):
            with self.subTest(words):
                result = self.tool("check", "index2", *words, code=2)
                for fragment in fragments:
                    self.assertIn(fragment, result.stderr)


class Show(tool.ToolTest):
    def test_text(self):
        text = self.tool("show", "index2-split").stdout
        for fragment in ("\nDifferential equations, y' = f(t, y, z)\n  y1' = ", "\nPart C* of f\n",
                         "\nConstraints, g(t, y) = 0\n", "\nHidden constraints, g_t + g_y f = 0\n"):
            self.assertIn(fragment, text)
        self.assertNotIn("Lagrangian", text)

    def test_json(self):
        document = self.document("show", "index2-split")
        self.assertEqual(list(document["parts"]), ["A", "B", "C", "C*", "D"])
        self.assertEqual(document["parts"]["C*"]["y2"], "z1")
        self.assertEqual(len(document["equations"]), 2)
        self.assertEqual(len(document["hidden_constraints"]), 1)
        self.assertNotIn("lagrangian", document)

    def test_latex(self):
        text = self.tool("show", "index2", "--latex").stdout
        self.assertTrue(text.startswith("\\begin{align*}\n") and text.endswith("\\end{align*}\n"), text)
        self.assertIn("\\dot{y_{1}} &= ", text)
        self.assertEqual(text.count("&="), 4)  # two rates, g, the hidden constraint
        self.assertEqual(text.count("{"), text.count("}"))

    @unittest.skipUnless(shutil.which("pdflatex"), "no pdflatex here")
    def test_latex_compiles(self):
        equations = self.tool("show", "index2-split", "--latex").stdout
        self.write("a.tex", "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n" + equations +
                   "\\end{document}\n")
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, timeout=60)


class Systems(tool.ToolTest):
    def test_entry(self):
        self.assertEqual(self.document("systems", "index2")["kind"], "dae2")
        self.assertEqual(self.document("systems", "sleigh")["kind"], "mechanical")
        text = self.tool("systems", "index2").stdout
        self.assertIn("z             z1", text)
        self.assertNotIn("coordinates", text)

    def test_methods_for_mechanical_systems_refuse(self):
        result = self.tool("run", "index2", "--method", "gauss:2", "--step", "0.1", "--steps", "5", code=2)
        self.assertIn("mechanical", result.stderr)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
