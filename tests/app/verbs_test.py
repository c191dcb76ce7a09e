#!/usr/bin/env python3
# Help, and the verbs beside run: what they print for a person and as JSON.
import json
import re
import shutil
import subprocess
import unittest

import tool

VERBS = ("run", "ensemble", "resume", "merge", "converge", "compare", "check", "show", "systems", "methods", "reproduce", "bench")


class Help(tool.ToolTest):
    def test_help_names_every_verb(self):
        for words in (["--help"], ["-h"], ["help"]):
            text = self.tool(*words).stdout
            for verb in VERBS:
                self.assertIn(f"\n  {verb} ", text)
            self.assertIn("Examples:", text)

    def test_every_verb_explains_itself(self):
        for verb in VERBS:
            text = self.tool(verb, "--help").stdout
            self.assertIn(f"Usage: noslip {verb}", text)
            self.assertIn("Examples:", text)
            self.assertEqual(text, self.tool("help", verb).stdout)
            self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_help_of_run_has_every_documented_option(self):
        text = self.tool("run", "--help").stdout
        for option in ("--method", "--step", "--until", "--steps", "--set", "--init", "--every", "-o", "--json",
                       "--project", "--backend", "--precision", "--tolerance", "--force", "--quiet"):
            self.assertIn(f"  {option}", text)

    def test_version(self):
        self.assertRegex(self.tool("--version").stdout, r"^noslip \d+\.\d+\.\d+\n$")


class Check(tool.ToolTest):
    def test_json(self):
        document = self.document("check", "skate.toml", "--set", "m=2")
        self.assertEqual(document["system"], "skate")
        self.assertEqual(document["coordinates"], ["x", "y", "theta"])
        self.assertEqual(document["parameters"]["m"], 2)
        self.assertEqual(document["parameters"]["J"], 1)
        self.assertEqual(document["constraints"], [{"text": "y'*cos(theta) = x'*sin(theta)", "kind": "linear"}])
        self.assertEqual(document["holonomic"], [])
        self.assertTrue(document["structure"]["constant_mass"])
        initial = document["initial"]
        self.assertEqual(initial["q"], {"x": 0, "y": 0, "theta": 0})
        self.assertEqual(initial["v"], {"x": 1, "y": 0, "theta": 0.5})
        # m x'' = -m g sin(alpha), y'' = x' theta' (from the constraint), J theta'' = 0
        self.assertAlmostEqual(initial["accelerations"]["x"], -9.81 / 2, places=12)
        self.assertAlmostEqual(initial["accelerations"]["y"], 0.5, places=12)
        self.assertAlmostEqual(initial["accelerations"]["theta"], 0, places=12)
        self.assertEqual(len(initial["multipliers"]), 1)
        self.assertAlmostEqual(abs(initial["multipliers"][0]), 1.0, places=12)
        self.assertAlmostEqual(initial["energy"], 2 / 2 + 1 / 2 * 0.25, places=12)
        self.assertEqual(initial["max_constraint"], 0)
        self.assertTrue(document["consistent"])
        self.assertGreaterEqual(document["condition"], 1)
        self.assertLess(document["condition"], 10)
        self.assertEqual(document["warnings"], [])

    def test_condition(self):
        near = 'coordinates = ["x", "y", "z"]\nlagrangian = "(x\'^2 + y\'^2 + z\'^2)/2 - x - y"\n' \
               'constraints = ["x\' = y*z\'", "x\' + 1e-6*z\' = y*z\'"]\n'
        (self.folder / "near.toml").write_text(near)
        document = self.document("check", "near.toml")
        self.assertTrue(document["consistent"])
        self.assertGreater(document["condition"], 1e11)
        self.assertEqual([warning["code"] for warning in document["warnings"]], ["condition"])
        person = self.tool("check", "near.toml")
        self.assertEqual(person.returncode, 0)
        self.assertRegex(person.stdout, r"condition +\d\.?\d*e\+1[12] \(at least [34] of 16 digits are right\)")
        self.assertIn("A run can start here, with a warning.", person.stdout)
        self.assertIn("warning: the equations of motion are ill-conditioned", person.stderr)
        self.assertIn("nearly depends on constraint 1", person.stderr)
        run = self.tool("run", "near.toml", "--step", "0.1", "--steps", "2")
        self.assertEqual(run.returncode, 0)
        self.assertIn("warning: the equations of motion are ill-conditioned", run.stderr)
        self.assertEqual(self.tool("run", "near.toml", "--step", "0.1", "--steps", "2", "--precision", "quad").stderr, "")

    def test_text(self):
        text = self.tool("check", "skate.toml").stdout
        for fragment in ("skate", "x, y, theta", "linear in the velocities", "2 (3 coordinates", "lambda1", "energy",
                         "a run can start here"):
            self.assertIn(fragment, text)

    def test_inconsistent_data_are_described_and_exit_with_4(self):
        document = self.document("check", "skate.toml", "--init", "y'=1", code=4)
        self.assertFalse(document["consistent"])
        self.assertEqual(document["initial"]["max_constraint"], 1)
        self.assertEqual(len(document["problems"]), 1)
        self.assertIn("cannot start", self.tool("check", "skate.toml", "--init", "y'=1", code=4).stdout)

    def test_a_method_that_fails_exits_with_1(self):
        result = self.tool("check", "chaotic", "--method", "gauss:2,gauss:3", "--step", "1e9", code=1)
        self.assertIn("method 'gauss:2': Newton did not converge", result.stderr)
        self.assertIn("method 'gauss:3': Newton did not converge", result.stderr)
        self.tool("check", "chaotic", "--method", "gauss:2,gauss:3", "--step", "0.1", code=0)

    def test_warnings_are_told_and_in_the_document(self):
        self.write("near.toml", 'coordinates = ["x", "y", "z"]\nlagrangian = "(x\'^2 + y\'^2 + z\'^2)/2 - x - y"\n'
                   'constraints = ["x\' = y*z\'", "x\' + 1e-5*z\' = y*z\'"]\n')
        codes = [warning["code"] for warning in self.document("check", "near.toml")["warnings"]]
        self.assertEqual(codes, ["condition"])
        self.assertIn("warning: the equations of motion are ill-conditioned", self.tool("check", "near.toml").stderr)

    def test_projection_makes_them_consistent(self):
        document = self.document("check", "skate.toml", "--init", "y'=1", "--project")
        self.assertTrue(document["consistent"])
        self.assertLess(document["initial"]["max_constraint"], 1e-15)
        self.assertEqual(document["initial"]["v"]["x"], 1)

    def test_whole_catalogue_is_consistent(self):
        for entry in self.document("systems")["systems"]:
            with self.subTest(entry["name"]):
                self.assertTrue(self.document("check", entry["name"])["consistent"])


# Line breaks and what a terminal obeys, wherever a system file may have them.
ODD = r'''
name        = "two\nlines\u001b[31m\t\u202Ex"
description = "what it\nis"
coordinates = ["x", "y"]
lagrangian  = """1/2*(x'^2 + y'^2)
                 - k*x^2"""
constraints = ["""x' =
                  y'"""]
[parameters]
k = 1
[invariants]
"one\nodd\u001b" = "x' - y'"
[initial]
q = [1, 0]
v = [1, 1]
'''


class Names(tool.ToolTest):
    def test_every_command_shows_them_in_one_line(self):
        self.write("odd.toml", ODD)
        run = ("--step", "0.1", "--until", "1")
        for words in (("check",), ("show",), ("run", *run), ("run", *run, "--event", "x\n- 1.05", "-o", "-"), ("methods",),
                      ("compare", "--method", "mp", *run),
                      ("converge", "--method", "mp", "--steps-list", "1/10,1/20", "--until", "1"),
                      ("run", *run, "--set", "l=1"), ("run", *run, "--init", "z=1"), ("run", *run, "--input", "u=1"),
                      ("run", *run, "--quaternions", "-o", "a.csv"), ("run", *run, "--plot", "a.svg", "--show", "z"),
                      ("run", *run, "--method", "euler-true")):
            with self.subTest(words):
                result = tool.run(words[0], "odd.toml", *words[1:], folder=self.folder)
                self.assertIn(result.returncode, (0, 2))
                text = result.stdout + result.stderr
                self.assertRegex(text, r"two\\nlines\\u001b\[31m\\t\\u202ex")
                self.assertNotIn("\x1b", text)
                for line in text.splitlines():
                    self.assertNotRegex(line, r"^(lines|odd|is$| +y'$|- 1.05)", text)

    def test_problems_show_them_in_one_line(self):
        self.write("odd.toml", ODD.replace('"x", "y"', r'"x\ny", "z\u001b"'))
        text = self.tool("check", "odd.toml", code=2).stderr
        self.assertIn(r"the name 'x\ny' contains the byte 0x0a", text)
        self.assertIn(r"the name 'z\u001b' contains the byte 0x1b", text)


class Show(tool.ToolTest):
    def test_text(self):
        text = self.tool("show", "skate.toml").stdout
        self.assertIn("m*x'' = ", text)
        self.assertIn("lambda1", text)
        for title in ("Lagrangian", "Constraints", "Momenta", "Forces", "Mass matrix", "Equations of motion", "Energy"):
            self.assertIn(f"\n{title}", text)
        self.assertRegex(text, r"p\(theta\) = (J\*theta'|theta'\*J)\n")

    def test_json(self):
        document = self.document("show", "skate.toml")
        for key in ("system", "coordinates", "parameters", "lagrangian", "constraints", "momenta", "forces", "mass",
                    "equations", "energy", "latex"):
            self.assertIn(key, document)
        self.assertEqual(document["mass"], [["m", "0", "0"], ["0", "m", "0"], ["0", "0", "J"]])
        self.assertEqual(len(document["equations"]), 3)

    def test_latex(self):
        text = self.tool("show", "skate.toml", "--latex").stdout
        self.assertTrue(text.startswith("\\begin{align*}\n") and text.endswith("\\end{align*}\n"), text)
        self.assertIn("\\ddot{\\theta}", text)
        self.assertIn("\\lambda_{1}", text)
        self.assertEqual(text.count("{"), text.count("}"))
        self.assertEqual(text.count("\\left("), text.count("\\right)"))
        self.assertEqual(text.count("&="), text.count("\\\\") + 1)
        self.assertNotIn("'", text)

    # Each definition has the one before it several times: written out, the last one would be longer than any memory.
    CHAIN = ('name = "chain"\ncoordinates = ["x", "y"]\nconstraints = ["y\' = cos(d59)*x\'"]\nangles = ["x"]\n'
             'lagrangian = "1/2*(x\'^2 + (2 + cos(d59))*y\'^2) - cos(d58)"\n[parameters]\np0 = 1\n' +
             "".join(f'p{i} = "sin(p{i - 1})/p{i - 1}"\n' for i in range(1, 40)) +
             '[inputs]\ntau = "p39"\n[forces]\nx = "tau*d57"\n[invariants]\nJ = "d59"\n'
             '[sampled]\nevery = "1/(1 + p39^2)"\ntau = "sin(d59)"\n[definitions]\nd0 = "cos(x)"\n' +
             "".join(f'd{i} = "sin(d{i - 1})*cos(d{i - 1}) + d{i - 1}*y/(2 + d{i - 1}^2)"\n' for i in range(1, 60)) +
             "[initial]\nq = [0.1, 0.2]\nv = [0, 0]\n")

    def test_shared_parts_are_definitions(self):
        self.write("chain.toml", self.CHAIN)
        text = self.tool("show", "chain.toml").stdout
        self.assertIn("\nDefinitions, parts that appear more than once\n  s1 = ", text)
        self.assertLess(len(text), 40000)
        latex = self.tool("show", "chain.toml", "--latex").stdout
        self.assertIn("  s_{1} &= ", latex)
        self.assertLess(len(latex), 1000000)
        self.assertEqual(latex.count("{"), latex.count("}"))
        document = self.document("show", "chain.toml")
        self.assertIn("s1", document["definitions"])
        self.assertIn("s", document["lagrangian"])
        self.assertLess(len(json.dumps(document)), 2000000)
        for name, value in document["definitions"].items():
            used = [int(number) for number in re.findall(r"\bs(\d+)\b", value)]
            self.assertTrue(all(number < int(name[1:]) for number in used), name)
        self.assertNotIn("definitions", self.document("show", "skate.toml"))

    def test_other_verbs_with_shared_parts(self):
        self.write("chain.toml", self.CHAIN)
        for options in (["check"], ["check", "--json"]):
            self.assertLess(len(self.tool(options[0], "chain.toml", *options[1:]).stdout), 10000)
        self.tool("run", "chain.toml", "--step", "0.01", "--steps", "3")
        self.write("wrong.toml", self.CHAIN.replace('"cos(x)"', '"x^2"'))
        wrong = self.tool("check", "wrong.toml", code=2)
        self.assertIn("is not 2 pi periodic", wrong.stderr)
        self.assertLess(len(wrong.stderr), 40000)

    @unittest.skipUnless(shutil.which("pdflatex"), "no pdflatex here")
    def test_latex_compiles(self):
        equations = self.tool("show", "skate.toml", "--latex").stdout
        self.write("a.tex", "\\documentclass{article}\\usepackage{amsmath}\\begin{document}\n" + equations +
                   "\\end{document}\n")
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, timeout=60)


class Lists(tool.ToolTest):
    def test_systems(self):
        document = self.document("systems")
        names = [entry["name"] for entry in document["systems"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("sleigh", names)
        text = self.tool("systems").stdout
        for name in names:
            self.assertIn(f"\n{name} ", text)
        self.assertIn("coordinates", self.tool("systems", "sleigh").stdout)
        self.assertEqual(self.document("systems", "sleigh")["name"], "sleigh")

    def test_the_file_of_a_catalogue_system_is_the_system(self):
        for entry in self.document("systems")["systems"]:
            with self.subTest(entry["name"]):
                self.write("copy.toml", self.tool("systems", "--toml", entry["name"]).stdout)
                self.assertEqual(self.document("check", "copy.toml"), self.document("check", entry["name"]))

    def test_sizes_are_set_like_parameters(self):
        sized = [entry for entry in self.document("systems")["systems"] if entry["sizes"]]
        for entry in sized:
            size = entry["sizes"][0]
            value = size["default"] + 1 if size["default"] < size["most"] else size["default"] - 1
            setting = f"{size['name']}={value}"
            with self.subTest(f"{entry['name']} {setting}"):
                self.write("copy.toml", self.tool("systems", "--toml", entry["name"], "--set", setting).stdout)
                changed = self.document("check", entry["name"], "--set", setting)
                self.assertEqual(self.document("check", "copy.toml"), changed)
                self.assertNotEqual(len(changed["coordinates"]), len(entry["coordinates"]))
                too_many = f"{size['name']}={size['most'] + 1}"
                self.assertIn(size["name"], self.tool("check", entry["name"], "--set", too_many, code=2).stderr)

    def test_methods(self):
        document = self.document("methods")
        names = [family["name"] for family in document["methods"]]
        self.assertIn("gauss", names)
        for family in document["methods"]:
            for key in ("name", "pattern", "order", "summary", "source", "symmetric", "keeps_constraints"):
                self.assertIn(key, family)
        self.assertIn("gauss:s", self.tool("methods").stdout)

    def test_methods_for_a_system(self):
        document = self.document("methods", "skate.toml")
        self.assertEqual(document["system"], "skate")
        gauss = next(family for family in document["methods"] if family["name"] == "gauss")
        self.assertTrue(gauss["accepts"])
        self.assertIn("accepts it", self.tool("methods", "skate.toml").stdout)


class Bench(tool.ToolTest):
    def test_json(self):
        document = self.document("bench", "skate.toml", "--method", "gauss:1,gauss:2", "--step", "0.1",
                                 "--lanes", "1,4", "--backend", "interpreter")
        rows = document["results"]
        self.assertEqual([(row["method"], row["lanes"]) for row in rows],
                         [("gauss:1", 1), ("gauss:1", 4), ("gauss:2", 1), ("gauss:2", 4)])
        for row in rows:
            self.assertEqual(row["backend"], "interpreter")
            self.assertGreater(row["nanoseconds_per_step"], 0)
            self.assertEqual(row["iterations_mean"], 0)  # its steps are explicit

    def test_text(self):
        lines = self.tool("bench", "skate.toml", "--step", "0.1").stdout.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[1], r"^gauss:2 +1 +(jit|interpreter) +[\d.]+ +[\d.]+$")


if __name__ == "__main__":
    tool.binary()
    unittest.main()
