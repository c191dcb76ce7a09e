// Random programs and random numbers of every kind, for comparing one way of running a tape with another.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <noslip/tape/tape.hpp>

namespace noslip {

using Random = std::mt19937_64;

struct TapeShape {
  int instructions = 50;
  int inputs = 8;
  int constants = 5;
  int slots = 24;
  /// Operands come from this many of the latest values; a large number keeps many values in flight.
  int reach = 1000;
  double functions = 0.1;  ///< share of calls among the instructions
  bool calls_in_a_row = false;
  /// Only operations and constants that keep numbers ordinary; otherwise most results are infinite or NaN before long.
  bool is_tame = false;
  double lookups = 0;        // share of lookups in tables
  double externals = 0;  ///< share of calls of functions written in C++
};

Tape random_tape(Random& random, const TapeShape& shape);

/// The same random instructions for many neighbouring slots, with single ones between them; sets the slots of the shape.
Tape repeating_tape(Random& random, TapeShape& shape);

/// A shape with everything drawn at random; some have more than a hundred values in flight.
TapeShape random_shape(Random& random);

/// Ordinary numbers mostly; zeros of both signs, infinities, NaN, denormal, huge and tiny numbers too.
double random_number(Random& random);
double random_tame_number(Random& random);

/// The same bits, or both NaN.
bool is_same(double a, double b);

}  // namespace noslip
