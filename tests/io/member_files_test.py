#!/usr/bin/env python3
# Files of ensembles as other programs read them: complete ones, and what is left when a writer is killed.
import csv
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
import other_readers  # noqa: E402
import tool  # noqa: E402

WRITER = os.environ.get("NOSLIP_MEMBER_WRITER") or (sys.argv.pop(1) if len(sys.argv) > 1 else "")
KILLS = 6

# What tests/io/programs/write_members.cpp writes, as functions of the numbers of members and times.
WANTED = """
import json, sys, numpy
def check(arrays, members, times):
    m, k = numpy.arange(members, dtype=float), numpy.arange(times)[:, None]
    failed = numpy.arange(members) % 5 == 4
    assert numpy.array_equal(arrays["number"], m)
    assert numpy.array_equal(arrays["member/x"], m / 8)
    assert numpy.array_equal(arrays["failed"], failed * 1.0 if arrays["failed"].dtype.kind == "f" else numpy.where(failed, "yes", "no"))
    assert arrays["x"].shape == arrays["y'"].shape == (times, members), arrays["x"].shape
    assert numpy.array_equal(arrays["x"], m + k / 1024)
    assert numpy.array_equal(arrays["y'"], numpy.where(failed & (2 * k >= times), numpy.nan, -m + 0 * k), equal_nan=True)
    right = ((numpy.arange(members) + k) % 2 == 1)[:, :arrays["side"].shape[1]]
    assert numpy.array_equal(arrays["side"], right * 1.0 if arrays["side"].dtype.kind == "f" else numpy.where(right, "right", "left"))
"""

HDF5 = WANTED + """
import h5py
with h5py.File(sys.argv[1], "r") as file:
    times, members = file["x"].shape
    arrays = {name: file[name][()] for name in ("t", "number", "x", "y'", "member/number", "member/x")}
    arrays["failed"] = file["member/failed"].asstr()[()]
    assert file["side"].shape == (times, members)
    some = members if times * members < 1000000 else 3  # each text is an object
    arrays["side"] = file["side"].asstr()[:, :some]
    check(arrays, members, times)
    assert numpy.array_equal(arrays["t"], 0.5 * numpy.arange(times))
    assert numpy.array_equal(arrays["member/number"], arrays["number"])
    scales, attributes = {}, {}
    def look(name, found):
        if isinstance(found, h5py.Dataset):
            scales[name] = [[scale.name for scale in dimension.values()] for dimension in found.dims]
            attributes[name] = {key: value for key, value in found.attrs.items() if isinstance(value, str)}
    file.visititems(look)
    print(json.dumps([members, times, scales, attributes, dict(file.attrs), file["x"].chunks, file["x"].maxshape]))
"""

NPZ = WANTED + """
arrays = numpy.load(sys.argv[1])
times, members = arrays["x"].shape
check(arrays, members, times)
assert numpy.array_equal(arrays["t"], 0.5 * numpy.arange(times))
print(json.dumps([members, times, list(arrays)]))
"""

NPZ_PART = WANTED + """
records = numpy.load(sys.argv[1])
arrays = {name: records[name].T for name in records.dtype.names}
times, members = arrays["x"].shape
check(arrays, members, times)
print(json.dumps([members, times]))
"""


class MemberFiles(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="noslip_members_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, members, times, *words):
        subprocess.run([WRITER, name, str(members), str(times), *words], cwd=self.folder, check=True)
        return self.folder / name

    def test_hdf5(self):
        for members, times in ((20001, 1), (1000, 60), (3, 200001), (0, 4)):
            file = self.write(f"a{times}.h5", members, times)
            found = other_readers.run(HDF5, file, modules=("h5py", "numpy"))
            self.assertEqual(found[:2], [members, times])
            self.assertEqual(found[2], {
                "t": [[]], "number": [[]], "x": [["/t"], ["/number"]], "y'": [["/t"], ["/number"]],
                "side": [["/t"], ["/number"]], "member/number": [["/number"]], "member/x": [["/number"]],
                "member/failed": [["/number"]]})
            self.assertEqual(found[3]["t"], {"long_name": "time"})
            self.assertEqual(found[3]["number"], {"long_name": "number of the member"})
            self.assertEqual(found[3]["y'"], {"long_name": "y'", "units": "rad"})
            self.assertEqual((found[4]["system"], found[4]["method"], found[4]["step"]), ("a text\n", "mp", 0.125))
            self.assertEqual(found[5][0], times, "all times in a chunk")
            self.assertEqual(found[6], [times, None])

    def test_hdf5_with_many_chunks(self):
        """More than fit into one node of the index of a column, of one dimension and of two."""
        found = other_readers.run(HDF5, self.write("a.h5", 150, 200001), modules=("h5py", "numpy"))
        self.assertEqual((found[0], found[5]), (150, [200001, 1]))
        found = other_readers.run(HDF5, self.write("b.h5", 600000, 1), modules=("h5py", "numpy"))
        self.assertEqual((found[0], found[5]), (600000, [1, 8192]))

    @unittest.skipUnless(shutil.which("ncdump"), "netcdf-bin is not installed")
    def test_hdf5_is_netcdf(self):
        self.write("a.h5", 5, 3)
        result = subprocess.run(["ncdump", "a.h5"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        for text in ("\tt = 3 ;", "number = UNLIMITED ; // (5 currently)", "double x(t, number) ;", "double y\\'(t, number) ;",
                     "string y\\':units = \"rad\"", "string side(t, number) ;", "group: member {", "double x(number) ;",
                     " t = 0, 0.5, 1 ;", " x = 0, 0.125, 0.25, 0.375, 0.5 ;", "  {-0, -1, -2, -3, -4},\n  {-0, -1, -2, -3, NaN} ;",
                     'failed = "no", "no", "no", "no", "yes" ;', '  {"right", "left", "right", "left", "right"},',
                     ":method = \"mp\""):
            self.assertIn(text, result)

    def test_hdf5_in_xarray(self):
        file = self.write("a.h5", 9000, 3)
        for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            with self.subTest(engine=engine):
                found = other_readers.run("""
import json, sys, xarray
with xarray.open_dataset(sys.argv[1], engine=sys.argv[2]) as data:
    sizes, value, attributes = dict(data.sizes), float(data["x"].sel(t=1, number=8500)), data["y'"].attrs
with xarray.open_dataset(sys.argv[1], engine=sys.argv[2], group="member") as data:
    print(json.dumps([sizes, value, attributes, dict(data.sizes), float(data["x"].sel(number=8500)), data["failed"][4].item()]))""",
                                          file, engine, modules=("xarray", module))
                self.assertEqual(found, [{"t": 3, "number": 9000}, 8500 + 2 / 1024, {"long_name": "y'", "units": "rad"},
                                         {"number": 9000}, 8500 / 8, "yes"])

    def test_npz(self):
        for members, times in ((20001, 1), (1000, 60), (3, 200001), (0, 4)):
            found = other_readers.run(NPZ, self.write(f"a{times}.npz", members, times), modules=("numpy",))
            self.assertEqual(found, [members, times, ["number", "member/x", "failed", "t", "x", "y'", "side"]])

    def test_csv(self):
        for members, times in ((2000, 1), (100, 7), (2, 20001), (0, 4)):
            with open(self.write(f"a{times}.csv", members, times), newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], ["number", "member/x", "failed", "t", "x", "y'", "side"])
            self.assertEqual(len(rows), 1 + members * times)
            for i, row in enumerate(rows[1:]):
                m, k = divmod(i, times)
                self.assertEqual([float(row[0]), float(row[1]), float(row[3]), float(row[4])], [m, m / 8, k / 2, m + k / 1024])
                self.assertEqual(row[2], "yes" if m % 5 == 4 else "no")
                self.assertEqual(row[5], "" if m % 5 == 4 and 2 * k >= times else f"{-m}" if m else "-0")
                self.assertEqual(row[6], ("left", "right")[(m + k) % 2])

    def test_kills(self):
        """What is left can be read, and goes on to the same bytes."""
        for ending, members, times in (("h5", 200000, 1), ("h5", 400, 5000), ("h5", 40, 200001), ("npz", 200000, 1),
                                       ("npz", 400, 5000), ("csv", 100000, 1), ("csv", 100, 5000)):
            with self.subTest(ending=ending, times=times):
                whole = self.write(f"whole.{ending}", members, times).read_bytes()
                file, part, saved = (self.folder / name for name in (f"a.{ending}", f"a.{ending}.part", "saved"))
                picks, is_done = random.Random(times), False
                for attempt in range(KILLS + 1):
                    process = subprocess.Popen([WRITER, file.name, str(members), str(times), "saved"], cwd=self.folder)
                    try:
                        process.wait(timeout=None if attempt == KILLS else picks.uniform(0.05, 0.3))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        process.wait()
                    if process.returncode == 0:
                        is_done = True
                        break
                    if part.exists() and part.stat().st_size > 0:
                        self.read_part(ending, part)
                self.assertTrue(is_done)
                self.assertTrue(file.read_bytes() == whole, "the same bytes")
                for path in (file, saved):
                    path.unlink()

    def read_part(self, ending, part):
        if ending == "h5" and other_readers.interpreter("h5py", "numpy"):
            other_readers.run(HDF5, part, modules=("h5py", "numpy"))
        elif ending == "npz" and other_readers.interpreter("numpy"):
            other_readers.run(NPZ_PART, part, modules=("numpy",))

    def test_memory_does_not_grow(self):
        tool.skip_if_left_out(self)

        def memory(name, members, times):
            process = subprocess.Popen([WRITER, name, str(members), str(times)], cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss / 1024
        for ending in ("csv", "npz", "h5"):
            name = f"a.{ending}"
            self.assertLess(memory(name, 400000, 1) - memory(name, 100000, 1), 8, ending)
            self.assertLess(memory(name, 400, 1000) - memory(name, 100, 1000), 8, ending)
            # A row has 24 MB; a vector that grows has up to three times as much. The times are there twice or thrice.
            self.assertLess(memory(name, 2, 1000000), 170, ending)


if __name__ == "__main__":
    if not WRITER:
        sys.exit("name the program that writes: NOSLIP_MEMBER_WRITER=path/to/write_members, or as the first argument")
    unittest.main()
