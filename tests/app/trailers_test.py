#!/usr/bin/env python3
# Velocities of definitions: cars with any number of trailers against the recursion of their kinematics.
import csv
import io
import math
import pathlib
import subprocess
import sys
import unittest

import tool

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "make_trailers.py"


def written(n, code=0):
    result = subprocess.run([sys.executable, SCRIPT, str(n)], capture_output=True, text=True)
    assert result.returncode == code, result.stderr
    return result.stdout


class Trailers(tool.ToolTest):
    def test_follow_the_car(self):
        for n in (1, 2, 3, 7, 20):
            self.write("trailers.toml", written(n))
            self.tool("check", "trailers.toml")
            rows = self.tool("run", "trailers.toml", "--method", "gauss:2", "--step", "0.05", "--until", "1", "-o", "-",
                             "--quiet").stdout
            count = 0
            for row in csv.DictReader(io.StringIO(rows)):
                value = {name: float(text) for name, text in row.items()}
                speed = value["x'"] * math.cos(value["theta0"]) + value["y'"] * math.sin(value["theta0"])
                for k in range(1, n + 1):
                    angle = value[f"theta{k - 1}"] - value[f"theta{k}"]
                    self.assertLess(abs(value[f"theta{k}'"] - speed * math.sin(angle)), 1e-12, (n, k, row["t"]))
                    speed *= math.cos(angle)
                count += 1
            self.assertEqual(count, 21)

    def test_velocities_of_definitions_are_those_of_the_axles(self):
        self.write("trailers.toml", written(5))
        rows = self.tool("section", "trailers.toml", "--method", "gauss:2", "--step", "0.05", "--crossings", "1",
                         "--when", "X1'*cos(theta1) + Y1'*sin(theta1) = 0.993", "--columns", "theta0,theta1,x',y',X1',dot(Y1)",
                         "--until", "20").stdout
        lines = [line for line in rows.splitlines() if "," in line]
        self.assertEqual(len(lines), 2, rows)
        value = {name: float(text) for name, text in zip(*[line.split(",") for line in lines])}
        speed = value["x'"] * math.cos(value["theta0"]) + value["y'"] * math.sin(value["theta0"])
        self.assertAlmostEqual(speed * math.cos(value["theta0"] - value["theta1"]), 0.993, 6)
        self.assertAlmostEqual(math.hypot(value["X1'"], value["dot(Y1)"]), 0.993, 6)

    def test_texts_grow_like_the_number_of_trailers(self):
        lines = [len(written(n).splitlines()) for n in range(1, 21)]
        self.assertEqual({b - a for a, b in zip(lines, lines[1:])}, {lines[1] - lines[0]})
        longest = max(len(written(n + 1)) - len(written(n)) for n in range(1, 20))
        self.assertLess(longest, 500)
        for n in (0, 21, -1):
            written(n, code=2)


if __name__ == "__main__":
    unittest.main()
