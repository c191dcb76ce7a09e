// The chain of springs of docs/speed.md: masses in a row with springs of FPUT's beta type between them, the first one
// tied to a wall, and one nonholonomic constraint.
#pragma once

#include <functional>
#include <string>
#include <vector>

/// System file of n masses. Every mass moves from the start on: q[i] = sin(i).
std::string spring_chain(int n);

/// Masses of the chain that other solvers integrate.
constexpr int chain_masses = 1000;

/// A solver of ordinary differential equations, on the equations with the multiplier eliminated.
struct ChainSolver {
  std::string name;
  /// From t = 0 to the end with this relative and absolute tolerance; gives the positions q, y there.
  /// Calls each_step with the energy after every step if it is given.
  std::function<std::vector<double>(double tolerance, double end, const std::function<void(double)>& each_step)> solve;
};

std::vector<ChainSolver> odeint_solvers();

/// Prints the time to an energy error: noslip and Boost.odeint in one run. Throws if they do not end at
/// the same positions.
void compare_chain(bool is_for_documents);
