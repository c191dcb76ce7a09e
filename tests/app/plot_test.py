#!/usr/bin/env python3
# --plot, --show and --theme: pictures of runs of every kind of system, as SVG and PNG, beside everything else that a
# run writes.
import struct
import unittest
import xml.etree.ElementTree

import tool

RUN = ["run", "skate.toml", "--step", "0.1", "--until", "10"]
SVG = "{http://www.w3.org/2000/svg}"


class Plots(tool.ToolTest):
    def picture(self, name="a.svg"):
        return xml.etree.ElementTree.parse(self.folder / name).getroot()

    def texts(self, name="a.svg"):
        return ["".join(element.itertext()) for element in self.picture(name).iter(SVG + "text")]

    def size_of_png(self, name):
        data = (self.folder / name).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", data[16:24])

    def test_a_run_is_drawn(self):
        result = self.tool(*RUN, "--plot", "a.svg")
        self.assertIn("wrote 'a.svg'", result.stderr)
        texts = self.texts()
        for text in ("skate", "|E - E0|", "constraint residual", "coordinates", "x", "y", "theta", "t"):
            self.assertIn(text, texts)
        self.assertIn("gauss:2, step 0.1, 100 steps", texts)

    def test_panels_are_chosen(self):
        self.tool(*RUN, "--plot", "a.svg", "--show", "x:y,theta',invariants")
        texts = self.texts()
        for text in ("theta'", "errors of the invariants", "spin"):
            self.assertIn(text, texts)
        self.assertNotIn("|E - E0|", texts)

    def test_png_is_twice_as_large(self):
        self.tool(*RUN, "--plot", "a.svg")
        result = tool.run(*RUN, "--plot", "a.png", folder=self.folder)
        if result.returncode == 2:
            self.assertIn("cannot draw PNG", result.stderr)
            self.assertIn("librsvg", result.stderr)
            return
        root = self.picture()
        self.assertEqual(self.size_of_png("a.png"), (2 * int(root.get("width")), 2 * int(root.get("height"))))
        self.tool(*RUN, "--plot", "a.png", code=3)
        self.tool(*RUN, "--plot", "a.png", "--force")
        self.tool("converge", "oscillator.toml", "--method", "gauss:1", "--steps-list", "0.2,0.1", "--until", "2",
                  "--plot", "b.png", "--theme", "dark")
        self.size_of_png("b.png")

    def test_themes(self):
        pages = {}
        for theme in ("light", "dark"):
            self.tool(*RUN, "--plot", "a.svg", "--force", "--theme", theme)
            pages[theme] = self.picture().find(SVG + "rect").get("fill")
        self.assertEqual(pages["light"], "#ffffff")
        self.assertNotEqual(pages["dark"], "#ffffff")
        self.tool("compare", "oscillator.toml", "--method", "gauss:1", "--step", "0.1", "--until", "1", "--against",
                  "time", "--plot", "b.svg", "--theme", "dark")
        self.assertEqual(self.picture("b.svg").find(SVG + "rect").get("fill"), pages["dark"])

    def test_rows_are_the_same_with_a_picture(self):
        for every in (1, 3, 7, 1000):
            words = [*RUN, "--every", every, "--force"]
            self.tool(*words, "-o", "a.csv")
            self.tool(*words, "-o", "b.csv", "--plot", "a.svg")
            self.assertEqual((self.folder / "a.csv").read_text(), (self.folder / "b.csv").read_text())
        self.assertEqual(self.tool(*RUN, "-o", "-", "--plot", "b.svg").stdout,
                         self.tool(*RUN, "-o", "-").stdout)

    def test_the_summary_is_the_same_with_a_picture(self):
        plain, drawn = self.document(*RUN), self.document(*RUN, "--plot", "a.svg")
        for document in (plain, drawn):
            for key in ("wall_seconds", "nanoseconds_per_step"):
                document.pop(key)
        self.assertEqual(plain, drawn)
        self.assertTrue((self.folder / "a.svg").exists())
        result = self.tool(*RUN, "--plot", "a.svg", "--force", "--quiet")
        self.assertEqual(result.stdout + result.stderr, "")

    def test_every_step_is_seen(self):
        # --every chooses what is stored, not what is drawn.
        self.tool(*RUN, "--plot", "a.svg", "--show", "theta", "-o", "a.csv", "--every", "50")
        line = next(iter(self.picture().iter(SVG + "polyline")))
        self.assertEqual(len(line.get("points").split()), 101)

    def test_every_kind_of_system(self):
        cases = [("index2-split", "spark-lobatto:3", "", ["y1", "y2", "constraint residual"]),
                 ("index2", "rk-gauss:2", "z1,multipliers", ["z1"]),
                 ("rigid-body", "gauss:2", "", ["R11", "R33", "|E - E0|"]),
                 ("turntable-ball", "gauss:2", "w1:w2,velocities,invariants", ["w1", "w3", "x'", "moving_energy"]),
                 ("charged-particle", "gauss:2", "", ["q3", "constraint residual", "|E - E0|"]),
                 ("double-pendulum", "gauss:2", "x2:y2,constraints", ["x2", "y2"]),
                 ("chaplygin-sleigh-se2", "gauss:2", "v1", ["v1"])]
        for system, method, show, expected in cases:
            with self.subTest(system):
                panels = ["--show", show] if show else []
                self.tool("run", system, "--method", method, "--step", "0.01", "--steps", "30", "--plot", "a.svg",
                          "--force", *panels)
                for text in expected:
                    self.assertIn(text, self.texts())

    def test_other_kinds_from_files(self):
        self.write("skew.toml", 'kind = "skew-gradient"\nname = "skew"\nx = ["a", "b"]\nhamiltonian = "(a^2 + b^2)/2"\n'
                                'structure = [["0", "1"], ["-1", "0"]]\n[initial]\nx = [1, 0]\n')
        self.tool("run", "skew.toml", "--method", "gonzalez", "--step", "0.1", "--until", "1", "--plot", "a.svg")
        for text in ("|E - E0|", "a", "b"):
            self.assertIn(text, self.texts())
        result = self.tool("run", "skew.toml", "--method", "gonzalez", "--step", "0.1", "--until", "1", "--plot", "b.svg",
                           "--show", "constraints,velocities", code=2)
        self.assertIn("skew has no constraints", result.stderr)
        self.assertIn("skew has no velocities", result.stderr)
        self.write("odae.toml", 'kind = "odae"\nname = "jay"\ny = ["y1", "y2"]\nz = ["z1", "z2"]\nlambda = ["k"]\n'
                                'v = ["2*z1", "-z2"]\nf = ["2*y1*y2*z1*z2 - y1*z1*z2", "z1 - y1*z2^3"]\n'
                                'r = ["y1*y2*k^2", "-sqrt(y1)*k"]\ng = ["y1*y2^2 = 1"]\n[initial]\ny = [1, 1]\nz = [1, 1]\n')
        self.tool("run", "odae.toml", "--step", "0.01", "--steps", "10", "--plot", "c.svg", "--show", "y1:z1,k,constraints")
        for text in ("y1", "z1", "k"):
            self.assertIn(text, self.texts("c.svg"))

    def test_a_failure_is_drawn_up_to_the_last_good_state(self):
        self.tool("run", "falling.toml", "--step", "0.1", "--until", "1", "--plot", "a.svg", code=1)
        self.assertTrue(any("failed at t = " in text for text in self.texts()))

    def test_long_runs_make_small_files(self):
        self.tool("run", "oscillator.toml", "--step", "0.01", "--steps", "2e5", "--plot", "a.svg", "--show",
                  "energy,x,x:x'")
        self.assertLess((self.folder / "a.svg").stat().st_size, 200000)


if __name__ == "__main__":
    tool.binary()
    unittest.main()
