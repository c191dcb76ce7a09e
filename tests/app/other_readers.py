# Programs of others that read data files: h5py, NumPy, xarray, ncdump. Tests skip what is not installed.
import functools
import json
import shutil
import subprocess
import sys
import unittest

NEEDED = "python3-h5py is not installed"


@functools.lru_cache
def interpreter(*modules):
    """A Python that has these modules; None if there is none."""
    for name in (sys.executable, "/usr/bin/python3"):
        if name and shutil.which(name):
            found = subprocess.run([name, "-c", f"import {', '.join(modules)}"], capture_output=True, check=False)
            if found.returncode == 0:
                return name
    return None


def run(code, *words, modules=("h5py",)):
    """What Python code prints, as JSON; its arguments are in sys.argv."""
    python = interpreter(*modules)
    if python is None:
        raise unittest.SkipTest(f"no Python here has {', '.join(modules)}")
    result = subprocess.run([python, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return json.loads(result.stdout)


# Columns of numbers as texts, in the order of the file.
HDF5_COLUMNS = """
import h5py, json, sys
with h5py.File(sys.argv[1], "r", track_order=True) as file:
    links = [file.id.links.get_info(name.encode()) for name in file]
    names = [name for _, name in sorted(zip((link.corder for link in links), file))]
    print(json.dumps({name: [repr(float(x)) for x in file[name][()]] for name in names}))
"""

# Rows of a file whose writer was killed, against those of a whole file; prints how many there are.
HDF5_BEGINNING = """
import h5py, json, sys, numpy
with h5py.File(sys.argv[1], "r") as part, h5py.File(sys.argv[2], "r") as whole:
    assert set(part) == set(whole)
    (rows,) = {part[name].shape[0] for name in part}
    for name in part:
        assert numpy.array_equal(part[name][()], whole[name][:rows], equal_nan=True), name
    print(rows)
"""

NPZ_BEGINNING = """
import json, sys, numpy
part, whole = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
assert list(part.dtype.names) == list(whole)
for name in whole:
    assert numpy.array_equal(part[name], whole[name][:len(part)], equal_nan=True), name
print(len(part))
"""
