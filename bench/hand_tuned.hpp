// The hand-tuned side of the comparison.
#pragma once

/// Fastest ns per step of the hand-tuned Gauss SPARK program with `stages` (2 or 3) on P1 ... P4.
double hand_tuned_nanoseconds(int problem, int stages, double h);
