"""Tables, conditions and landing from Python."""
import os
import pickle

import pytest

import noslip

SYSTEM = """
coordinates = ["x"]
lagrangian = "1/2*(x'^2 - x^2)"
[forces]
x = "push(t) + if(x < 1/2, 0, 1)"
[tables]
push = {{ {} }}
[initial]
v = [1]
"""


def test_a_system_keeps_the_points_of_a_file(tmp_path):
    points = "t,force\n0,0.1\n0.4,-0.2\n0.9,0.3\n2,0\n"
    (tmp_path / "push.csv").write_text(points)
    file = tmp_path / "system.toml"
    file.write_text(SYSTEM.format('file = "push.csv", kind = "cubic"'))
    system = noslip.System(str(file))
    expected = system.run(step=0.05, until=1)["x"][-1]
    os.remove(tmp_path / "push.csv")
    copy = pickle.loads(pickle.dumps(system))
    assert copy.run(step=0.05, until=1)["x"][-1] == expected


def test_a_text_has_no_folder():
    with pytest.raises(noslip.InputError, match="load the system from a file"):
        noslip.System(SYSTEM.format('file = "push.csv"'))


def test_points_may_be_numbers_of_python():
    x = noslip.coordinate("x")
    system = noslip.System(coordinates=[x], lagrangian=x.dot**2 / 2, forces={x: "push(t)"},
                           tables={"push": {"points": [(i / 4, i * i) for i in range(9)], "kind": "cubic"}})
    # The spline of a parabola is the parabola: x'' = 16 t^2.
    assert system.run(step=0.1, until=1)["x"][-1] == pytest.approx(16 / 12, rel=1e-12)


def test_landing_restores_what_the_warning_tells():
    system = noslip.System(SYSTEM.format('points = [[0, 0], [2, 1]]'))
    plain = system.run(step=0.05, until=1)
    warning, = [w for w in plain.warnings if "inside a step" in w]
    assert "land" in warning
    landed = system.run(step=0.05, until=1, events=["x - 1/2"], land=True)
    assert not landed.warnings
    exact = system.run(step=0.001, until=1, events=["x - 1/2"], land=True)["x"][-1]
    assert abs(landed["x"][-1] - exact) < abs(plain["x"][-1] - exact) / 50
