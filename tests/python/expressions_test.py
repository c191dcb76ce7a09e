"""Systems from expressions."""

import pickle

import numpy as np
import pytest

import noslip


def skate(**more):
    x, y, theta = noslip.coordinates("x y theta")
    return noslip.System(
        name="skate",
        coordinates=[x, y, theta],
        lagrangian=0.5 * (x.dot**2 + y.dot**2 + theta.dot**2) + x,
        constraints=[noslip.equal(y.dot * noslip.cos(theta), x.dot * noslip.sin(theta))],
        initial={theta.dot: 1},
        **more,
    )


TEXT = noslip.System("""
    coordinates = ["x", "y", "theta"]
    lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"
    constraints = ["y'*cos(theta) = x'*sin(theta)"]
    [initial]
    v = [0, 0, 1]
""")


def test_the_same_as_a_text():
    run, same = skate().run(method="gauss:3", step=0.1, until=10), TEXT.run(method="gauss:3", step=0.1, until=10)
    np.testing.assert_array_equal(run.q, same.q)
    assert skate().name == "skate"


def test_pickles_as_its_text():
    system = skate()
    copy = pickle.loads(pickle.dumps(system))
    assert copy.text == system.text
    np.testing.assert_array_equal(copy.run(step=0.1, steps=9).q, system.run(step=0.1, steps=9).q)
    assert noslip.System(system.text).coordinates == ("x", "y", "theta")


def test_numbers():
    x = noslip.coordinate("x")
    assert str(x / 10) == "0.1*x"
    assert str(2 * x) == "2*x"
    from fractions import Fraction

    assert str(Fraction(1, 3) * x) in ("1/3*x", "x/3")
    tenth = noslip.System(coordinates=[x], lagrangian=x.dot**2 / 2, parameters={"a": 0.1, "b": Fraction(1, 10), "c": 2, "d": "a/2"})
    assert tenth.parameters == {"a": 0.1, "b": 0.1, "c": 2.0, "d": 0.05}
    run = tenth.run(step=1, steps=1, precision="quad", init={"x": "a - b"})
    assert float(run.last_text[1]) == pytest.approx(0.1 - 1 / 10, abs=1e-17)
    assert str(noslip._noslip._parse("x'*p(y)")) in ("x'*p(y)", "p(y)*x'")


def test_operators():
    x, y = noslip.coordinates("x, y")
    assert x == noslip.coordinate("x") and x != y and hash(x) == hash(noslip.coordinate("x"))
    assert str(-x + y - 1 + 2**x) and str(abs(x)) == "abs(x)" and +x == x
    assert 1 + x == x + 1 and str(1 - x) != str(x - 1)
    assert str(noslip.atan2(y, x)) == "atan2(y, x)"
    assert str(noslip.sqrt(4)) == "2" and str(noslip.minimum(x, 1)) == "min(x, 1)"
    assert x._repr_latex_() == "$x$"
    assert pickle.loads(pickle.dumps(noslip.sin(x) * y.dot)) == noslip.sin(x) * y.dot
    for wrong in ("a", None, [1]):
        with pytest.raises((TypeError, noslip.InputError)):
            x + wrong
    with pytest.raises(noslip.InputError, match="equal"):
        bool(x)
    with pytest.raises(noslip.InputError):
        (x + 1).dot
    with pytest.raises(noslip.InputError):
        noslip.coordinates("2x")


def test_mistakes_are_found():
    x, y = noslip.coordinates("x y")
    with pytest.raises(noslip.InputError, match="equal"):
        noslip.System(coordinates=[x, y], lagrangian=x.dot**2, constraints=[x.dot == y.dot])
    with pytest.raises(noslip.InputError, match="unknown symbol 'foo'"):
        noslip.System(coordinates=["x"], lagrangian=x.dot**2 + noslip.parameter("foo"))
    with pytest.raises(noslip.InputError, match="unknown key 'lagrangain'"):
        noslip.System(coordinates=["x"], lagrangain=x.dot**2)
    with pytest.raises(noslip.InputError, match="both given"):
        noslip.System("sleigh", lagrangian=x.dot**2)


def test_parts_of_all_kinds():
    x, y = noslip.coordinates("x y")
    k, tau = noslip.parameter("k"), noslip.input("tau")
    energy = noslip.parameter("spring")
    system = noslip.System(
        coordinates=[x, y],
        lagrangian=(x.dot**2 + y.dot**2) / 2 - energy,
        definitions={"spring": k / 2 * (x**2 + y**2)},
        parameters={k: 4},
        inputs={tau: 0},
        forces={x: tau - x.dot / 10},
        holonomic=[],
        invariants={"spin": x * y.dot - y * x.dot},
        initial={"q": [1, 0], y.dot: "sqrt(k)"},
        description="a spring",
        exact={x: "cos(2*t)"} if False else None,
    )
    assert system.parameters == {"k": 4} and system.inputs == {"tau": 0} and system.description == "a spring"
    assert system.run(step=0.01, until=1)["spin"][0] == 2


def test_long_expressions_share_definitions():
    names = noslip.coordinates([f"a{i}" for i in range(1, 13)])
    x, total = 0, 0
    for a in names:
        x = x + noslip.sin(a) * a.dot
        total = total + x**2
        x = x * (1 + a**2)
    system = noslip.System(coordinates=names, lagrangian=total / 2 + sum(a.dot**2 for a in names))
    assert len(system.text) < 100_000
    assert len(system.coordinates) == 12


def test_expressions_do_not_grow_what_they_come_from():
    x = noslip.coordinate("x")
    for _ in range(3):
        y = x
        for i in range(50):
            y = noslip.sin(y) + i
    assert str(x) == "x"
