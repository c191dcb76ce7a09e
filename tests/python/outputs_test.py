"""Outputs, guards, names of constraints and rows as starts."""

import numpy as np
import pytest

import noslip

LOOP = """
name        = "loop"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - y"
holonomic   = { ring = "x^2 + y^2 = 1" }
guards      = ["lambda(ring) < 0"]
[outputs]
push  = "2*lambda(ring)"
speed = "sqrt(x'^2 + y'^2)"
[initial]
q = [0, -1]
v = [1.9, 0]
"""
OPTIONS = {"method": "gauss:3", "step": 0.05, "until": 3}


@pytest.fixture(scope="module")
def loop():
    return noslip.System(LOOP)


def test_outputs_are_columns_and_views(loop):
    run = loop.run(**OPTIONS, dense=True)
    assert run.columns[-2:] == ("push", "speed") and "speed" in run
    assert run.outputs.shape == (61, 2)
    assert np.shares_memory(run["speed"], run.outputs)
    assert np.array_equal(run["push"], 2 * run["lambda_ring"])
    assert np.array_equal(run["lambda(ring)"], run["lambda_ring"])
    assert np.allclose(run["speed"], np.hypot(run["x'"], run["y'"]), atol=1e-15)
    assert run.last.outputs[1] == run["speed"][-1] == run.last["speed"] == run.to_dict()["outputs"]["speed"]
    assert run.at(1.234)["push"] == 2 * run.at(1.234)["lambda_ring"]
    assert loop.multipliers == ("lambda_ring",)


def test_guards(loop):
    run = loop.run(**OPTIONS)
    assert run.status == "done" and "guard 'lambda(ring) < 0' fails at t =" in run.warnings[0]
    guard = run.to_dict()["guards"][0]
    assert not guard["holds"]
    strict = loop.run(**OPTIONS, strict=True)
    assert strict.status == "stopped" and strict.last.t == pytest.approx(guard["failed_at"], abs=1e-12)
    assert strict["y"][-1] == pytest.approx((1.9**2 - 2) / 3, abs=1e-6)


def test_members_at_guards(loop):
    options = {**OPTIONS, "members": {"x'": [1.9, 3.0]}, "columns": ["speed", "lambda(ring)"]}
    many = loop.ensemble(**options)
    assert (many.done, many.failed) == (2, 0) and "guard" in many.warnings[0]
    strict = loop.ensemble(**options, strict=True)
    assert (strict.done, strict.failed) == (1, 1) and "guard" in strict.failures[0]["message"]


@pytest.mark.parametrize("name", ["skate", "rolling-coin-so3", "bicycle"])
def test_a_state_goes_in(name, tmp_path):
    system = noslip.System(name)
    options = {"method": "gauss:2", "step": 0.05, "until": 0.5}
    run = system.run(**options, dense=True, output=str(tmp_path / "run.csv"))
    row = {column: float(run[column][4]) for column in run.columns}
    for start in (tmp_path / "run.csv:5", str(tmp_path / "run.csv") + ":5", row):
        rest = system.run(**options, init_from=start)
        assert rest.t[0] == run.t[4] and np.array_equal(rest.q[0], run.q[4]) and np.array_equal(rest.v[0], run.v[4])
        assert np.allclose(rest.q[-1], run.q[-1], atol=1e-12)
    inside = system.run(**options, init_from=run.at(0.25), init={"t": 0.25})
    assert np.allclose(inside.q[0], run.at(0.25).q, atol=0)
    assert system.check(init_from=row)["initial"]["t"] == run.t[4]
    # The system itself starts where it did.
    assert np.array_equal(system.run(**options).q, run.q)


def test_refusals(loop, tmp_path):
    with pytest.raises(noslip.InputError, match="init_from.* is no state: it has no y, x' and y'"):
        loop.run(**OPTIONS, init_from={"x": 1})
    with pytest.raises(noslip.FileError):
        loop.run(**OPTIONS, init_from=str(tmp_path / "none.csv"))
    with pytest.raises(noslip.InputError, match="did you mean 'lambda_ring'"):
        loop.run(**OPTIONS)["lambda(rin)"]


def test_parts_in_python():
    system = noslip.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - y", constraints={"rail": "x' = y'"},
                           outputs={"pull": "lambda(rail)"}, guards=["x < 5"], initial={"x'": 1, "y'": 1})  # fmt: skip
    run = system.run(step=0.1, until=1)
    assert np.array_equal(run["pull"], run["lambda_rail"])
