#!/usr/bin/env python3
# Options: what the help of a verb lists is what docs/tool.md explains.
import pathlib
import re
import unittest

import tool

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tool.md"
VERBS = "run resume merge converge compare section check show systems methods reproduce bench".split()


def options_of(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


class Options(tool.ToolTest):
    def listed(self, verb):
        """The options in the help of a verb; not those that its explanations name."""
        help_text = self.tool(verb, "--help").stdout.split("\nOptions:\n")[1].split("\n\n")[0]
        names = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", help_text, re.MULTILINE)
        self.assertEqual(len(names), len(set(names)), help_text)
        return set(names) - {"--help"}

    def table_under(self, heading):
        section = DOCUMENT.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE)
        return set().union(*(options_of(row) for row in rows))

    def test_tables_are_complete(self):
        self.assertEqual(self.table_under("Options of run"), self.listed("run"))
        self.assertEqual(self.table_under("Reproductions"), self.listed("reproduce"))

    def test_options_of_ensembles_are_explained(self):
        page = DOCUMENT.with_name("ensembles.md").read_text(encoding="utf-8")
        known = options_of(page) | options_of(DOCUMENT.read_text(encoding="utf-8"))
        self.assertEqual(self.listed("ensemble") - known, set())

    def test_every_option_is_explained(self):
        known = options_of(DOCUMENT.read_text(encoding="utf-8"))
        for verb in VERBS:
            self.assertEqual(self.listed(verb) - known, set(), verb)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
