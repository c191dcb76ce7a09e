// Functions of a system's state as numbers.
#pragma once

#include <span>
#include <vector>

#include <noslip/exec/function.hpp>

#include "model/state_blocks.hpp"

namespace noslip {

/// Functions of (t, state, parameters), where the state is q, v and whatever else the system has, and perhaps of
/// multipliers that are not part of it (System::multipliers); expressions of the
/// system's graph, or all of one copy of it. One object per thread; nothing is allocated by an evaluation.
template <class T>
class StateFunctions {
 public:
  StateFunctions(const System& system, const std::vector<Expr>& outputs, std::span<const T> parameters,
                 Backend backend = Backend::interpreter)
      : StateFunctions(function(system, outputs, backend), parameters) {}
  StateFunctions(const Function<T>& compiled, std::span<const T> parameters) : at_(compiled) { set(parameters); }
  /// Without parameters: they have to be set before anything is evaluated.
  explicit StateFunctions(const Function<T>& compiled) : at_(compiled) {}
  static Function<T> function(const System& system, const std::vector<Expr>& outputs,
                              Backend backend = Backend::interpreter, const std::vector<Expr>& multipliers = {}) {
    const bool are_state = system.offers().multiplier_variables;
    return Function<T>({{system.t()},
                        entries_of({system.q(), system.v(), system.z()}),
                        parameter_symbols(system),
                        are_state ? std::vector<Expr>() : multipliers},
                       {outputs}, backend);
  }

  void set(std::span<const T> parameters) { at_.set(2, parameters); }

  /// The values, until the next call. More than the state may be given.
  std::span<const T> operator()(T t, std::span<const T> state) const {
    at_.set(0, t).set(1, state).run();
    return at_.output(0);
  }
  /// Those that `function` was given; the system's own where they are part of the state.
  std::span<const T> operator()(T t, std::span<const T> state, std::span<const T> multipliers) const {
    at_.set(3, multipliers);
    return (*this)(t, state);
  }

 private:
  mutable Evaluation<T> at_;
};

}  // namespace noslip
