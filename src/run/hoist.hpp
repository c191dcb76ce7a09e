// What an iteration or a step need not compute again and again.
#pragma once

#include <span>
#include <vector>

#include <noslip/expr/graph.hpp>

#include "run/recorder.hpp"

namespace noslip {

/// The largest subexpressions of the roots that contain none of the symbols in `changing` and take work to evaluate.
std::vector<Expr> unchanging_parts(std::span<const Expr> roots, std::span<const Expr> changing);

/// Replaces what takes work and contains nothing but `fixed` symbols by symbols of new places, which are added to `places`;
/// gives what these hold. Nothing, if that is little.
Outputs hoist_fixed(Graph& graph, Outputs& outputs, std::span<const Expr> fixed, Recorder& recorder,
                    std::vector<Definition>& places);

}  // namespace noslip
