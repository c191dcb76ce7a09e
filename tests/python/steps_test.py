"""Steppers."""

import copy
import pickle

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")
CART = noslip.System("""
coordinates = ["x"]
lagrangian = "m*x'^2/2"
[parameters]
m = 1
[inputs]
tau = 0
[forces]
x = "tau"
""")


def test_the_same_as_a_run():
    stepper = SLEIGH.stepper(method="gauss:2", step=0.1, init={"theta'": 1}, set={"a": 0.5})
    run = SLEIGH.run(method="gauss:2", step=0.1, steps=100, init={"theta'": 1}, set={"a": 0.5})
    assert stepper.step() and stepper.advance(99) == 99
    np.testing.assert_array_equal(stepper.q, run.last.q)
    np.testing.assert_array_equal(stepper.v, run.last.v)
    np.testing.assert_array_equal(stepper.multipliers, run.last.multipliers)
    assert stepper.energy == run.last.energy and stepper.t == pytest.approx(10) and stepper.steps == 100


def test_many_steps_are_single_steps():
    one, many = (SLEIGH.stepper(method="mp", step=0.01) for _ in range(2))
    many.advance(5000)
    for _ in range(5000):
        one.advance(1)
    assert one.save() == many.save()


def test_inputs_and_parameters():
    stepper = CART.stepper(step=0.1)
    stepper.inputs["tau"] = 2
    stepper.advance(10)
    assert stepper.v[0] == pytest.approx(2) and stepper.work == pytest.approx(2)
    stepper.parameters["m"] = 4
    assert dict(stepper.parameters) == {"m": 4} and list(stepper.inputs) == ["tau"] and len(stepper.inputs) == 1
    assert "2.0" in repr(stepper.inputs)
    with pytest.raises(noslip.InputError, match="did you mean 'tau'"):
        stepper.inputs["tua"] = 1
    with pytest.raises(noslip.InputError):
        stepper.inputs["tau"] = float("nan")
    assert CART.stepper(step=0.1, inputs={"tau": 3}).inputs["tau"] == 3


def test_states():
    stepper = SLEIGH.stepper(step=0.1)
    stepper.set_state(q=[0, 0, 0], v=[1, 0, 0.5], t=2)
    assert stepper.t == 2 and stepper.v.tolist() == [1, 0, 0.5]
    with pytest.raises(noslip.InputError, match="project"):
        stepper.set_state(v=[0, 1, 0])
    stepper.project_states()
    stepper.set_state(v=[1, 1, 0])
    assert stepper.residual < 1e-12
    with pytest.raises(noslip.InputError):
        stepper.set_state(q=[1])
    stepper.step_size = -0.1
    stepper.advance(3)
    assert stepper.t < 2
    with pytest.raises(noslip.InputError):
        stepper.advance(-1)


def test_copies():
    stepper = SLEIGH.stepper(method="mp:4", step=0.05)
    stepper.advance(100)
    copies = [copy.copy(stepper), copy.deepcopy(stepper), stepper.copy(), pickle.loads(pickle.dumps(stepper))]
    loaded = SLEIGH.stepper(method="mp:4", step=0.05)
    loaded.load(stepper.save())
    stepper.advance(100)
    for other in [*copies, loaded]:
        other.advance(100)
        assert other.save() == stepper.save()
    assert type(stepper.system) is noslip.System
    with pytest.raises(noslip.InputError):
        loaded.load(b"nothing")


def test_failures():
    falling = noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2/2 - sqrt(x)\"\n[initial]\nq = [1]\nv = [-1]\n")
    stepper = falling.stepper(step=0.1)
    assert stepper.advance(1000) < 1000 and stepper.status == "failed" and stepper.message
    assert not stepper.step()
    with pytest.raises(noslip.InputError, match="values only"):
        CART.stepper(step=0.1, inputs={"tau": ([0, 1], [1, 2])})
