// Initial data of steppers and runs: found, checked, and moved onto the constraints where that was asked for.
#pragma once

#include <string>
#include <vector>

#include <noslip/core/given.hpp>
#include <noslip/core/status.hpp>
#include <noslip/model/continuous.hpp>

namespace noslip {

/// Where steps start, in the scalar type of a program.
template <class T>
struct Start {
  T t = 0;
  std::vector<T> parameters;  ///< and inputs: System::step_constants()
  std::vector<T> state;       ///< q, v, and multipliers where they are part of the state
};

/// Where a run starts, with all digits: the initial data of the system, or `initial`, with the values of `init` in them
/// (RunOptions::set and ::init). InputError for a state of another shape and for names that do not exist.
InitialStateQuad given_start(const System& system, const InitialState* initial, const Settings& set,
                             const Settings& init);

/// The same with the numbers of parameters and inputs. InputError for inputs that do not exist.
template <class T>
Start<T> find_start(const System& system, const InitialState* initial, const Settings& set, const Settings& init,
                    const Settings& inputs);

/// Adds implicit momenta to a state that has q and v only.
template <class T>
void add_momenta(const System& system, Start<T>& where);

/// Checks a start, and moves it onto the constraints if `projects`. Adds what a run from there announces.
template <class T>
void make_consistent(const System& system, const Continuous& continuous, bool projects, Start<T>& where,
                     std::vector<Warning>* announced);

}  // namespace noslip
