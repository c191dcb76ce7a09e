"""Every system of the catalogue: the module gives the numbers that the tool gives, to the last bit."""

import json
import pickle
import unittest.mock

import pytest

import noslip

CANDIDATES = ["gauss:2", "rk-gauss:2", "avf", "energy:2"]


def method_for(system):
    """A method that accepts the system."""
    accepted = {family["name"] for family in noslip.methods(system) if family["accepts"]}
    return next(name for name in CANDIDATES if name.split(":")[0] in accepted)


def without_times(document):
    return {key: value for key, value in document.items() if key not in ("wall_seconds", "nanoseconds_per_step")}


@pytest.mark.parametrize("name", sorted(noslip.systems()))
def test_bytes_are_those_of_the_tool(name, tool, tmp_path):
    system = noslip.System(name)
    method = method_for(system)
    words = ["run", name, "--method", method, "--step", "0.01", "--steps", "20", "--quiet", "--json", "-o", "tool.csv"]
    result = tool(*words, folder=tmp_path)
    assert result.returncode == 0, result.stderr
    run = system.run(method=method, step="0.01", steps=20, output=tmp_path / "module.csv")
    assert (tmp_path / "module.csv").read_bytes() == (tmp_path / "tool.csv").read_bytes()
    assert without_times(run.to_dict()) == without_times(json.loads(result.stdout))
    header, *rows = (tmp_path / "tool.csv").read_text().splitlines()
    assert header.split(",") == list(run.columns)
    for column, name_of_column in enumerate(run.columns):
        given = [float(row.split(",")[column] or "nan") for row in rows]
        assert [repr(x) for x in given] == [repr(float(x)) for x in run[name_of_column]]


@pytest.mark.parametrize("name", ["sleigh", "rattleback", "chaotic", "index2"])
def test_checks_are_those_of_the_tool(name, tool):
    assert noslip.System(name).check() == json.loads(tool("check", name, "--json").stdout)


@pytest.mark.parametrize("name", sorted(noslip.systems()))
def test_a_system_is_its_text(name):
    system = noslip.System(name)
    again = noslip.System(system.text)
    assert again.coordinates == system.coordinates
    assert again.parameters == system.parameters
    copy = pickle.loads(pickle.dumps(system))
    assert copy == system and copy.text == system.text and hash(copy) == hash(system)
    assert type(copy) is noslip.System


def test_equality_is_left_to_others():
    assert noslip.System("sleigh") == unittest.mock.ANY and noslip.System("sleigh") != 3
    assert noslip.System("sleigh") != noslip.System("skate") and len({noslip.System("sleigh"), noslip.System("sleigh")}) == 1


def test_sizes():
    chaotic = noslip.System("chaotic")
    larger = chaotic.resized(m=4)
    assert len(larger.coordinates) > len(chaotic.coordinates)
    assert pickle.loads(pickle.dumps(larger)).coordinates == larger.coordinates
    run = chaotic.run(step=0.05, steps=5, set={"m": 4})
    assert run.q.shape == (6, len(larger.coordinates))
    assert run.system.coordinates == larger.coordinates
    with pytest.raises(noslip.InputError, match="cannot be 2.5"):
        chaotic.resized(m=2.5)
    arrays = noslip.System('''
        coordinates = ["q[0:n]"]
        lagrangian = "sum(i, 0, n, q[i]'^2)/2"
        [parameters]
        n = 2
    ''')
    assert arrays.sizes == ("n",)
    assert len(arrays.resized(n=5).coordinates) == 6
    assert len(pickle.loads(pickle.dumps(arrays.resized(n=5))).coordinates) == 6


def test_what_a_system_shows():
    sleigh = noslip.System("sleigh")
    assert sleigh.latex() == sleigh._repr_latex_()
    assert sleigh.latex().startswith(r"\begin{align*}")
    assert "theta" in sleigh.show()
    assert "sleigh" in repr(sleigh)
    assert sleigh.velocities == ("x'", "y'", "theta'")
    assert sleigh.multipliers == ("lambda1",)
    assert sleigh.constraints == ("y'*cos(theta) = x'*sin(theta)",)
    assert noslip.System("segway").inputs == {"tau": 0}


def test_sources(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(noslip.System("sleigh").text)
    assert noslip.System(path).text == noslip.System(str(path)).text == noslip.System("sleigh").text
    with pytest.raises(noslip.FileError, match="missing.toml"):
        noslip.System(tmp_path / "missing.toml")
    with pytest.raises(noslip.InputError, match="did you mean 'sleigh'"):
        noslip.System("slegih")
    with pytest.raises(noslip.InputError, match="neither a text nor a path"):
        noslip.System(3)
