// The rules of divided differences, one per operation.
#pragma once

#include <optional>

#include "expr/width.hpp"

namespace noslip {

/// What a node of the function is on the way from start to end.
struct Path {
  Expr start, end;
  std::optional<Expr> mean;   // where it is simpler than (start + end)/2
  std::optional<Expr> slope;  // (end - start)/width; nothing where the node does not move
};

/// (start + end)/2
Expr mean(const Path& path);

/// The slope of a node with this operation and payload, from the paths of its operands; `start` and `end` are its own
/// values. "Nothing" if it does not move. Operands beyond the arity are ignored. Symmetric in start and end. The payload
/// is one of the graph of the width; the mean of a path of arguments is there, and like the slope has their form.
std::optional<Expr> slope(const Node& node, const Path& a, const Path& b, const Path& c, Expr start, Expr end,
                          const Width& width);

}  // namespace noslip
