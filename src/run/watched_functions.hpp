// Outputs and guards of a system, compiled once per program.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <noslip/run/trajectory.hpp>

#include "run/state_functions.hpp"

namespace noslip {

/// Functions as StateFunctions has them, with multipliers.
template <class T>
struct WatchedFunctions {
  WatchedFunctions() = default;
  WatchedFunctions(const System& system, Backend backend);

  Function<T> outputs, margins;        ///< System::outputs(); Guard::margin of System::guards()
  bool guards_have_reactions = false;  ///< a margin contains multipliers that are not part of the state
};

/// Do the expressions contain multipliers that are not part of the state?
bool have_reactions(const System& system, Graph& graph, std::span<const Expr> expressions);

/// Adds the outputs to samples that have everything else. One object per thread.
template <class T>
class WatchedOutputs {
 public:
  WatchedOutputs(const System& system, const WatchedFunctions<T>& functions);

  /// `parameters` with the inputs; those of the sample take their place.
  void add_to(Sample& sample, T t, std::span<const T> state, std::span<const T> parameters);

 private:
  std::optional<StateFunctions<T>> functions_;  // none without outputs
  std::vector<T> constants_, multipliers_;
  bool are_state_;
};

extern template struct WatchedFunctions<double>;
extern template struct WatchedFunctions<long double>;
extern template struct WatchedFunctions<quad>;
extern template class WatchedOutputs<double>;
extern template class WatchedOutputs<long double>;
extern template class WatchedOutputs<quad>;

}  // namespace noslip
