# Many members: a map and statistics.

# %% [markdown]
# # Ensembles
#
# A rattleback that is spun the wrong way stops and turns back. How fast depends on the tap that it gets with the spin. An
# ensemble integrates many members, in SIMD lanes and threads.

# %%
import noslip

rattleback = noslip.System("rattleback")
grid = {"spin": (-0.2, 0.2, 41), "pitch": (0.02, 0.06, 21)}  # from, to, number; the last name varies fastest
many = rattleback.ensemble(grid=grid, method="gauss:2", step=0.1, until=60, columns=["w3"])
print(f"{many.members} members, {many.failed} failed")

# %% [markdown]
# The values are arrays with one number for each member, since only the end was kept.

# %%
import matplotlib.pyplot as plt

first, tap, last = (many[name].reshape(41, 21) for name in ("spin", "pitch", "w3"))
figure, axes = plt.subplots(figsize=(7, 4))
picture = axes.pcolormesh(first, tap, last, cmap="cividis", shading="nearest")
axes.set_xlabel("initial spin")
axes.set_ylabel("tap")
figure.colorbar(picture, label="spin at t = 60");

# %% [markdown]
# Statistics over a sample, in constant memory: a million members would need no more room.

# %%
skate = noslip.System("skate")
sample = skate.ensemble(
    sample=2000,
    seed=7,
    vary={"phi'": "normal(1,0.1)"},
    method="gauss:2",
    step=0.1,
    until=20,
    every=5,
    reduce="quantile(x,0.05), median(x), quantile(x,0.95)",
)
figure, axes = plt.subplots(figsize=(7, 3))
axes.fill_between(sample.t, sample["quantile(x,0.05)"], sample["quantile(x,0.95)"], alpha=0.3)
axes.plot(sample.t, sample["median(x)"])
axes.set_xlabel("t")
axes.set_ylabel("x");

# %% [markdown]
# Members are those of `run`, bit for bit, whatever the number of threads.

# %%
member = 300
start = {name: many[name][member] for name in ("spin", "pitch")}
alone = rattleback.run(method="gauss:2", step=0.1, until=60, set=start)
print(alone["w3"][-1] == many["w3"][member])
