// Operands have smaller numbers than what is made of them: one sweep over the nodes finds lengths, another one names.
#include <noslip/expr/shared.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <string_view>

#include <noslip/core/characters.hpp>

namespace noslip {
namespace {

constexpr double shortest_part = 40;  // characters; shorter parts are repeated

/// About how many characters a node adds to those of its operands.
double own_length(const Graph& graph, const Node& node) {
  switch (node.op) {
    case Op::constant: return 8;
    case Op::symbol: return static_cast<double>(graph.name(node.payload).size());
    case Op::alias:
    case Op::arguments: return 2;
    case Op::call: return static_cast<double>(graph.call(node.payload).function.name().size() + 2);
    case Op::table: return static_cast<double>(graph.table(node.payload / 8).name().size() + 3);
    default: return 5;
  }
}

std::array<NodeId, 3> operands_of(const Node& node) { return {node.a, node.b, node.c}; }

/// Is `name` the prefix with a number behind it, or would it look like that?
bool is_numbered(std::string_view name, std::string_view prefix) {
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("[('"))) {
    if (c != '_') plain += c;
  }
  return plain.starts_with(prefix) && plain.size() > prefix.size() &&
         std::all_of(plain.begin() + static_cast<std::ptrdiff_t>(prefix.size()), plain.end(), is_digit);
}

std::string free_prefix(const Graph& graph, std::span<const std::string> taken) {
  std::string prefix = "s";
  const auto collides = [&](const std::string& name) { return is_numbered(name, prefix); };
  const auto is_taken = [&] {
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph.node(id);
      if (node.op == Op::symbol && collides(graph.name(node.payload))) return true;
    }
    return std::any_of(taken.begin(), taken.end(), collides);
  };
  while (is_taken()) prefix += 's';
  return prefix;
}

}  // namespace

SharedParts::SharedParts(std::span<const Expr> expressions, std::size_t longest, std::span<const std::string> taken) {
  if (expressions.empty()) return;
  const Graph& graph = *expressions.front().graph;
  std::vector<double> lengths(graph.size());
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph.node(id);
    lengths[id] = own_length(graph, node);
    for (int k = 0; k < arity(node.op); ++k) lengths[id] += lengths[operands_of(node)[static_cast<std::size_t>(k)]];
  }
  std::vector<Expr> long_ones;
  for (const Expr expression : expressions) {
    if (lengths[expression.id] > static_cast<double>(longest)) long_ones.push_back(expression);
  }
  if (!long_ones.empty()) name_parts(long_ones, free_prefix(graph, taken));
}

void SharedParts::name_parts(std::span<const Expr> expressions, const std::string& prefix) {
  const Graph& original = *expressions.front().graph;
  graph_ = std::make_unique<Graph>(original);
  std::vector<bool> is_reached(original.size());
  std::vector<std::uint32_t> uses(original.size());
  for (const Expr expression : expressions) {
    uses[expression.id] += is_reached[expression.id] ? 0 : 1;
    is_reached[expression.id] = true;
  }
  for (auto id = static_cast<NodeId>(original.size()); id-- > 0;) {
    if (!is_reached[id]) continue;
    const Node& node = original.node(id);
    for (int k = 0; k < arity(node.op); ++k) {
      const NodeId operand = operands_of(node)[static_cast<std::size_t>(k)];
      is_reached[operand] = true;
      // Arguments are written with every call that has them.
      uses[operand] += node.op == Op::arguments ? std::min(uses[id], 2U) : 1U;
    }
  }
  images_.resize(original.size());
  std::vector<double> lengths(original.size());
  for (NodeId id = 0; id < original.size(); ++id) {
    images_[id] = id;
    if (!is_reached[id]) continue;
    Node node = original.node(id);
    lengths[id] = own_length(original, node);
    for (int k = 0; k < arity(node.op); ++k) lengths[id] += lengths[operands_of(node)[static_cast<std::size_t>(k)]];
    if (arity(node.op) > 0) node.a = images_[node.a];
    if (arity(node.op) > 1) node.b = images_[node.b];
    if (arity(node.op) > 2) node.c = images_[node.c];
    images_[id] = graph_->intern(node).id;
    if (uses[id] < 2 || lengths[id] < shortest_part || node.op == Op::arguments) continue;
    const std::string name = prefix + std::to_string(definitions_.size() + 1);
    definitions_.push_back({name, {graph_.get(), images_[id]}});
    images_[id] = graph_->symbol(name).id;
    lengths[id] = static_cast<double>(name.size());
  }
}

Expr SharedParts::operator()(Expr expression) const {
  if (images_.empty()) return expression;
  assert(expression.id < images_.size());  // it was made after the parts were found
  return expression.id < images_.size() ? Expr{graph_.get(), images_[expression.id]} : expression;
}

}  // namespace noslip
