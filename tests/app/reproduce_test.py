#!/usr/bin/env python3
# noslip reproduce: the list, cheap experiments in their quick form, files, refusals.
import csv
import json
import pathlib
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import tool

WANTED = """
000-sec-7.3 000-fig-8.1 000-fig-8.2 000-fig-8.3 000-fig-8.4 000-fig-8.4-200 000-fig-8.4-printed
001-table-2.1 001-fig-2.1 001-fig-2.2 001-fig-2.3 001-fig-2.4 001-fig-3.4 001-table-4.1 001-fig-4.1 001-fig-4.2
001-fig-4.3 001-fig-4.4 001-fig-4.5 001-fig-4.7 001-fig-4.8 001-fig-4.9 001-fig-4.10 001-fig-4.11 001-fig-4.12
001-fig-4.13 001-fig-4.14 001-fig-4.15 001-fig-4.16 001-fig-4.17 001-fig-4.18 001-fig-4.19
002-fig-3 002-fig-4 002-fig-5 002-fig-6 002-fig-7 002-fig-8
003-fig-2 003-fig-3 003-fig-4 003-sec-4.3
004-fig-6.1 004-fig-6.2 004-fig-6.3
""".split()
VERDICTS = {"agrees", "paper corrected", "differs"}


class List(tool.ToolTest):
    def test_names_every_figure_and_table(self):
        lines = self.tool("reproduce", "--list").stdout.splitlines()
        listed = {line.split()[0] for line in lines if re.match(r"\d\d\d-", line)}
        self.assertEqual(set(WANTED) - listed, set())
        self.assertTrue(any("paper corrected" in line for line in lines if line.startswith("000-fig-8.4-printed")))

    def test_json_and_selection(self):
        entries = self.document("reproduce", "--list", "003-fig", "000-fig-8.1")["entries"]
        self.assertEqual([entry["id"] for entry in entries], ["000-fig-8.1", "003-fig-2", "003-fig-3", "003-fig-4"])
        for entry in entries:
            self.assertIn(entry["recorded"], VERDICTS)
            self.assertTrue(entry["what"])

    def test_page_of_the_documents_has_these_verdicts(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "reproduction.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| \[([^]]+)\]\(#[^|]*\|[^|]*\| ([a-z ]+) \|$", page, flags=re.M)
        entries = self.document("reproduce", "--list")["entries"]
        self.assertEqual(rows, [(entry["id"], entry["recorded"]) for entry in entries])
        for entry in entries:
            self.assertRegex(page, rf"!\[[^]]+\]\(reproduction/{re.escape(entry['id'])}\.(svg|png)\)")

    def test_runs_nothing_and_writes_nothing(self):
        self.tool("reproduce", "--list")
        self.assertFalse((self.folder / "reproduction").exists())


class Quick(tool.ToolTest):
    def test_one_picture_by_name(self):
        self.tool("reproduce", "003-sec-4.3", "--quick", "--plot", "suslov.svg")
        self.assertIn("<svg", (self.folder / "suslov.svg").read_text())
        self.assertFalse((self.folder / "reproduction" / "003-sec-4.3.svg").exists())
        for words, code, what in [(("003", "--plot", "a.svg"), 2, "4 figures do not fit"),
                                  (("003-sec-4.3", "--plot", "a.pdf"), 2, "a.pdf"),
                                  (("003-sec-4.3", "--plot", "suslov.svg"), 3, "exists")]:
            self.assertIn(what, self.tool("reproduce", *words, "--quick", code=code).stderr)

    def test_cheap_ones_agree_with_the_record(self):
        result = self.tool("reproduce", "000-fig-8.1", "003-sec-4.3", "004-fig-6.1", "--quick")
        self.assertRegex(result.stdout, r"\n000-fig-8\.1 +agrees +9 of 9\n")
        self.assertIn("largest |E - E0| of gauss:1", result.stdout)
        for name in ("000-fig-8.1", "003-sec-4.3", "004-fig-6.1"):
            picture = self.folder / "reproduction" / (name + ".svg")
            self.assertTrue(xml.etree.ElementTree.parse(picture).getroot().tag.endswith("svg"))
            with open(self.folder / "reproduction" / (name + ".csv"), newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertGreater(len(rows), 3)
            self.assertIn("run", rows[0])

    def test_corrected_claim_is_recorded_as_that(self):
        document = self.document("reproduce", "000-fig-8.4-printed", "--quick", "--output", "out")
        (entry,) = document["entries"]
        self.assertTrue(document["as_recorded"] and entry["as_recorded"] and document["quick"])
        self.assertEqual(entry["verdict"], "paper corrected")
        self.assertEqual(entry["recorded"], "paper corrected")
        self.assertTrue(entry["claim"] and entry["corrected"])
        for check in entry["checks"]:
            self.assertEqual(check["verdict"], check["recorded"])
            self.assertLessEqual({"what", "claim", "corrected", "measured", "verdict", "recorded"}, check.keys())
            inside = lambda range_, x: ((range_["least"] is None or x >= range_["least"]) and
                                        (range_["most"] is None or x <= range_["most"]))
            self.assertTrue(inside(check["corrected"], check["measured"]))
            if check["verdict"] == "paper corrected":
                self.assertFalse(inside(check["claim"], check["measured"]))

    def test_csv_holds_the_measured_numbers(self):
        document = self.document("reproduce", "003-sec-4.3", "--output", "out")
        with open(self.folder / "out" / "003-sec-4.3.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 101)
        measured = {check["what"]: check["measured"] for check in document["entries"][0]["checks"]}
        self.assertEqual(float(rows[-1]["rho1"]), measured["rho1 at t = 10"])
        self.assertEqual({row["run"] for row in rows}, {"gonzalez"})

    def test_page_links_the_pictures(self):
        self.tool("reproduce", "003-fig-3", "003-sec-4.3", "--output", "pictures", "--page", "page.md", "--quiet")
        text = (self.folder / "page.md").read_text()
        self.assertIn("](pictures/003-fig-3.svg)", text)
        self.assertIn("| [003-fig-3](#003-fig-3) |", text)
        self.assertIn("| equation (24a) | H = T - V |", text)
        self.assertIn("### 003-sec-4.3", text)

    def test_dark_pictures_differ(self):
        for theme in ("light", "dark"):
            self.tool("reproduce", "003-sec-4.3", "--output", theme, "--theme", theme)
        pictures = [(self.folder / theme / "003-sec-4.3.svg").read_text() for theme in ("light", "dark")]
        self.assertNotEqual(*pictures)

    def test_quiet_is_quiet(self):
        result = self.tool("reproduce", "003-sec-4.3", "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))


class Refusals(tool.ToolTest):
    def test_unknown_names(self):
        result = self.tool("reproduce", "000-fig-8.11", "004-fig", "hello", code=2)
        self.assertIn("there is no experiment '000-fig-8.11'", result.stderr)
        self.assertIn("did you mean '000-fig-8.1'?", result.stderr)
        self.assertIn("there is no experiment 'hello'", result.stderr)
        self.assertNotIn("004-fig'", result.stderr)
        self.assertFalse((self.folder / "reproduction").exists())

    def test_existing_files_are_kept(self):
        self.tool("reproduce", "003-sec-4.3")
        path = self.folder / "reproduction" / "003-sec-4.3.csv"
        path.write_text("mine")
        result = self.tool("reproduce", "003-fig-3", "003-sec-4.3", code=3)
        self.assertFalse((self.folder / "reproduction" / "003-fig-3.csv").exists())  # nothing was run
        self.assertIn("--force", result.stderr)
        self.assertIn("003-sec-4.3.csv", result.stderr)
        self.assertEqual(path.read_text(), "mine")
        self.tool("reproduce", "003-sec-4.3", "--force")
        self.assertNotEqual(path.read_text(), "mine")

    def test_page_is_kept(self):
        self.write("page.md", "mine")
        result = self.tool("reproduce", "003-sec-4.3", "--page", "page.md", code=3)
        self.assertIn("page.md", result.stderr)
        self.tool("reproduce", "003-sec-4.3", "--page", "nowhere/page.md", code=3)

    def test_folder_that_is_a_file(self):
        self.write("taken", "mine")
        self.assertIn("taken", self.tool("reproduce", "003-sec-4.3", "-o", "taken", code=3).stderr)

    def test_options(self):
        self.assertIn("--list writes no files", self.tool("reproduce", "--list", "--output", "a", code=2).stderr)
        self.assertIn("light", self.tool("reproduce", "003-sec-4.3", "--theme", "blue", code=2).stderr)
        self.assertIn("--quick", self.tool("reproduce", "--quik", code=2).stderr)

    def test_interruption(self):
        process = subprocess.Popen([tool.binary(), "reproduce", "003-sec-4.3", "003-fig-4", "--json"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual([entry["id"] for entry in json.loads(out)["entries"]], ["003-sec-4.3"])
        self.assertIn("interrupted after 1 of 2 experiments", errors)


if __name__ == "__main__":
    unittest.main()
