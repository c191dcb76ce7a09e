#!/usr/bin/env python3
"""What calls from Python cost: prints the least of many times.

Needs PYTHONPATH to name the folder of the package, for example build/release/python.
"""

import time

import numpy as np

import noslip


def least(work, repeats=200):
    """Seconds of the fastest of many calls."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def per_call(work, calls=2000):
    """Seconds of a call, of the fastest of many rounds."""

    def round_of_calls():
        for _ in range(calls):
            work()

    return least(round_of_calls, 15) / calls


def main():
    sleigh = noslip.System("sleigh")
    stepper = sleigh.stepper(method="mp", step=1e-3)
    many = least(lambda: stepper.advance(20000), 20) / 20000
    one = per_call(lambda: stepper.advance(1))
    print(f"stepper.advance(1)          {one * 1e9:8.0f} ns, of which a step {many * 1e9:.0f} ns")
    print(f"stepper.step()              {per_call(stepper.step) * 1e9:8.0f} ns")
    print(f"stepper.q                   {per_call(lambda: stepper.q) * 1e9:8.0f} ns")
    print(f"run of 10 steps             {per_call(lambda: sleigh.run(method='mp', step=0.1, steps=10), 300) * 1e6:8.1f} us")

    run = sleigh.run(method="mp", step=1e-3, steps=1_000_000)
    print(f"run.q of 1e6 rows           {per_call(lambda: run.q) * 1e9:8.0f} ns")
    print(f"run['x'] of 1e6 rows        {per_call(lambda: run['x']) * 1e9:8.0f} ns")
    stored = least(lambda: sleigh.run(method="mp", step=1e-3, steps=100_000), 5) / 100_000
    unstored = least(lambda: sleigh.run(method="mp", step=1e-3, steps=100_000, every=100_000), 5) / 100_000
    print(f"a step in a run             {stored * 1e9:8.0f} ns with its row, {unstored * 1e9:.0f} ns without")

    text = noslip.System("segway").text
    segway = noslip.System(text[: text.index("\n[sampled]")] + text[text.index("\n[initial]") :])
    gains = segway.parameters
    kp, kd, kx, kv = (gains[name] for name in ("kp", "kd", "kx", "kv"))

    def regulator(t, q, v):
        return kp * q[1] + kd * v[1] + kx * q[0] + kv * v[0]

    def controlled():
        return segway.run(step=0.01, until=20, inputs={"tau": noslip.Controller(regulator, every=0.01)})

    seconds = least(controlled, 10)
    print(f"segway, controller at 100 Hz{20 / seconds:8.0f} times faster than real time (step 0.01)")
    fine = least(lambda: segway.run(step=0.001, until=5, inputs={"tau": noslip.Controller(regulator, every=0.01)}), 10)
    print(f"                            {5 / fine:8.0f} times faster than real time (step 0.001)")
    members = {"theta'": np.linspace(0, 1, 10000)}
    rate = 10000 / least(lambda: sleigh.ensemble(members=members, method="mp", step=0.05, until=5), 3)
    print(f"ensemble                    {rate:8.0f} trajectories of 100 steps per second")


if __name__ == "__main__":
    main()
