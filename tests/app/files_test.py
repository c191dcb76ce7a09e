# Files are whole or not there: kills, signals, limits, two writers, missing memory.
#
# NOSLIP_ALLOCATIONS=all in the environment lets every allocation of some commands fail, not only a few; NOSLIP_FAILING_MALLOC
# names the library of failing_malloc.cpp.
import os
import random
import resource
import signal
import subprocess
import time
import unittest

import other_readers
import tool

LIBRARY = os.environ.get("NOSLIP_FAILING_MALLOC", "")
ALLOCATIONS = os.environ.get("NOSLIP_ALLOCATIONS", "")
KILLS = int(os.environ.get("NOSLIP_KILLS", "6"))
LONG = ("run", "skate.toml", "--step", "0.001", "--steps", "1e9", "--quiet")


class Files(tool.ToolTest):
    def start(self, *words, **options):
        process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def wait_for(self, name, size=1):
        path = self.folder / name
        self.wait_until(lambda: path.exists() and path.stat().st_size >= size, f"{name} does not appear")
        return path

    def assert_whole_rows(self, path):
        lines = path.read_text().split("\n")
        self.assertEqual(lines[-1], "", "the last row is whole")
        self.assertGreater(len(lines), 2)
        for line in lines[:-1]:
            self.assertEqual(line.count(","), lines[0].count(","))

    def test_a_kill_leaves_the_old_file(self):
        self.write("a.csv", "precious")
        process = self.start(*LONG, "--force", "-o", "a.csv")
        self.wait_for("a.csv.part", 100000)
        process.kill()
        process.communicate()
        self.assertEqual((self.folder / "a.csv").read_text(), "precious")
        self.assertTrue((self.folder / "a.csv.part").exists())
        (self.folder / "a.csv").unlink()
        again = ("run", "skate.toml", "--step", "0.1", "--steps", "3", "-o", "a.csv")
        size = (self.folder / "a.csv.part").stat().st_size
        self.assertIn("has the rows of a run that was broken off", self.tool(*again, code=3).stderr)
        self.assertEqual((self.folder / "a.csv.part").stat().st_size, size)
        self.tool(*again, "--force")
        self.assertEqual(len((self.folder / "a.csv").read_text().splitlines()), 5)
        self.assertFalse((self.folder / "a.csv.part").exists())

    def test_kills_leave_rows_that_others_read(self):
        """Whenever a run ends: FILE.part is whole, and has the rows of the run."""
        for ending, code, modules in (("h5", other_readers.HDF5_BEGINNING, ("h5py", "numpy")),
                                      ("npz", other_readers.NPZ_BEGINNING, ("numpy",))):
            if not other_readers.interpreter(*modules):
                continue
            words = ("run", "skate.toml", "--step", "0.001", "--quiet", "--force", "--steps")
            self.tool(*words, "400000", "-o", f"whole.{ending}")
            part = self.folder / f"a.{ending}.part"
            picks, counts = random.Random(1), []
            for _ in range(KILLS):
                part.unlink(missing_ok=True)
                process = self.start(*words, "400000", "-o", f"a.{ending}")
                self.wait_for(part.name, 5000)
                time.sleep(picks.uniform(0, 0.3))
                process.kill()
                process.communicate()
                if not part.exists():
                    continue  # the run had ended
                counts.append(other_readers.run(code, part, self.folder / f"whole.{ending}", modules=modules))
            self.assertTrue(counts)

    def test_two_writers(self):
        process = self.start(*LONG, "-o", "a.csv")
        self.wait_for("a.csv.part", 100000)
        result = self.tool("run", "skate.toml", "--step", "0.1", "--steps", "3", "-o", "a.csv", code=3)
        self.assertIn("another program is writing 'a.csv'", result.stderr)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, 143)
        self.assert_whole_rows(self.folder / "a.csv")

    def test_a_file_that_disappears_while_it_is_written(self):
        process = self.start(*LONG, "-o", "a.csv")
        self.wait_for("a.csv.part", 100000).unlink()
        process.send_signal(signal.SIGTERM)
        message = process.communicate()[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn("removed or renamed", message)

    def test_a_file_that_becomes_shorter_while_it_is_written(self):
        process = self.start(*LONG, "-o", "a.csv")
        os.truncate(self.wait_for("a.csv.part", 3000000), 100)
        message = process.communicate()[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn("shorter while it was written", message)

    def test_files_without_rows(self):
        self.write("a.csv", "old")
        self.tool("run", "skate.toml", "--step", "0.1", "--until", "5", "--at", "4", "--event", "t - 1,stop", "-o", "a.csv",
                  "--force")
        self.assertRegex((self.folder / "a.csv").read_text(), r"^t,x,y,.*\n$")

    def test_a_file_that_appears_while_another_is_written(self):
        process = self.start(*LONG, "-o", "a.csv")
        self.wait_for("a.csv.part", 100000)
        self.write("a.csv", "precious")
        process.send_signal(signal.SIGTERM)
        message = process.communicate()[1]
        self.assertEqual(process.returncode, 3)
        self.assertIn("appeared meanwhile", message)
        self.assertEqual((self.folder / "a.csv").read_text(), "precious")
        self.assert_whole_rows(self.folder / "a.csv.part")

    def test_what_is_read_is_not_overwritten(self):
        self.write("push.toml", tool.OSCILLATOR.replace("[initial]", "[inputs]\nu = 0\n[forces]\nx = \"u\"\n[initial]"))
        self.write("u.csv", "t,value\n0,1\n")
        words = ("run", "push.toml", "--input", "u=u.csv", "--step", "0.1", "--steps", "3", "--force")
        for option in (("-o", "u.csv"), ("-o", "./u.csv"), ("--plot", "push.toml")):
            self.assertIn("the command reads this file", self.tool(*words, *option, code=2).stderr)
        self.assertEqual((self.folder / "u.csv").read_text(), "t,value\n0,1\n")

    def test_links_and_permissions(self):
        (self.folder / "there").mkdir()
        self.write("there/a.csv", "old")
        (self.folder / "there/a.csv").chmod(0o640)
        (self.folder / "a.csv").symlink_to("there/a.csv")
        self.tool("run", "skate.toml", "--step", "0.1", "--steps", "3", "--force", "-o", "a.csv")
        self.assertTrue((self.folder / "a.csv").is_symlink())
        self.assert_whole_rows(self.folder / "there/a.csv")
        self.assertEqual((self.folder / "there/a.csv").stat().st_mode & 0o777, 0o640)

    def test_a_lost_connection(self):
        process = self.start(*LONG, "-o", "a.csv")
        self.wait_for("a.csv.part", 100000)
        process.send_signal(signal.SIGHUP)
        process.communicate()
        self.assertEqual(process.returncode, 129)
        self.assert_whole_rows(self.folder / "a.csv")

    def test_signals_that_are_ignored(self):
        words = ("run", "skate.toml", "--step", "0.001", "--steps", "300000", "--quiet", "-o", "a.csv")
        process = self.start(*words, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for("a.csv.part", 100000)
        process.send_signal(signal.SIGHUP)
        process.communicate()
        self.assertEqual(process.returncode, 0)

    def test_limits_of_file_sizes(self):
        self.write("a.csv", "precious")
        for size in (1, 5000, 70000, 200001):
            process = self.start(*LONG, "--force", "-o", "a.csv",
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
            message = process.communicate()[1]
            self.assertEqual(process.returncode, 3)
            self.assertIn("File too large", message)
            self.assertEqual((self.folder / "a.csv").read_text(), "precious")
            if size > 70000:
                self.assert_whole_rows(self.folder / "a.csv.part")

    def test_advice_on_full_disks(self):
        """Fewer rows help where rows are written, and where an option gives fewer."""
        run = ("run", "skate.toml", "--step", "0.001", "--steps", "20000", "--event", "sin(1000*t)")
        for words, helps in (((*run, "-o", "a.csv"), True), ((*run, "-o", "a.npz"), True), ((*run, "-o", "a.h5"), True),
                             ((*run, "--events", "e.csv"), False), ((*run, "--plot", "a.svg"), False),
                             (("section", "oscillator.toml", "--step", "0.1", "--when", "x", "--crossings", "500", "-o",
                               "s.csv"), False)):
            process = self.start(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)))
            message = process.communicate()[1]
            self.assertEqual(process.returncode, 3, message)
            self.assertIn("free some space", message)
            self.assertEqual("--every" in message, helps, f"{words}: {message}")

    def test_limits_of_file_sizes_of_other_formats(self):
        for ending, code in (("h5", other_readers.HDF5_BEGINNING), ("npz", other_readers.NPZ_BEGINNING)):
            self.tool("run", "skate.toml", "--step", "0.001", "--steps", "100000", "--quiet", "-o", f"whole.{ending}")
            for size in (1, 5000, 70000, 1000001, 2500000):
                process = self.start(*LONG, "--force", "-o", f"a.{ending}",
                                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
                message = process.communicate()[1]
                self.assertEqual(process.returncode, 3, message)
                self.assertIn("File too large", message)
                self.assertFalse((self.folder / f"a.{ending}").exists())
                self.assertFalse((self.folder / f"a.{ending}.part.zip").exists())
                if size > 70000 and other_readers.interpreter("h5py", "numpy"):
                    rows = other_readers.run(code, self.folder / f"a.{ending}.part", self.folder / f"whole.{ending}",
                                             modules=("h5py", "numpy"))
                    self.assertGreater(rows, 8000)
        # The rows of NPZ fit, but not the archive beside them: it is taken away again.
        words = ("run", "skate.toml", "--step", "0.001", "--steps", "10000", "--quiet", "-o", "b.npz")
        size = 10001 * 8 * 10 + 1000
        process = self.start(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
        self.assertIn("'b.npz.part' has the rows", process.communicate()[1])
        self.assertEqual(sorted(path.name for path in self.folder.glob("b.npz*")), ["b.npz.part"])

    def test_a_reader_that_is_slow(self):
        """A pipe that would block is waited for."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        process = subprocess.Popen([tool.binary(), "run", "skate.toml", "--step", "0.1", "--steps", "5000", "-o", "-"],
                                   cwd=self.folder, stdout=writing, stderr=subprocess.DEVNULL)
        os.close(writing)
        time.sleep(0.3)
        with os.fdopen(reading) as file:
            rows = file.read().splitlines()
        self.assertEqual(process.wait(), 0)
        self.assertEqual(len(rows), 5002)

    def test_pipes_without_a_writer(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("nothing has come out of this pipe", self.tool("check", "pipe", code=3).stderr)

    @unittest.skipUnless(LIBRARY, "NOSLIP_FAILING_MALLOC names no library that lets allocations fail")
    def test_missing_memory(self):
        """Whichever allocation fails, there is a message and an exit code."""
        run, tried, places = ("run", "oscillator.toml", "--step", "0.1", "--until", "1"), 0, 40
        for words in (run, (*run, "--json"), ("check", "oscillator.toml"), (*run, "--plot", "a.svg", "--force"),
                      ("show", "oscillator.toml", "--json"), ("methods", "oscillator.toml", "--json"),
                      ("compare", "oscillator.toml", "--method", "mp", "--step", "0.1", "--until", "1", "--json"),
                      (*run, "--event", "x", "--events", "e.csv"),
                      (*run, "-o", "a.npz"), (*run, "-o", "a.h5")):
            if ALLOCATIONS == "all" and words[-1] in ("e.csv", "a.npz", "a.h5"):
                continue  # copies that end while the file is open would write into it
            count = int(self.without_memory(words).stderr.rsplit("\n", 2)[-2].split()[0])
            self.assertGreater(count, 1000)
            for goes_on in (False, True):
                stride, most = (1, count) if ALLOCATIONS == "all" else (count // (places + 1), places)
                results = self.results_without_memory(words, stride, most, goes_on)
                if ALLOCATIONS == "all":
                    print(f"{' '.join(words)}, {'all from one on' if goes_on else 'one'}: {len(results)} failures, "
                          f"{sum(code == 0 for _, code, _ in results)} of them without consequence", flush=True)
                self.assertGreaterEqual(len(results), min(places, most))
                tried += len(results)
                bad = [result for result in results
                       if result[1] != 0 and (result[1] != 1 or "not enough memory" not in result[2])]
                self.assertEqual(bad, [], f"{words}, {count} allocations, {goes_on}")
        if ALLOCATIONS != "all":
            self.figure("failed_allocations", tried)

    def results_without_memory(self, words, stride, most, goes_on):
        """For each allocation that was let fail: its number, the exit code and the message."""
        for name in ("a.svg", "e.csv", "a.npz", "a.h5", "report"):
            (self.folder / name).unlink(missing_ok=True)
        copies = self.folder / "copies"
        copies.mkdir(exist_ok=True)
        self.write("copies/oscillator.toml", tool.OSCILLATOR)
        more = {"NOSLIP_FAIL_ON": "1"} if goes_on else {}
        result = self.without_memory(words, NOSLIP_FAIL_STRIDE=str(stride), NOSLIP_FAIL_MOST=str(most),
                                     NOSLIP_FAIL_REPORT=str(self.folder / "report"), NOSLIP_FAIL_FOLDER=str(copies), **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = [line.split(" ", 2) for line in (self.folder / "report").read_text(errors="replace").splitlines()]
        return [(int(number), int(code), message) for number, code, message in lines]

    def without_memory(self, words, **more):
        return subprocess.run([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, env=dict(os.environ, LD_PRELOAD=LIBRARY, **more), check=False)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
