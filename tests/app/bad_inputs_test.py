#!/usr/bin/env python3
# Wrong command lines and system files: each is refused with the right exit code and a message that helps.
import pathlib
import stat
import unittest
import xml.etree.ElementTree

import tool
from bad_inputs import CASES, FILES


class BadInputs(tool.ToolTest):
    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.write(name, text)
        (self.folder / "binary.toml").write_bytes(bytes(range(256)))
        (self.folder / "folder.toml").mkdir()
        (self.folder / "folder.csv").mkdir()
        (self.folder / "folder.svg").mkdir()
        self.write("exists.csv", "precious\n")
        self.write("exists.npz", "precious\n")
        self.write("exists.svg", "precious\n")

    def test_every_case(self):
        for words, code, fragments in CASES:
            with self.subTest(" ".join(words)):
                result = tool.run(*words, folder=self.folder)
                self.assertEqual(result.returncode, code, result.stderr)
                for fragment in fragments:
                    self.assertIn(fragment, result.stderr)
                self.assert_is_a_good_message(result.stderr)
                if code in (2, 3):
                    self.assertEqual(result.stdout, "")
        self.figure("command_lines", len(CASES))

    def test_nothing_is_obeyed_by_a_terminal(self):
        evil = "a\x1b[2J\x07\x7f\u009b1m\u202eb\u2066\u2028\ufeff"
        self.write("evil.toml", f'name = "{evil}"\n'.replace("\x1b", "\\u001b").replace("\x07", "\\u0007").replace(
            "\x7f", "\\u007f") + 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[initial]\nq = [0]\nv = [1]\n')
        self.write("wrong.toml", f'coordinates = ["x"]\nlagrangian = "x\'^2/2 + {evil[6:].replace(chr(127), "")}"\n')
        (self.folder / "bytes.toml").write_bytes(b'coordinates = ["x"]\nlagrangian = "\xff\xfe\x1b[2J"\n')
        (self.folder / f"{evil}.toml").write_text('coordinates = ["x"]\n', encoding="utf-8")
        steps = ["--step", "0.1", "--steps", "2"]
        for words in (["run", "evil.toml", *steps], ["run", "evil.toml", *steps, "--json"], ["check", "evil.toml"],
                      ["show", "evil.toml"], ["show", "evil.toml", "--json"], ["check", "wrong.toml"],
                      ["check", "bytes.toml"], ["check", f"{evil}.toml"], [evil], ["run", evil], ["run", "skate", evil],
                      ["run", "skate", f"--{evil}"], ["run", "skate", "--step", evil, "--steps", "1"],
                      ["run", "skate", *steps, "--set", f"{evil}=1"], ["run", "skate", *steps, "--event", evil],
                      ["run", "skate", *steps, "--method", evil], ["run", "skate", *steps, "-o", f"{evil}.xyz"],
                      ["run", "skate", *steps, "-o", f"{evil}/a.csv"], ["systems", "--toml", evil], ["methods", evil],
                      ["reproduce", evil]):
            result = tool.run(*words, folder=self.folder)
            with self.subTest(words[:2]):
                for character in evil:
                    if character not in "ab[2J1m":
                        self.assertNotIn(character, result.stdout + result.stderr)
        self.assertEqual(self.document("run", "evil.toml", *steps)["system"], evil)
        self.tool("run", "evil.toml", *steps, "--plot", "evil.svg")

    def test_pictures_are_xml(self):
        self.write("odd.toml", 'name = "a\\uFFFE\\uFFFF\\u0001\\u0085\\U0010FFFF<&>\\uFFFD"\ncoordinates = ["x"]\n'
                   'lagrangian = "x\'^2/2"\n[initial]\nq = [0]\nv = [1]\n')
        self.tool("run", "odd.toml", "--step", "0.1", "--steps", "5", "--plot", "odd.svg")
        text = "".join(xml.etree.ElementTree.parse(self.folder / "odd.svg").getroot().itertext())
        self.assertIn("a??", text)

    def test_messages_are_short(self):
        long = "x" * 900000
        self.write("long.toml", f'coordinates = ["x"]\nlagrangian = "x\'^2/2 + {long}y + 1"\n[initial]\nq = [0]\nv = [1]\n')
        self.write("key.toml", f'{long} = 1\ncoordinates = ["x"]\nlagrangian = "x\'^2/2"\n')
        self.write("many.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\n[forces]\n' +
                   "".join(f'y{i} = "1"\n' for i in range(5000)))
        self.write("sum.toml", 'coordinates = ["x"]\nlagrangian = "x\'^2/2"\nconstraints = ["x\' = 0' + " + 0*x" * 100000 +
                   ' + 1"]\n[initial]\nq = [0]\nv = [2]\n')
        for name in ("long", "key", "many", "sum"):
            result = tool.run("check", f"{name}.toml", folder=self.folder)
            self.assertNotEqual(result.returncode, 0)
            self.assertLess(len(result.stdout + result.stderr), 20000, name)
        self.assertIn("more problems", tool.run("check", "many.toml", folder=self.folder).stderr)

    def assert_is_a_good_message(self, text):
        for word in ("bug", "terminate", "Traceback", "Assertion", "what():", "std::"):
            self.assertNotIn(word, text)
        first = text.splitlines()[0]
        self.assertRegex(first, r"^(noslip: \S|[\w./-]+\.toml:)|^usage: ")

    def test_there_are_many_cases(self):
        self.assertGreaterEqual(len(CASES), 70)

    def test_nothing_was_overwritten_or_left_behind(self):
        before = sorted(path.name for path in self.folder.iterdir())
        for words, _, _ in CASES:
            tool.run(*words, folder=self.folder)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)
        for name in ("exists.csv", "exists.npz", "exists.svg"):
            self.assertEqual((self.folder / name).read_text(), "precious\n")

    def test_all_problems_of_a_file_at_once(self):
        result = self.tool("check", "many.toml", code=2)
        for fragment in ("tehta", "foo", "bar"):
            self.assertIn(fragment, result.stderr)

    def test_all_problems_of_a_command_line_at_once(self):
        result = self.tool("run", "nosuchthing", "--step", "0", "--steps", "1.5", "--method", "gaus:2", code=2)
        for fragment in ("nosuchthing", "--step 0", "--steps 1.5", "gaus:2"):
            self.assertIn(fragment, result.stderr)

    def test_a_file_error_shows_place_line_and_caret(self):
        result = self.tool("check", "typo.toml", code=2)
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], r"^typo\.toml:3:\d+: .*'tehta'")
        column = int(lines[0].split(":")[2])
        self.assertIn("tehta", lines[1])
        self.assertEqual(lines[2].strip(), "^")
        self.assertTrue(lines[1][lines[2].index("^"):].startswith("tehta"), result.stderr)
        self.assertGreater(column, 1)

    def test_a_folder_that_may_not_be_written(self):
        locked = self.folder / "locked"
        locked.mkdir()
        locked.chmod(stat.S_IRUSR | stat.S_IXUSR)
        self.addCleanup(locked.chmod, stat.S_IRWXU)
        try:
            (locked / "probe").touch()
        except PermissionError:
            pass
        else:
            self.skipTest("this user may write everywhere")
        result = self.tool("run", "skate.toml", "--step", "0.1", "--steps", "2", "-o", locked / "a.csv", code=3)
        self.assertIn("may write", result.stderr)

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "no /dev/full here")
    def test_standard_output_that_is_full(self):
        for words in (["--help"], ["systems"], ["methods", "--json"], ["check", "skate.toml"],
                      ["converge", "skate.toml", "--steps-list", "0.1,0.05", "--until", "1"],
                      ["run", "skate.toml", "--step", "0.1", "--steps", "3"],
                      ["run", "skate.toml", "--step", "0.1", "--steps", "3", "--json"],
                      ["run", "skate.toml", "--step", "0.1", "--steps", "3", "-o", "-"]):
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.tool(*words, code=3, stdout=full)
                self.assertIn("standard output", result.stderr)

    def test_deep_nesting_is_no_crash(self):
        for depth in (1000, 200000):
            for opening, closing in (("(", ")"), ("-", ""), ("sin(", ")"), ("2^", "")):
                text = opening * depth + "x" + closing * depth
                self.write("deep.toml", f'coordinates = ["x"]\nlagrangian = "x\'^2/2 + {text}"\n')
                with self.subTest(f"{opening} {depth}"):
                    result = tool.run("check", "deep.toml", folder=self.folder)
                    self.assertIn(result.returncode, (0, 2, 4), result.stderr[:500])


if __name__ == "__main__":
    tool.binary()
    unittest.main()
