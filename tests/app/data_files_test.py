#!/usr/bin/env python3
# Data files: the same rows in every format.
import array
import ast
import csv
import itertools
import json
import math
import os
import shutil
import subprocess
import unittest
import zipfile

import other_readers
import tool


PUSHED = """
name        = "pushed"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - k*x^2/2"
constraints = ["x' = (1 + x^2)*y'"]
[parameters]
k = 1
[inputs]
u = 0
w = 0
[forces]
x = "u + w"
"""


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
        for name in ("rows.csv", "rows.npz", "rows.h5"):
            self.tool(*words, "--force", "-o", name, code=code)
        arrays, columns = self.arrays("rows.npz"), self.columns("rows.csv")
        if other_readers.interpreter("h5py"):
            found = other_readers.run(other_readers.HDF5_COLUMNS, self.folder / "rows.h5")
            self.assertEqual({name.replace("/", ":"): [repr(x) for x in values] for name, values in arrays.items()}, found)
            self.assertEqual([name.replace("/", ":") for name in arrays], list(found), "in this order")
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
        for ending in ("npz", "h5"):
            for name in ("a", "b"):
                self.tool("run", "skate.toml", "--step", "0.1", "--steps", "20000", "-o", f"{name}.{ending}")
            self.assertEqual((self.folder / f"a.{ending}").read_bytes(), (self.folder / f"b.{ending}").read_bytes())

    def test_hdf5_tells_where_it_comes_from(self):
        self.write("skate.toml", tool.SKATE.replace("coordinates =", 'angles = ["theta"]\ncoordinates ='))
        self.tool("run", "skate.toml", "--method", "gauss:2", "--step", "1/8", "--steps", "3", "-o", "a.h5")
        found = other_readers.run("""
import h5py, json, sys
file = h5py.File(sys.argv[1], "r")
scales = {name: [scale.name for scale in file[name].dims[0].values()] for name in file}
attributes = {name: {key: value for key, value in file[name].attrs.items() if isinstance(value, str)} for name in file}
print(json.dumps([dict(file.attrs), attributes, scales]))""", self.folder / "a.h5")
        root, attributes, scales = found
        self.assertEqual(root["system"], (self.folder / "skate.toml").read_text())
        self.assertEqual((root["method"], root["step"]), ("gauss:2", 0.125))
        self.assertRegex(root["version"], r"^noslip \d+\.\d+")
        self.assertEqual(attributes["theta"], {"units": "rad", "long_name": "position theta"})
        self.assertEqual(attributes["x'"], {"long_name": "velocity of x"})
        self.assertEqual(attributes["t"], {"long_name": "time"})
        self.assertEqual({name for name in scales if scales[name] == ["/t"]}, set(scales) - {"t"})

    def notes(self, name):
        """What a file tells of its origin."""
        if name.endswith(".npz"):
            with zipfile.ZipFile(self.folder / name) as archive:
                return json.loads(archive.comment)
        root = other_readers.run("""
import h5py, json, sys
print(json.dumps(dict(h5py.File(sys.argv[1], "r").attrs)))""", self.folder / name)
        return {key: json.loads(value) if key in ("set", "init", "input", "files", "options") else value
                for key, value in root.items()}

    def test_a_file_is_enough_to_repeat_its_run(self):
        self.write("push.toml", PUSHED)
        self.write("u.csv", "t,u\n0,1\n0.5,-1\n")
        words = ["--method", "gauss:3", "--step", "1/10", "--precision", "quad", "--project", "--until", "2"]
        runs = {"push.toml": ["--set", "k=2/3", "--init", "x=k/2", "--init", "x'=0.1", "--input", "u=u.csv,linear",
                              "--input", "w=0.1"],
                "links": ["--set", "n=4", "--init", "theta[1]=-0.1"],
                "chaotic": ["--set", "m=2"]}
        endings = ["npz"] + ["h5"] * bool(other_readers.interpreter("h5py"))
        for (system, own), ending in itertools.product(runs.items(), endings):
            with self.subTest(f"{system} {ending}"):
                self.tool("run", system, *words, *own, "-o", f"a.{ending}", "--force")
                notes = self.notes(f"a.{ending}")
                (self.folder / "again").mkdir(exist_ok=True)
                self.write("again/system.toml", notes["system"])
                for name, text in notes.get("files", {}).items():
                    self.write(f"again/{name}", text)
                options = [f"--{name}={value}" if value != "yes" else f"--{name}"
                           for name, value in notes["options"].items()]
                values = [f"--{kind}={name}={value}" for kind in ("set", "init", "input")
                          for name, value in notes.get(kind, {}).items()]
                result = tool.run("run", "system.toml", "--method", notes["method"], *options, *values, "--until", "2",
                                  "-o", "rows.csv", "--force", folder=self.folder / "again")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.tool("run", system, *words, *own, "-o", "a.csv", "--force")
                self.assertEqual((self.folder / "again/rows.csv").read_text(), (self.folder / "a.csv").read_text())
        self.assertEqual(self.notes("a." + endings[-1])["step"], 0.1)

    def test_notes_of_events_and_sections(self):
        self.tool("run", "skate.toml", "--step", "0.1", "--until", "2", "--set", "m=2", "--event", "y", "--events", "e.npz")
        self.assertEqual(self.notes("e.npz")["set"], {"m": "2"})
        self.tool("section", "oscillator.toml", "--step", "0.1", "--when", "x", "--crossings", "2", "--orbits", "x=1,2",
                  "-o", "s.npz")
        self.assertEqual(self.notes("s.npz")["options"], {"step": "0.1", "when": "x", "orbits": "x=1,2"})

    def test_long_systems_do_not_fit_into_npz(self):
        self.write("long.toml", tool.OSCILLATOR + "# padding\n" * 10000)
        self.tool("run", "long.toml", "--step", "0.1", "--steps", "3", "-o", "a.npz", "--init", "x=2")
        notes = self.notes("a.npz")
        self.assertEqual((notes["left_out"], notes["init"]), (["system"], {"x": "2"}))
        self.assertEqual(len(self.arrays("a.npz")["t"]), 4)

    def test_hdf5_says_what_a_velocity_is(self):
        self.tool("run", "rolling-coin-so3", "--step", "0.1", "--steps", "1", "-o", "a.h5")
        names = other_readers.run("""
import h5py, json, sys
file = h5py.File(sys.argv[1], "r")
print(json.dumps({name: file[name].attrs["long_name"] for name in file}))""", self.folder / "a.h5")
        of = [meaning for meaning in names.values() if meaning.startswith(("velocity", "body velocity"))]
        self.assertEqual(sorted(of), ["body velocity w1", "body velocity w2", "body velocity w3", "velocity of x",
                                      "velocity of y"])

    def test_hdf5_with_many_chunks(self):
        """More than fit into one node of the index of a column."""
        self.tool("run", "oscillator.toml", "--step", "0.01", "--steps", "600000", "-o", "a.h5", "-o", "a.npz")
        rows = other_readers.run("""
import h5py, json, sys, numpy
file, arrays = h5py.File(sys.argv[1], "r"), numpy.load(sys.argv[2])
assert set(file) == set(arrays)
for name in arrays:
    assert numpy.array_equal(file[name][()], arrays[name], equal_nan=True), name
print(len(file["t"]))""", self.folder / "a.h5", self.folder / "a.npz", modules=("h5py", "numpy"))
        self.assertEqual(rows, 600001)

    def test_hdf5_in_xarray(self):
        self.tool("run", "skate.toml", "--step", "0.1", "--steps", "9000", "-o", "a.h5")
        for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            with self.subTest(engine=engine):
                found = other_readers.run("""
import json, sys, xarray
with xarray.open_dataset(sys.argv[1], engine=sys.argv[2]) as data:
    print(json.dumps([dict(data.sizes), float(data["theta"].sel(t=0.1)), data["theta"].attrs, data.attrs["method"]]))""",
                                          self.folder / "a.h5", engine, modules=("xarray", module))
                self.assertEqual((found[0], found[2], found[3]), ({"t": 9001}, {"long_name": "position theta"}, "gauss:2"))
                self.assertAlmostEqual(found[1], 0.05, places=12)

    @unittest.skipUnless(shutil.which("ncdump"), "netcdf-bin is not installed")
    def test_hdf5_is_netcdf(self):
        self.tool("run", "skate.toml", "--step", "0.1", "--steps", "3", "-o", "a.h5")
        result = subprocess.run(["ncdump", "a.h5"], cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertIn("t = UNLIMITED ; // (4 currently)", result.stdout)
        self.assertIn("double theta\\'(t) ;", result.stdout)
        self.assertIn(" t = 0, 0.1, 0.2, 0.3 ;", result.stdout)

    def test_several_files(self):
        words = ("run", "skate.toml", "--step", "0.1", "--steps", "5")
        result = self.tool(*words, "-o", "a.csv", "-o", "a.npz", "--output", "b.csv")
        self.assertIn("wrote 6 rows to 'a.npz'", result.stderr)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())
        self.assertEqual(len(self.arrays("a.npz")["t"]), 6)
        result = self.tool(*words, "-o", "-", "-o", "c.csv")
        self.assertEqual(result.stdout, (self.folder / "c.csv").read_text())
        for other in ("d.csv", "./d.csv", str(self.folder / "d.csv")):
            self.assertIn("given twice", self.tool(*words, "-o", "d.csv", "-o", other, code=2).stderr)
        self.assertIn("given twice", self.tool(*words, "-o", "-", "-o", "-", code=2).stderr)
        self.assertIn("'a.csv' exists", self.tool(*words, "-o", "e.csv", "-o", "a.csv", code=3).stderr)
        result = self.tool("section", "oscillator.toml", "--step", "0.1", "--when", "x", "-o", "a.csv", "-o", "b.csv", code=2)
        self.assertIn("--output is given 2 times", result.stderr)

    def test_memory_does_not_grow(self):
        def memory(*words):
            process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss / 1024
        for ending in ("csv", "npz", "h5"):
            words = ("run", "oscillator.toml", "--step", "0.01", "--quiet", "--force", "-o", f"a.{ending}", "--steps")
            # 24 MB of numbers more, and blocks of up to 4 MB that are full only in the second run.
            self.assertLess(memory(*words, "600000") - memory(*words, "150000"), 8, ending)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
