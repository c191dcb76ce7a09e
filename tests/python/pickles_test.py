"""What is pickled is the same afterwards: runs, rows, states, crossings."""

import copy
import multiprocessing
import pickle
from fractions import Fraction

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")
CART = noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[inputs]\ntau = 0\n[forces]\nx = \"tau\"\n")
ARRAYS = ("t", "q", "v", "multipliers", "inputs", "energy", "work", "constraint")
RUNS = {
    "plain": lambda: SLEIGH.run(method="gauss:3", step=0.1, until=10),
    "options": lambda: SLEIGH.run(step=Fraction(1, 20), until=5, every=3, set={"a": "1/2"}, init={"theta'": 1}, tolerance=1e-12),
    "events": lambda: SLEIGH.run(step=0.1, until=10, init={"theta'": 1}, events=["theta - 1,up", noslip.Event("theta - 2", direction="up", stop=1)]),
    "times": lambda: SLEIGH.run(step=0.1, until=10, at=[0.25, 5, "2*pi"]),
    "quad": lambda: SLEIGH.run(step="1/10", steps=10, precision="quad", backend="interpreter"),
    "series": lambda: CART.run(step=0.1, until=3, inputs={"tau": ([0, 1, 2], [1, 2, 0], "linear")}),
    "values": lambda: CART.run(step=0.1, until=3, inputs={"tau": 2}),
    "sizes": lambda: noslip.System("chaotic").run(step=0.05, steps=5, set={"m": 4}),
    "group": lambda: noslip.System("rattleback").run(step=0.01, steps=20),
    "failed": lambda: noslip.System('coordinates = ["x"]\nlagrangian = "x\'^2/2 + 4*log(x)"\n[initial]\nq = [1]\nv = [-1000]\n').run(step=0.1, until=1),
    "interrupted": lambda: SLEIGH.run(step=1e-3, steps=10**9, every=10**4, progress=lambda done, every: done < 1),
}


def check_same(one, other):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.columns == other.columns and type(one) is type(other) is noslip.Run
    assert one.system == other.system and (one.status, one.message) == (other.status, other.message)
    assert one.summary() == other.summary() and one.json() == other.json() and one.warnings == other.warnings
    assert one.last.to_dict() == other.last.to_dict() and one.last_text == other.last_text
    for first, second in zip(one.events, other.events):
        assert (first.when, first.number, first.direction, first.to_dict()) == (second.when, second.number, second.direction, second.to_dict())
    assert len(one.events) == len(other.events) and repr(one) == repr(other)


@pytest.mark.parametrize("name", RUNS)
def test_runs(name):
    run = RUNS[name]()
    other = pickle.loads(pickle.dumps(run))
    check_same(run, other)
    assert not other.q.flags.owndata and not other.q.flags.writeable
    if run.steps > 0:
        time = (run.t[0] + run.last.t) / 2
        assert run.at(time).q.tolist() == other.at(time).q.tolist()  # by the same steps again
    check_same(run, pickle.loads(pickle.dumps(other)))


def test_columns_that_were_evaluated_and_attributes():
    run = SLEIGH.run(step=0.1, until=1, columns=["x*y"])
    run.label = "mine"
    view = run["x + y"]
    before = view.copy()
    other = pickle.loads(pickle.dumps(run))
    assert other.label == "mine" and run["x + y"].ctypes.data == view.ctypes.data
    np.testing.assert_array_equal(view, before)  # saving has moved nothing
    for text in ("x*y", "x + y", "x - y"):
        np.testing.assert_array_equal(run[text], other[text])
    assert "<svg" in other._repr_html_()


def test_copies():
    run = SLEIGH.run(step=0.1, until=1)
    check_same(run, copy.copy(run))
    check_same(run, copy.deepcopy(run))


def test_functions_are_not_pickled():
    run = CART.run(step=0.1, until=3, init={"x'": 1, "x": -0.55}, inputs={"tau": noslip.Controller(lambda t, q, v: -v[0], every=0.1)},
                   events=[lambda t, q, v: q[0]], dense=True)  # fmt: skip
    run.at(0.5)
    other = pickle.loads(pickle.dumps(run))
    check_same(run, other)
    assert other.events[0].when == "<lambda>"
    with pytest.raises(noslip.InputError, match="before pickling"):
        other.at(0.5)


def test_states_rows_and_crossings():
    run = SLEIGH.run(step=0.1, until=10, init={"theta'": 1}, events=["theta - 1"])
    rows = run.at([0.25, 0.5])
    other = pickle.loads(pickle.dumps(rows))
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(rows, name), getattr(other, name))
    np.testing.assert_array_equal(rows["x*y"], other["x*y"])
    last = pickle.loads(pickle.dumps(run.last))
    assert type(last) is noslip.State and last.to_dict() == run.last.to_dict() and last["x*y"] == run.last["x*y"]
    hit = pickle.loads(pickle.dumps(run.events[0]))
    assert type(hit) is noslip.Hit and isinstance(hit, noslip.State)
    assert (hit.when, hit.number, hit["theta"]) == ("theta - 1", 1, run.events[0]["theta"])


def test_a_failure_with_its_run():
    with pytest.raises(noslip.NumericalError) as caught:
        noslip.System('coordinates = ["x"]\nlagrangian = "x\'^2/2 + 4*log(x)"\n[initial]\nq = [1]\nv = [-1000]\n').run(step=0.1, until=1, check=True)
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.run.status == "failed" and str(error) == error.run.message


def test_bytes_that_are_no_run():
    reconstruct, arguments, state = SLEIGH.run(step=0.1, until=1).__reduce_ex__(2)[:3]
    for wrong in ((state[0] + 1, *state[1:]), (*state[:2], state[2][:-8], state[3]), (*state[:2], state[2] + b"12345678", state[3]), state[:2]):
        with pytest.raises(noslip.InputError):
            reconstruct(*arguments).__setstate__(wrong)


def turned(spin):
    """In another process."""
    return SLEIGH.run(method="mp", step=0.1, until=5, init={"theta'": spin})


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_return_runs(method):
    spins = [0.0, 0.5]
    with multiprocessing.get_context(method).Pool(2) as pool:
        for spin, run in zip(spins, pool.map_async(turned, spins).get(60)):
            np.testing.assert_array_equal(run.q, turned(spin).q)
            assert run.at(1.25).q.tolist() == turned(spin).at(1.25).q.tolist()
