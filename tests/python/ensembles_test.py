"""Ensembles and studies."""

import json

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")
SPINS = np.linspace(0, 1, 7)


def test_members_are_runs():
    many = SLEIGH.ensemble(members={"theta'": SPINS}, method="mp", step=0.05, until=5, every=20, columns=["x", "energy"])
    assert many["x"].shape == (6, 7) and many.t.tolist() == [0, 1, 2, 3, 4, 5]
    assert not many["x"].flags.owndata and not many["x"].flags.writeable
    for i, spin in enumerate(SPINS):
        run = SLEIGH.run(method="mp", step=0.05, until=5, every=20, init={"theta'": spin})
        np.testing.assert_array_equal(many["x"][:, i], run["x"])
        np.testing.assert_array_equal(many["energy"][:, i], run["energy"])
    np.testing.assert_array_equal(many["theta'"], SPINS)
    assert (many.members, many.done, many.failed) == (7, 7, 0) and many.failures == []


def test_the_end_alone():
    many = SLEIGH.ensemble(members={"theta'": SPINS, "a": 0.5}, step=0.1, until=1)
    assert many["x"].shape == (7,) and many.columns == ("x", "y", "theta", "x'", "y'", "theta'")
    assert many["a"].tolist() == [0.5] * 7
    with pytest.raises(noslip.InputError, match="did you mean 'theta"):
        many["tehta"]


def test_results_do_not_depend_on_threads():
    options = {"sample": 20, "seed": 3, "vary": {"theta'": "normal(1,0.1)", "m": ("uniform", 1, 2)}, "step": 0.1, "until": 3}
    results = [SLEIGH.ensemble(**options, threads=threads, lanes=lanes) for threads, lanes in ((1, 1), (2, 4), (1, 8))]
    for result in results[1:]:
        np.testing.assert_array_equal(result["x"], results[0]["x"])


def test_grids():
    many = SLEIGH.ensemble(grid={"m": (1, 2, 3), "theta'": (0, 1, 2)}, step=0.1, steps=1)
    assert many["m"].tolist() == [1, 1, 1.5, 1.5, 2, 2] and many.varied["theta'"].tolist() == [0, 1] * 3
    same = SLEIGH.ensemble(grid={"m": [1, 1.5, 2], "theta'": (0, 1, 2)}, step=0.1, steps=1)
    np.testing.assert_array_equal(same["x"], many["x"])


def test_reductions():
    many = SLEIGH.ensemble(members={"theta'": SPINS}, step=0.1, until=1, every=5, columns=["x"],
                           reduce=["mean(x)", "max(x)", "histogram(x,-1,2,6)"])  # fmt: skip
    np.testing.assert_allclose(many["mean(x)"], many["x"].mean(axis=1), rtol=1e-14)
    assert many["max(x)"].tolist() == many["x"].max(axis=1).tolist()
    assert many["histogram(x,-1,2,6)"].shape == (3, 6) and many["histogram(x,-1,2,6)"].sum() == 21
    assert many.edges("histogram(x,-1,2,6)").tolist() == [-1, -0.5, 0, 0.5, 1, 1.5, 2]
    end = SLEIGH.ensemble(members={"theta'": SPINS}, step=0.1, until=1, reduce="mean(x), min(x)")
    assert end["mean(x)"] == many["mean(x)"][-1]


def test_files_are_those_of_the_tool(tool, tmp_path):
    words = ["ensemble", "sleigh", "--method", "mp", "--step", "1/10", "--until", "2", "--grid", "theta'=0:1:9", "--every", "5",
             "--columns", "x,energy", "--quiet", "-o", "tool.csv"]  # fmt: skip
    assert tool(*words, folder=tmp_path).returncode == 0
    many = SLEIGH.ensemble(method="mp", step="1/10", until=2, grid={"theta'": (0, 1, 9)}, every=5, columns="x,energy",
                           output=tmp_path / "module.csv")  # fmt: skip
    assert (tmp_path / "module.csv").read_bytes() == (tmp_path / "tool.csv").read_bytes()
    with pytest.raises(noslip.InputError, match="file"):
        many["x"]
    (tmp_path / "members.csv").write_text("theta'\n0.25\n0.5\n")
    assert SLEIGH.ensemble(members=tmp_path / "members.csv", step=0.1, steps=2).done == 2


def test_failed_members():
    falling = noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + 4*log(x)\"\n[initial]\nq = [1]\n")
    many = falling.ensemble(grid={"x'": (-1000, 0, 2)}, step=0.1, until=1)
    assert (many.done, many.failed) == (1, 1)
    assert many.failures[0]["member"] == 0 and many.failures[0]["message"]
    assert np.isnan(many["x"][0]) and many["failed"].tolist() == [1, 0]


def test_documents_and_tables():
    many = SLEIGH.ensemble(members={"theta'": SPINS}, step=0.1, until=1, every=5, columns=["x"], reduce="mean(x)")
    document = many.to_dict()
    json.dumps(document)
    assert document["members"] == 7 and len(document["outputs"]["mean(x)"]) == 3
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    frame = many.to_pandas()
    assert frame.shape[0] == 21 and frame["x"].loc[2, 0.5] == many["x"][1, 2]
    data = many.to_xarray()
    assert data["x"].dims == ("t", "member") and data["x"].shape == (3, 7)
    assert "7 of 7" in repr(many)


def test_wrong_members():
    for options in ({}, {"members": {"x": [1]}, "sample": 3}, {"members": {"tehta": [1]}}, {"members": {"x": [1, 2], "y": [1, 2, 3]}},
                    {"grid": {"x": (0, 1, 0)}}, {"sample": 3}, {"sample": 2, "vary": {"x": "gauss(1,2)"}}, {"members": 3},
                    {"members": {"x": [1]}, "lanes": 3}, {"members": {"x": [1]}, "threads": 0}, {"members": {"x": [1]}, "reduce": "men(x)"},
                    {"members": {"x": [1]}, "events": [lambda t, q, v: 1]}):  # fmt: skip
        with pytest.raises(noslip.InputError):
            SLEIGH.ensemble(step=0.1, until=1, **options)


MEMBERS = {
    "arrays": {"members": {"theta'": np.linspace(0, 1, 300), "a": 0.5}},
    "axes": {"grid": {"theta'": (0, 1, 100), "m": [1, 2, 3]}},
    "sample": {"sample": 300, "seed": 3, "vary": {"theta'": ("uniform", 0, 1), "m": "normal(1,0.01)"}},
    "reductions": {"sample": 300, "seed": 3, "vary": {"theta'": ("uniform", 0, 1)}, "reduce": ["mean(x)", "histogram(x,-1,2,6)"]},
}


@pytest.mark.parametrize("name", MEMBERS)
@pytest.mark.parametrize("has_files", [False, True])
def test_a_broken_ensemble_goes_on(name, has_files, tmp_path):
    options = {**MEMBERS[name], "method": "mp", "step": 0.01, "until": 30, "every": 1500, "threads": 1, "lanes": 1}
    if name != "reductions":
        options["columns"] = (column for column in ["x", "energy"])
    whole = SLEIGH.ensemble(**{**options, "columns": ["x", "energy"] if "columns" in options else None},
                            output=[tmp_path / "whole.csv"] if has_files else None)  # fmt: skip
    part = SLEIGH.ensemble(**options, output=[tmp_path / "part.csv"] if has_files else None, checkpoint=tmp_path / "c",
                           checkpoint_every=0.001, progress=lambda done, every: done == 0)  # fmt: skip
    assert part.status == "interrupted" and part.done < 300
    rest = noslip.resume(tmp_path / "c", threads=2)
    assert rest.status == "done" and rest.done == whole.done and type(rest) is noslip.Ensemble
    if has_files:
        assert (tmp_path / "part.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    for column in whole.reductions if name == "reductions" else () if has_files else ("x", "energy", "theta'"):
        np.testing.assert_array_equal(rest[column], whole[column])
    again = noslip.resume(tmp_path / "c")
    assert again.done == whole.done
    with pytest.raises(noslip.InputError, match="cannot be extended"):
        noslip.resume(tmp_path / "c", until=100)
    with pytest.raises(noslip.FileError, match="force"):
        SLEIGH.ensemble(members={"x": [1]}, step=0.1, steps=1, checkpoint=tmp_path / "c")


def test_checkpoints_of_the_tool(tool, tmp_path):
    # They hold a command line and its files, those of Python the arguments of a call: each says who goes on.
    run = ["run", "sleigh", "--step", "0.1", "--until", "5", "--quiet", "--checkpoint", "run.checkpoint"]
    many = ["ensemble", "sleigh", "--step", "0.1", "--until", "5", "--grid", "theta'=0:1:9", "--quiet", "--checkpoint", "many.checkpoint"]
    for words in (run, many):
        assert tool(*words, folder=tmp_path).returncode == 0
        file = tmp_path / words[-1]
        with pytest.raises(noslip.InputError) as caught:
            noslip.resume(file)
        assert f"noslip {words[0]}" in str(caught.value) and f"noslip resume {file}" in caught.value.problems[0].remedy
    SLEIGH.run(step=0.1, until=5, checkpoint=tmp_path / "python.checkpoint")
    SLEIGH.ensemble(members={"x": [1]}, step=0.1, until=5, checkpoint=tmp_path / "pythons.checkpoint")
    for name in ("python.checkpoint", "pythons.checkpoint"):
        result = tool("resume", name, folder=tmp_path)
        assert result.returncode == 2 and f'noslip.resume("{name}")' in result.stderr
    with pytest.raises(noslip.InputError, match="single run"):
        noslip.resume(tmp_path / "python.checkpoint", threads=2)


def test_convergence(tool):
    study = SLEIGH.converge(method="gauss:2,mp", steps_list=["0.1", "0.05", "0.025"], until=1)
    words = ["converge", "sleigh", "--method", "gauss:2,mp", "--steps-list", "0.1,0.05,0.025", "--until", "1", "--json"]
    assert study.to_dict() == json.loads(tool(*words).stdout)
    assert [round(result["order_q"]) for result in study.results] == [4, 2]
    assert "<svg" in study._repr_svg_() and study.status == "done" and "reference" in study
    with pytest.raises(noslip.InputError):
        SLEIGH.converge(method="gauss:2", steps_list=[0.1, 0.1], until=1)


def test_comparison():
    study = SLEIGH.compare(method=["gauss:2", "mp"], step=0.1, until=1, against="time")
    assert {result["method"] for result in study.results} == {"gauss:2", "mp"}
    with pytest.raises(noslip.InputError, match="gaus"):
        SLEIGH.compare(method="gaus:2", step=0.1, until=1)


def test_sections(tool):
    system = noslip.System("contact-oscillator")
    section = system.section(method="mp", step="0.1", when="y'", direction="down", crossings=20, columns="z,z'",
                             orbits={"z0": ["-1.2", "-0.5"]})  # fmt: skip
    words = ["section", "contact-oscillator", "--method", "mp", "--step", "0.1", "--when", "y'", "--direction", "down", "--crossings",
             "20", "--columns", "z,z'", "--orbits", "z0=-1.2,-0.5", "--json"]  # fmt: skip
    told = json.loads(tool(*words).stdout)
    found = section.to_dict()
    for document in (found, told):
        for orbit in document["orbits"]:
            orbit.pop("wall_seconds", None)
    assert found == told
    assert section["z"].shape == (40,) and section["orbit"].tolist() == [1] * 20 + [2] * 20
    assert section.columns == ("orbit", "t", "z", "z'") and section.labels == ["z0 = -1.2", "z0 = -0.5"]
    assert section.found == [20, 20] and "<svg" in section._repr_svg_()
    with pytest.raises(noslip.InputError):
        system.section(step=0.1, when="", crossings=3)
