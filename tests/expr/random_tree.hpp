// Random expressions as plain trees that know nothing of the simplifying constructors: built into a graph, written as
// text and evaluated in quadruple precision, each independently of the others.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip::testing {

struct Tree {
  Op op = Op::constant;
  Number number;     // of a constant
  std::string name;  // of a symbol
  int exponent = 0;  // of a powi
  std::vector<Tree> operands;
};

using Random = std::mt19937_64;
using Values = std::map<std::string, quad>;

struct TreeOptions {
  std::vector<std::string> names = {"x", "y", "x'", "y'"};
  bool switches = true;  // abs, sign, min, max, less, select
};

/// An expression with about `size` nodes.
Tree random_tree(Random& random, int size, const TreeOptions& options = {});

Expr build(Graph& graph, const Tree& tree);

/// Fully parenthesised text of the grammar.
std::string text(const Tree& tree);

/// A value, and whether every intermediate result is so far from poles, branch points, jumps and cancellation that two
/// ways of evaluation have to agree to many digits.
struct Value {
  quad value = 0;
  bool tame = true;
};

Value evaluate(const Tree& tree, const Values& values);

/// The nodes below the expression, each once.
Value evaluate(Expr expression, const Values& values);

/// Values between 0.2 and 2, some negative.
Values random_values(Random& random, const std::vector<std::string>& names);

double uniform(Random& random);    ///< in [0, 1)
int below(Random& random, int n);  ///< 0 ... n-1

}  // namespace noslip::testing
