# Checkpoints: runs that are killed, interrupted, extended or run out of disk go on byte for byte; damaged ones are refused.
#
# NOSLIP_KILLS=100 in the environment kills so often for each format, not only a few times.
import json
import os
import pty
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest

import tool

KILLS = int(os.environ.get("NOSLIP_KILLS", "4"))
CONTROLLED = """
name        = "cart"
coordinates = ["x", "phi"]
lagrangian  = "x'^2/2 + phi'^2/4 - cos(phi)/10"
constraints = ["x' = phi'"]
[inputs]
u = 0
w = 0
[forces]
x = "u + w"
[sampled]
every = 0.05
delay = 0.12
I = "last(I) + x/20"
u = "-x - x' - I/10"
[initial]
q = [1, 0]
"""
PUSHED = CONTROLLED[:CONTROLLED.index("[sampled]")] + CONTROLLED[CONTROLLED.index("[initial]"):]
SERIES = "t,w\n0,0\n1,0.5\n2.5,-0.25\n7,0.125\n"


class Checkpoints(tool.ToolTest):
    def start(self, *words, **options):
        process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()

    def wait_for_checkpoint(self, process, name, after=0.0):
        """Until it has been written since this time, or the process has ended."""
        path = self.folder / name
        self.wait_until(lambda: process.poll() is not None or (path.exists() and path.stat().st_mtime > after),
                        f"{name} is not written")

    @staticmethod
    def told(text):
        """A summary or a JSON document without the times that it took."""
        text = re.sub(r'"(wall_seconds|nanoseconds_per_step)": [^,]*,', "", text)
        return re.sub(r", [^,]* ns per step, .* s$", "", text, flags=re.M)

    def assert_told(self, a, b):
        self.assertEqual(self.told(a), self.told(b))

    def formats(self):
        endings = []
        for ending in ("csv", "npz", "h5"):
            result = subprocess.run([tool.binary(), "run", "sleigh", "--step", "0.1", "--steps", "1", "--force", "-o",
                                     f"probe.{ending}"], cwd=self.folder, capture_output=True)
            if result.returncode == 0:
                endings.append(ending)
        self.assertIn("csv", endings)
        return endings

    def break_at_random(self, words, checkpoint, kills, kind, codes):
        """Starts a run and breaks it so often, by this signal; again from the start if it has ended before. At least as
        many processes, when they have ended."""
        randomly = random.Random(kills)
        command, broken = words, 0
        for _ in range(10 * kills):
            if broken == kills:
                return
            before = time.time()
            process = self.start(*command)
            self.wait_for_checkpoint(process, checkpoint, before)
            time.sleep(randomly.random() * 0.08)
            process.send_signal(kind)
            out, error = process.communicate()
            self.assertIn(process.returncode, codes, error)
            broken += process.returncode != 0
            yield process
            if process.returncode == 0 and "--force" in words:
                command = words  # from the start
            elif (self.folder / checkpoint).exists():
                command = ["resume", checkpoint, *(["--json"] if "--json" in words else [])]
        self.fail("it is always finished before it is broken")

    def test_kills(self):
        formats = self.formats()
        for ending in formats:
            words = ["run", "sleigh", "--step", "0.01", "--steps", "300000", "--every", "20", "--json",
                     "--event", "sin(t)"]
            whole = self.tool(*words, "-o", f"whole.{ending}", "--events", f"events.{ending}")
            name, events = f"a.{ending}", f"e.{ending}"
            self.write(name, "precious")
            words += ["-o", name, "--events", events, "--force", "--checkpoint", "a.checkpoint",
                      "--checkpoint-every", "0.01"]
            for process in self.break_at_random(words, "a.checkpoint", KILLS, signal.SIGKILL, (0, -9)):
                self.assertIn(self.bytes_of(name), (b"precious", self.bytes_of(f"whole.{ending}")), "one whole file")
            result = self.tool("resume", "a.checkpoint", "--json", "--checkpoint-every", "60")
            self.assertEqual(self.bytes_of(name), self.bytes_of(f"whole.{ending}"))
            self.assertEqual(self.bytes_of(events), self.bytes_of(f"events.{ending}"))
            self.assertGreater(len(self.bytes_of(events)), 1000)
            self.assert_told(result.stdout, whole.stdout)
            self.assertFalse((self.folder / f"{name}.part").exists())
            self.assertFalse((self.folder / f"{events}.part").exists())
            self.assertFalse((self.folder / "a.checkpoint.new").exists())
            self.assertFalse((self.folder / "a.checkpoint.lock").exists())
            (self.folder / "a.checkpoint").unlink()
        if "NOSLIP_KILLS" not in os.environ:
            self.figure("kills", KILLS * len(formats))

    def test_kills_without_a_checkpoint_leave_the_old_file(self):
        for ending in self.formats():
            self.write(f"a.{ending}", "precious")
            process = self.start("run", "sleigh", "--step", "0.01", "--steps", "1e9", "-o", f"a.{ending}", "--force")
            part = self.folder / f"a.{ending}.part"
            self.wait_until(lambda: part.exists() and part.stat().st_size > 0, f"{part.name} does not appear")
            process.kill()
            process.communicate()
            self.assertEqual(self.bytes_of(f"a.{ending}"), b"precious")

    def test_signals(self):
        plot = ["--plot", "a.svg", "--show", "energy,x:y,theta"]
        words = ["run", "sleigh", "--method", "mp", "--step", "0.01", "--steps", "300000", "--every", "50", "--force"]
        whole = self.tool(*words, *plot, "-o", "a.csv")
        for kind, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            shutil.rmtree(self.folder / "b", ignore_errors=True)
            (self.folder / "b").mkdir()
            here = [word.replace("a.svg", "b/a.svg") for word in plot]
            run = [*words, *here, "-o", "b/a.csv", "--checkpoint", "b/checkpoint"]
            for process in self.break_at_random(run, "b/checkpoint", 3, kind, (0, code)):
                if process.returncode == code:
                    lines = self.bytes_of("b/a.csv").decode().split("\n")
                    self.assertEqual(lines[-1], "")
                    self.assertEqual({line.count(",") for line in lines[:-1]}, {lines[0].count(",")})
            result = self.tool("resume", "b/checkpoint")
            self.assertEqual(self.bytes_of("b/a.csv"), self.bytes_of("a.csv"))
            self.assertEqual(self.bytes_of("b/a.svg"), self.bytes_of("a.svg"))
            self.assert_told(result.stdout, whole.stdout)

    def test_the_message_of_an_interruption_says_how_to_go_on(self):
        process = self.start("run", "sleigh", "--step", "0.01", "--steps", "1e9", "--checkpoint", "a.checkpoint")
        self.wait_for_checkpoint(process, "a.checkpoint")
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate()
        self.assertEqual(process.returncode, 143)
        self.assertIn("noslip resume a.checkpoint", error)
        self.assertIn("interrupted", out)

    def test_the_time_left_does_not_count_steps_before_the_break(self):
        process = self.start("run", "sleigh", "--step", "0.01", "--steps", "1e12", "--json", "--checkpoint", "c")
        self.wait_for_checkpoint(process, "c")
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        before = json.loads(process.communicate()[0])["steps"]
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"there are no pseudo-terminals here: {error}")
        process = subprocess.Popen([tool.binary(), "resume", "c"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen, found = "", None
        while found is None:
            seen += os.read(master, 1000).decode()
            found = re.search(r"(\d+) of (\d+) steps, ([\d.]+) h left", seen)
        done, every, hours = int(found[1]), int(found[2]), float(found[3])
        self.assertGreater(done, before)
        # The bar is drawn after a second.
        self.assertGreater(3600 * hours * (done - before) / (every - done), 0.6, found[0])

    def run_in_two(self, *words, files=(), plain=("--json",)):
        """A run without a break, and one whose checkpoint before the last step is resumed."""
        for name in files:
            (self.folder / name).unlink(missing_ok=True)
        whole = self.tool("run", *words, *plain)
        kept = {name: self.bytes_of(name) for name in files}
        result = self.tool("run", *words, *plain, "--checkpoint", "two", "--force")
        self.assert_told(result.stdout, whole.stdout)
        again = self.tool("resume", "two")
        self.assert_told(again.stdout, whole.stdout)
        self.assertEqual(again.stderr, result.stderr)
        self.assertEqual({name: self.bytes_of(name) for name in files}, kept)

    def test_finished_runs_end_again_in_the_same_way(self):
        run = ("--step", "0.1", "--until", "7.03")
        self.run_in_two("sleigh", *run, "-o", "a.csv", files=["a.csv"])
        self.run_in_two("sleigh", *run, "-o", "a.csv", "--at", "1,pi,7", files=["a.csv"])
        self.run_in_two("rolling-coin-so3", *run, "-o", "a.csv", "--quaternions", files=["a.csv"])
        self.run_in_two("skate", *run, "--event", "x',stop=2", "--precision", "quad", plain=())
        self.run_in_two("skate", *run, "--at", "0.5,3", "--between", "step", "--plot", "a.svg", files=["a.svg"])
        for name in (f"e.{ending}" for ending in self.formats()):
            self.run_in_two("skate", *run, "--event", "x'", "--events", name, "-o", "a.csv", files=["a.csv", name])
        self.run_in_two("rolling-coin-so3", *run, "--quaternions", "--event", "sin(9*t)", "--events", "e.csv",
                        files=["e.csv"])
        several = [f"b.{ending}" for ending in self.formats()]
        self.run_in_two("sleigh", *run, *(word for name in several for word in ("-o", name)), files=several)
        self.write("cart.toml", CONTROLLED)
        self.write("w.csv", SERIES)
        self.run_in_two("cart.toml", "--step", "0.03", "--until", "9", "--input", "w=w.csv,linear", "-o", "a.csv",
                        files=["a.csv"])

    def test_a_finished_run_is_extended(self):
        for first, second in (("100", "200"), ("100.05", "200"), ("100", "200.05")):
            for ending in self.formats():
                words = ["run", "sleigh", "--step", "0.1", "--every", "7"]
                whole = self.tool(*words, "--until", second, "-o", f"whole.{ending}", "--force", "--json")
                self.tool(*words, "--until", first, "-o", f"a.{ending}", "--force", "--checkpoint", "c")
                result = self.tool("resume", "c", "--until", second, "--json")
                self.assert_told(result.stdout, whole.stdout)
                self.assertEqual(self.bytes_of(f"a.{ending}"), self.bytes_of(f"whole.{ending}"))
                # The new end is the end of the run from now on.
                self.assert_told(self.tool("resume", "c", "--json").stdout, whole.stdout)
                self.assert_told(self.tool("resume", "c", "--steps", "2100", "--json").stdout,
                                 self.tool(*words, "--steps", "2100", "--json", "-o", "n.csv", "--force").stdout)

    def test_an_extended_run_with_controls(self):
        self.write("w.csv", SERIES)
        words = ["run", "cart.toml", "--step", "0.02", "--input", "w=w.csv"]
        for system in (CONTROLLED, PUSHED):
            self.write("cart.toml", system)
            whole = self.tool(*words, "--until", "12", "--json", "-o", "whole.csv", "--force")
            for first in ("8", "8.03", "8.05", "3.33"):
                self.tool(*words, "--until", first, "-o", "a.csv", "--force", "--checkpoint", "c")
                self.tool("resume", "c")  # to the same end: another one stays possible
                self.assert_told(self.tool("resume", "c", "--until", "12", "--json").stdout, whole.stdout)
                self.assertEqual(self.bytes_of("a.csv"), self.bytes_of("whole.csv"))

    def test_notes_are_told_once(self):
        self.write("cart.toml", PUSHED)
        self.write("w.csv", SERIES)
        words = ["run", "cart.toml", "--step", "0.02", "--input", "w=w.csv", "--every", "7"]
        result = self.tool(*words, "--until", "8.03", "--checkpoint", "c")
        self.assertEqual(result.stderr.count("--every has no effect"), 1)
        result = self.tool("resume", "c", "--until", "12")
        self.assertLessEqual(result.stderr.count("--every has no effect"), 1)

    def test_files_that_were_read_may_be_gone_or_changed(self):
        self.write("cart.toml", CONTROLLED)
        self.write("w.csv", SERIES)
        words = ["run", "cart.toml", "--step", "0.02", "--input", "w=w.csv,linear", "--json"]
        whole = self.tool(*words, "--until", "12")
        self.tool(*words, "--until", "6", "--checkpoint", "c")
        self.write("cart.toml", CONTROLLED.replace("x'^2/2", "x'^2/3"))
        result = self.tool("resume", "c", "--until", "12")
        self.assert_told(result.stdout, whole.stdout)
        self.assertIn("'cart.toml' has changed since the run began", result.stderr)
        self.assertNotIn("w.csv", result.stderr)
        (self.folder / "cart.toml").unlink()
        (self.folder / "w.csv").unlink()
        result = self.tool("resume", "c", "--until", "12")
        self.assert_told(result.stdout, whole.stdout)
        self.assertNotIn("has changed", result.stderr)

    def limited(self, most):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    def test_a_file_that_may_not_grow(self):
        words = ["run", "sleigh", "--step", "0.01", "--steps", "200000", "--every", "10", "--json"]
        whole = self.tool(*words, "-o", "whole.csv")
        run = [*words, "-o", "a.csv", "--checkpoint", "c", "--checkpoint-every", "0.01"]
        process = self.start(*run, preexec_fn=self.limited(500000))
        _, error = process.communicate()
        self.assertEqual(process.returncode, 3, error)
        self.assertFalse((self.folder / "a.csv").exists())
        result = self.tool("resume", "c")
        self.assert_told(result.stdout, whole.stdout)
        self.assertEqual(self.bytes_of("a.csv"), self.bytes_of("whole.csv"))
        # The checkpoint itself has no room.
        before = self.bytes_of("c")
        process = self.start("resume", "c", "--until", "3000", preexec_fn=self.limited(1000))
        _, error = process.communicate()
        self.assertEqual(process.returncode, 3, error)
        self.assertEqual(self.bytes_of("c"), before)
        self.assertEqual(self.bytes_of("a.csv"), self.bytes_of("whole.csv"))
        self.assertFalse((self.folder / "c.new").exists())
        self.assert_told(self.tool("resume", "c").stdout, whole.stdout)

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(disk)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("only root can make a small disk")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        self.write("disk/ballast", "x" * 500000)
        words = ["run", "sleigh", "--step", "0.01", "--steps", "50000", "--every", "10", "--json"]
        whole = self.tool(*words, "-o", "whole.csv")
        self.tool(*words, "-o", "disk/a.csv", "--checkpoint", "disk/c", "--checkpoint-every", "0.001", code=3)
        self.assertFalse((disk / "a.csv").exists())
        self.tool("resume", "disk/c", code=3)  # there is no space yet
        (disk / "ballast").unlink()
        self.assert_told(self.tool("resume", "disk/c").stdout, whole.stdout)
        self.assertEqual(self.bytes_of("disk/a.csv"), self.bytes_of("whole.csv"))

    def make_checkpoint(self, *more):
        self.tool("run", "sleigh", "--step", "0.1", "--until", "10", "--quiet", "--checkpoint", "c", "--force", *more)
        return self.bytes_of("c")

    def refused(self, *words, code=2):
        return self.tool("resume", "c", *words, code=code).stderr

    def test_damaged_files(self):
        good = self.make_checkpoint()
        randomly = random.Random(1)
        sizes = (0, 1, 19, 20, 21, 30, 100, len(good) - 9, len(good) - 1, randomly.randrange(len(good)))
        places = (0, 19, 20, 40, len(good) - 1, *(randomly.randrange(len(good)) for _ in range(5)))
        for size in sizes:
            (self.folder / "c").write_bytes(good[:size])
            self.assertRegex(self.refused(), "is not a checkpoint|is not complete")
        for place in places:
            (self.folder / "c").write_bytes(good[:place] + bytes([good[place] ^ 8]) + good[place + 1:])
            self.assertRegex(self.refused(), "is not a checkpoint|is not complete")
        (self.folder / "c").write_bytes(b"t,x\n0,1\n" * 100)
        self.assertIn("is not a checkpoint", self.refused())
        self.assertIn("cannot read", self.tool("resume", "nothing", code=3).stderr)
        self.figure("damaged_checkpoints", len(sizes) + len(places))

    def remade(self, good, kind, version):
        """The same content under another kind and version."""
        begin = b"noslip checkpoint 1\n"
        at, texts = len(begin), []
        for _ in range(3):
            size = struct.unpack_from("<Q", good, at)[0]
            texts.append(good[at + 8:at + 8 + size])
            at += 8 + size
        texts[0], texts[1] = kind or texts[0], version or texts[1]
        whole = begin + b"".join(struct.pack("<Q", len(text)) + text for text in texts)
        total = 14695981039346656037
        for byte in whole:
            total = ((total ^ byte) * 1099511628211) % 2**64
        (self.folder / "c").write_bytes(whole + struct.pack("<Q", total))

    def test_other_versions_and_kinds(self):
        good = self.make_checkpoint()
        self.remade(good, None, b"0.0.1")
        self.assertIn("was written by noslip 0.0.1", self.refused())
        self.remade(good, b"dream", None)
        self.assertIn("checkpoint of 'dream'", self.refused())
        self.remade(good, None, None)
        self.assertEqual(self.bytes_of("c"), good)
        self.tool("resume", "c")

    def test_other_elementary_functions(self):
        self.make_checkpoint("--backend", "interpreter")
        def functions(isa):
            result = subprocess.run([tool.binary(), "run", "sleigh", "--step", "0.1", "--steps", "1", "--json"],
                                    capture_output=True, text=True, env=dict(os.environ, NOSLIP_ISA=isa), check=True)
            return json.loads(result.stdout)["functions"]
        if functions("") == functions("baseline"):
            self.skipTest("they are the same with fewer instructions")
        result = subprocess.run([tool.binary(), "resume", "c"], cwd=self.folder, capture_output=True, text=True,
                                env=dict(os.environ, NOSLIP_ISA="baseline"), check=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("elementary functions", result.stderr)
        self.tool("resume", "c")

    def test_bytes_behind_the_end(self):
        good = self.make_checkpoint("-o", "a.csv")
        at = len(b"noslip checkpoint 1\n")

        def text():
            nonlocal at
            begin, at = at + 8, at + 8 + struct.unpack_from("<Q", good, at)[0]
            return good[begin:at]

        kind, version, content = text(), text(), text()
        good, at = content, 8
        for _ in range(struct.unpack_from("<Q", content, 0)[0]):
            text()  # words
        self.assertEqual(struct.unpack_from("<Q", content, at)[0], 0, "no file was read")
        at += 8
        text()  # of the run
        begin = at
        followers = text() + b"more"
        self.assertEqual(len(content) - at, 1, "there is no other position")
        content = content[:begin] + struct.pack("<Q", len(followers)) + followers + content[at:]
        good = b"noslip checkpoint 1\n" + b"".join(struct.pack("<Q", len(one)) + one for one in (kind, version, content))
        self.remade(good, None, None)
        self.assertIn("more bytes than it should have", self.refused())

    def test_ends_that_do_not_fit(self):
        self.make_checkpoint()
        self.assertIn("reached t = 9.9 already", self.refused("--until", "5"))
        self.assertIn("before t = 9.9 were chosen for another end", self.refused("--until", "9.902"))
        self.assertIn("both given", self.refused("--until", "50", "--steps", "1000"))
        self.assertIn("--until", self.refused("--until", "soon"))
        self.make_checkpoint("--plot", "a.svg")
        self.assertIn("draws a plot", self.refused("--until", "50"))
        self.tool("resume", "c")

    def test_data_files_that_do_not_fit(self):
        self.make_checkpoint("-o", "a.csv")
        whole = self.bytes_of("a.csv")
        self.write("a.csv", whole.decode()[:1000])
        self.refused(code=3)
        changed = whole.replace(b"0", b"1", 1)
        (self.folder / "a.csv").write_bytes(changed)
        self.refused(code=3)
        self.assertEqual(self.bytes_of("a.csv"), changed, "it is left as it is")
        (self.folder / "a.csv").unlink()
        self.assertIn("a.csv", self.refused(code=3))
        (self.folder / "a.csv").write_bytes(whole + b"more rows\n")
        self.tool("resume", "c")
        self.assertEqual(self.bytes_of("a.csv"), whole)

    def test_a_run_that_is_refused_leaves_the_old_checkpoint(self):
        good = self.make_checkpoint()
        self.tool("run", "sleigh", "--step", "0.1", "--until", "1", "--init", "y'=1", "--checkpoint", "c", "--force", code=2)
        self.assertEqual(self.bytes_of("c"), good)

    def test_two_writers(self):
        words = ["run", "sleigh", "--step", "0.01", "--checkpoint", "c", "--force"]
        process = self.start(*words, "--steps", "1e12")
        self.wait_for_checkpoint(process, "c")
        os.symlink("c", self.folder / "link")
        for other in ([*words, "--steps", "10"], ["resume", "c"], ["resume", "link"]):
            self.assertIn("another program is writing the checkpoint", self.tool(*other, code=3).stderr)
        process.kill()
        process.communicate()
        resumed = self.start("resume", "c")  # what a killed program leaves is in nobody's way
        self.wait_for_checkpoint(resumed, "c", (self.folder / "c").stat().st_mtime)
        self.assertIn("another program is writing the checkpoint", self.tool("resume", "c", code=3).stderr)
        resumed.send_signal(signal.SIGINT)
        resumed.communicate()
        self.assertEqual(resumed.returncode, 130)
        self.assertFalse((self.folder / "c.lock").exists())
        self.tool(*words, "--steps", "10")

    def test_what_is_refused_at_the_start(self):
        run = ("run", "sleigh", "--step", "0.1", "--until", "1")
        for words, part in ((("-o", "-", "--checkpoint", "c"), "cannot be continued"),
                            (("--checkpoint", "-"), "not a file"),
                            (("--checkpoint", "a.csv", "-o", "a.csv"), "writes to this file"),
                            (("--checkpoint", "./a.csv", "-o", "a.csv"), "writes to this file"),
                            (("--checkpoint", "a.csv.part", "-o", "./a.csv"), "writes to this file"),
                            (("--checkpoint", "a.h5.part.new", "-o", "a.h5"), "writes to this file"),
                            (("--checkpoint", "a.npz.part.zip", "-o", "a.npz"), "writes to this file"),
                            (("--checkpoint", "e.csv.part", "--event", "x'", "--events", "e.csv"), "writes to this file"),
                            (("-o", "a.csv", "--event", "x'", "--events", "./a.csv"), "name the same file"),
                            (("--force",), "--checkpoint"),
                            (("--checkpoint-every", "5"), "has no effect"),
                            (("--checkpoint", "c", "--checkpoint-every", "0"), "greater than zero")):
            self.assertIn(part, self.tool(*run, *words, code=2).stderr)
        self.assertIn("folder has to exist", self.tool(*run, "--checkpoint", "no/c", code=3).stderr)
        self.make_checkpoint()
        self.assertIn("exists", self.tool(*run, "--checkpoint", "c", code=3).stderr)
        self.tool(*run, "--checkpoint", "c", "--force")
        self.tool("resume", code=2)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
