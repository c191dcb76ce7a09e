"""States of first order, and units."""

import pickle

import numpy as np
import pytest

import noslip


@pytest.fixture(scope="module")
def cart():
    x = noslip.coordinate("x")
    push, lag = noslip.coordinates("push lag")
    return noslip.System(
        coordinates=[x],
        lagrangian=x.dot**2 / 2,
        states={push: (1 - push) / lag, "cost": x**2},
        forces={x: push},
        parameters={lag: 0.5},
        initial={push: 0.25, x: 0.1},
        units={"x": "m", "lag": "s"},
    )


def test_states_are_apart_from_positions(cart):
    run = cart.run(method="gauss:4", step=0.05, until=2, dense=True)
    exact = 1 - 0.75 * np.exp(-2 * run.t)
    assert run.q.shape == (41, 1) and run.states.shape == (41, 2)
    assert np.abs(run.states[:, 0] - exact).max() < 1e-11
    assert np.array_equal(run["push"], run.states[:, 0]) and np.shares_memory(run.q, run.states) is False
    assert np.array_equal(run["cost"], run.states[:, 1]) and run["cost"].base is not None
    assert run.last.states[0] == run["push"][-1] and run.last.q.shape == (1,)
    assert abs(run["push'"][0] - 1.5) < 1e-14
    assert run.to_dict()["states"]["push"] == run["push"][-1]
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.states, run.states)


def test_states_begin_and_vary(cart):
    assert cart.run(step=0.1, until=1, init={"push": 1})["push"][-1] == 1
    many = cart.ensemble(members={"push": np.linspace(0, 1, 5)}, step=0.1, until=1, columns=["push"])
    assert np.all(np.diff(many["push"]) > 0)
    later = cart.run(step=0.1, until=2, init_from=cart.run(step=0.1, until=1).last)
    assert later["push"][0] > 0.8


def test_a_stepper_has_them(cart):
    stepper = cart.stepper(method="gauss:4", step=0.05)
    stepper.set_state(states=[0.5, 0])
    assert stepper.q.shape == (1,) and stepper.states[0] == 0.5
    stepper.advance(20)
    assert abs(stepper.states[0] - (1 - 0.5 * np.exp(-2))) < 1e-11
    assert abs(stepper.system.run(step=0.05, until=1, method="gauss:4", init={"push": 0.5})["cost"][-1] - stepper.states[1]) < 1e-14


def test_units_are_compared():
    with pytest.raises(noslip.InputError, match="units do not agree"):
        noslip.System(coordinates=["x"], lagrangian="x'^2/2 - g*x", parameters={"g": 1}, units={"x": "m", "g": "m/s"})
