#!/usr/bin/env python3
# Signals that come before there is a result: every command ends soon, and a run with a checkpoint can be resumed.
import os
import pathlib
import pty
import re
import signal
import subprocess
import time
import unittest

import tool


class Preparation(tool.ToolTest):
    """Large systems take seconds until their first step: that is told on a terminal, and ends with a signal."""

    LARGE = ("links", "--set", "n=3000", "--method", "gauss:2", "--step", "0.01", "--steps", "2")

    def prepare(self, *words):
        """A process that has announced that it is preparing a step, and its terminal."""
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"there are no pseudo-terminals here: {error}")
        process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=slave, encoding="utf-8")
        os.close(slave)
        self.addCleanup(os.close, master)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        seen = ""
        while "preparing the step ..." not in seen:
            seen += os.read(master, 1000).decode()
        self.assertNotIn("%", seen)
        return process, master

    def test_a_signal_ends_it(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(number):
                process, terminal = self.prepare("run", *self.LARGE, "-o", "a.csv", "--plot", "a.svg")
                process.send_signal(number)
                output = process.communicate(timeout=tool.TIMEOUT_SECONDS)[0]
                seen = os.read(terminal, 10000).decode()
                self.assertEqual(process.returncode, code, seen)
                self.assertIn("interrupted before there was a result", seen)
                self.assertEqual(output, "")
                self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("a.")], [])

    def test_other_commands_end_too(self):
        files = [self.folder / name for name in ("old.csv", "old.svg")]
        for path in files:
            path.write_text("as it was\n")
        for words in (("bench", *self.LARGE[:-2]), ("compare", *self.LARGE[:-2], "--until", "0.02"),
                      ("compare", *self.LARGE[:-2], "--until", "0.02", "--plot", "old.svg", "--force"),
                      ("section", *self.LARGE[:-2], "--when", "x[1] - 1", "--crossings", "2", "-o", "old.csv",
                       "--plot", "old.svg", "--force"),
                      ("check", "links", "--set", "n=6000"), ("methods", "links", "--set", "n=6000"),
                      ("show", "links", "--set", "n=2000"), ("show", "links", "--set", "n=2000", "--json")):
            with self.subTest(words[0]):
                process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
                self.addCleanup(process.kill)
                status = pathlib.Path(f"/proc/{process.pid}/stat")
                busy = 2 if words[0] == "show" else 0.5  # seconds; then its equations are derived
                while (process.poll() is None and
                       int(status.read_text().rsplit(")", 1)[1].split()[11]) < busy * os.sysconf("SC_CLK_TCK")):
                    time.sleep(0.02)
                begin = time.monotonic()
                process.send_signal(signal.SIGINT)
                messages = process.communicate(timeout=tool.TIMEOUT_SECONDS)[1]
                self.assertLess(time.monotonic() - begin, 4, "a second on a machine that has time for it")
                self.assertEqual(process.returncode, 130, messages)
                self.assertIn("interrupted", messages)
                self.assertEqual([path.read_text() for path in files], ["as it was\n"] * 2)

    def test_a_reader_that_does_not_read(self):
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        process = subprocess.Popen([tool.binary(), "show", "links", "--set", "n=100", "--json"], stdout=writing,
                                   stderr=subprocess.PIPE, encoding="utf-8")
        os.close(writing)
        self.addCleanup(process.kill)
        time.sleep(1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        messages = process.communicate(timeout=tool.TIMEOUT_SECONDS)[1]
        self.assertEqual((process.returncode, messages), (143, "noslip: interrupted before there was a result\n"))


class Beginnings(tool.ToolTest):
    """Checkpoints of runs that have not begun."""

    def start(self, *words):
        process = subprocess.Popen([tool.binary(), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_interrupted_while_preparing(self):
        words = ["run", "links", "--set", "n=600", "--step", "0.01", "--steps", "2", "-o", "a.csv", "--quiet"]
        for kind, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            process = self.start(*words, "--checkpoint", "c", "--force")
            time.sleep(0.3)
            process.send_signal(kind)
            error = process.communicate()[1]
            self.assertEqual(process.returncode, code, error)
            self.assertIn("to go on: noslip resume c\n", error)
            self.assertEqual(sorted(path.name for path in self.folder.glob("[ac]*")), ["c"])
        self.assertEqual(subprocess.run([tool.binary(), "resume", "c"], cwd=self.folder, check=False).returncode, 0)
        subprocess.run([tool.binary(), *words[:-2], "b.csv", "--quiet"], cwd=self.folder, check=True)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_ended_while_nothing_is_asked(self):
        """A preparation that takes no notice of a signal, here because its system does not come out of a pipe."""
        os.mkfifo(self.folder / "pipe.toml")
        writer = os.open(self.folder / "pipe.toml", os.O_RDWR)
        words = ["run", "pipe.toml", "--step", "0.1", "--until", "1", "--json"]
        process = self.start(*words, "--checkpoint", "c")
        time.sleep(0.5)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
        self.assertLess(time.monotonic() - begin, 5)
        self.assertEqual(process.returncode, 130, error)
        self.assertEqual(error, "noslip: interrupted before there was a result\nnoslip: to go on: noslip resume c\n")
        self.assertFalse((self.folder / "c.lock").exists())
        os.close(writer)
        (self.folder / "pipe.toml").unlink()
        self.write("pipe.toml", tool.SKATE)
        told = [re.sub(r'"(wall_seconds|nanoseconds_per_step)": [^,]*,', "", self.tool(*command).stdout)
                for command in (("resume", "c"), words)]
        self.assertEqual(*told)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
