# A car with two trailers, written with Python expressions.

# %% [markdown]
# # A vehicle of your own
#
# A tractor with driven wheels pulls two trailers. The system is written with Python expressions in place of text. Each axle has
# a constraint: it does not slip sideways.

# %%
import noslip
from noslip import cos, sin

x, y, heading, *trailers = noslip.coordinates("x y heading trailer1 trailer2")
m, J, length = noslip.parameter("m"), noslip.parameter("J"), noslip.parameter("length")
drive, turn = noslip.parameter("drive"), noslip.parameter("turn")

# %% [markdown]
# The axle of a trailer is `length` behind the axle before it. Its velocity follows from the one before: the same loop
# would write twenty trailers.

# %%
vx, vy = x.dot, y.dot
energy = m / 2 * (vx**2 + vy**2) + J / 2 * heading.dot**2
constraints = [noslip.equal(vy * cos(heading), vx * sin(heading))]
for angle in trailers:
    vx = vx + length * sin(angle) * angle.dot
    vy = vy - length * cos(angle) * angle.dot
    energy = energy + m / 4 * (vx**2 + vy**2) + J / 4 * angle.dot**2
    constraints.append(noslip.equal(vy * cos(angle), vx * sin(angle)))

# %% [markdown]
# Two forces act on the tractor: one along its heading with some resistance, and a torque that turns it to and fro. They are
# texts here; texts and expressions mix.

# %%
vehicle = noslip.System(
    name="car with two trailers",
    coordinates=[x, y, heading, *trailers],
    lagrangian=energy,
    constraints=constraints,
    parameters={m: 2, J: 1, length: 1, drive: 2, turn: 1},
    forces={
        x: "(drive - x'*cos(heading) - y'*sin(heading))*cos(heading)",
        y: "(drive - x'*cos(heading) - y'*sin(heading))*sin(heading)",
        heading: "turn*cos(t/2) - heading'",
    },
)
check = vehicle.check()
print(check["degrees_of_freedom"], "degrees of freedom,", len(check["constraints"]), "constraints")

# %%
run = vehicle.run(method="gauss:2", step=0.02, until=40)
print(run.summary())

# %% [markdown]
# The paths of the three axles: the trailers cut the corners.

# %%
import matplotlib.pyplot as plt
import numpy as np

figure, axes = plt.subplots(figsize=(7, 4))
px, py = np.array(run["x"]), np.array(run["y"])
axes.plot(px, py, label="tractor")
for name in ("trailer1", "trailer2"):
    px, py = px - np.cos(run[name]), py - np.sin(run[name])
    axes.plot(px, py, label=name)
axes.set_aspect("equal")
axes.set_xlabel("x")
axes.set_ylabel("y")
axes.legend();

# %% [markdown]
# The constraints hold to rounding error, and the work of the forces accounts for the energy.

# %%
document = run.to_dict()
print(f"largest residual of a constraint: {document['constraints']['max_abs']:.1e}")

# %% [markdown]
# A `System` is text in the end. It can be saved, sent to other processes, and used with the command-line tool.

# %%
print(vehicle.text)
