// Prints random expressions with their derivatives for the second opinion (sympy_check.py): one line each,
//   expression as built without simplification ; simplified ; first variable ; derivative ; second variable ;
//   derivative
#include <cstdio>
#include <cstdlib>
#include <string>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/print.hpp>

#include "expr/random_tree.hpp"

int main(int argc, char** argv) {
  using namespace noslip;
  using namespace noslip::testing;
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const TreeOptions options;
  Random random(41);
  for (int i = 0; i < count; ++i) {
    Graph graph;
    const Tree tree = random_tree(random, 2 + below(random, 12), options);
    const Expr f = build(graph, tree);
    const std::string &first = options.names[i % 4], &second = options.names[(i / 4) % 4];
    const Expr slope = derivative(f, graph.symbol(first));
    const Expr curvature = derivative(slope, graph.symbol(second));
    std::printf("%s;%s;%s;%s;%s;%s\n", text(tree).c_str(), to_text(f).c_str(), first.c_str(), to_text(slope).c_str(),
                second.c_str(), to_text(curvature).c_str());
  }
}
