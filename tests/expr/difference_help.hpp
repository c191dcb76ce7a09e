// Differences three ways: the expression in double precision, quadruple precision as it stands, derivatives.
#pragma once

#include <noslip/expr/difference.hpp>

#include "expr/random_tree.hpp"

namespace noslip::testing {

/// In double precision, each node once.
double evaluate_double(Expr expression, const Values& values);

/// A function with some of its symbols moving: x from x to x + w*x_s.
class Moving {
 public:
  Moving(Graph& graph, Expr f, const std::vector<std::string>& names);

  Expr result;                   // the divided difference, width w
  std::vector<Expr> parameters;  // what it depends on: x ..., x_s ..., w
  static std::string slope_name(const std::string& name) { return name + "_s"; }

  struct Reference {
    quad value = 0;
    bool tame = true;  // f is smooth at both ends
  };
  /// (f(end) - f(start))/w in quadruple precision; the derivative where w is too small for it.
  Reference difference(const Values& values) const;
  /// The derivative of difference() by one of the parameters, by differences or second derivatives.
  Reference derivative(const Values& values, const std::string& by) const;

 private:
  Expr f_;
  std::vector<std::string> names_;
  Expr along_, along_twice_;  // first and second derivative in the direction of the slopes
};

}  // namespace noslip::testing
