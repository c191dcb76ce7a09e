// A recipe made ready to run: kernels over one workspace.
//
// A step is: a guess of the unknowns; for every solve, Newton iterations; the new state and the guess for the next step.
// `factorise` makes one Newton iteration and keeps the factors of its Jacobian in the workspace, `reuse` makes one with
// the factors that are there: guesses are extrapolated and good, so that one factorisation usually lasts for a step.
// Where the recorded elimination would be too long, or its fixed pivots have turned small, `linearise` and `residual`
// evaluate the equations only, and a dense solver with pivoting does the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <noslip/exec/kernel.hpp>
#include <noslip/method/recipe.hpp>

namespace noslip {

/// Slots of the workspace, in units of one value per lane.
struct StepLayout {
  int parameters = 0, t = 0, h = 0, state = 0, compensation = 0, accelerations = 0, multipliers = 0, unknowns = 0;
  int norm = 0;   ///< sum of the sizes of the last corrections of the deciding unknowns
  int scale = 0;  ///< what it is compared with
  int watch = 0;  ///< sum of |pivot at the build / pivot now|
  int extra = 0;  ///< first of the slots reserved for the caller
  int size = 0;
  int parameter_count = 0, state_count = 0, dimension = 0, multiplier_count = 0, unknown_count = 0;
};

/// Where the order of elimination is chosen: the first state of a run.
struct StepStart {
  double t = 0, h = 0;
  std::vector<double> parameters, state, accelerations, multipliers;
};

template <class T>
struct SolveProgram {
  int first = 0, count = 0;  ///< its unknowns among all
  bool fused = false;
  Kernel<T> factorise, reuse;    ///< only if fused
  Kernel<T> linearise, residual;
  std::vector<std::pair<int, int>> pattern;  ///< row and column of the Jacobian's entries
  int residual_slot = 0, jacobian_slot = 0;
  std::vector<int> deciding;  ///< unknowns of this solve that decide convergence
};

template <class T>
struct StepProgram {
  /// `extra_slots` are reserved in the workspace for kernels of the caller (monitoring).
  StepProgram(const StepRecipe& recipe, const StepStart& start, Backend backend, int lanes, int extra_slots = 0);

  StepLayout layout;
  int lanes;
  Kernel<T> first_guess, finish;
  std::vector<SolveProgram<T>> solves;
  bool is_machine_code = false;
  std::size_t scratch_size = 0;
};

extern template struct StepProgram<double>;
extern template struct StepProgram<long double>;
extern template struct StepProgram<quad>;

}  // namespace noslip
