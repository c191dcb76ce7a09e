#include "expr/difference_help.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <quadmath.h>
#include <set>

#include <noslip/expr/derivative.hpp>

namespace noslip::testing {
namespace {

double integer_power(double a, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, a *= a) {
    if (exponent % 2 == 1) result *= a;
  }
  return result;
}

double compute(const Node& node, double a, double b, double c) {
  switch (node.op) {
    case Op::alias: return a;
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::powi: return integer_power(a, static_cast<int>(node.payload));
    case Op::sqrt: return std::sqrt(a);
    case Op::abs: return std::abs(a);
    case Op::sign: return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Op::floor: return std::floor(a);
    case Op::sin: return std::sin(a);
    case Op::cos: return std::cos(a);
    case Op::tan: return std::tan(a);
    case Op::asin: return std::asin(a);
    case Op::acos: return std::acos(a);
    case Op::atan: return std::atan(a);
    case Op::sinh: return std::sinh(a);
    case Op::cosh: return std::cosh(a);
    case Op::tanh: return std::tanh(a);
    case Op::exp: return std::exp(a);
    case Op::log: return std::log(a);
    case Op::atan2: return std::atan2(a, b);
    case Op::pow: return std::pow(a, b);
    case Op::min: return a < b ? a : b;
    case Op::max: return a > b ? a : b;
    case Op::less: return a < b ? 1 : 0;
    case Op::select: return a > 0 ? b : c;
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

Expr along(Graph& graph, Expr f, const std::vector<std::string>& names) {
  std::vector<Expr> variables, slopes;
  for (const std::string& name : names) {
    variables.push_back(graph.symbol(name));
    slopes.push_back(graph.symbol(Moving::slope_name(name)));
  }
  return dot(graph, gradient(f, variables), slopes);
}

}  // namespace

double evaluate_double(Expr expression, const Values& values) {
  const Graph& graph = *expression.graph;
  std::set<NodeId> needed;
  std::vector<NodeId> open{expression.id};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!needed.insert(id).second) continue;
    const Node& node = graph.node(id);
    const NodeId operands[] = {node.a, node.b, node.c};
    open.insert(open.end(), operands, operands + arity(node.op));
  }
  std::map<NodeId, double> done;
  for (const NodeId id : needed) {
    const Node& node = graph.node(id);
    const int count = arity(node.op);
    if (node.op == Op::constant) {
      done[id] = static_cast<double>(graph.number(node.payload).value());
    } else if (node.op == Op::pi) {
      done[id] = std::acos(-1.0);
    } else if (node.op == Op::symbol) {
      done[id] = static_cast<double>(values.at(graph.name(node.payload)));
    } else {
      done[id] = compute(node, done[node.a], count > 1 ? done[node.b] : 0, count > 2 ? done[node.c] : 0);
    }
  }
  return done[expression.id];
}

Moving::Moving(Graph& graph, Expr f, const std::vector<std::string>& names) : f_(f), names_(names) {
  std::vector<Move> moves;
  const Expr width = graph.symbol("w");
  for (const std::string& name : names) {
    moves.push_back({graph.symbol(name), graph.symbol(name), graph.symbol(slope_name(name))});
  }
  result = divided_difference(f, moves, width);
  for (const Move& move : moves) parameters.push_back(move.start);
  for (const Move& move : moves) parameters.push_back(move.slope);
  parameters.push_back(width);
  along_ = along(graph, f, names);
  along_twice_ = along(graph, along_, names);
}

Moving::Reference Moving::difference(const Values& values) const {
  const quad width = values.at("w");
  const Value start = evaluate(f_, values);
  if (fabsq(width) < 1e-15) {
    const Value slope = evaluate(along_, values);
    return {slope.value, start.tame && finiteq(slope.value)};
  }
  Values moved = values;
  for (const std::string& name : names_) moved[name] += width * values.at(slope_name(name));
  const Value end = evaluate(f_, moved);
  return {(end.value - start.value) / width, start.tame && end.tame};
}

Moving::Reference Moving::derivative(const Values& values, const std::string& by) const {
  if (fabsq(values.at("w")) < 1e-15) {
    const bool tame = difference(values).tame;
    if (by == "w") return {evaluate(along_twice_, values).value / 2, tame};
    return {evaluate(noslip::derivative(along_, f_.graph->symbol(by)), values).value, tame};
  }
  const auto slope = [&](quad step) -> Reference {
    Values forward = values, backward = values;
    forward[by] += step;
    backward[by] -= step;
    const Reference a = difference(forward), b = difference(backward);
    return {(a.value - b.value) / (2 * step), a.tame && b.tame};
  };
  const quad step = 1e-6;  // wide enough to keep digits where the width is small, zero or not
  const Reference wide = slope(2 * step), narrow = slope(step);
  return {(4 * narrow.value - wide.value) / 3, wide.tame && narrow.tame};
}

}  // namespace noslip::testing
