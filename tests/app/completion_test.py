#!/usr/bin/env python3
# Completion in bash, zsh and fish, and the manual page: they know what `--help` knows.
import os
import pathlib
import re
import resource
import shutil
import subprocess
import unittest

import tool

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"

# bash: completes the words of each line, which are separated as readline does it, and prints what COMPREPLY is.
BASH = r"""
eval "$("$NOSLIP_TOOL" --completion bash)"
[[ $(complete -p noslip) == *_noslip* ]] || exit 1
while IFS= read -r line; do
  IFS=$'\t' read -r -a COMP_WORDS <<<"$line"
  [[ $line != *$'\t' ]] || COMP_WORDS+=("")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _noslip
  (IFS=$'\t'; printf '%s\n' "${COMPREPLY[*]}")
done
"""

# zsh: what would reach its completion system.
ZSH = r"""
compdef() { }
_describe() {
  local one
  for one in "${(@P)argv[3]}"; do
    one=${${one//\\:/$'\1'}%%:*}
    printf '%s\t' "${one//$'\1'/:}"
  done
}
_files() { printf '%s\t' ":$*" }
compset() { PREFIX=${PREFIX#*=} }
eval "$("$NOSLIP_TOOL" --completion zsh)"
while IFS= read -r line; do
  words=("${(@s:	:)line}")
  CURRENT=$#words
  PREFIX=$words[CURRENT]
  _noslip
  printf '\n'
done
"""

# fish itself.
FISH = r"""
$NOSLIP_TOOL --completion fish | source
while read -l line
    set -l found (complete -C "$line" | string replace -r '\t.*' '')
    echo (string join \t -- $found)
end
"""


class ShellTest(tool.ToolTest):
    def setUp(self):
        super().setUp()
        (self.folder / "parts").mkdir()
        for name in ["a.csv", "b.h5", "c.txt"]:
            self.write(name, "")
        path = f"{pathlib.Path(tool.binary()).parent}:{os.environ['PATH']}"
        self.environment = dict(os.environ, PATH=path, HOME=str(self.folder))

    def completions(self, *words):
        """Words and what they mean."""
        lines = self.tool("--complete", *words).stdout.splitlines()
        return dict(line.split("\t") if "\t" in line else (line, "") for line in lines)

    def shell(self, command, lines):
        if shutil.which(command[0]) is None:
            self.skipTest(f"{command[0]} is not installed")
        result = subprocess.run(command, input="".join(line + "\n" for line in lines), cwd=self.folder,
                                encoding="utf-8", env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                check=False, timeout=6 * tool.TIMEOUT_SECONDS)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        found = [set(filter(None, line.split("\t"))) for line in result.stdout.splitlines()]
        self.assertEqual(len(found), len(lines), result.stdout)
        return found

    def verbs(self):
        text = self.tool("--help").stdout.split("\nVerbs:\n")[1].split("\n\n")[0]
        return re.findall(r"^  (\w+)", text, re.MULTILINE)

    def listed(self, verb):
        text = self.tool(verb, "--help").stdout.split("\nOptions:\n")[1].split("\n\n")[0]
        return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))

    def check_shell(self, command, line_of):
        """All verbs and options, and words of each kind."""
        verbs = self.verbs()
        self.assertIn("run", verbs)
        found = self.shell(command, [line_of([""]), *(line_of([verb, "--"]) for verb in verbs)])
        self.assertEqual(found[0], set(verbs))
        for verb, options in zip(verbs, found[1:]):
            self.assertEqual(options, self.listed(verb), verb)
        cases = [(["run", "sle"], "sleigh"), (["run", "sk"], "skate"), (["run", "x", "--method", "mp-h"], "mp-hilden"),
                 (["compare", "x", "--method", "mp,rat"], "mp,rattle"), (["run", "x", "--precision", "q"], "quad"),
                 (["reproduce", "jay2009-fig-8.1"], "jay2009-fig-8.1"),
                 (["systems", "--toml", "sleigh-"], "sleigh-reduced"), (["run", "x", "--output", "run.np"], "run.npz"),
                 (["--completion", "f"], "fish")]
        for (words, wanted), got in zip(cases, self.shell(command, [line_of(words) for words, _ in cases])):
            self.assertIn(wanted, got, words)


class Completion(ShellTest):
    def test_words_are_known_to_the_tool(self):
        verbs = self.verbs()
        self.assertEqual(set(self.completions("")), set(verbs))
        self.assertEqual(self.completions("ru")["run"], "integrate a system and print a summary")
        self.assertEqual(set(self.completions("-")), {"--help", "--version", "--completion", "--man"})
        for verb in verbs:
            self.assertEqual(set(self.completions(verb, "--")), self.listed(verb), verb)
        systems = {entry["name"] for entry in self.document("systems")["systems"]}
        self.assertEqual(set(self.completions("run", "")), systems | {":files toml"})
        families = {entry["name"] for entry in self.document("methods")["methods"]}
        self.assertEqual({name.rstrip(":") for name in self.completions("run", "x", "--method", "")}, families)
        ids = {entry["id"] for entry in self.document("reproduce", "--list")["entries"]}
        self.assertEqual(set(self.completions("reproduce", "")), ids)
        self.assertEqual(set(self.completions("reproduce", "jay2009-fig-8.1", "")), ids)

    def test_values(self):
        self.assertEqual(list(self.completions("run", "x", "--backend", "")), ["auto", "jit", "interpreter"])
        self.assertEqual(list(self.completions("run", "x", "--backend=j")), ["--backend=jit"])
        self.assertEqual(list(self.completions("bench", "x", "--lanes", "1,")), ["1,1", "1,4", "1,8"])
        self.assertEqual(list(self.completions("run", "x", "--show", "energy,inv")), ["energy,invariants"])
        self.assertIn("gauss:64", self.completions("run", "x", "--method", "gauss:"))
        self.assertIn("mp,gauss:", self.completions("compare", "x", "--method", "mp,gau"))
        self.assertEqual(self.completions("run", "x", "--method", "mp,gau"), {})  # one method, not a list
        self.assertEqual(list(self.completions("run", "x", "-o", "p.")),
                         ["p.csv", "p.npz", "p.h5", ":files csv npz h5"])
        self.assertEqual(list(self.completions("ensemble", "x", "--members", "")), [":files csv"])
        self.assertEqual(list(self.completions("resume", "")), [":files"])
        self.assertEqual(list(self.completions("reproduce", "-o", "")), [":folders"])
        self.assertEqual(list(self.completions("run", "x", "--input", "tau=")), [":files csv"])
        self.assertEqual(self.completions("run", "x", "--step", ""), {})

    def test_names_of_a_system(self):
        self.assertEqual(list(self.completions("run", "skate.toml", "--set", "")), ["m=", "J=", "g=", "alpha="])
        self.assertEqual(list(self.completions("run", "--init=x=1", "skate.toml", "--init", "th")),
                         ["theta=", "theta'="])
        self.assertIn("J=", self.completions("ensemble", "skate.toml", "--grid", ""))
        self.assertIn("tau=", self.completions("run", "segway", "--input", ""))
        self.write("broken.toml", "coordinates = [")
        for system in ["broken.toml", "missing.toml", "."]:
            self.assertEqual(self.completions("run", system, "--set", ""), {})

    def test_options_that_are_given_are_not_offered_again(self):
        left = self.completions("run", "sleigh", "--step", "0.1", "-o", "a.csv", "--json", "--")
        self.assertFalse({"--step", "--json"} & set(left))
        self.assertTrue({"--output", "--method"} <= set(left))

    def test_it_is_never_a_mistake(self):
        for words in [(), ("nonsense", ""), ("run", "--nonsense=", ""), ("nonsense",), ("run", "x", "--", ""),
                      ("run", "\x1b")]:
            self.assertEqual(self.tool("--complete", *words).stderr, "")
        self.assertIn("bash, zsh and fish", self.tool("--completion", "csh", code=2).stderr)
        self.tool("--completion", code=2)

    def test_it_takes_no_time(self):
        costs = []
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.completions("run", "bicycle", "--init", "")
            self.completions("compare", "bicycle", "--method", "mp,")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        self.assertLess(min(costs) / 2, 0.1 * tool.TIMEOUT_SECONDS / 10)

    def test_bash(self):
        def line_of(words):
            return "\t".join(["noslip", *words])
        self.check_shell(["bash", "-c", BASH], line_of)
        lines = ["run\tx\t--method\tgauss\t:\t1", "run\tx\t--output\t=\ta", "run\tx\t--backend\t=\tj", "run\tx\t-o\t",
                 "reproduce\t--output\t", "run\tosc", "run\tskate.toml\t--init\tthe", "run\tskate.toml\t--init\t\"the",
                 "run\tx\t--step\t=\t1\t:\t2\t--bac"]
        found = self.shell(["bash", "-c", BASH], ["noslip\t" + line for line in lines])
        self.assertEqual(found, [{"1", *map(str, range(10, 20))}, {"a.csv"}, {"jit"}, {"parts", "a.csv", "b.h5"},
                                 {"parts"}, {"oscillator.toml"}, {"theta=", r"theta\'="}, {"theta=", "theta'="},
                                 {"--backend"}])

    def test_zsh(self):
        self.check_shell(["zsh", "-f", "-c", ZSH], lambda words: "\t".join(["noslip", *words]))
        found = self.shell(["zsh", "-f", "-c", ZSH], ["noslip\trun\tx\t--output\t", "noslip\treproduce\t-o\t"])
        self.assertEqual(found, [{":-g *.(csv|npz|h5)(-.)"}, {":-/"}])
        self.write("_noslip", self.tool("--completion", "zsh").stdout)
        self.shell(["zsh", "-f", "-n", "_noslip"], [])

    def test_fish(self):
        self.check_shell(["fish", "-c", FISH], lambda words: " ".join(["noslip", *words]))
        lines = ["run x --output ", "run x --output=a", "reproduce -o ", "run skate.toml --init \"the", "run osc"]
        found = self.shell(["fish", "-c", FISH], ["noslip " + line for line in lines])
        self.assertEqual(found, [{"a.csv", "b.h5", "parts/"}, {"--output=a.csv"}, {"parts/"}, {"theta=", "theta'="},
                                 {"oscillator.toml"}])
        self.write("noslip.fish", self.tool("--completion", "fish").stdout)
        self.shell(["fish", "-n", "noslip.fish"], [])


class ManualPage(ShellTest):
    def page(self):
        return self.tool("--man").stdout

    def section(self, name):
        text = self.page().split(f"\n.SH {name}\n")[1].split("\n.SH ")[0]
        return re.sub(r"\\f.|\\&", "", text).replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", '"')

    def test_sections(self):
        names = re.findall(r"^\.SH (.*)$", self.page(), re.MULTILINE)
        self.assertEqual(names, ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT",
                                 "FILES", "EXAMPLES", "SEE ALSO"])

    def test_every_verb_and_every_option_is_there(self):
        verbs = self.verbs()
        self.assertEqual(re.findall(r"^\.SS (.*)$", self.section("COMMANDS"), re.MULTILINE), verbs)
        entries = self.section("OPTIONS").split(".TP\n")[1:]
        for verb in verbs:
            taken = {re.match(r"(?:-\w, )?(--[a-z-]+)", entry).group(1) for entry in entries
                     if verb in re.split(r"[ ,.\n]+", entry.partition("Commands:")[2])}
            self.assertEqual(taken, self.listed(verb) - {"--help"}, verb)
        method = next(entry for entry in entries if entry.startswith("--method M\n"))
        self.assertIn("[gauss:2]", method)

    def test_variables_are_those_that_are_read(self):
        read = set()
        for file in SOURCES.rglob("*.cpp"):
            text = file.read_text(encoding="utf-8")
            if "getenv" in text or file.name == "launch.cpp":
                read |= set(re.findall(r'"((?:NOSLIP|OMPI|MV2|PMI|PMIX|SLURM|I_MPI)_[A-Z_]+)"', text))
        self.assertEqual(set(re.findall(r"[A-Z][A-Z0-9_]+_[A-Z_]+", self.section("ENVIRONMENT"))), read)

    def test_exit_codes_are_those_of_the_document(self):
        codes = re.findall(r"^\.TP\n(\d+)$", self.section("EXIT STATUS"), re.MULTILINE)
        text = (SOURCES.parent / "docs" / "tool.md").read_text(encoding="utf-8").split("\n## Exit codes\n")[1]
        rows = re.findall(r"^\| ([\d, ]+) \|", text, re.MULTILINE)
        self.assertEqual(codes, ", ".join(rows).split(", "))

    def test_examples_run(self):
        commands = [line for line in self.section("EXAMPLES").splitlines() if line.startswith("noslip ")]
        self.assertGreater(len(commands), 2)
        for command in commands:
            self.tool(*command.split()[1:])

    def test_roff_is_clean(self):
        page = self.page()
        self.write("noslip.1", page)
        for command in [["groff", "-man", "-Tutf8", "-ww", "noslip.1"], ["man", "--warnings=w", "-l", "noslip.1"],
                        ["mandoc", "-T", "lint", "-W", "warning", "noslip.1"]]:
            if shutil.which(command[0]) is None:
                continue
            with self.subTest(command[0]):
                result = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True,
                                        check=False, timeout=tool.TIMEOUT_SECONDS)
                messages = result.stderr if command[0] != "mandoc" else result.stdout
                # A date would change with every build.
                complaints = [line for line in messages.splitlines() if "missing date" not in line]
                self.assertEqual(complaints, [])
        self.assertNotIn("\t", page)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
