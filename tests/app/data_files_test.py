#!/usr/bin/env python3
# Data files: the same rows in every format.
import array
import ast
import csv
import math
import unittest
import zipfile

import tool


def numbers(text):
    return math.nan if text == "" else float(text)


class DataFiles(tool.ToolTest):
    def arrays(self, name):
        """The arrays of an NPZ file by name, read without NumPy."""
        result = {}
        with zipfile.ZipFile(self.folder / name) as archive:
            self.assertIsNone(archive.testzip())
            for member in archive.namelist():
                data = archive.read(member)
                self.assertEqual(data[:8], b"\x93NUMPY\x01\x00")
                end = 10 + int.from_bytes(data[8:10], "little")
                self.assertEqual(end % 64, 0)
                header = ast.literal_eval(data[10:end].decode("ascii"))
                self.assertEqual((header["descr"], header["fortran_order"]), ("<f8", False))
                values = array.array("d", data[end:])
                self.assertEqual(header["shape"], (len(values),))
                result[member.removesuffix(".npy")] = list(values)
        return result

    def columns(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {name: [numbers(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def assert_same(self, *words, code=0):
        for name in ("rows.csv", "rows.npz"):
            self.tool(*words, "--force", "-o", name, code=code)
        arrays, columns = self.arrays("rows.npz"), self.columns("rows.csv")
        self.assertEqual(list(arrays), list(columns))
        for name, values in columns.items():
            self.assertEqual(repr(arrays[name]), repr(values), name)
        return arrays

    def test_runs(self):
        self.assertEqual(len(self.assert_same("run", "skate.toml", "--step", "0.1", "--steps", "500")["theta'"]), 501)
        self.assert_same("run", "rolling-coin-so3", "--step", "0.01", "--until", "1", "--every", "7", "--quaternions")
        self.assert_same("run", "skate.toml", "--step", "0.1", "--until", "5", "--at", "0:5:7")

    def test_sections(self):
        words = ["section", "oscillator.toml", "--step", "0.1", "--when", "x", "--crossings", "3"]
        self.assert_same(*words, "--columns", "x',atan2(x, x'),energy")
        self.assertEqual(self.assert_same(*words, "--orbits", "x=1,2")["orbit"], [1, 1, 1, 2, 2, 2])

    def test_a_run_that_fails_leaves_a_whole_file(self):
        self.write("falling.toml", tool.FALLING_OFF)
        self.assert_same("run", "falling.toml", "--step", "0.1", "--steps", "5", code=1)

    def test_equal_runs_make_equal_files(self):
        for name in ("a.npz", "b.npz"):
            self.tool("run", "skate.toml", "--step", "0.1", "--steps", "20", "-o", name)
        self.assertEqual((self.folder / "a.npz").read_bytes(), (self.folder / "b.npz").read_bytes())


if __name__ == "__main__":
    tool.binary()
    unittest.main()
