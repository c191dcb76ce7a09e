"""Numbers, names and paths that a caller gives: numpy scalars and arrays, exact numbers, and what is none of these."""

import os
import subprocess
import sys
import unittest.mock
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")


@pytest.mark.parametrize("step", [np.array(0.1), np.float32(0.1), np.float64(0.1), np.array([0.1])[0], Fraction(1, 10), Decimal("0.1")])
def test_numbers_of_all_kinds(step):
    assert SLEIGH.run(step=step, steps=np.array(3)).steps == 3
    assert SLEIGH.run(step=step, steps=np.uint8(3)).t[1] == float(step)


def test_long_doubles_keep_their_digits():
    tenth = np.longdouble(1) / 10
    run = SLEIGH.run(step=tenth, steps=10, precision="quad")
    assert run.last_text[0] == SLEIGH.run(step=Fraction(*tenth.as_integer_ratio()), steps=10, precision="quad").last_text[0]


WRONG = [True, np.bool_(True), np.array([0.1]), np.array([0.1, 0.2]), 0.1 + 0j, np.complex128(0.1), np.complex64(0.1), 10**5000, -(10**5000),
         np.nan, np.longdouble("nan"), np.longdouble("inf"), Decimal("nan"), Decimal("sNaN"), Decimal("1e999999"), [], {}, b"1",
         np.datetime64("2000-01-01"), np.array("0.1"), object(), unittest.mock.Mock()]  # fmt: skip


@pytest.mark.parametrize("value", WRONG, ids=[str(type(value)) + str(i) for i, value in enumerate(WRONG)])
def test_what_is_no_number(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is rounded or dropped on the way
        with pytest.raises(noslip.InputError):
            SLEIGH.run(step=value, steps=2)
        with pytest.raises(noslip.InputError):
            SLEIGH.run(step=0.1, steps=2, set={"a": value})
        stepper = SLEIGH.stepper(step=0.1)
        for change in (lambda: setattr(stepper, "step_size", value), lambda: stepper.set_state(t=value),
                       lambda: stepper.parameters.__setitem__("a", value)):  # fmt: skip
            with pytest.raises(noslip.InputError):
                change()
        with pytest.raises(noslip.InputError):
            stepper.advance(value)


def test_numbers_that_raise_what_they_like():
    class Own(Exception):
        pass

    class Raises:
        def __float__(self):
            raise Own

    with pytest.raises(Own):
        SLEIGH.run(step=Raises(), steps=2)


@pytest.mark.parametrize("times", ["0.5", None, 0.5j, [[0.1, 0.2]], ["0.1"], [True], np.array([1], dtype="datetime64[s]"), b"1", {}, [None], np.nan])
def test_what_is_no_time(times):
    run = SLEIGH.run(step=0.1, until=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(noslip.InputError):
            run.at(times)


def test_arrays_of_all_kinds():
    run = SLEIGH.run(step=0.1, until=1)
    wanted = run.at([0.25, 0.5]).q
    for times in (np.array([[0.25, 9], [0.5, 9]])[:, 0], np.array([0.25, 0.5], dtype=">f4"), [Fraction(1, 4), Fraction(1, 2)], (0.25, np.float32(0.5))):
        np.testing.assert_array_equal(run.at(times).q, wanted)
    assert run.at([]).q.shape == (0, 3) and run.at(np.array(0.25)).q.tolist() == wanted[0].tolist()
    many = SLEIGH.ensemble(members={"theta'": np.arange(6)[::-2]}, step=0.1, steps=2)
    assert many.varied["theta'"].tolist() == [5, 3, 1]


@pytest.mark.parametrize("values", [[1j], [True, False], ["a"], [None, 1], np.array([1], dtype="M8[s]"), [[1, 2]], [np.nan], [object()]])
def test_wrong_members(values):
    for options in ({"members": {"theta'": values}}, {"grid": {"theta'": values}}):
        with pytest.raises(noslip.InputError):
            SLEIGH.ensemble(step=0.1, steps=2, **options)


def test_expressions_are_names():
    x, y, theta = noslip.coordinates("x y theta")
    a = noslip.parameter("a")
    by_text = SLEIGH.run(step=0.1, steps=5, init={"theta'": 1}, set={"a": 0.5})
    np.testing.assert_array_equal(SLEIGH.run(step=0.1, steps=5, init={theta.dot: 1}, set={a: 0.5}).q, by_text.q)
    for wrong in ({1: 2}, {("x",): 1}):
        with pytest.raises(noslip.InputError, match="not a name"):
            SLEIGH.run(step=0.1, steps=5, init=wrong)
    assert (x * np.array([1.0, 2.0]))[1] == 2 * x and isinstance(np.array([1.0]) * y, np.ndarray)


@pytest.mark.parametrize("name", [3, None, "a\0b.csv", b"a\0b.csv", 1.5, ["a"]])
def test_what_is_no_path(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(noslip.InputError):
        SLEIGH.run(step=0.1, steps=2, output=[name])
    with pytest.raises(noslip.InputError):
        noslip.resume(name)
    assert not list(tmp_path.iterdir())


def test_names_of_files_are_bytes(tmp_path):
    name = os.fsdecode(bytes(tmp_path) + b"/\xff.csv")
    SLEIGH.run(step=0.1, steps=2, output=name)
    assert os.path.exists(name) and noslip.System("sleigh").ensemble(members=name_of_members(tmp_path), step=0.1, steps=1).done == 1


def name_of_members(folder):
    """A file of members, named in bytes."""
    path = os.path.join(bytes(folder), b"\xfe.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write("theta'\n1\n")
    return os.fsdecode(path)


@pytest.mark.parametrize("progress", [3, "yes", [1]])
def test_wrong_progress(progress):
    calls = (lambda: SLEIGH.run(step=0.1, steps=2, progress=progress), lambda: SLEIGH.ensemble(step=0.1, steps=2, members={"x": [1]}, progress=progress),
             lambda: SLEIGH.converge(method="mp", steps_list=[0.1, 0.05], until=1, progress=progress))  # fmt: skip
    for call in calls:
        with pytest.raises(noslip.InputError, match="progress"):
            call()


def test_an_answer_without_truth():
    for options in ({"steps": 2}, {"steps": 2, "every": 1}):
        with pytest.raises(ValueError, match="ambiguous"):
            SLEIGH.run(step=0.1, progress=lambda done, every: np.array([1, 2]), **options)
    with pytest.raises(ValueError, match="ambiguous"):
        SLEIGH.converge(method="mp", steps_list=[0.1, 0.05], until=1, progress=lambda *arguments: np.array([1, 2]))


def test_lines_of_progress(capsys):
    SLEIGH.run(step=0.1, steps=20, progress=True)
    SLEIGH.converge(method="mp", steps_list=[0.1, 0.05], until=1, progress=True)
    SLEIGH.compare(method="mp", step=0.1, until=1, against="time", progress=True)
    noslip.System("contact-oscillator").section(method="mp", step=0.1, when="y'", crossings=3, progress=True)
    SLEIGH.ensemble(members={"x": [1]}, step=0.1, steps=2, progress=True)
    assert capsys.readouterr().out == ""
    SLEIGH.converge(method="mp", steps_list=[0.1, 0.05], until=1, progress=False)
    assert capsys.readouterr().err == ""


def test_events_and_controllers_are_checked_at_once():
    with pytest.raises(noslip.InputError, match="did you mean 'up'"):
        noslip.Event("x", direction="upp")
    for stop in (-1, 1.5, "x"):
        with pytest.raises(noslip.InputError, match="stop"):
            noslip.Event("x", stop=stop)
    assert noslip.Event("x", stop=np.int64(2)).stop == 2 and noslip.Event("x", stop=True).stop == 1
    with pytest.raises(noslip.InputError, match="every"):
        noslip.Controller(lambda t, q, v: 0, every="often")
    assert noslip.Controller(lambda t, q, v: 0, every="1/100").every == 0.01
    with pytest.raises(noslip.InputError) as caught:
        noslip.Event(3, direction="x", stop=-1, act=4)
    assert len(caught.value.problems) == 4


def test_complex_results_are_refused():
    cart = noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[inputs]\ntau = 0\n[forces]\nx = \"tau\"\n")
    for value in (1j, np.complex128(1), "1", None):
        with pytest.raises(noslip.InputError, match="not a number"):
            cart.run(step=0.1, steps=1, events=[lambda t, q, v, value=value: value])


@pytest.mark.skipif(sys.version_info < (3, 8), reason="no _xxsubinterpreters")
def test_other_interpreters_are_refused():
    code = """
import _xxsubinterpreters as interpreters, noslip, sys
one = interpreters.create()
paths = [path for path in sys.path if path]
try:
    interpreters.run_string(one, f"import sys; sys.path[:0] = {paths!r}\\nimport noslip._noslip")
except interpreters.RunFailedError as error:
    print(error)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0 and "interpreter" in result.stdout, result.stdout + result.stderr
