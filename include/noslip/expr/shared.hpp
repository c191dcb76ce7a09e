// Parts that expressions share, as definitions: a graph whose text would be endless is written with names for them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Takes expressions of one graph. If the text of one of them has more than about `longest` characters, its parts that
/// appear more than once get names, so that all texts together grow with the number of nodes. Otherwise everything
/// stays as it is.
class SharedParts {
 public:
  struct Definition {
    std::string name;
    Expr value;  ///< with the names of definitions before it
  };

  /// The names are s1, s2, ... with as many s as are needed to differ from all symbols of the graph and from `taken`.
  SharedParts(std::span<const Expr> expressions, std::size_t longest, std::span<const std::string> taken = {});

  /// One of the expressions, with names for its parts. It belongs to a graph that lives as long as this object.
  Expr operator()(Expr expression) const;
  const std::vector<Definition>& definitions() const { return definitions_; }

 private:
  void name_parts(std::span<const Expr> expressions, const std::string& prefix);

  std::unique_ptr<Graph> graph_;  // a copy with the nodes that contain names
  std::vector<NodeId> images_;    // by node of the original; empty if nothing is named
  std::vector<Definition> definitions_;
};

}  // namespace noslip
