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
jay2009-sec-7.3 jay2009-fig-8.1 jay2009-fig-8.2 jay2009-fig-8.3 jay2009-fig-8.4 jay2009-fig-8.4-200
jay2009-fig-8.4-printed
hilden2009-table-2.1 hilden2009-fig-2.1 hilden2009-fig-2.2 hilden2009-fig-2.3 hilden2009-fig-2.4 hilden2009-fig-3.4
hilden2009-table-4.1 hilden2009-fig-4.1 hilden2009-fig-4.2 hilden2009-fig-4.3 hilden2009-fig-4.4 hilden2009-fig-4.5
hilden2009-fig-4.7 hilden2009-fig-4.8 hilden2009-fig-4.9 hilden2009-fig-4.10 hilden2009-fig-4.11 hilden2009-fig-4.12
hilden2009-fig-4.13 hilden2009-fig-4.14 hilden2009-fig-4.15 hilden2009-fig-4.16 hilden2009-fig-4.17 hilden2009-fig-4.18
hilden2009-fig-4.19
martin2022-fig-3 martin2022-fig-4 martin2022-fig-5 martin2022-fig-6 martin2022-fig-7 martin2022-fig-8
celledoni2019-fig-2 celledoni2019-fig-3 celledoni2019-fig-4 celledoni2019-sec-4.3
jay2007-fig-6.1 jay2007-fig-6.2 jay2007-fig-6.3
""".split()
VERDICTS = {"agrees", "paper corrected", "differs"}


class List(tool.ToolTest):
    def test_names_every_figure_and_table(self):
        lines = self.tool("reproduce", "--list").stdout.splitlines()
        listed = {line.split()[0] for line in lines if re.match(r"[a-z]+\d{4}-", line)}
        self.assertEqual(set(WANTED) - listed, set())
        self.assertTrue(any("paper corrected" in line for line in lines if line.startswith("jay2009-fig-8.4-printed")))

    def test_json_and_selection(self):
        entries = self.document("reproduce", "--list", "celledoni2019-fig", "jay2009-fig-8.1")["entries"]
        self.assertEqual([entry["id"] for entry in entries],
                         ["jay2009-fig-8.1", "celledoni2019-fig-2", "celledoni2019-fig-3", "celledoni2019-fig-4"])
        for entry in entries:
            self.assertIn(entry["recorded"], VERDICTS)
            self.assertTrue(entry["what"])

    def test_former_ids_are_understood(self):
        entries = self.document("reproduce", "--list", "004", "003-fig", "000-fig-8.1")["entries"]
        self.assertEqual(entries, self.document("reproduce", "--list", "jay2007", "celledoni2019-fig",
                                                "jay2009-fig-8.1")["entries"])
        self.assertEqual(entries[0]["id"], "jay2009-fig-8.1")

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
        self.tool("reproduce", "celledoni2019-sec-4.3", "--quick", "--plot", "suslov.svg")
        self.assertIn("<svg", (self.folder / "suslov.svg").read_text())
        self.assertFalse((self.folder / "reproduction" / "celledoni2019-sec-4.3.svg").exists())
        for words, code, what in [(("celledoni2019", "--plot", "a.svg"), 2, "4 figures do not fit"),
                                  (("celledoni2019-sec-4.3", "--plot", "a.pdf"), 2, "a.pdf"),
                                  (("celledoni2019-sec-4.3", "--plot", "suslov.svg"), 3, "exists")]:
            self.assertIn(what, self.tool("reproduce", *words, "--quick", code=code).stderr)

    def test_cheap_ones_agree_with_the_record(self):
        result = self.tool("reproduce", "jay2009-fig-8.1", "celledoni2019-sec-4.3", "jay2007-fig-6.1", "--quick")
        self.assertRegex(result.stdout, r"\njay2009-fig-8\.1 +agrees +9 of 9\n")
        self.assertIn("largest |E - E0| of gauss:1", result.stdout)
        for name in ("jay2009-fig-8.1", "celledoni2019-sec-4.3", "jay2007-fig-6.1"):
            picture = self.folder / "reproduction" / (name + ".svg")
            self.assertTrue(xml.etree.ElementTree.parse(picture).getroot().tag.endswith("svg"))
            with open(self.folder / "reproduction" / (name + ".csv"), newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertGreater(len(rows), 3)
            self.assertIn("run", rows[0])

    def test_corrected_claim_is_recorded_as_that(self):
        document = self.document("reproduce", "jay2009-fig-8.4-printed", "--quick", "--output", "out")
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
        document = self.document("reproduce", "celledoni2019-sec-4.3", "--output", "out")
        with open(self.folder / "out" / "celledoni2019-sec-4.3.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 101)
        measured = {check["what"]: check["measured"] for check in document["entries"][0]["checks"]}
        self.assertEqual(float(rows[-1]["rho1"]), measured["rho1 at t = 10"])
        self.assertEqual({row["run"] for row in rows}, {"gonzalez"})

    def test_page_links_the_pictures(self):
        self.tool("reproduce", "celledoni2019-fig-3", "celledoni2019-sec-4.3", "--output", "pictures",
                  "--page", "page.md", "--quiet")
        text = (self.folder / "page.md").read_text()
        self.assertIn("](pictures/celledoni2019-fig-3.svg)", text)
        self.assertIn("| [celledoni2019-fig-3](#celledoni2019-fig-3) |", text)
        self.assertIn("| equation (24a) | H = T - V |", text)
        self.assertIn("### celledoni2019-sec-4.3", text)

    def test_dark_pictures_differ(self):
        for theme in ("light", "dark"):
            self.tool("reproduce", "celledoni2019-sec-4.3", "--output", theme, "--theme", theme)
        pictures = [(self.folder / theme / "celledoni2019-sec-4.3.svg").read_text() for theme in ("light", "dark")]
        self.assertNotEqual(*pictures)

    def test_quiet_is_quiet(self):
        result = self.tool("reproduce", "celledoni2019-sec-4.3", "--quiet")
        self.assertEqual((result.stdout, result.stderr), ("", ""))


class Refusals(tool.ToolTest):
    def test_unknown_names(self):
        result = self.tool("reproduce", "jay2009-fig-8.11", "jay2007-fig", "hello", code=2)
        self.assertIn("there is no experiment 'jay2009-fig-8.11'", result.stderr)
        self.assertIn("did you mean 'jay2009-fig-8.1'?", result.stderr)
        self.assertIn("there is no experiment 'hello'", result.stderr)
        self.assertNotIn("jay2007-fig'", result.stderr)
        self.assertFalse((self.folder / "reproduction").exists())

    def test_existing_files_are_kept(self):
        self.tool("reproduce", "celledoni2019-sec-4.3")
        path = self.folder / "reproduction" / "celledoni2019-sec-4.3.csv"
        path.write_text("mine")
        result = self.tool("reproduce", "celledoni2019-fig-3", "celledoni2019-sec-4.3", code=3)
        self.assertFalse((self.folder / "reproduction" / "celledoni2019-fig-3.csv").exists())  # nothing was run
        self.assertIn("--force", result.stderr)
        self.assertIn("celledoni2019-sec-4.3.csv", result.stderr)
        self.assertEqual(path.read_text(), "mine")
        self.tool("reproduce", "celledoni2019-sec-4.3", "--force")
        self.assertNotEqual(path.read_text(), "mine")

    def test_page_is_kept(self):
        self.write("page.md", "mine")
        result = self.tool("reproduce", "celledoni2019-sec-4.3", "--page", "page.md", code=3)
        self.assertIn("page.md", result.stderr)
        self.tool("reproduce", "celledoni2019-sec-4.3", "--page", "nowhere/page.md", code=3)

    def test_folder_that_is_a_file(self):
        self.write("taken", "mine")
        self.assertIn("taken", self.tool("reproduce", "celledoni2019-sec-4.3", "-o", "taken", code=3).stderr)

    def test_options(self):
        self.assertIn("--list writes no files", self.tool("reproduce", "--list", "--output", "a", code=2).stderr)
        self.assertIn("light", self.tool("reproduce", "celledoni2019-sec-4.3", "--theme", "blue", code=2).stderr)
        self.assertIn("--quick", self.tool("reproduce", "--quik", code=2).stderr)

    def test_interruption(self):
        command = [tool.binary(), "reproduce", "celledoni2019-sec-4.3", "celledoni2019-fig-4", "--json"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=6 * tool.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 130)
        self.assertEqual([entry["id"] for entry in json.loads(out)["entries"]], ["celledoni2019-sec-4.3"])
        self.assertIn("interrupted after 1 of 2 experiments", errors)


if __name__ == "__main__":
    unittest.main()
