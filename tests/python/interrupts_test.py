"""Ctrl-C ends every call within a tenth of a second, and nothing is left behind."""

import os
import signal
import threading
import time

import pytest

import noslip

SLOWNESS = float(os.environ.get("NOSLIP_SLOWNESS", "1"))
SLEIGH = noslip.System("sleigh")
LONG = {"step": 1e-3, "steps": 10**9}


def chain(links):
    """A system that takes seconds to prepare."""
    names = [f"a{i}" for i in range(1, links + 1)]
    y = vx = vy = ""
    terms = []
    for name in names:
        y += f" - cos({name})"
        vx += f" + cos({name})*{name}'"
        vy += f" + sin({name})*{name}'"
        terms.append(f"(({vx})^2 + ({vy})^2)/2 - 9.75*({y})")
    quoted = ", ".join(f'"{name}"' for name in names)
    return f"coordinates = [{quoted}]\nlagrangian = \"{' + '.join(terms)}\"\n"


CALLS = {
    "run": lambda: SLEIGH.run(**LONG, every=10**6),
    "run with rows": lambda: SLEIGH.run(step=1e-3, steps=10**7),
    "run with progress": lambda: SLEIGH.run(**LONG, every=10**6, progress=lambda done, every: None),
    "advance": lambda: SLEIGH.stepper(step=1e-3).advance(10**9),
    "ensemble": lambda: SLEIGH.ensemble(sample=10**6, vary={"theta'": "uniform(0,1)"}, step=1e-3, until=100),
    "converge": lambda: SLEIGH.converge(method="gauss:2", steps_list=[1e-5, 5e-6], until=1000),
    "compare": lambda: SLEIGH.compare(method=["gauss:2", "mp"], step=1e-5, until=1e4),
    "section": lambda: SLEIGH.section(step=1e-3, when="theta - 1e6", crossings=10**6),
    "preparation": lambda: noslip.System(chain(40)).run(method="gauss:12", step=0.1, steps=5),
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c(name):
    sent = []

    def interrupt():
        time.sleep(0.3)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    latencies = []
    for _ in range(3):  # a busy machine may be late once
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                CALLS[name]()
        finally:
            thread.join()
        latencies.append(time.perf_counter() - sent[-1])
        if latencies[-1] < 0.1 * SLOWNESS:
            break
    assert min(latencies) < 0.1 * SLOWNESS, latencies
    assert SLEIGH.run(step=0.1, steps=3).status == "done"  # the next call is not concerned


def test_a_handler_that_returns_does_not_end_a_run():
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *arguments: seen.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        run = SLEIGH.run(step=1e-3, steps=500_000, every=10**5)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert run.status == "done" and seen == [1]


def test_a_handler_may_raise_anything():
    class Own(Exception):
        pass

    def handler(*arguments):
        raise Own

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Own):
            SLEIGH.run(**LONG, every=10**6)
    finally:
        signal.signal(signal.SIGALRM, before)
