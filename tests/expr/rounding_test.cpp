// Sizes of rounding errors: what inputs that are a little off can change, with derivatives as a second opinion.
#include <quadmath.h>

#include <gtest/gtest.h>

#include <noslip/expr/derivative.hpp>
#include <noslip/expr/parse.hpp>
#include <noslip/expr/rounding.hpp>

#include "expr/random_tree.hpp"
#include "expr/scope.hpp"

namespace noslip::testing {
namespace {

/// The sum of |x f_x| over the inputs: what a relative error of one changes to first order.
quad effect_of_inputs(Expr f, const Values& values) {
  quad sum = 0;
  for (const Expr& symbol : symbols_of(std::span(&f, 1))) {
    sum += fabsq(values.at(symbol.name()) * evaluate(derivative(f, symbol), values).value);
  }
  return sum;
}

TEST(RoundingSizes, CoverWhatErrorsOfTheInputsDo) {
  // Differences of numbers that are close to each other, in all places where they may stand.
  const Values values = {{"x", 3},   {"y", quad(1001) / 1000}, {"z", 1}, {"u", quad(-2)}, {"w", quad(-2001) / 1000},
                         {"k", 1e6}, {"m", quad(1) / 7}};
  for (const char* text :
       {"x + y - z",        "x*(y - z)",    "(y - z)*x",       "(y - z)*(u - m)",   "(x - m)*(u - w)",
        "x/(y - z)",        "(y - z)/x",    "(u - w)/(x - m)", "(x - m)/(y - z)^2", "(y - z)^3*x",
        "sin(k)*x",         "x*cos(k*y)",   "sqrt(y - z)",     "exp(x*y) - z",      "atan2(y - z, m)",
        "tan(y*x)*(u - w)", "abs(u - w)/m", "log(y)*u",        "x^m*(y - z)",       "min(x, m*u) - y"}) {
    Graph graph;
    const Expr f = parse_expression(graph, text, open_scope(graph)).expression;
    const Expr size = rounding_sizes(std::span(&f, 1)).front();
    const quad covered = evaluate(size, values).value, value = fabsq(evaluate(f, values).value);
    EXPECT_GE(static_cast<double>(covered / effect_of_inputs(f, values)), 0.999) << text;
    EXPECT_GE(static_cast<double>(covered), 0.999 * static_cast<double>(value)) << text;
    // It is no larger than the sum over all operations, of which each is at most as large as what it works on.
    EXPECT_LE(static_cast<double>(covered / (effect_of_inputs(f, values) + value)), 10) << text;
  }
}

}  // namespace
}  // namespace noslip::testing
