// Texts about a system that is there: what names mean in them, multipliers and outputs included.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <noslip/expr/parse.hpp>

#include "model/system_data.hpp"

namespace noslip {

/// Of velocity constraints, then of position constraints; empty where they have none.
std::vector<std::string> names_of_constraints(const SystemData& data);

/// In the order of SystemData::multiplier_names: z where they are variables, otherwise symbols of this copy of the
/// graph.
std::vector<Expr> multiplier_symbols(const SystemData& data, Graph& graph);

/// What a text about a system is.
enum class Watched { expression, relation, condition };

/// An expression, lhs = rhs or a condition, in a copy of the graph of the system.
Parsed read_watched(Graph& graph, const SystemData& data, std::string_view text, const Indices& indices, Watched form);

}  // namespace noslip
