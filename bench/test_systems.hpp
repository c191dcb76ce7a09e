// The systems of bench_steps and bench_accuracy: unit masses, one constraint, the same as in systems_by_hand.hpp.
#pragma once

#include <string>
#include <vector>

enum class TestCase { particle, skate, chaotic_particles, sleigh };

struct TestSystem {
  TestCase which;
  std::string name;  ///< as the tables have it
  double span;       ///< time span of a run
  std::string toml;  ///< system file
};

/// All of them, in the order of the tables.
const std::vector<TestSystem>& test_systems();
