// What a run works with, kept between runs: a loop of short runs does not allocate it again and again.
#pragma once

#include <memory>
#include <vector>

#include "run/program_data.hpp"
#include "run/state_functions.hpp"

namespace noslip {

template <class T>
struct RunTools {
  RunTools(std::shared_ptr<const ProgramData<T>> of, std::size_t extra_slots);

  /// A stepper with room for ProgramData::monitored and for `extra_slots` numbers; without parameters and state.
  std::unique_ptr<LaneStepper<T>> new_stepper() const;

  std::shared_ptr<const ProgramData<T>> program;
  std::size_t extra_slots;
  std::unique_ptr<LaneStepper<T>> stepper;
  std::unique_ptr<LaneStepper<T>> beside;  ///< for steps that are taken again; made when it is wanted first
  MotionSolver<T> solver;
  StartCheck<T> check;
  StateFunctions<T> energy, momenta;
  std::vector<T> states;  ///< of steps that Scrutiny keeps
};

/// Tools of this program that another run of this thread has left, or new ones. What is in them is from that run: a
/// state and parameters have to be set. They go back when the pointer is destroyed, by the thread that does it.
template <class T>
struct ReturnTools {
  void operator()(RunTools<T>* tools) const;
};
template <class T>
using BorrowedTools = std::unique_ptr<RunTools<T>, ReturnTools<T>>;
template <class T>
BorrowedTools<T> borrow_tools(const std::shared_ptr<const ProgramData<T>>& program, std::size_t extra_slots);
/// Lets go of those that no run of this thread uses, and of their programs.
void forget_tools();

}  // namespace noslip
