"""Runs: arrays, columns, states between rows, events, controllers, files."""

import json

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")
CART = noslip.System('''
name = "cart"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2"
[inputs]
tau = 0
u = 0
[forces]
x = "tau"
y = "u"
[invariants]
sum = "x' + y'"
''')


def test_arrays_are_views():
    run = SLEIGH.run(step=0.1, until=10)
    assert run.q.shape == (101, 3) and run.t.shape == (101,) and run.multipliers.shape == (101, 1)
    assert run.q.ctypes.data == run.q.ctypes.data
    assert run["x"].ctypes.data == run.q.ctypes.data
    assert run["theta"].ctypes.data == run.q.ctypes.data + 16
    assert not run.q.flags.owndata and not run.q.flags.writeable
    q = run.q
    before = q.copy()
    del run
    np.testing.assert_array_equal(q, before)  # the array keeps the run alive
    with pytest.raises(ValueError):
        q[0, 0] = 1


def test_columns_and_expressions():
    run = SLEIGH.run(step=0.1, until=1)
    assert run.columns == ("t", "x", "y", "theta", "x'", "y'", "theta'", "lambda1", "energy", "constraint")
    assert "x'" in run and "z" not in run and len(run) == 11
    np.testing.assert_array_equal(run["x"], run.q[:, 0])
    np.testing.assert_array_equal(run["theta'"], run.v[:, 2])
    np.testing.assert_allclose(run["x^2 + y^2"], run.q[:, 0] ** 2 + run.q[:, 1] ** 2, rtol=1e-15)
    assert run["x^2 + y^2"].ctypes.data == run["x^2 + y^2"].ctypes.data
    np.testing.assert_array_equal(CART.run(step=0.1, steps=2)["sum"], [0, 0, 0])
    with pytest.raises(noslip.InputError, match="did you mean 'theta'"):
        run["tehta"]
    with pytest.raises(noslip.InputError):
        run["x +"]
    assert run.last["x"] == run["x"][-1] and run.last.to_dict()["t"] == 1


def test_columns_while_it_runs(tmp_path):
    run = SLEIGH.run(step=0.1, until=1, columns="x*y, energy", output=tmp_path / "a.csv")
    np.testing.assert_array_equal(run["x*y"], SLEIGH.run(step=0.1, until=1)["x*y"])
    assert (tmp_path / "a.csv").read_text().splitlines()[0] == "t,x*y,energy"


def test_states_between_rows():
    run = SLEIGH.run(method="gauss:3", step=0.1, until=10)
    rows = run.at([0, 0.1, 3.21])
    assert rows.q.shape == (3, 3) and rows["x"].shape == (3,)
    np.testing.assert_allclose(rows.q[1], run.q[1], rtol=1e-15)
    assert run.at(3.21).q.tolist() == rows.q[2].tolist()
    given = SLEIGH.run(method="gauss:3", step=0.1, until=10, at=[0, 0.1, 3.21])
    np.testing.assert_array_equal(given.t, [0, 0.1, 3.21])
    np.testing.assert_array_equal(given.q, rows.q)
    with pytest.raises(noslip.InputError):
        run.at(11)


def test_numbers():
    exact = SLEIGH.run(step="1/10", steps=10, precision="quad")
    double = SLEIGH.run(step=0.1, steps=10, precision="quad")
    assert exact.last_text[0] == "1"
    assert double.last_text[0].startswith("1.00000000000000005551")
    from decimal import Decimal
    from fractions import Fraction

    for step in (Fraction(1, 10), Decimal("0.1")):
        assert SLEIGH.run(step=step, steps=10, precision="quad").last_text == exact.last_text
    assert SLEIGH.run(step=np.float64(0.1), steps=np.int64(10)).steps == 10
    angle = SLEIGH.run(step=0.1, steps=1, init={"theta": "pi/4"}, project=True)
    assert angle.q[0, 2] == pytest.approx(np.pi / 4)


def test_events():
    options = {"step": 0.1, "until": 10, "init": {"theta'": 1}}
    run = SLEIGH.run(**options, events=["theta - 1,up", "theta - 2,up,stop"])
    assert run.status == "stopped"
    first, last = run.events
    assert (first.when, first.number, first.direction) == ("theta - 1", 1, "up")
    assert last["theta"] == pytest.approx(2) and run.last.t == last.t
    by_function = SLEIGH.run(**options, events=[noslip.Event(lambda t, q, v: q[2] - 2, direction="up", stop=1)])
    assert by_function.events[0].t == pytest.approx(last.t, rel=1e-12)
    assert by_function.events[0].when == "<lambda>"


def test_events_that_act():
    seen = []

    def bounce(change):
        seen.append((change.number, change.t))
        change.v[0] = -change.v[0]
        change.stops = change.number == 2

    run = CART.run(step=0.1, until=100, init={"x'": 1}, inputs={"tau": -1},
                   events=[noslip.Event("x", direction="down", act=bounce)])  # fmt: skip
    assert [number for number, _ in seen] == [1, 2]
    assert run.last.t == pytest.approx(4) and run.status == "stopped"


def test_inputs():
    assert CART.run(step=0.1, until=1, inputs={"tau": 2}).last["x'"] == pytest.approx(2)
    held = CART.run(step=0.1, until=2, inputs={"tau": ([0, 1], [1, -1])})
    assert held.last["x'"] == pytest.approx(0, abs=1e-12)
    joined = CART.run(step=0.1, until=1, inputs={"tau": (np.array([0.0, 1.0]), np.array([0.0, 2.0]), "linear")})
    assert joined.last["x'"] == pytest.approx(1)


def test_controllers():
    times = []

    def brake(t, q, v):
        times.append(t)
        return -v[0]

    run = CART.run(step=0.05, until=1, init={"x'": 1}, inputs={"tau": noslip.Controller(brake, every=0.1)})
    np.testing.assert_allclose(times, np.arange(10) / 10, atol=1e-12)
    assert run.last["x'"] == pytest.approx(0.9**10)

    def all_of_them(t, q, v, inputs):
        assert len(inputs) == 2
        inputs[1] = -v[0]

    run = CART.run(step=0.05, until=1, inputs=[noslip.Controller(all_of_them, every=0.1)])
    assert run.status == "done"
    by_name = CART.run(step=0.1, steps=2, inputs=noslip.Controller(lambda t, q, v: {"u": 1, "tau": 2}, every=0.1))
    assert by_name["u"].tolist() == [1, 1, 1] and by_name["tau"].tolist() == [2, 2, 2]
    pair = CART.run(step=0.1, steps=2, inputs=noslip.Controller(lambda t, q, v: (3, 4), every=0.1))
    assert pair["u"].tolist() == [4, 4, 4]
    with pytest.raises(noslip.InputError, match="how often"):
        CART.run(step=0.1, steps=1, inputs={"tau": brake})
    for wrong in (lambda t, q, v: "no", lambda t, q, v: (1, 2, 3), lambda t, q, v: {"tua": 1}):
        with pytest.raises(noslip.InputError):
            CART.run(step=0.1, steps=1, inputs={"tau": noslip.Controller(wrong, every=0.1)})


def test_exceptions_of_functions_pass():
    class Own(Exception):
        pass

    def raises(*arguments):
        raise Own("mine")

    for options in ({"inputs": {"tau": noslip.Controller(raises, every=0.1)}}, {"events": [raises]}, {"progress": raises},
                    {"init": {"x'": 1, "x": -0.5}, "events": [noslip.Event("x", act=raises)]}):  # fmt: skip
        with pytest.raises(Own, match="mine"):
            CART.run(step=0.1, until=1, **options)


def test_progress():
    calls = []
    CART.run(step=0.1, until=1, progress=lambda done, every: calls.append((done, every)))
    assert calls[0] == (0, 10)
    stopped = CART.run(step=1e-4, steps=10**9, every=10**6, progress=lambda done, every: done < 1)
    assert stopped.status == "interrupted" and stopped.steps < 10**9


def test_failures():
    falling = noslip.System('coordinates = ["x"]\nlagrangian = "x\'^2/2 + 4*log(x)"\n[initial]\nq = [1]\nv = [-1000]\n')
    run = falling.run(step=0.1, until=1)
    assert run.status == "failed" and run.message
    with pytest.raises(noslip.NumericalError) as caught:
        falling.run(step=0.1, until=1, check=True)
    assert caught.value.run.status == "failed"


def test_other_packages():
    pandas, xarray = pytest.importorskip("pandas"), pytest.importorskip("xarray")
    run = SLEIGH.run(step=0.1, until=1)
    frame = run.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert list(run.to_pandas(["x", "x*y"]).columns) == ["x", "x*y"]
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["theta'"].dims == ("t",)


def test_pictures():
    run = SLEIGH.run(step=0.1, until=1)
    assert run.plot("energy,x:y")._repr_svg_().startswith("<svg") or "<svg" in run.plot()._repr_svg_()
    assert "<svg" in run._repr_html_() and "<pre>" in run._repr_html_()

    class Axes:
        lines = []

        def plot(self, x, y, label):
            self.lines.append((label, len(x), len(y)))

        def set_xlabel(self, text):
            pass

        def legend(self):
            pass

    run.plot("x:y,theta", ax=Axes())
    assert Axes.lines == [("y", 11, 11), ("theta", 11, 11)]
    with pytest.raises(noslip.InputError):
        run.plot("nothing")


def test_files(tmp_path):
    names = [tmp_path / "a.csv", tmp_path / "a.npz", tmp_path / "a.h5"]
    run = SLEIGH.run(step=0.1, until=1, output=names)
    np.testing.assert_array_equal(np.load(names[1])["x"], run["x"])
    assert len(names[0].read_text().splitlines()) == 12
    with pytest.raises(noslip.FileError, match="a.csv"):
        SLEIGH.run(step=0.1, until=1, output=names[0])
    SLEIGH.run(step=0.1, until=1, output=names[0], force=True)
    with pytest.raises(noslip.InputError, match="txt"):
        SLEIGH.run(step=0.1, until=1, output="a.txt")


def test_checkpoints(tmp_path):
    whole = SLEIGH.run(step=0.1, until=20, set={"a": 0.5}, init={"theta'": 1}, output=tmp_path / "whole.csv", columns=["x*y"])
    part = SLEIGH.run(step=0.1, until=10, set={"a": 0.5}, init={"theta'": 1}, output=tmp_path / "part.csv", columns=["x*y"],
                      checkpoint=tmp_path / "run.checkpoint")  # fmt: skip
    assert part.status == "done"
    rest = noslip.resume(tmp_path / "run.checkpoint", until=20)
    for name in ("q", "v", "t", "energy", "multipliers"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name))
    np.testing.assert_array_equal(rest["x*y"], whole["x*y"])
    assert (tmp_path / "part.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    with pytest.raises(noslip.FileError):
        SLEIGH.run(step=0.1, until=1, checkpoint=tmp_path / "run.checkpoint")
    with pytest.raises(noslip.InputError, match="Python"):
        SLEIGH.run(step=0.1, until=1, checkpoint=tmp_path / "x", events=[lambda t, q, v: q[0]])
    (tmp_path / "wrong").write_text("no checkpoint")
    with pytest.raises(noslip.InputError):
        noslip.resume(tmp_path / "wrong")


def test_events_of_a_checkpoint(tmp_path):
    options = {"step": 0.1, "until": 10, "init": {"theta'": 1}, "events": ["theta - 0.5", noslip.Event("theta - 1", direction="up"), noslip.Event("max(theta, 0) - 1.5", stop=1)]}
    whole = SLEIGH.run(**options)
    assert whole.status == "stopped" and len(whole.events) == 3
    part = SLEIGH.run(**options, checkpoint=tmp_path / "c", progress=lambda done, every: False)
    assert part.status == "interrupted"
    rest = noslip.resume(tmp_path / "c")
    assert [(hit.when, hit.direction, hit.t) for hit in rest.events] == [(hit.when, hit.direction, hit.t) for hit in whole.events]
    assert rest.status == "stopped"


def test_a_broken_run_goes_on(tmp_path):
    options = {"step": 1e-3, "steps": 400_000, "every": 1000}
    whole = SLEIGH.run(**options)
    part = SLEIGH.run(**options, checkpoint=tmp_path / "c", progress=lambda done, every: done < 1)
    assert part.status == "interrupted" and part.steps < 400_000
    rest = noslip.resume(tmp_path / "c")
    np.testing.assert_array_equal(rest.q, whole.q)
    first, second = rest.to_dict(), whole.to_dict()
    for name in ("energy", "constraints", "solver", "steps"):
        assert first[name] == second[name]


def test_documents():
    run = SLEIGH.run(step=0.1, until=1)
    assert run.to_dict() == json.loads(run.json())
    assert run.summary().startswith("system      Chaplygin sleigh")
    assert "done" in repr(run)
