#!/usr/bin/env python3
# Skew-gradient systems: what every verb says about them, and wrong files and options.
import csv
import unittest

import tool

GOOD = """kind = "skew-gradient"
name = "rigid body"
x = ["m1", "m2", "m3"]
hamiltonian = "(m1^2/I1 + m2^2 + 2*m3^2)/2"
structure = [["0", "-m3", "m2"], ["m3", "0", "-m1"], ["-m2", "m1", "0"]]
[parameters]
I1 = 2
[invariants]
casimir = "m1^2 + m2^2 + m3^2"
[initial]
x = [1, 0, 2]
"""
OSCILLATOR = """kind = "skew-gradient"
x = ["q", "p"]
hamiltonian = "(q^2 + p^2)/2"
structure = [[0, 1], [-1, 0]]
[initial]
x = { q = 1 }
[exact]
q = "cos(t)"
p = "-sin(t)"
"""

# what is replaced, by what, exit code of check, what the message has to contain
FILES = [
    ('["m3", "0", "-m1"]', '["-m3", "0", "-m1"]', 2,
     ["bad.toml:5:36:", "not skew-symmetric", "'-m3' and entry (2, 1) '-m3' add up to -4", "has to be -(-m3)"]),
    ('["m3", "0", "-m1"]', '["m3", "I1", "-m1"]', 2, ["bad.toml:5:42:", "entry (2, 2)", "'I1' is 2", "diagonal"]),
    ('["m3", "0", "-m1"], ', "", 2, ["bad.toml:5:13:", "2 rows for 3 variables x"]),
    ('["m3", "0", "-m1"]', '["m3", "0"]', 2, ["bad.toml:5:34:", "row 2 of the structure has 2 entries"]),
    ('"-m3"', '"-m3*t"', 2, ["bad.toml:5:25:", "'t' is the time", "does not depend on time"]),
    ("m2^2 +", "m2'^2 +", 2, ["bad.toml:4:27:", "'m2'' is a derivative"]),
    ("m2^2 +", "p(m2)^2 +", 2, ["bad.toml:4:29:", "'p(m2)' is a momentum"]),
    ("(m1^2/I1 + m2^2 + 2*m3^2)/2", "I1", 2, ["bad.toml:4:16:", "none of the variables x", "m1, m2 and m3"]),
    ("x = [1, 0, 2]", "q = [1, 0, 2]", 2, ["bad.toml:11:1:", "unknown key 'q'", "the keys are t and x"]),
    ("x = [1, 0, 2]", "x = [1, 0]", 2, ["bad.toml:11:5:", "initial x has 2 values for 3 variables"]),
    ('x = ["m1", "m2", "m3"]\n', "", 2, ["bad.toml: no variables x"]),
    ('kind = "skew-gradient"\n', "", 2, ["`x` belongs to systems of kind", 'add the line kind = "skew-gradient"']),
    ("[invariants]", '[forces]\nm1 = "1"\n[invariants]', 2, ["bad.toml:8:2:", "`forces` does not belong"]),
    ("I1 = 2", "I1 = 0", 4, ["the Hamiltonian is not finite at the initial state"]),
]


class SkewGradient(tool.ToolTest):
    def file(self, text):
        self.write("system.toml", text)
        return "system.toml"

    def test_check(self):
        text = self.tool("check", self.file(GOOD)).stdout
        for fragment in ("m1, m2, m3", "matrix Pi constant", "energy", "a run can start here"):
            self.assertIn(fragment, text)
        for word in ("velocit", "constraint", "mass", "lambda", "momenta"):
            self.assertNotIn(word, text)
        document = self.document("check", "system.toml", "--init", "m2=3", "--set", "I1=1")
        self.assertEqual(document["kind"], "skew-gradient")
        self.assertEqual(document["coordinates"], ["m1", "m2", "m3"])
        self.assertEqual(document["structure"],
                         {"constant_matrix": False, "depends_on_time": False, "angles": [], "cyclic": []})
        initial = document["initial"]
        self.assertEqual(initial["q"], {"m1": 1, "m2": 3, "m3": 2})
        self.assertEqual(initial["v"], {})
        self.assertEqual(initial["accelerations"], {})
        self.assertEqual(initial["multipliers"], [])
        self.assertEqual(initial["rates"], {"m1": 6, "m2": -2, "m3": 0})
        self.assertEqual(initial["energy"], 9)

    def test_angles(self):
        text = OSCILLATOR.replace('"(q^2 + p^2)/2"', '"p^2/2 - cos(q)"\nangles = ["q"]').split("[exact]")[0]
        self.assertIn("angles, 2 pi periodic", self.tool("check", self.file(text)).stdout)
        self.assertEqual(self.document("check", "system.toml")["structure"]["angles"], ["q"])
        self.assertEqual(self.document("show", "system.toml")["angles"], ["q"])

    def test_show(self):
        text = self.tool("show", self.file(GOOD)).stdout
        for fragment in ("Hamiltonian\n  H = ", "Pi[m1] = [0, -m3, m2]", "x' = Pi(x) grad H(x)\n  m1' = "):
            self.assertIn(fragment, text)
        latex = self.tool("show", "system.toml", "--latex").stdout
        for fragment in ("\\begin{pmatrix} 0 & -m_{3} & m_{2} \\\\ m_{3} & 0", "\\dot{x} &= \\Pi(x)\\, \\nabla H(x)",
                         "\\dot{m_{1}} &= "):
            self.assertIn(fragment, latex)
        document = self.document("show", "system.toml")
        self.assertEqual(document["structure"][1], ["m3", "0", "-m1"])
        self.assertIn("m1^2/I1", document["hamiltonian"])
        self.assertEqual(set(document["rates"]), {"m1", "m2", "m3"})

    def test_run(self):
        document = self.document("run", self.file(GOOD), "--method", "srk-gauss:2", "--step", "0.1", "--until", "10")
        self.assertEqual(list(document["q"]), ["m1", "m2", "m3"])
        self.assertEqual(document["v"], {})
        self.assertEqual(document["multipliers"], [])
        self.assertEqual(document["energy"]["initial"], 4.25)
        self.assertLess(document["energy"]["max_abs_error"], 1e-13)
        self.assertEqual(document["invariants"]["casimir"]["initial"], 5)
        self.assertLess(document["invariants"]["casimir"]["max_abs_error"], 1e-13)
        self.assertEqual(document["constraints"], {"max_abs": 0, "by_name": []})

    def test_csv(self):
        self.tool("run", self.file(GOOD), "--method", "srk-gauss:2", "--step", "0.1", "--steps", "3", "-o", "out.csv")
        with open(self.folder / "out.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["t", "m1", "m2", "m3", "energy", "constraint"])
        self.assertEqual(len(rows), 4)
        self.assertEqual(float(rows[0]["energy"]), 4.25)

    def test_studies(self):
        name = self.file(OSCILLATOR)
        study = self.document("converge", name, "--method", "srk-gauss:1,rk-gauss:2", "--steps-list", "0.2,0.1,0.05",
                              "--until", "1")
        for result, order in zip(study["results"], (2, 4)):
            self.assertEqual(result["order_claimed"], order)
            self.assertAlmostEqual(result["order_q"], order, delta=0.05)
            self.assertIsNone(result["order_v"])
        computed = self.document("converge", self.file(GOOD), "--method", "srk-gauss:2", "--steps-list", "0.1,0.05",
                                 "--until", "1")
        self.assertAlmostEqual(computed["results"][0]["order_q"], 4, delta=0.1)
        table = self.tool("compare", "system.toml", "--method", "srk-gauss:2,rk-radau-iia:2", "--step", "0.1",
                          "--until", "2").stdout
        self.assertIn("casimir", table)
        bench = self.document("bench", "system.toml", "--method", "srk-gauss:1", "--step", "0.1")
        self.assertGreater(bench["results"][0]["nanoseconds_per_step"], 0)

    def test_methods(self):
        methods = {each["name"]: each for each in self.document("methods", self.file(GOOD))["methods"]}
        self.assertTrue(methods["srk-gauss"]["accepts"])
        self.assertFalse(methods["gauss"]["accepts"])
        refused = self.tool("run", "system.toml", "--method", "gauss:2", "--step", "0.1", "--until", "1", code=2).stderr
        for word in ("skew-gradient", "gonzalez", "avf", "itoh-abe", "energy", "srk-gauss"):
            self.assertIn(word, refused)

    def test_wrong_files(self):
        for old, new, code, fragments in FILES:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                self.write("bad.toml", GOOD.replace(old, new, 1))
                message = self.tool("check", "bad.toml", code=code).stderr
                for fragment in fragments:
                    self.assertIn(fragment, message)

    def test_wrong_options(self):
        name = self.file(GOOD)
        self.assertIn("has no variable 'm2''", self.tool("check", name, "--init", "m2'=1", code=2).stderr)
        self.assertIn("its variables are m1, m2 and m3", self.tool("check", name, "--init", "z=1", code=2).stderr)
        self.assertIn("'m1' is a variable: use --init", self.tool("check", name, "--set", "m1=1", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
