#include <noslip/expr/graph.hpp>

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_set>

#include <noslip/core/stopping.hpp>

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
    case Op::floor: return "floor";
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
    case Op::table: return "table";
  }
  return "unknown";
}

namespace {

constexpr NodeId empty_slot = ~NodeId{0};

std::uint32_t hash_of(const Node& node) {
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  for (const std::uint64_t part : {node.a, node.b, node.c, node.payload}) {
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  }
  return static_cast<std::uint32_t>(hash);
}

}  // namespace

Graph::Graph(const Graph& original)
    : std::enable_shared_from_this<Graph>(),
      nodes_(original.nodes_),
      numbers_(original.numbers_),
      number_nodes_(original.number_nodes_),
      names_(original.names_),
      calls_(original.calls_),
      tables_(original.tables_),
      table_(original.table_),
      number_table_(original.number_table_),
      name_ids_(original.name_ids_) {}

void Graph::freeze() {
  if (table_.empty()) grow_table();  // a search needs one free slot
  if (number_table_.empty()) grow_number_table();
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
                            starts_with(names_, other.names_) && starts_with(calls_, other.calls_) &&
                            starts_with(tables_, other.tables_));
}

std::size_t Graph::slot_of(const Node& node, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  while (table_[slot].id != empty_slot && !(table_[slot].hash == hash && nodes_[table_[slot].id] == node)) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void Graph::grow_table() {
  std::vector<Slot> old(std::max<std::size_t>(64, 2 * table_.size()), Slot{0, empty_slot});
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const Slot& entry : old) {
    if (entry.id == empty_slot) continue;
    std::size_t slot = entry.hash & mask;
    while (table_[slot].id != empty_slot) slot = (slot + 1) & mask;
    table_[slot] = entry;
  }
}

std::size_t Graph::number_slot(const Number& value) const {
  const std::size_t mask = number_table_.size() - 1;
  std::size_t slot = value.hash() & mask;
  while (number_table_[slot] != empty_slot && !(numbers_[number_table_[slot]] == value)) slot = (slot + 1) & mask;
  return slot;
}

void Graph::grow_number_table() {
  number_table_.assign(std::max<std::size_t>(16, 2 * number_table_.size()), empty_slot);
  for (std::uint32_t index = 0; index < numbers_.size(); ++index) number_table_[number_slot(numbers_[index])] = index;
}

Expr Graph::intern(Node node) {
  if (2 * (nodes_.size() + 1) > table_.size() && !is_frozen_) grow_table();
  const std::uint32_t hash = hash_of(node);
  const std::size_t slot = slot_of(node, hash);
  if (table_[slot].id == empty_slot) {
    require_not_frozen();
    // Whoever makes that many expressions is preparing something. Constants and symbols are half made here.
    if (nodes_.size() % 4096 == 0 && arity(node.op) > 0) end_if_stopped();
    table_[slot] = {hash, static_cast<NodeId>(nodes_.size())};
    nodes_.push_back(node);
  }
  return {this, table_[slot].id};
}

Expr Graph::constant(const Number& value) {
  if (2 * (numbers_.size() + 1) > number_table_.size() && !is_frozen_) grow_number_table();
  const std::size_t slot = number_slot(value);
  if (number_table_[slot] != empty_slot) return {this, number_nodes_[number_table_[slot]]};
  require_not_frozen();
  const auto index = static_cast<std::uint32_t>(numbers_.size());
  numbers_.push_back(value);
  number_table_[slot] = index;
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

std::uint32_t Graph::index_of(const Table& table) {
  const auto found = std::find(tables_.begin(), tables_.end(), table);
  if (found == tables_.end()) {
    require_not_frozen();
    tables_.push_back(table);
    return static_cast<std::uint32_t>(tables_.size() - 1);
  }
  return static_cast<std::uint32_t>(found - tables_.begin());
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

namespace {

constexpr NodeId no_source = ~NodeId{0}, pending = ~NodeId{0};

}  // namespace

std::size_t Substitution::slot_of(NodeId source) const {
  const std::size_t mask = images_.size() - 1;
  std::size_t slot = (source * std::uint64_t{0x9E3779B97F4A7C15u}) >> 32 & mask;
  while (images_[slot].source != source && images_[slot].source != no_source) slot = (slot + 1) & mask;
  return slot;
}

Substitution::Image& Substitution::image(NodeId source) { return images_[slot_of(source)]; }

bool Substitution::enter(NodeId source) {
  if (2 * (count_ + 1) > images_.size()) rehash(std::max<std::size_t>(16, 2 * images_.size()));
  Image& place = image(source);
  if (place.source == source) return false;
  place = {source, pending};
  ++count_;
  return true;
}

void Substitution::rehash(std::size_t size) {
  std::vector<Image> old(size, Image{no_source, pending});
  old.swap(images_);
  for (const Image& each : old) {
    if (each.source != no_source) image(each.source) = each;
  }
}

void Substitution::replace(Expr source_symbol, Expr target_expression) {
  assert(target_expression.graph == target_);
  enter(source_symbol.id);
  image(source_symbol.id).target = target_expression.id;
}

Expr Substitution::operator()(Expr source) {
  const Graph& graph = *source.graph;
  // Not with visit_reachable, whose time follows the size of the graph: many small copies are made of large ones.
  std::vector<NodeId> missing, open{source.id};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!enter(id)) continue;
    missing.push_back(id);
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    if (operands > 0) open.push_back(node.a);
    if (operands > 1) open.push_back(node.b);
    if (operands > 2) open.push_back(node.c);
  }
  std::sort(missing.begin(), missing.end());
  try {
    for (const NodeId id : missing) {
      const NodeId target = image_of({source.graph, id}).id;
      image(id).target = target;
    }
  } catch (...) {
    forget_pending();
    throw;
  }
  return {target_, image(source.id).target};
}

void Substitution::forget_pending() {
  std::vector<Image> done;
  for (const Image& each : images_) {
    if (each.source != no_source && each.target != pending) done.push_back(each);
  }
  images_.assign(images_.size(), Image{no_source, pending});
  for (const Image& each : done) image(each.source) = each;
  count_ = done.size();
}

Expr Substitution::image_of(Expr source) {
  const Graph& graph = *source.graph;
  const bool stays = &graph == target_;
  const Node node = source.node();  // a copy: the target may be the same graph and grow
  switch (node.op) {
    case Op::constant: return stays ? source : target_->constant(Number(graph.number(node.payload)));
    case Op::pi: return target_->pi();
    case Op::symbol:
      if (ask_) return ask_(source);
      return stays ? source : target_->symbol(std::string(graph.name(node.payload)));
    default: break;
  }
  const int operands = arity(node.op);
  const auto operand = [&](NodeId old) { return Expr{target_, image(old).target}; };
  const Expr a = operand(node.a), b = operands > 1 ? operand(node.b) : a, c = operands > 2 ? operand(node.c) : a;
  // A node is what its constructor gives for its operands.
  const bool is_same = a.id == node.a && (operands < 2 || b.id == node.b) && (operands < 3 || c.id == node.c);
  if (stays && is_same) return source;
  return apply(node.op, a, b, c, payload_in(*target_, graph, node));
}

std::vector<Expr> Substitution::operator()(std::span<const Expr> source) {
  std::vector<Expr> images;
  images.reserve(source.size());
  for (const Expr& expression : source) images.push_back((*this)(expression));
  return images;
}

}  // namespace noslip
