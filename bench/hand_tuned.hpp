// The hand-tuned side of the comparison.
#pragma once

#include <string>

#include "test_systems.hpp"

/// mp with compensated sums. The other programs add without.
inline const std::string compensated_mp = "mp, compensated";

/// Fastest ns per step of a hand-tuned program (gauss:2, gauss:3, mp, compensated_mp, mp:4, mp:6, mp:8).
double hand_tuned_nanoseconds(TestCase which, const std::string& method, double h, long steps);
