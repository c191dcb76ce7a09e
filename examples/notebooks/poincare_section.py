# Poincare sections of the contact oscillator.

# %% [markdown]
# # A Poincaré section
#
# The contact oscillator is three oscillators with the constraint x' + y z' = 0. For epsilon = 0 it is integrable: its orbits
# lie on curves. A perturbation breaks some of them up.

# %%
import noslip
import numpy as np

oscillator = noslip.System("contact-oscillator")


def section(epsilon):
    """Crossings of y' = 0 downwards, for orbits that begin at several z."""
    return oscillator.section(
        method="mp",
        step=0.1,
        when="y'",
        direction="down",
        crossings=200,
        columns=["z", "z'"],
        set={"epsilon": epsilon},
        orbits={"z0": np.linspace(-1.2, 1.2, 9)},
    )


# %%
import matplotlib.pyplot as plt

figure, all_axes = plt.subplots(1, 2, sharey=True, figsize=(8, 4))
for axes, epsilon in zip(all_axes, (0, 0.5)):
    crossings = section(epsilon)
    axes.scatter(crossings["z"], crossings["z'"], c=crossings["orbit"], s=1, cmap="viridis", rasterized=True)
    axes.set_title(f"epsilon = {epsilon}")
    axes.set_xlabel("z")
all_axes[0].set_ylabel("z'");

# %% [markdown]
# Every crossing is located on the polynomial of its step. The energy says how far the orbits can be trusted.

# %%
run = oscillator.run(method="mp", step=0.1, until=2000, every=100, set={"epsilon": 0.5})
print(f"largest error of the energy: {abs(run.energy - run.energy[0]).max():.1e}")
