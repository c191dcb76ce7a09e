#!/usr/bin/env python3
# noslip merge: parts of an ensemble become the very file that is written without parts, or are refused.
import os
import random
import resource
import shutil
import signal
import subprocess
import unittest

import ensembles
import other_readers
import tool
from ensembles import SECONDS, SKATES

GRID = ("--grid", "phi'=0.5:2:23")
LOGARITHM = """
name        = "logarithm"
coordinates = ["x"]
lagrangian  = "x'^2/2 + 4*log(x)"
[initial]
q = [1.0]
v = [0.0]
"""

READ_RECORD = """
import json, sys, numpy
if sys.argv[1].endswith("npz"):
    with numpy.load(sys.argv[1]) as file:
        record, names = file["part"], file.files
else:
    import h5py
    with h5py.File(sys.argv[1], "r") as file:
        record, names = file["part"][()], list(file)
assert record.dtype == numpy.uint8 and record.ndim == 1
print(json.dumps([bytes(record[:14]).decode(), names[-1], len(record)]))
"""


class Merged(ensembles.EnsembleTest):
    def names_of_parts(self, count, ending, stem="part"):
        return [f"{stem}-{k}.{ending}" for k in range(1, count + 1)]

    def make_parts(self, words, count, ending, stem="part"):
        names = self.names_of_parts(count, ending, stem)
        for k, name in enumerate(names, 1):
            result = tool.run(*words, "--part", f"{k}/{count}", "-o", name, "--quiet", "--force", folder=self.folder)
            self.assertIn(result.returncode, (0, 1), result.stderr)  # all members of a part may fail
        return names

    def refused(self, *words, code=2, parts=()):
        """Nothing is written."""
        before = self.names()
        error = self.tool("merge", *words, code=code).stderr
        for part in parts:
            self.assertIn(part, error)
        self.assertEqual(self.names(), before)


class Bytes(Merged):
    KINDS = (("--columns", "x,energy,atan2(y, x)", "--every", "3"), (), ("--reduce", "mean(x),quantile(y,0.3),histogram(x,-1,1,5)"),
             ("--columns", "x", "--reduce", "variance(y),max(x)", "--every", "4"), ("--event", "x-0.1,stop", "--every", "2"),
             ("--set", "m=2/3", "--init", "x=1/3", "--tolerance", "1e-9"))

    def assert_merged(self, words, count, endings, shuffle=0):
        for ending in endings:
            self.tool(*words, "-o", f"whole.{ending}", "--quiet", "--force")
            names = self.make_parts(words, count, ending)
            random.Random(shuffle).shuffle(names)
            self.tool("merge", *names, "-o", f"all.{ending}", "--force", "--quiet")
            self.assertEqual(self.bytes_of(f"all.{ending}"), self.bytes_of(f"whole.{ending}"), (words, ending))
            self.assertFalse((self.folder / f"all.{ending}.part").exists())

    def test_are_those_of_the_whole(self):
        for kind in self.KINDS:
            self.assert_merged(("ensemble", "skate", "--step", "0.1", "--until", "1", *GRID, *kind), 3, self.formats())

    def test_any_order_and_number(self):
        words = (*SKATES, "--sample", "50", "--vary", "beta=normal(0.3,0.1)", "--columns", "y,energy", "--reduce", "median(x)")
        for count in (1, 2, 7, 50):
            self.assert_merged(words, count, ("csv", "npz") if count == 50 else self.formats(), shuffle=count)

    def test_failures(self):
        """Members that fail, and warnings and numbers of them."""
        self.write("logarithm.toml", LOGARITHM)
        words = ("ensemble", "logarithm.toml", "--step", "0.1", "--until", "1", "--every", "5", "--grid", "x'=-1000:1:8",
                 "--columns", "x,energy", "--reduce", "count(x),mean(energy)")
        self.assert_merged(words, 3, self.formats())
        whole = self.document(*words)
        merged = self.document("merge", *self.names_of_parts(3, "csv"), "-o", "json.csv")
        for key in ("system", "method", "step", "members", "done", "failed", "steps", "t", "outputs", "failures", "warnings"):
            self.assertEqual(merged[key], whole[key], key)
        self.assertGreater(merged["failed"], 0)
        self.assertEqual([part["first"] for part in merged["inputs"]], [0, 3, 6])
        self.assertEqual([part["file"] for part in merged["inputs"]], self.names_of_parts(3, "csv"))
        self.assertEqual(sum(part["failed"] for part in merged["inputs"]), whole["failed"])
        self.assertEqual(merged["output"], ["json.csv"])

    def test_reductions_of_many_members(self):
        """Quantiles of more than 1000 members are counted in buckets."""
        words = (*SKATES, "--sample", "3000", "--vary", "beta=normal(0.3,0.1)", "--every", "5",
                 "--reduce", "quantile(y,0.9),deviation(y),histogram(x,0,1,9)")
        self.assert_merged(words, 4, self.formats())
        whole = self.document(*words)
        merged = self.document("merge", *self.names_of_parts(4, "npz"), "-o", "json.npz")
        self.assertEqual((merged["outputs"], merged["warnings"]), (whole["outputs"], whole["warnings"]))

    def test_a_table_and_inputs(self):
        self.write("m.csv", "phi',beta\n" + "".join(f"{1 + i / 7!r},{i / 11!r}\n" for i in range(12)))
        self.assert_merged((*SKATES, "--members", "m.csv"), 5, self.formats())

    def test_other_formats(self):
        words = (*SKATES, *GRID, "--every", "5")
        names = self.make_parts(words, 2, "npz")
        outputs = [f"all.{ending}" for ending in self.formats()]
        self.tool("merge", *names, *(word for name in outputs for word in ("-o", name)))
        self.tool(*words, *(word for name in outputs for word in ("-o", name.replace("all", "whole"))), "--quiet")
        for name in outputs:
            self.assertEqual(self.bytes_of(name), self.bytes_of(name.replace("all", "whole")))
        printed = self.tool("merge", *names, "-o", "-")
        self.assertEqual(printed.stdout.encode(), self.bytes_of("whole.csv"))
        self.assertIn("members     23 done", printed.stderr)
        names = self.make_parts(words, 2, "csv")
        self.refused(*names, "-o", "b.npz", parts=("parts in CSV become a CSV file only", "b.npz"))

    def test_what_a_part_says_is_an_array_for_others(self):
        for ending in self.formats()[1:]:
            name = self.make_parts((*SKATES, *GRID), 2, ending)[0]
            found = other_readers.run(READ_RECORD, self.folder / name,
                                      modules=("numpy", "h5py") if ending == "h5" else ("numpy",))
            self.assertEqual(found[0], "noslip part 1\n")
            self.assertIn("part", (found[1], "part"))

    def test_resumed_parts(self):
        words = (*SKATES, *GRID, "--every", "2")
        for ending in self.formats():
            names = self.make_parts(words, 2, ending)
            whole = self.bytes_of(names[1])
            self.tool(*words, "--part", "2/2", "-o", names[1], "--force", "--quiet", "--checkpoint", "c")
            self.assertEqual(self.bytes_of(names[1]), whole)
            self.tool("resume", "c", "--quiet")
            self.assertEqual(self.bytes_of(names[1]), whole)
            (self.folder / "c").unlink()

    def test_text(self):
        names = self.make_parts((*SKATES, *GRID, "--reduce", "mean(y)"), 2, "csv")
        result = self.tool("merge", *names, "-o", "all.csv")
        self.assertIn("parts       2\nmembers     23 done, 0 failed, of 23\n", result.stdout)
        self.assertIn("mean(y)", result.stdout)
        self.assertIn("wrote 1 row to 'all.csv'", result.stderr)
        self.assertIn("'all.csv' exists", self.tool("merge", *names, "-o", "all.csv", code=3).stderr)
        self.assertEqual(self.tool("merge", *names, "-o", "all.csv", "--force", "--quiet").stdout, "")


class Refused(Merged):
    def test_other_ensembles(self):
        words = (*SKATES, *GRID, "--columns", "x")
        for ending in self.formats():
            names = self.make_parts(words, 2, ending)
            for more, part in ((("--method", "mp"), "'gauss:2' and 'mp'"), (("--set", "m=2"), "--set differs: '' and 'm=2'"),
                               (("--every", "5"), "the rows differ: '1 row to t = 1' and '3 rows to t = 1'"),
                               (("--init", "x=1/2"), "--init differs: '' and 'x=1/2'"), (("--event", "y"), "the columns differ"),
                               (("--reduce", "mean(x)"), "--reduce differs: '' and 'mean(x)'")):
                self.tool(*words, *more, "--part", "2/2", "-o", f"b.{ending}", "--quiet", "--force")
                self.refused(names[0], f"b.{ending}", "-o", "all.csv",
                             parts=(f"'{names[0]}' and 'b.{ending}' are parts of different ensembles", part))
        for other, part in (((*SKATES, "--grid", "phi'=0.5:3:23", "--columns", "x"), "the members differ"),
                            ((*SKATES, *GRID, "--columns", "y"), "the columns"),
                            (("ensemble", "skate.toml", "--step", "0.1", "--until", "1", "--grid", "theta'=1:2:23", "--columns", "x"),
                             "are parts of different ensembles"),
                            (("ensemble", "skate", "--step", "0.05", "--until", "1", *GRID, "--columns", "x"), "--step differs: '0.1' and '0.05'"),
                            ((*SKATES, "--grid", "phi'=0.5:2:24", "--columns", "x"), "the number of members differs: '23' and '24'")):
            self.tool(*other, "--part", "2/2", "-o", "b.csv", "--quiet", "--force")
            self.refused("part-1.csv", "b.csv", "-o", "all.csv", parts=("'part-1.csv' and 'b.csv'", part))
        self.tool(*words, "--part", "2/3", "-o", "b.csv", "--quiet", "--force")
        self.refused("part-1.csv", "b.csv", "-o", "all.csv", parts=("the number of parts differs: '2' and '3'",))

    def test_a_system_with_another_text(self):
        words = ("ensemble", "a.toml", "--step", "0.1", "--until", "1", "--grid", "theta'=1:2:5")
        self.write("a.toml", tool.SKATE)
        names = self.make_parts(words, 2, "csv")
        self.write("a.toml", tool.SKATE + "# changed\n")
        self.tool(*words, "--part", "2/2", "-o", names[1], "--quiet", "--force")
        self.refused(*names, "-o", "all.csv", parts=("the text of the system differs",))

    def test_missing_and_repeated_parts(self):
        names = self.make_parts((*SKATES, *GRID), 5, "npz")
        self.refused(names[0], names[2], names[4], "-o", "all.npz", parts=("parts 2 and 4 of 5 are missing", "--part 2/5"))
        self.refused(*names[:4], "-o", "all.npz", parts=("part 5 of 5 is missing",))
        self.refused(*names[1:], "-o", "all.npz", parts=("part 1 of 5 is missing",))
        shutil.copy(self.folder / names[1], self.folder / "copy.npz")
        self.refused(*names, "copy.npz", "-o", "all.npz", parts=("'part-2.npz' and 'copy.npz' are both part 2 of 5",))
        self.refused(*names, f"./{names[1]}", "-o", "all.npz", parts=("are one file",))

    def test_names(self):
        names = self.make_parts((*SKATES, *GRID), 2, "csv")
        npz = self.make_parts((*SKATES, *GRID), 2, "npz")
        self.refused("-o", "all.csv", parts=("no files are given",))
        self.refused(*names, parts=("--output is missing",))
        self.refused(*names, "-o", names[0], "--force", parts=("-o part-1.csv: this file is also one of the parts",))
        self.refused(*names, "-o", f"./{names[1]}", "--force", parts=("is also one of the parts",))
        self.refused(*names, "-o", "all.txt", parts=("all.txt.csv",))
        self.refused(*names, "-o", "-", "--json", parts=("--json and -o -",))
        self.refused(names[0], npz[1], "-o", "all.csv", parts=("'part-1.csv' and 'part-2.npz' have different formats",))
        self.refused("part-1.txt", "-o", "all.csv", parts=("the ending",))
        self.refused(names[0], "part-3.csv", "-o", "all.csv", code=3, parts=("cannot read 'part-3.csv'",))
        self.refused(*names, "-o", "no/all.csv", code=3, parts=("no/all.csv",))

    def test_files_that_are_not_parts(self):
        for ending in self.formats():
            name = f"whole.{ending}"
            self.tool(*SKATES, *GRID, "-o", name, "--quiet")
            self.refused(name, "-o", f"all.{ending}", parts=(f"'{name}' is not the file of a part",))
            self.tool("run", "skate", "--step", "0.1", "--until", "1", "-o", f"run.{ending}", "--quiet")
            self.refused(f"run.{ending}", "-o", f"all.{ending}", parts=("is not the file of a part",))
            self.write(f"text.{ending}", "some text")
            self.refused(f"text.{ending}", "-o", f"all.{ending}", parts=("it is damaged, or not a file of noslip",))

    def test_files_that_are_not_complete(self):
        for ending in self.formats():
            names = self.make_parts((*SKATES, *GRID), 2, ending)
            (self.folder / names[1]).rename(self.folder / f"{names[1]}.part")
            self.refused(*names, "-o", f"all.{ending}", parts=(f"'{names[1]}' is not complete", f"'{names[1]}.part'"))
            self.refused(names[0], f"{names[1]}.part", "-o", f"all.{ending}", parts=(f"'{names[1]}.part' is not complete",))
            (self.folder / f"{names[1]}.part").unlink()

    def test_torn_and_changed_files(self):
        """Wherever: refused, or what was changed has no meaning and the result is the same."""
        randomly = random.Random(5)
        for ending in self.formats():
            words = (*SKATES, "--grid", "phi'=0.5:2:7", "--columns", "x,y", "--reduce", "mean(x)")
            names = self.make_parts(words, 2, ending)
            self.tool("merge", *names, "-o", f"whole.{ending}", "--quiet", "--force")
            whole = self.bytes_of(names[1])
            for size in (0, 1, len(whole) // 2, len(whole) - 1, *(randomly.randrange(len(whole)) for _ in range(8))):
                (self.folder / names[1]).write_bytes(whole[:size])
                self.refused(*names, "-o", f"all.{ending}", parts=(f"'{names[1]}'",))
            noticed = 0
            for _ in range(25):
                place = randomly.randrange(len(whole))
                changed = bytearray(whole)
                changed[place] ^= 1 << randomly.randrange(8)
                (self.folder / names[1]).write_bytes(changed)
                result = tool.run("merge", *names, "-o", f"all.{ending}", "--force", folder=self.folder)
                self.assertIn(result.returncode, (0, 2), result.stderr)
                noticed += result.returncode == 2
                if result.returncode == 0:
                    self.assertEqual(self.bytes_of(f"all.{ending}"), self.bytes_of(f"whole.{ending}"), place)
            self.assertGreater(noticed, 3)
            for name in (f"all.{ending}", f"whole.{ending}"):
                (self.folder / name).unlink(missing_ok=True)

    def test_an_interrupted_part(self):
        words = ("ensemble", "chaotic", "--method", "mp", "--step", "0.05", "--until", "500", "--grid", "j=0:3999:4000", "--set",
                 "J=3999", "--columns", "x", "--threads", "1", "--part", "1/1", "-o", "a.csv", "--force", "--checkpoint", "c",
                 "--checkpoint-every", "0.02")
        process = self.start(*words)
        self.wait_until(lambda: (self.folder / "c").exists() or process.poll() is not None, "there is no checkpoint")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)
        if process.returncode == 143:
            self.refused("a.csv", "-o", "all.csv", parts=("'a.csv' is not complete: it has", "of 4000 members", "noslip resume"))
            self.tool("resume", "c", "--quiet")
        self.tool("merge", "a.csv", "-o", "all.csv")
        self.assertEqual(self.bytes_of("all.csv").count(b"\n"), 4001)


class Broken(Merged):
    """However it ends, the file is what it was before or the whole one."""

    def setUp(self):
        super().setUp()
        words = (*SKATES, "--sample", "40000", "--vary", "beta=normal(0.3,0.1)", "--method", "mp", "--columns", "x,y,phi,energy")
        self.parts = self.make_parts(words, 2, "csv")
        self.tool("merge", *self.parts, "-o", "whole.csv", "--quiet")
        self.whole = self.bytes_of("whole.csv")

    def broken(self, end):
        """Ended as soon as it writes; its exit code."""
        self.write("all.csv", "precious")
        process = self.start("merge", *self.parts, "-o", "all.csv", "--force")
        part = self.folder / "all.csv.part"
        self.wait_until(lambda: process.poll() is not None or part.exists(), "nothing is written")
        process.send_signal(end)
        _, error = process.communicate(timeout=SECONDS)
        self.assertIn(self.bytes_of("all.csv"), (b"precious", self.whole), "a torn file")
        return process.returncode, error

    def test_kills(self):
        for _ in range(3):
            self.assertIn(self.broken(signal.SIGKILL)[0], (0, -9))
        self.tool("merge", *self.parts, "-o", "all.csv", "--force", "--quiet")
        self.assertEqual(self.bytes_of("all.csv"), self.whole)
        self.assertFalse((self.folder / "all.csv.part").exists())

    def test_signals(self):
        for kind, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            result, error = self.broken(kind)
            self.assertIn(result, (0, code), error)
            self.assertFalse((self.folder / "all.csv.part").exists())
            if result == code:
                self.assertEqual(self.bytes_of("all.csv"), b"precious")

    def test_a_file_that_may_not_grow(self):
        self.write("all.csv", "precious")
        most = 400000
        process = self.start("merge", *self.parts, "-o", "all.csv", "--force",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        _, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 3, error)
        self.assertIn("all.csv", error)
        self.assertEqual(self.bytes_of("all.csv"), b"precious")
        self.assertFalse((self.folder / "all.csv.part").exists())


class Memory(Merged):
    def test_does_not_grow(self):
        def memory(count, ending):
            words = (*SKATES, "--sample", count, "--vary", "beta=normal(0.3,0.1)", "--method", "mp", "--steps", "1", "--columns", "x,y")
            words = tuple(word for i, word in enumerate(words) if "--until" not in words[max(0, i - 1):i + 1])
            names = self.make_parts(words, 2, ending)
            process = subprocess.Popen([tool.binary(), "merge", *names, "-o", f"all.{ending}", "--force", "--quiet"],
                                       cwd=self.folder)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            self.assertEqual(status, 0)
            return usage.ru_maxrss / 1024
        for ending in self.formats():
            self.assertLess(memory(160000, ending) - memory(40000, ending), 8, ending)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
