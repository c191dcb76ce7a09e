# A controller in Python in the loop.

# %% [markdown]
# # A controller in Python
#
# A robot on two wheels falls without its controller. The system file of the catalogue has a controller of its own; here a
# Python function takes its place. A stepper holds one state; the loop sets the torque before every sampling period.

# %%
import noslip
import numpy as np

with_controller = noslip.System("segway")
text = with_controller.text
start, end = text.index("\n[sampled]"), text.index("\n[initial]")
robot = noslip.System(text[:start] + text[end:])
robot.inputs

# %%
gain = np.array([30, 800, 90, 260])  # of place, lean and their rates


def torque(q, v):
    return gain @ [q[0], q[1], v[0], v[1]]


stepper = robot.stepper(method="gauss:2", step=0.002)
times, lean, place, command = [], [], [], []
for sample in range(1000):  # a hundred times per second
    stepper.inputs["tau"] = torque(stepper.q, stepper.v)
    stepper.advance(5)
    times.append(stepper.t)
    place.append(stepper.q[0])
    lean.append(stepper.q[1])
    command.append(stepper.inputs["tau"])
print(f"after {stepper.t:.0f} s: place {stepper.q[0]:.4f} m, lean {stepper.q[1]:.5f} rad")

# %% [markdown]
# The same controller in the system file gives the same motion.

# %%
reference = with_controller.run(method="gauss:2", step=0.002, until=10)
print(f"difference of the lean: {abs(reference.last.q[1] - stepper.q[1]):.1e}")

# %%
import matplotlib.pyplot as plt

figure, (above, below) = plt.subplots(2, sharex=True, figsize=(7, 4))
above.plot(times, lean, label="lean / rad")
above.plot(times, place, label="place / m")
above.legend()
below.step(times, command, where="pre", label="torque / N m")
below.set_xlabel("t / s")
below.legend();

# %% [markdown]
# Which delay does it stand? The loop holds back the torque by some samples.

# %%
def falls(delay):
    stepper = robot.stepper(method="gauss:2", step=0.002)
    waiting = [0.0] * delay
    for sample in range(500):
        waiting.append(torque(stepper.q, stepper.v))
        stepper.inputs["tau"] = waiting.pop(0)
        stepper.advance(5)
        if abs(stepper.q[1]) > 1:
            return True
    return False


for delay in range(0, 16, 3):
    print(f"{10 * delay:3} ms: {'falls' if falls(delay) else 'stands'}")
