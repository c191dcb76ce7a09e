// First-order error propagation: R(x) = |x|, R(a + b) = R(a) + R(b), R(f(a)) = |f'(a)| R(a) + |f(a)|.
#include <noslip/expr/rounding.hpp>

#include <unordered_map>

#include <noslip/expr/derivative.hpp>

#include "expr/calls.hpp"
#include "expr/reach.hpp"

namespace noslip {
namespace {

/// |f_a| R(a) + |f_b| R(b) + |f| for a function of one or two arguments.
Expr through_function(Expr f, std::span<const Expr> sizes) {
  Graph& graph = *f.graph;
  const int operands = arity(f.op());
  const Expr arguments[] = {f.a(), operands > 1 ? f.b() : f.a()};
  const Expr names[] = {graph.symbol("rounding argument 1"), graph.symbol("rounding argument 2")};
  const Expr pure = apply(f.op(), names[0], names[1], names[0], f.node().payload);
  Expr size = abs(f);
  for (int i = 0; i < operands; ++i) {
    Substitution put(graph);
    put.replace(names[0], arguments[0]);
    if (operands > 1) put.replace(names[1], arguments[1]);
    size = size + abs(put(derivative(pure, names[i]))) * sizes[static_cast<std::size_t>(i)];
  }
  return size;
}

/// |f| + sum of |f_i| R(x_i); and for differences what cancels in them, divided by their steps.
Expr through_call(Expr f, Expr sizes) {
  const Call called = f.called();
  const ExternalFunction& function = called.function;
  const std::vector<Expr> of_arguments = parts_of(sizes, function.argument_count());
  Expr size = abs(f);
  for (std::size_t i = 0; i < of_arguments.size(); ++i) size = size + abs(derivative_of_call(f, i)) * of_arguments[i];
  const std::size_t differences = function.differences(called.by.size());
  if (differences == 0) return size;
  const std::vector<Expr> arguments = arguments_of(f);
  Expr cancelled = abs(base_of_differences(f));
  for (std::size_t k = 0; k < differences; ++k) {
    const std::uint32_t by = called.by[k];
    const Expr step = ExternalFunction::step_fraction(differences) * max(abs(arguments[by]), function.size(by));
    cancelled = cancelled / step;
  }
  return size + cancelled;
}

}  // namespace

std::vector<Expr> rounding_sizes(std::span<const Expr> functions, std::span<const std::pair<Expr, Expr>> inputs) {
  if (functions.empty()) return {};
  Graph& graph = *functions.front().graph;
  std::unordered_map<NodeId, Expr> sizes;
  for (const auto& [symbol, size] : inputs) sizes.emplace(symbol.id, size);
  for (const NodeId id : reachable_nodes(graph, ids_of(functions))) {
    const Expr f{&graph, id};
    const int operands = arity(f.op());
    const auto size = [&](NodeId operand) { return sizes.at(operand); };
    const Node node = f.node();  // a copy: the graph grows
    if (operands == 0) {
      sizes.emplace(id, abs(f));
      continue;
    }
    Expr result = size(node.a);
    switch (node.op) {
      case Op::alias:
      case Op::neg:
      case Op::abs: break;
      case Op::add:
      case Op::sub: result = size(node.a) + size(node.b); break;
      case Op::mul: result = abs(f.a()) * size(node.b) + abs(f.b()) * size(node.a); break;
      case Op::div: result = (size(node.a) + abs(f) * size(node.b)) / abs(f.b()); break;
      case Op::powi: result = Number(f.exponent()) * abs(powi(f.a(), f.exponent() - 1)) * size(node.a); break;
      case Op::floor: result = abs(f); break;
      case Op::sign:
      case Op::less: result = graph.constant(1); break;
      case Op::min:
      case Op::max: result = max(size(node.a), size(node.b)); break;
      case Op::select: result = size(node.b) + size(node.c); break;
      case Op::arguments: sizes.emplace(id, apply(node.op, size(node.a), size(node.b), size(node.a), 0)); continue;
      case Op::table:
        if (f.table_derivative() >= f.table().degree()) {
          result = abs(f);
        } else {
          const Expr slope = look_up(Table(f.table()), f.a(), f.table_derivative() + 1);
          result = abs(slope) * size(node.a) + abs(f);
        }
        break;
      case Op::call: result = through_call(f, size(node.a)); break;
      default: {
        const Expr of_operands[] = {size(node.a), operands > 1 ? size(node.b) : size(node.a)};
        result = through_function(f, of_operands);
      }
    }
    sizes.emplace(id, graph.alias(result));
  }
  std::vector<Expr> result;
  for (const Expr& f : functions) result.push_back(sizes.at(f.id));
  return result;
}

}  // namespace noslip
