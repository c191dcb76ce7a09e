// Trajectories per second of a program that does nothing else: the chaotic particles, mp, eight of them in each vector.
#pragma once

/// One thread; the last states are kept. With compensated sums as noslip has them, or with plain ones.
double hand_tuned_trajectories_per_second(bool is_compensated, double h, long steps);
