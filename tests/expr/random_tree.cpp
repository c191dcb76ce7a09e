#include "expr/random_tree.hpp"

#include <algorithm>
#include <limits>
#include <quadmath.h>
#include <set>

namespace noslip::testing {
namespace {

constexpr Op smooth[] = {Op::sqrt, Op::sin,  Op::cos,  Op::tan,  Op::asin, Op::acos,
                         Op::atan, Op::sinh, Op::cosh, Op::tanh, Op::exp,  Op::log};
constexpr Op switching[] = {Op::abs, Op::sign, Op::min, Op::max, Op::less, Op::select};

Tree constant(const Number& number) { return {.op = Op::constant, .number = number, .name = {}, .operands = {}}; }

Number random_number(Random& random) {
  switch (below(random, 8)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return -1;
    case 3: return 2;
    case 4: return Number::rational(1, 2);
    case 5: return Number::rational(below(random, 19) - 9, 1 + below(random, 9));
    case 6: return Number::real(static_cast<quad>(uniform(random)));
    default: return Number::real(static_cast<quad>(1 + uniform(random)) / 3);
  }
}

Tree leaf(Random& random, const TreeOptions& options) {
  const int kind = below(random, 10);
  if (kind < 7) {
    const int which = below(random, static_cast<int>(options.names.size()));
    return {.op = Op::symbol, .number = {}, .name = options.names[static_cast<std::size_t>(which)], .operands = {}};
  }
  if (kind == 7) return {.op = Op::pi, .number = {}, .name = {}, .operands = {}};
  return constant(random_number(random));
}

Tree node(Op op, std::vector<Tree> operands, int exponent = 0) {
  return {.op = op, .number = {}, .name = {}, .exponent = exponent, .operands = std::move(operands)};
}

quad near(quad a, quad b) { return fabsq(a - b) < 1e-9; }

/// Is the operation at this point smooth, and are its operands big enough not to be the noise of a cancellation?
bool is_tame(Op op, quad a, quad b) {
  switch (op) {
    case Op::sqrt:
    case Op::log: return a > 1e-6;
    case Op::asin:
    case Op::acos: return fabsq(a) < 0.999;
    case Op::div: return fabsq(b) > 1e-4;
    case Op::powi: return true;
    case Op::pow: return a > 1e-4;
    case Op::abs:
    case Op::sign:
    case Op::select: return fabsq(a) > 1e-6;
    case Op::atan2: return fabsq(b) > 1e-4 || fabsq(a) > 1e-4 ? !(fabsq(a) < 1e-4 && b < 0) : false;
    case Op::floor: return !near(a, floorq(a)) && !near(a, ceilq(a));
    case Op::min:
    case Op::max:
    case Op::less: return !near(a, b);
    case Op::tan: return fabsq(cosq(a)) > 1e-3;
    default: return true;
  }
}

quad integer_power(quad a, int exponent) {
  quad result = 1;
  for (int i = 0; i < std::abs(exponent); ++i) result *= a;
  return exponent < 0 ? 1 / result : result;
}

quad compute(Op op, quad a, quad b, quad c, int exponent) {
  switch (op) {
    case Op::alias: return a;
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::powi: return integer_power(a, exponent);
    case Op::sqrt: return sqrtq(a);
    case Op::abs: return fabsq(a);
    case Op::sign: return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Op::floor: return floorq(a);
    case Op::sin: return sinq(a);
    case Op::cos: return cosq(a);
    case Op::tan: return tanq(a);
    case Op::asin: return asinq(a);
    case Op::acos: return acosq(a);
    case Op::atan: return atanq(a);
    case Op::sinh: return sinhq(a);
    case Op::cosh: return coshq(a);
    case Op::tanh: return tanhq(a);
    case Op::exp: return expq(a);
    case Op::log: return logq(a);
    case Op::atan2: return atan2q(a, b);
    case Op::pow: return powq(a, b);
    case Op::min: return a < b ? a : b;
    case Op::max: return a < b ? b : a;
    case Op::less: return a < b ? 1 : 0;
    case Op::select: return a > 0 ? b : c;
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

Value apply_to(Op op, Value a, Value b, Value c, int exponent) {
  const quad value = compute(op, a.value, b.value, c.value, exponent);
  const bool in_range = finiteq(value) && fabsq(value) < 1e5;
  return {value, a.tame && b.tame && c.tame && in_range && is_tame(op, a.value, b.value)};
}

}  // namespace

double uniform(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
int below(Random& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

Tree random_tree(Random& random, int size, const TreeOptions& options) {
  if (size <= 1) return leaf(random, options);
  const auto part = [&](int n) { return random_tree(random, n, options); };
  const int left = 1 + below(random, size - 1), right = std::max(1, size - 1 - left);
  const int kind = below(random, 20);
  if (kind < 4) return node(Op::add, {part(left), part(right)});
  if (kind < 7) return node(Op::sub, {part(left), part(right)});
  if (kind < 11) return node(Op::mul, {part(left), part(right)});
  if (kind < 13) return node(Op::div, {part(left), part(right)});
  if (kind < 14) return node(Op::neg, {part(size - 1)});
  if (kind < 15) return node(Op::powi, {part(size - 1)}, below(random, 8) - 3);
  if (kind < 16) {
    const Op op = below(random, 2) == 0 ? Op::atan2 : Op::pow;
    if (op == Op::pow && below(random, 2) == 0) {
      return node(op, {part(size - 1), constant(Number::rational(below(random, 11) - 5, 1 + below(random, 3)))});
    }
    return node(op, {part(left), part(right)});
  }
  if (kind < 17 && options.switches) {
    Op op = switching[below(random, static_cast<int>(std::size(switching)))];
    if (op == Op::sign && size % 2 == 0) op = Op::floor;
    if (arity(op) == 1) return node(op, {part(size - 1)});
    if (arity(op) == 2) return node(op, {part(left), part(right)});
    return node(op, {part(1), part(left), part(right)});
  }
  return node(smooth[below(random, static_cast<int>(std::size(smooth)))], {part(size - 1)});
}

Expr build(Graph& graph, const Tree& tree) {
  if (tree.op == Op::constant) return graph.constant(tree.number);
  if (tree.op == Op::pi) return graph.pi();
  if (tree.op == Op::symbol) return graph.symbol(tree.name);
  std::vector<Expr> operands;
  for (const Tree& operand : tree.operands) operands.push_back(build(graph, operand));
  const Expr a = operands[0];
  return apply(tree.op, a, operands.size() > 1 ? operands[1] : a, operands.size() > 2 ? operands[2] : a,
               static_cast<std::uint32_t>(tree.exponent));
}

std::string text(const Tree& tree) {
  const auto operand = [&](std::size_t i) { return text(tree.operands[i]); };
  switch (tree.op) {
    case Op::constant: return "(" + to_text(tree.number) + ")";
    case Op::pi: return "pi";
    case Op::symbol: return tree.name;
    case Op::neg: return "(-" + operand(0) + ")";
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div: return "(" + operand(0) + to_text(tree.op) + operand(1) + ")";
    case Op::powi: return "(" + operand(0) + "^(" + std::to_string(tree.exponent) + "))";
    default: break;
  }
  std::string result = std::string(to_text(tree.op)) + "(";
  for (std::size_t i = 0; i < tree.operands.size(); ++i) result += (i > 0 ? ", " : "") + operand(i);
  return result + ")";
}

Value evaluate(const Tree& tree, const Values& values) {
  if (tree.op == Op::constant) return {tree.number.value()};
  if (tree.op == Op::pi) return {acosq(-1)};
  if (tree.op == Op::symbol) return {values.at(tree.name)};
  Value operands[3];
  for (std::size_t i = 0; i < tree.operands.size(); ++i) operands[i] = evaluate(tree.operands[i], values);
  return apply_to(tree.op, operands[0], operands[1], operands[2], tree.exponent);
}

Value evaluate(Expr expression, const Values& values) {
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
  std::map<NodeId, Value> done;
  for (const NodeId id : needed) {
    const Node& node = graph.node(id);
    const int count = arity(node.op);
    if (node.op == Op::constant) {
      done[id] = {graph.number(node.payload).value()};
    } else if (node.op == Op::pi) {
      done[id] = {acosq(-1)};
    } else if (node.op == Op::symbol) {
      done[id] = {values.at(graph.name(node.payload))};
    } else {
      done[id] = apply_to(node.op, done[node.a], count > 1 ? done[node.b] : Value{}, count > 2 ? done[node.c] : Value{},
                          static_cast<std::int32_t>(node.payload));
    }
  }
  return done[expression.id];
}

Values random_values(Random& random, const std::vector<std::string>& names) {
  Values values;
  for (const std::string& name : names) {
    const quad magnitude = static_cast<quad>(0.2 + 1.8 * uniform(random));
    values[name] = below(random, 3) == 0 ? -magnitude : magnitude;
  }
  return values;
}

}  // namespace noslip::testing
