# Parameters from a noisy measurement.

# %% [markdown]
# # Fit parameters to a measurement
#
# A sleigh with friction was filmed on a slope. The friction and the slope are not known. `scipy` finds them: every evaluation of
# the residual is a run.

# %%
import noslip
import numpy as np
from scipy.optimize import least_squares

sleigh = noslip.System("""
name        = "sleigh with friction"
coordinates = ["x", "y", "theta"]
lagrangian  = "m/2*(x'^2 + y'^2) + J/2*theta'^2 + m*g*sin(slope)*x"
constraints = ["y'*cos(theta) = x'*sin(theta)"]

[parameters]
m = 1
J = 0.2
g = 9.81
slope = 0.1
friction = 0.5
spin = 2

[forces]
x = "-friction*x'"
y = "-friction*y'"
theta = "-friction*J*theta'"

[initial]
v = { theta = "spin" }
""")

# %% [markdown]
# The measurement: positions every 0.1 s, with errors of 2 mm. The run stores rows at these times only.

# %%
truth = {"slope": 0.15, "friction": 0.3}
options = dict(method="gauss:2", step=0.02, until=4, every=5)
clean = sleigh.run(set=truth, **options)
noise = np.random.default_rng(1).normal(0, 0.002, (len(clean.t), 2))
measured = clean.q[:, :2] + noise

# %%
def residual(p):
    run = sleigh.run(set={"slope": p[0], "friction": p[1]}, check=True, **options)
    return (run.q[:, :2] - measured).ravel() / 0.002


fit = least_squares(residual, [0.1, 0.5])
covariance = np.linalg.inv(fit.jac.T @ fit.jac)
for name, value, error in zip(truth, fit.x, np.sqrt(np.diag(covariance))):
    print(f"{name:8} {value:.5f} +- {error:.5f}, true value {truth[name]}")
print(f"chi^2 per measurement {2 * fit.cost / measured.size:.2f}")

# %% [markdown]
# Measurement and fitted path:

# %%
import matplotlib.pyplot as plt

best = sleigh.run(set={"slope": fit.x[0], "friction": fit.x[1]}, **options)
figure, axes = plt.subplots(figsize=(6, 4))
axes.plot(measured[:, 0], measured[:, 1], ".", label="measured")
axes.plot(best["x"], best["y"], label="fitted")
axes.set_xlabel("x / m")
axes.set_ylabel("y / m")
axes.legend();
