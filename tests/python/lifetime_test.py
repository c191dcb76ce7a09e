"""What owns what: arrays, functions and what they refer to, steppers that somebody looks at while they move."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import noslip

SLEIGH = noslip.System("sleigh")
CART = noslip.System("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n[inputs]\ntau = 0\n[forces]\nx = \"tau\"\n")


class Robot:
    """It owns runs that have called its methods."""

    def act(self, t, q, v):
        return 0.1

    def event(self, t, q, v):
        return q[0] - 1e-3

    def bounce(self, change):
        change.v[0] = 0.5


def owns_a_run(robot):
    robot.run = CART.run(step=0.1, steps=20, inputs={"tau": noslip.Controller(robot.act, every=0.1)},
                         events=[robot.event, noslip.Event("x - 1e-3", act=robot.bounce)], progress=lambda done, every: robot)  # fmt: skip


def owns_a_controller(robot):
    robot.controller = noslip.Controller(robot.act, every=0.1)


def owns_an_event(robot):
    robot.events = [noslip.Event(robot.event), noslip.Event("x", act=robot.bounce)]


def owns_a_failed_call(robot):
    try:
        CART.run(step=0.1, steps=20, inputs={"tua": noslip.Controller(robot.act, every=0.1)})
    except noslip.InputError as error:
        robot.error = error


def owns_a_study(robot):
    robot.study = SLEIGH.converge(method="mp", steps_list=[0.1, 0.05], until=1, progress=lambda *arguments: robot)
    robot.section = CART.section(step=0.1, when="x - 0.1", crossings=1, init={"x'": 1}, progress=lambda *arguments: robot)
    robot.many = CART.ensemble(step=0.1, steps=2, members={"x": [1]}, progress=lambda *arguments: robot)


@pytest.mark.parametrize("owns", [owns_a_run, owns_a_controller, owns_an_event, owns_a_failed_call, owns_a_study])
def test_cycles_are_collected(owns):
    robot = Robot()
    seen = weakref.ref(robot)
    owns(robot)
    del robot
    gc.collect()
    assert seen() is None


def test_functions_are_dropped_after_the_run():
    robot = Robot()
    seen = weakref.ref(robot)
    owns_a_run(robot)
    run = robot.run
    del robot
    gc.collect()
    assert seen() is None and run.events[0].when == "event" and run.status == "done"
    with pytest.raises(noslip.InputError, match="functions in Python"):
        run.at(0.5)


def test_arrays_keep_what_they_show():
    run = SLEIGH.run(step=0.1, until=10)
    section = noslip.System("contact-oscillator").section(method="mp", step=0.1, when="y'", crossings=5)
    many = SLEIGH.ensemble(members={"theta'": [0, 1]}, step=0.1, until=1, every=2)
    arrays = [run.q, run["x"], run["x*y"], run.at([0.1, 0.2]).v, run.at([0.1, 0.2])["x*y"], section["t"], many["x"], many.t, many.varied["theta'"]]
    before = [array.copy() for array in arrays]
    del run, section, many
    gc.collect()
    rubbish = [np.full(1000, 7.0) for _ in range(1000)]
    for array, copy in zip(arrays, before):
        np.testing.assert_array_equal(array, copy)
        assert array.base is not None and not array.flags.writeable
        with pytest.raises(ValueError):
            array.flags.writeable = True
    del rubbish


def test_arrays_of_a_change_outlive_the_event():
    kept = []

    def act(change):
        kept.append((change, change.q, change.v))

    CART.run(step=0.1, until=3, init={"x'": 1, "x": -0.55}, events=[noslip.Event("x", act=act)])
    change, q, v = kept[0]
    del change
    kept.clear()
    gc.collect()
    q[0] = 3  # of a copy that nobody reads any more
    assert q.tolist() == [3] and v.tolist() == [1]


def test_a_run_stays_interrupted_between_its_rows():
    run = SLEIGH.run(step=1e-3, steps=10**9, every=10**4, progress=lambda done, every: done < 1)
    assert run.status == "interrupted"
    assert run.at(run.last.t).q.tolist() == run.last.q.tolist()  # takes no 10^9 steps
    with pytest.raises(noslip.InputError, match="outside"):
        run.at(run.last.t + 1)


def test_what_is_given_to_a_stepper_may_ask_it():
    stepper = CART.stepper(step=0.1)
    stepper.set_state(v=[1])

    class Lazy:
        def __array__(self, dtype=None):
            return stepper.q + 1

        def __float__(self):
            return stepper.t + 1

    stepper.set_state(q=Lazy(), t=Lazy())
    assert stepper.q.tolist() == [1] and stepper.t == 1


def test_a_signal_handler_may_look_at_a_stepper():
    stepper = SLEIGH.stepper(step=1e-3)
    seen = []

    def handler(*arguments):
        seen.append(stepper.t)
        if len(seen) == 3:
            raise TimeoutError

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with pytest.raises(TimeoutError):
            stepper.advance(10**9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert 0 < seen[0] < seen[1] < seen[2] <= stepper.t


def test_other_threads_look_at_a_stepper_that_moves():
    stepper = SLEIGH.stepper(step=1e-3)
    thread = threading.Thread(target=stepper.advance, args=(1_000_000,))
    thread.start()
    times = []
    while thread.is_alive():
        times.append(stepper.t)
        time.sleep(0.001)
    thread.join()
    assert stepper.steps == 1_000_000 and sum(0 < t < stepper.t for t in times) > 3


FORK = """
import os, sys, threading, time
import noslip
system = noslip.System({text!r})
thread = threading.Thread(target=lambda: system.run(method="gauss:8", step=0.1, steps=1), daemon=True)
thread.start()
time.sleep(0.2)
child = os.fork()
if child == 0:  # what the other thread prepares is never ready here
    noslip.System("sleigh").run(step=0.1, steps=3)
    os._exit(0 if system.run(method="gauss:8", step=0.1, steps=1).steps == 1 else 1)
sys.exit(os.waitpid(child, 0)[1])
"""


def test_a_fork_while_a_program_is_prepared():
    from interrupts_test import chain

    result = subprocess.run([sys.executable, "-W", "ignore", "-c", FORK.format(text=chain(12))], timeout=100, check=False,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
    assert result.returncode == 0


AT_EXIT = """
import threading, time
import noslip
sleigh = noslip.System("sleigh")
sleigh.run(step=0.1, steps=1)

def work():
    while True:
        sleigh.run(step=0.1, steps=20000, every=20000)

threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
"""


def test_a_thread_that_works_when_python_ends():
    for _ in range(5):
        result = subprocess.run([sys.executable, "-c", AT_EXIT], timeout=100, check=False, capture_output=True,
                                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})  # fmt: skip
        assert result.returncode == 0, result.stderr
