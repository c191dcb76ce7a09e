#include <noslip/expr/graph.hpp>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_set>

#include "expr/calls.hpp"
#include "expr/reach.hpp"

namespace noslip {

int arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::pi:
    case Op::symbol: return 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::atan2:
    case Op::pow:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::arguments: return 2;
    case Op::select: return 3;
    default: return 1;
  }
}

const char* to_text(Op op) {
  switch (op) {
    case Op::constant: return "constant";
    case Op::pi: return "pi";
    case Op::symbol: return "symbol";
    case Op::alias: return "alias";
    case Op::neg:
    case Op::sub: return "-";
    case Op::add: return "+";
    case Op::mul: return "*";
    case Op::div: return "/";
    case Op::powi: return "^";
    case Op::sqrt: return "sqrt";
    case Op::abs: return "abs";
    case Op::sign: return "sign";
    case Op::sin: return "sin";
    case Op::cos: return "cos";
    case Op::tan: return "tan";
    case Op::asin: return "asin";
    case Op::acos: return "acos";
    case Op::atan: return "atan";
    case Op::sinh: return "sinh";
    case Op::cosh: return "cosh";
    case Op::tanh: return "tanh";
    case Op::exp: return "exp";
    case Op::log: return "log";
    case Op::atan2: return "atan2";
    case Op::pow: return "pow";
    case Op::min: return "min";
    case Op::max: return "max";
    case Op::less: return "less";
    case Op::select: return "select";
    case Op::arguments: return "arguments";
    case Op::call: return "call";
  }
  return "unknown";
}

namespace {

constexpr NodeId empty_slot = ~NodeId{0};

std::size_t hash_of(const Node& node) {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  for (const std::uint64_t part : {node.a, node.b, node.c, node.payload}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

/// The slot of the node, or the free one where it belongs.
std::size_t slot_of(const Node& node, const std::vector<NodeId>& table, const std::vector<Node>& nodes) {
  const std::size_t mask = table.size() - 1;
  std::size_t slot = hash_of(node) & mask;
  while (table[slot] != empty_slot && !(nodes[table[slot]] == node)) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace

Graph::Graph(const Graph& original)
    : std::enable_shared_from_this<Graph>(),
      nodes_(original.nodes_),
      numbers_(original.numbers_),
      number_nodes_(original.number_nodes_),
      names_(original.names_),
      calls_(original.calls_),
      table_(original.table_),
      number_ids_(original.number_ids_),
      name_ids_(original.name_ids_) {}

void Graph::freeze() {
  if (table_.empty()) grow_table();  // a search needs one free slot
  is_frozen_ = true;
}

void Graph::require_not_frozen() const {
  if (!is_frozen_) return;
  throw std::logic_error(
      "this expression cannot be made in the graph of a System, which threads share; make it in a copy, "
      "Graph graph(system.graph()), from graph.counterpart(...) of the system's expressions");
}

std::vector<Expr> Graph::counterparts(std::span<const Expr> originals) {
  std::vector<Expr> result;
  result.reserve(originals.size());
  for (const Expr& original : originals) result.push_back(counterpart(original));
  return result;
}

bool Graph::extends(const Graph& other) const {
  const auto starts_with = [](const auto& all, const auto& first) {
    return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
  };
  return this == &other || (starts_with(nodes_, other.nodes_) && starts_with(numbers_, other.numbers_) &&
                            starts_with(names_, other.names_) && starts_with(calls_, other.calls_));
}

void Graph::grow_table() {
  table_.assign(std::max<std::size_t>(64, 2 * table_.size()), empty_slot);
  for (NodeId id = 0; id < nodes_.size(); ++id) table_[slot_of(nodes_[id], table_, nodes_)] = id;
}

Expr Graph::intern(Node node) {
  if (2 * (nodes_.size() + 1) > table_.size() && !is_frozen_) grow_table();
  const std::size_t slot = slot_of(node, table_, nodes_);
  if (table_[slot] == empty_slot) {
    require_not_frozen();
    table_[slot] = static_cast<NodeId>(nodes_.size());
    nodes_.push_back(node);
  }
  return {this, table_[slot]};
}

Expr Graph::constant(const Number& value) {
  const std::size_t hash = value.hash();
  const auto [first, last] = number_ids_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (numbers_[it->second] == value) return {this, number_nodes_[it->second]};
  }
  require_not_frozen();
  const auto index = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(value);
  number_ids_.emplace(hash, index);
  const Expr result = intern({.op = Op::constant, .payload = index});
  number_nodes_.push_back(result.id);
  return result;
}

Expr Graph::pi() { return intern({.op = Op::pi}); }

Expr Graph::symbol(std::string_view name) {
  std::string key(name);
  auto position = name_ids_.find(key);
  if (position == name_ids_.end()) {
    require_not_frozen();
    position = name_ids_.emplace(std::move(key), static_cast<std::uint32_t>(names_.size())).first;
    names_.emplace_back(name);
  }
  return intern({.op = Op::symbol, .payload = position->second});
}

Expr Graph::alias(Expr meaning) {
  assert(meaning.graph == this);
  const Op op = meaning.op();
  if (op == Op::constant || op == Op::pi || op == Op::symbol || op == Op::alias) return meaning;
  return intern({.op = Op::alias, .a = meaning.id});
}

std::uint32_t Graph::index_of(Call call) {
  const auto found = std::find(calls_.begin(), calls_.end(), call);
  if (found == calls_.end()) {
    require_not_frozen();
    calls_.push_back(std::move(call));
    return static_cast<std::uint32_t>(calls_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - calls_.begin());
}

bool depends_on(Expr f, Expr x) {
  assert(f.graph == x.graph);
  bool found = false;
  // Operands are older than what is made of them: nothing below x can depend on it.
  visit_reachable(*f.graph, {&f.id, 1}, [&](NodeId id) {
    found = found || id == x.id;
    return !found && id > x.id;
  });
  return found;
}

std::vector<Expr> symbols_of(std::span<const Expr> roots) {
  std::vector<Expr> symbols;
  if (roots.empty()) return symbols;
  Graph* graph = roots.front().graph;
  for (const NodeId id : reachable_nodes(*graph, ids_of(roots))) {
    if (graph->node(id).op == Op::symbol) symbols.push_back({graph, id});
  }
  return symbols;
}

namespace {

/// For each expression: does it contain a symbol that `counts`?
template <class Counts>
std::vector<bool> which_contain(std::span<const Expr> expressions, Counts counts) {
  std::vector<bool> result;
  if (expressions.empty()) return result;
  const Graph& graph = *expressions.front().graph;
  const std::vector<NodeId> nodes = reachable_nodes(graph, ids_of(expressions));
  std::vector<bool> contains(nodes.back() + std::size_t{1}, false);
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    contains[id] = (node.op == Op::symbol && counts(id)) || (operands > 0 && contains[node.a]) ||
                   (operands > 1 && contains[node.b]) || (operands > 2 && contains[node.c]);
  }
  for (const Expr& expression : expressions) result.push_back(contains[expression.id]);
  return result;
}

std::unordered_set<NodeId> set_of(std::span<const Expr> symbols) {
  std::unordered_set<NodeId> ids;
  for (const Expr& symbol : symbols) ids.insert(symbol.id);
  return ids;
}

}  // namespace

std::vector<bool> contain_any(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  const std::unordered_set<NodeId> wanted = set_of(symbols);
  return which_contain(expressions, [&](NodeId id) { return wanted.contains(id); });
}

std::vector<bool> contain_only(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  const std::unordered_set<NodeId> allowed = set_of(symbols);
  std::vector<bool> result = which_contain(expressions, [&](NodeId id) { return !allowed.contains(id); });
  result.flip();
  return result;
}

void Substitution::replace(Expr source_symbol, Expr target_expression) {
  assert(target_expression.graph == target_);
  done_[source_symbol.id] = target_expression.id;
}

Expr Substitution::operator()(Expr source) {
  constexpr NodeId pending = ~NodeId{0};
  const Graph& graph = *source.graph;
  // Not with visit_reachable, whose time follows the size of the graph: many small copies are made of large ones.
  std::vector<NodeId> missing, open{source.id};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!done_.try_emplace(id, pending).second) continue;
    missing.push_back(id);
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    if (operands > 0) open.push_back(node.a);
    if (operands > 1) open.push_back(node.b);
    if (operands > 2) open.push_back(node.c);
  }
  std::sort(missing.begin(), missing.end());
  try {
    for (const NodeId id : missing) done_[id] = image_of({source.graph, id}).id;
  } catch (...) {
    std::erase_if(done_, [](const auto& entry) { return entry.second == pending; });
    throw;
  }
  return {target_, done_.at(source.id)};
}

Expr Substitution::image_of(Expr source) {
  const Graph& graph = *source.graph;
  const Node node = source.node();  // a copy: the target may be the same graph and grow
  switch (node.op) {
    case Op::constant: return target_->constant(Number(graph.number(node.payload)));
    case Op::pi: return target_->pi();
    case Op::symbol:
      return ask_ ? ask_(source) : target_->symbol(std::string(graph.name(node.payload)));
    default: break;
  }
  const int operands = arity(node.op);
  const auto operand = [&](NodeId old) { return Expr{target_, done_.at(old)}; };
  const Expr a = operand(node.a);
  return apply(node.op, a, operands > 1 ? operand(node.b) : a, operands > 2 ? operand(node.c) : a,
               payload_in(*target_, graph, node));
}

std::vector<Expr> Substitution::operator()(std::span<const Expr> source) {
  std::vector<Expr> images;
  images.reserve(source.size());
  for (const Expr& expression : source) images.push_back((*this)(expression));
  return images;
}

}  // namespace noslip
