// The order of elimination that suits a start. The usual one is good where the program was compiled for it
// (reference_start.hpp), and may be a bad one elsewhere: the first step tells.
#pragma once

#include <memory>

#include "run/program_data.hpp"

namespace noslip {

/// The numbers of a first step, as an order is chosen by them.
template <class T>
StepStart step_start(const Start<T>& start, double h, const std::vector<T>& accelerations,
                     const std::vector<T>& multipliers);

/// The same program with an order that is chosen there.
template <class T>
std::shared_ptr<const ProgramData<T>> ordered_at(const StepStart& start, const ProgramData<T>& usual);

/// The usual program, unless its first step needs pivoting (`pivots(program)` makes it) and that of a program with an
/// order of its own (chosen at `here()`) does not. If the usual program has no order, the other one is used untried.
/// `usual` is a copy: `pivots` may replace the caller's program.
template <class T, class Here, class Pivots>
std::shared_ptr<const ProgramData<T>> suited_program(const std::shared_ptr<const ProgramData<T>> usual,
                                                     const Here& here, const Pivots& pivots) {
  if (usual->steps && (!usual->may_need_pivots() || !pivots(usual))) return usual;
  const std::shared_ptr<const ProgramData<T>> other = ordered_at<T>(here(), *usual);
  return usual->steps && other->is_fused() && pivots(other) ? usual : other;
}

}  // namespace noslip
