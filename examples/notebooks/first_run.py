# A skate on a slope: the first run.

# %% [markdown]
# # A first run
#
# A skate slides on a slope. Its blade does not slip sideways. You write the Lagrangian and this constraint; noslip derives the
# equations of motion and integrates them.

# %%
import noslip

skate = noslip.System("""
name        = "skate"
coordinates = ["x", "y", "theta"]
lagrangian  = "1/2*(x'^2 + y'^2 + theta'^2) + x"     # x points downhill
constraints = ["y'*cos(theta) = x'*sin(theta)"]

[initial]
v = [0, 0, 1]
""")
skate

# %% [markdown]
# `show` writes out what was derived.

# %%
print(skate.show())

# %% [markdown]
# A run has a method, a step size and an end. It shows a summary and a plot.

# %%
run = skate.run(method="gauss:3", step=0.1, until=20)
run

# %% [markdown]
# The skate does not slide down: it travels sideways along a cycloid. `plot` takes the words of `--show`.

# %%
run.plot("x:y, energy")

# %% [markdown]
# The numbers are numpy arrays. They are views of the memory of the run, so that long runs are not copied. Names of coordinates,
# velocities and other columns give one column.

# %%
print(run.q.shape, run["theta"][-1], abs(run.energy - run.energy[0]).max())

# %% [markdown]
# The exact motion is x = sin(t)^2/2, y = t/2 - sin(2 t)/4. The order of a method is measured by runs with smaller and smaller
# steps.

# %%
import numpy as np

exact = np.sin(run.t) ** 2 / 2
print(f"largest error of x: {abs(run['x'] - exact).max():.1e}")

# %%
orders = skate.converge(method=["mp", "gauss:2", "gauss:3"], steps_list=["1/4", "1/8", "1/16"], until=2)
for result in orders["results"]:
    print(f"{result['method']:8} order of q {result['order_q']:.2f}, claimed {result['order_claimed']}")

# %% [markdown]
# Between the stored rows, `at` gives the state at any time.

# %%
dense = skate.run(method="gauss:3", step=0.1, until=20, dense=True)
state = dense.at(np.pi)
print(f"x(pi) = {state.q[0]:.1e}, y(pi) - pi/2 = {state.q[1] - np.pi / 2:.1e}")

# %% [markdown]
# A mistake is answered with its place and the nearest fix.

# %%
try:
    noslip.System('coordinates = ["x", "theta"]\nlagrangian = "x\'^2/2 + tehta\'^2/2"')
except noslip.InputError as error:
    print(error)
