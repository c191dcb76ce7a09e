// The hand-tuned side of the comparison.
#pragma once

#include <string>

/// Fastest ns per step of a hand-tuned program (gauss:2, gauss:3, mp, mp:4, mp:6, mp:8) on P1 ... P4.
double hand_tuned_nanoseconds(int problem, const std::string& method, double h);
