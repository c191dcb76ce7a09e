// Which expressions stay as they are when an angle goes round once?
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Of some roots, those that change when 2 pi is added to the symbol of an angle, as far as their form tells. What stays:
/// sin and cos of arguments that change by whole multiples of 2 pi, tan of arguments that change by multiples of pi,
/// everything that is made of these, and what does not contain the angle. The roots belong to one graph. The cost is one
/// sweep over their nodes, and for every angle one over the nodes that change with it.
class Periodicity {
 public:
  explicit Periodicity(std::span<const Expr> roots);

  /// A root that is not periodic, by its number, and the part of it that changes.
  struct Violation {
    std::size_t root;
    Expr part;
  };
  /// In the order of the roots.
  std::vector<Violation> violations(Expr angle) const;

 private:
  std::vector<Expr> roots_;
  std::unordered_map<NodeId, std::vector<Expr>> users_;              // of a node
  std::unordered_map<NodeId, std::vector<std::size_t>> roots_of_;  // which roots a node is
};

}  // namespace noslip
