#!/usr/bin/env python3
# Fewer instructions than the processor has (NOSLIP_ISA): which bits stay the same, and what is said of the others.
import json
import os
import subprocess
import unittest

import tool

# Sums, products, quotients and roots only.
ALGEBRAIC = """
coordinates = ["x", "y", "z"]
lagrangian  = "1/2*(x'^2 + y'^2 + (2 + x^2)*z'^2) - sqrt(1 + x^2 + y^2/3) - 1/(4 + z^2)"
constraints = ["z' = y*x'"]
[initial]
q = [0.3, 0.7, 0.1]
v = [1.1, 0.4, 0.77]
"""
METHODS = ("gauss:2", "gauss:3", "lobatto-ab:3", "mp", "mp:4", "cm", "nh-lobatto:3", "energy:2", "avf", "gonzalez",
           "srk-gauss:2", "spark-lobatto:3")
VARYING = ("backend", "functions", "wall_seconds", "nanoseconds_per_step")


class Processor(tool.ToolTest):
    def results(self, system, method, isa):
        result = subprocess.run([tool.binary(), "run", system, "--method", method, "--step", "0.05", "--steps", "40", "--json"],
                                cwd=self.folder, capture_output=True, text=True, env=dict(os.environ, NOSLIP_ISA=isa),
                                timeout=tool.TIMEOUT_SECONDS, check=True)
        return json.loads(result.stdout)

    def test_arithmetic_has_the_same_bits(self):
        self.write("algebraic.toml", ALGEBRAIC)
        compared = 0
        for system in ("algebraic.toml", "particle", "chaotic"):
            for method in METHODS:
                found = {isa: self.results(system, method, isa) for isa in ("", "baseline", "avx2")}
                with self.subTest(f"{system} {method}"):
                    self.assertEqual(found["baseline"]["backend"], "interpreter")
                    self.assertEqual(found["baseline"]["functions"], "C library")
                    for document in found.values():
                        for key in VARYING:
                            document.pop(key)
                    self.assertEqual(found["baseline"], found[""])
                    self.assertEqual(found["avx2"], found[""])
                compared += 1
        self.figure("pairs_on_processors", compared)

    def test_words_that_mean_nothing(self):
        for words in (("run", "skate", "--step", "0.1", "--steps", "4"), ("show", "skate"), ("systems",)):
            result = subprocess.run([tool.binary(), *words], capture_output=True, text=True, check=False,
                                    env=dict(os.environ, NOSLIP_ISA="avx3"))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn("NOSLIP_ISA is 'avx3'\n  unset it, or choose one of baseline, avx2 and avx512\n", result.stderr)
        self.assertEqual(self.results("skate", "gauss:2", "avx512")["functions"],
                         self.results("skate", "gauss:2", "")["functions"])

    def test_functions_are_named(self):
        here, less = self.results("skate", "gauss:2", ""), self.results("skate", "gauss:2", "baseline")
        self.assertEqual(less["functions"], "C library")
        self.assertIn(here["functions"], ("SLEEF", "C library"))
        for name, value in here["q"].items():
            self.assertAlmostEqual(value, less["q"][name], delta=1e-12)
        text = subprocess.run([tool.binary(), "run", "skate", "--step", "0.1", "--steps", "4"], capture_output=True, text=True,
                              env=dict(os.environ, NOSLIP_ISA="baseline"), check=True).stdout
        self.assertIn(", functions of the C library\n", text)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
