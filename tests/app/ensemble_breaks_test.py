# Ensembles that are killed, interrupted or run out of disk: they go on byte for byte.
#
# NOSLIP_KILLS=100 in the environment kills so often for each format, not only a few times.
import json
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import time
import unittest

import ensembles
import tool
from ensembles import CHAOTIC, SECONDS, SKATES

KILLS = int(os.environ.get("NOSLIP_KILLS", "2"))


class Breaks(ensembles.EnsembleTest):
    WORDS = (*CHAOTIC, "--until", "1000", "--every", "10000", "--grid", "j=0:5999:6000", "--set", "J=5999", "--json",
             "--columns", "x,w1,x'", "--reduce", "mean(x),variance(w1),quantile(x,0.9),histogram(x,-1,1,5)")
    CHECKPOINT = ("--checkpoint", "c", "--checkpoint-every", "0.05")

    def wait_for_checkpoint(self, process, after):
        """Until it has been written since this time, or the process has ended."""
        path = self.folder / "c"
        for _ in range(int(SECONDS / 0.005)):
            if process.poll() is not None or (path.exists() and path.stat().st_mtime > after):
                return
            time.sleep(0.005)
        self.fail("no checkpoint is written")

    @staticmethod
    def told(text):
        """A JSON document without the times that it took, and who did it."""
        return re.sub(r'"(wall_seconds|trajectories_per_second|threads|ranks|lanes)": [^,]*,', "", text)

    def assert_resumed(self, name, whole, *words):
        """The rest, and nothing else is left."""
        result = self.tool("resume", "c", "--json", *words)
        self.assertEqual(self.bytes_of(name), self.bytes_of("whole." + name.split(".")[1]))
        self.assertEqual(self.told(result.stdout), self.told(whole))
        for left in (f"{name}.part", "c.new", "c.lock"):
            self.assertFalse((self.folder / left).exists(), left)

    def killed(self, words, randomly, ranks=0, kill=subprocess.Popen.kill):
        """Whether it was killed before its end, a little after a checkpoint."""
        before = time.time()
        process = self.start(*words, ranks=ranks)
        self.wait_for_checkpoint(process, before)
        time.sleep(randomly.random() * 0.1)
        kill(process)
        _, error = process.communicate(timeout=SECONDS)
        if not ranks:
            self.assertIn(process.returncode, (0, -9), error)
        return process.returncode != 0

    def kill_often(self, ending, kills, may_begin=False, **options):
        """Kills a run and what goes on from it; the file is what it was or the whole one at any time (or, if its writer may
        end by itself, the first members)."""
        randomly, broken = random.Random(kills), 0
        whole = self.tool(*self.WORDS, "-o", f"whole.{ending}", "--force").stdout
        name = f"a.{ending}"
        self.write(name, "precious")
        allowed = (b"precious", self.bytes_of(f"whole.{ending}"))
        words = (*self.WORDS, "-o", name, "--force", *self.CHECKPOINT, "--threads", "1")
        command = words
        for _ in range(10 * kills):
            if broken == kills:
                break
            was_killed = self.killed(command, randomly, **options)
            broken += was_killed
            found = self.bytes_of(name)
            has_begun = may_begin and found.endswith(b"\n") and found.count(b"\n") % 3 == 1 and allowed[1].startswith(found)
            self.assertTrue(found in allowed or has_begun, "a torn file")
            command = ("resume", "c", "--threads", str(randomly.choice((1, 2, 3)))) if was_killed else words
        self.assertEqual(broken, kills, "it is always finished before it is killed")
        self.assert_resumed(name, whole, "--threads", "2")
        (self.folder / "c").unlink()

    def test_kills(self):
        formats = self.formats()
        for ending in formats:
            self.kill_often(ending, KILLS)
        if "NOSLIP_KILLS" not in os.environ:
            self.figure("ensemble_kills", KILLS * len(formats))

    @staticmethod
    def kill_a_rank(number, kind=signal.SIGKILL):
        """Of those that an mpirun has started."""
        def kill(launcher):
            children = pathlib.Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children")
            for child in children.read_text().split() if children.exists() else []:
                try:
                    variables = pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
                    if f"OMPI_COMM_WORLD_RANK={number}".encode() in variables:
                        os.kill(int(child), kind)
                except OSError:
                    pass  # it has ended
        return kill

    def test_a_rank_is_killed(self):
        if reason := ensembles.lacks_ranks():
            self.skipTest(reason)
        # mpirun ends the writer (rank 0) with SIGTERM if it is another that is killed.
        self.kill_often("npz", max(1, KILLS // 2), ranks=3, kill=self.kill_a_rank(0))
        self.kill_often("csv", max(1, KILLS // 2), may_begin=True, ranks=3, kill=self.kill_a_rank(2))

    def test_resumed_by_ranks(self):
        if reason := ensembles.lacks_ranks():
            self.skipTest(reason)
        whole = self.tool(*self.WORDS, "-o", "whole.csv").stdout
        randomly = random.Random(1)
        while not self.killed((*self.WORDS, "-o", "a.csv", "--force", *self.CHECKPOINT), randomly):
            pass
        told = self.with_ranks(3, "resume", "c", "--threads", "1", "--json")
        self.assertEqual(self.bytes_of("a.csv"), self.bytes_of("whole.csv"))
        self.assertEqual(self.told(told), self.told(whole))

    def test_signals(self):
        whole = self.tool(*self.WORDS, "-o", "whole.csv").stdout
        for kind, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            process = None
            while process is None or process.returncode == 0:  # it may have finished before
                before = time.time()
                process = self.start(*self.WORDS, "-o", "a.csv", "--force", *self.CHECKPOINT)
                self.wait_for_checkpoint(process, before)
                process.send_signal(kind)
                out, error = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, code, error)
            self.assertIn("noslip resume c", error)
            self.assertEqual(json.loads(out)["status"], "interrupted")
            begun = self.bytes_of("a.csv")
            self.assertTrue(begun.endswith(b"\n") and self.bytes_of("whole.csv").startswith(begun), "whole rows")
            self.assertEqual(begun.count(b"\n") - 1, 3 * json.loads(out)["done"], "whole members")
            self.assert_resumed("a.csv", whole, "--threads", "1")

    def test_terminated_then_killed(self):
        """The file of the first break is its own, and no reason to refuse the next one."""
        for ending in self.formats():
            whole = self.tool(*self.WORDS, "-o", f"whole.{ending}", "--force").stdout
            first = (*self.WORDS, "-o", f"a.{ending}", *self.CHECKPOINT, "--threads", "1")
            for words, number in ((first, signal.SIGTERM), (("resume", "c"), signal.SIGKILL)):
                before = time.time()
                process = self.start(*words)
                self.wait_for_checkpoint(process, before)
                process.send_signal(number)
                process.communicate(timeout=SECONDS)
            self.assert_resumed(f"a.{ending}", whole)
            (self.folder / "c").unlink()

    def test_a_rank_is_told_to_end(self):
        if reason := ensembles.lacks_ranks():
            self.skipTest(reason)
        whole = self.tool(*self.WORDS, "-o", "whole.csv").stdout
        words = (*self.WORDS, "-o", "a.csv", "--force", *self.CHECKPOINT, "--threads", "1")
        for kind, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            process = None
            while process is None or process.returncode == 0:
                before = time.time()
                process = self.start(*words, ranks=2)
                self.wait_for_checkpoint(process, before)
                self.kill_a_rank(0, kind)(process)
                _, error = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, code, error)
            self.assertIn("noslip resume c", error)
            begun = self.bytes_of("a.csv")
            self.assertTrue(begun.endswith(b"\n") and self.bytes_of("whole.csv").startswith(begun), "whole rows")
            self.assert_resumed("a.csv", whole)

    def test_a_picture_is_resumed(self):
        words = tuple(word for word in self.WORDS if word != "--json")
        for name, more in (("members", words[:words.index("--columns")] + ("--columns", "x")), ("reduced", words)):
            self.tool(*more, "--plot", "whole.svg", "--force")
            randomly = random.Random(1)
            while not self.killed((*more, "--plot", f"{name}.svg", "--force", *self.CHECKPOINT), randomly):
                (self.folder / f"{name}.svg").unlink()
            self.assertFalse((self.folder / f"{name}.svg").exists())
            self.tool("resume", "c", "--threads", "1")
            self.assertEqual(self.bytes_of(f"{name}.svg"), self.bytes_of("whole.svg"))

    def test_resumed_when_it_is_done(self):
        whole = self.tool(*self.WORDS, "-o", "whole.csv", *self.CHECKPOINT).stdout
        self.tool(*self.WORDS, "-o", "a.csv", *self.CHECKPOINT, "--force")
        self.assert_resumed("a.csv", whole)

    def test_a_file_that_may_not_grow(self):
        whole = self.tool(*self.WORDS, "-o", "whole.csv").stdout
        self.write("a.csv", "precious")
        words = (*self.WORDS, "-o", "a.csv", "--force", *self.CHECKPOINT)
        most = 400000
        process = self.start(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        _, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 3, error)
        self.assertIn("a.csv", error)
        self.assertEqual(self.bytes_of("a.csv"), b"precious")
        self.assert_resumed("a.csv", whole, "--threads", "1")

    def test_a_file_that_is_removed(self):
        process = self.start(*self.WORDS, "-o", "a.csv", *self.CHECKPOINT)
        self.wait_for_checkpoint(process, 0)
        (self.folder / "a.csv.part").unlink()
        _, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 3, error)
        self.assertIn("was removed", error)
        self.assertIn("is missing", self.tool("resume", "c", code=3).stderr)

    def test_folders_that_cannot_be_written(self):
        for name in ("no/a.csv", "skate.toml/a.h5", "/proc/a.npz"):
            self.assertIn("cannot write", self.tool(*SKATES, "--grid", "phi'=1:2:3", "-o", name, code=3).stderr)
            self.tool(*SKATES, "--grid", "phi'=1:2:3", "--checkpoint", name, code=3)
        self.write("a.csv", "precious")
        self.tool(*SKATES, "--grid", "phi'=1:2:3", "-o", "a.csv", code=3)
        self.assertEqual(self.bytes_of("a.csv"), b"precious")


if __name__ == "__main__":
    tool.binary()
    unittest.main()
