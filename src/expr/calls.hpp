// Calls of functions that were written in C++, as nodes.
#pragma once

#include <optional>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The payload of a node in a graph that it is copied to.
inline std::uint32_t payload_in(Graph& target, const Graph& source, const Node& node) {
  if (&target == &source) return node.payload;
  if (node.op == Op::table) return target.index_of(source.table(node.payload / 8)) * 8 + node.payload % 8;
  if (node.op != Op::call) return node.payload;
  return target.index_of(source.call(node.payload));
}

/// The parts of what stands for so many arguments: the arguments, or their changes, sizes, ...; zero for those where
/// one constant zero stands for several.
std::vector<Expr> parts_of(Expr arguments, std::size_t count);

/// The derivative of a call by one of its arguments: the call of a derivative.
Expr derivative_of_call(Expr call, std::size_t by);

/// What is taken differences of: the call itself, or that of a given derivative.
Expr base_of_differences(Expr call);

}  // namespace noslip
