// Sweeps over the graph. Operands have smaller ids than what is made of them, so ids in order are a topological order
// and nothing here recurses.
#include <noslip/expr/derivative.hpp>

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <unordered_map>

#include <noslip/core/stopping.hpp>
#include <noslip/expr/directions.hpp>

#include "expr/reach.hpp"
#include "expr/tangent.hpp"

namespace noslip {
namespace {

constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// The part of the graph between functions and variables: only nodes that depend on a variable, in topological order.
/// Variables end the walk, also where they are aliases.
class Region {
 public:
  std::vector<NodeId> nodes;

  /// The variables are the nodes with `is_variable(id)`, none older than `oldest`. `positions` has a place for every
  /// node of the graph, which is `nowhere`, and so it is in the end.
  template <class IsVariable>
  Region(const Graph& graph, std::span<const NodeId> roots, NodeId oldest, const IsVariable& is_variable,
         std::vector<std::uint32_t>& positions)
      : positions_(positions) {
    std::vector<NodeId> reached;
    const auto reach = [&](NodeId id) {
      if (id < oldest || positions_[id] != nowhere) return;
      positions_[id] = 0;
      reached.push_back(id);
    };
    for (const NodeId root : roots) reach(root);
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const NodeId id = reached[next];
      if (is_variable(id)) continue;
      const Node& node = graph.node(id);
      const int operands = arity(node.op);
      if (operands > 0) reach(node.a);
      if (operands > 1) reach(node.b);
      if (operands > 2) reach(node.c);
    }
    std::sort(reached.begin(), reached.end());
    for (const NodeId id : reached) {
      positions_[id] = nowhere;
      const Node& node = graph.node(id);
      const int operands = arity(node.op);
      const bool depends = is_variable(id) || (operands > 0 && find(node.a) != nowhere) ||
                           (operands > 1 && find(node.b) != nowhere) || (operands > 2 && find(node.c) != nowhere);
      if (!depends) continue;
      positions_[id] = static_cast<std::uint32_t>(nodes.size());
      nodes.push_back(id);
    }
  }
  ~Region() {
    for (const NodeId id : nodes) positions_[id] = nowhere;
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// The place of a node in `nodes`, or `nowhere`.
  std::uint32_t find(NodeId id) const { return id < positions_.size() ? positions_[id] : nowhere; }

 private:
  std::vector<std::uint32_t>& positions_;
};

/// Positions of the operands of a node that are in the region, `nowhere` for the others.
struct Operands {
  std::uint32_t at[3];

  Operands(const Region& region, const Node& node) {
    const int count = arity(node.op);
    at[0] = count > 0 ? region.find(node.a) : nowhere;
    at[1] = count > 1 ? region.find(node.b) : nowhere;
    at[2] = count > 2 ? region.find(node.c) : nowhere;
  }
};

/// A derivative with respect to a leaf of the forward sweep: a variable or an alias.
struct LocalEntry {
  std::uint32_t leaf;  // position
  Expr value;
};

struct Column {
  NodeId variable;
  Expr value;
};

/// Is a node one of these?
class Members {
 public:
  explicit Members(std::span<const NodeId> ids)
      : is_member_(*std::max_element(ids.begin(), ids.end()) + std::size_t{1}) {
    for (const NodeId id : ids) is_member_[id] = true;
  }
  bool operator()(NodeId id) const { return id < is_member_.size() && is_member_[id]; }

 private:
  std::vector<bool> is_member_;
};

class ForwardSweep {
 public:
  ForwardSweep(Graph& graph, std::span<const NodeId> functions, std::span<const NodeId> variables)
      : graph_(graph),
        positions_(graph.size(), nowhere),
        region_(graph, functions, *std::min_element(variables.begin(), variables.end()), Members(variables),
                positions_) {
    const std::size_t count = region_.nodes.size();
    is_variable_.resize(count);
    is_root_.resize(count);
    rows_.resize(count);
    local_.resize(count);
    tangents_.resize(count);
    users_.resize(count);
    operands_.reserve(count);
    for (const NodeId function : functions) mark_root(region_.find(function));
    for (const NodeId variable : variables) {
      if (const auto at = region_.find(variable); at != nowhere) is_variable_[at] = true;
    }
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Node& node = graph.node(region_.nodes[i]);
      operands_.emplace_back(region_, node);
      if (is_variable_[i] || node.op == Op::alias) {
        // An alias is a variable for what uses it; its meaning is a function of its own.
        leaves.push_back(i);
        if (!is_variable_[i]) mark_root(operands_[i].at[0]);
        continue;
      }
      for (const std::uint32_t operand : operands_[i].at) {
        if (operand != nowhere && (users_[operand].empty() || users_[operand].back() != i)) {
          users_[operand].push_back(i);
        }
      }
    }
    for (const std::uint32_t leaf : leaves) {
      end_if_stopped();
      sweep(leaf);
    }
    chain();
  }

  /// Nonzero derivatives of a function, by the variable's id.
  std::span<const Column> row(NodeId function) const {
    const std::uint32_t at = region_.find(function);
    if (at == nowhere) return {};
    return rows_[at];
  }

 private:
  void mark_root(std::uint32_t at) {
    if (at != nowhere) is_root_[at] = true;
  }

  /// Carries d/d(leaf) up through the nodes that use it, and no others.
  void sweep(std::uint32_t leaf) {
    touched_.assign(1, leaf);
    tangents_[leaf] = graph_.constant(1);
    for (std::size_t next = 0; next < touched_.size(); ++next) {
      for (const std::uint32_t user : users_[touched_[next]]) {
        if (tangents_[user]) continue;
        tangents_[user] = graph_.constant(0);  // marks it as collected; the value follows below
        touched_.push_back(user);
      }
    }
    std::sort(touched_.begin() + 1, touched_.end());
    const auto change = [&](std::uint32_t operand) { return operand == nowhere ? std::nullopt : tangents_[operand]; };
    for (const std::uint32_t at : touched_) {
      if (at != leaf) {
        const std::uint32_t* operands = operands_[at].at;
        const auto value =
            tangent({&graph_, region_.nodes[at]}, change(operands[0]), change(operands[1]), change(operands[2]));
        tangents_[at] = value && !value->is_zero() ? value : std::nullopt;
      }
      if (is_root_[at] && tangents_[at]) local_[at].push_back({leaf, *tangents_[at]});
    }
    for (const std::uint32_t at : touched_) tangents_[at].reset();
  }

  /// Chain rule over the aliases, oldest first.
  void chain() {
    for (std::uint32_t at = 0; at < local_.size(); ++at) {
      if (!is_root_[at]) continue;
      std::map<NodeId, std::vector<Expr>> terms;
      for (const LocalEntry& entry : local_[at]) {
        if (is_variable_[entry.leaf]) {
          terms[region_.nodes[entry.leaf]].push_back(entry.value);
          continue;
        }
        const std::uint32_t meaning = operands_[entry.leaf].at[0];
        for (const Column& column : rows_[meaning]) terms[column.variable].push_back(entry.value * column.value);
      }
      std::vector<Column>& row = rows_[at];
      for (const auto& [variable, list] : terms) {
        const Expr value = sum(graph_, list);
        if (!value.is_zero()) row.push_back({variable, value});
      }
    }
  }

  Graph& graph_;
  std::vector<std::uint32_t> positions_;
  Region region_;
  std::vector<bool> is_variable_, is_root_;
  std::vector<Operands> operands_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<std::optional<Expr>> tangents_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::vector<LocalEntry>> local_;
  std::vector<std::vector<Column>> rows_;
};

/// A stage value that turned out to be a constant is not a variable: nothing depends on it.
bool can_vary(Expr variable) {
  const Op op = variable.op();
  assert(op == Op::symbol || op == Op::alias || op == Op::constant || op == Op::pi);
  return op == Op::symbol || op == Op::alias;
}

/// Backwards, the branch that was not chosen gets the adjoint zero, and zero times an infinite slope is not a number.
/// Forwards, the choice is made between the finished derivatives. The arguments of a call have no adjoints.
bool goes_forwards_only(const Graph& graph, const Region& region) {
  return std::any_of(region.nodes.begin(), region.nodes.end(), [&](NodeId id) {
    const Op op = graph.node(id).op;
    return op == Op::min || op == Op::max || op == Op::select || op == Op::call;
  });
}

/// The adjoint of a node of the region, from the shares that its users have left; its operands get theirs.
template <class IsVariable>
Expr pass_down(Graph& graph, const Region& region, std::size_t i, std::vector<std::vector<Expr>>& shares,
               const IsVariable& is_variable, bool names_adjoints = false) {
  const Expr node{&graph, region.nodes[i]};
  Expr adjoint = sum(graph, shares[i]);
  shares[i] = {};
  if (is_variable(node.id) || adjoint.is_zero()) return adjoint;
  if (names_adjoints && node.op() == Op::alias) adjoint = graph.alias(adjoint);
  const Operands operands(region, graph.node(node.id));
  for (int k = 0; k < 3; ++k) {
    if (operands.at[k] == nowhere) continue;
    std::optional<Expr> changes[3];
    changes[k] = adjoint;
    const auto share = tangent(node, changes[0], changes[1], changes[2]);
    if (share && !share->is_zero()) shares[operands.at[k]].push_back(*share);
  }
  return adjoint;
}

std::vector<NodeId> varying(std::span<const Expr> variables) {
  std::vector<NodeId> ids;
  for (const Expr& variable : variables) {
    if (can_vary(variable)) ids.push_back(variable.id);
  }
  return ids;
}

}  // namespace

std::vector<Entry> jacobian(std::span<const Expr> functions, std::span<const Expr> variables) {
  std::vector<Entry> entries;
  const std::vector<NodeId> variable_ids = varying(variables);
  if (functions.empty() || variable_ids.empty()) return entries;
  std::unordered_map<NodeId, std::vector<int>> columns;
  for (std::size_t i = 0; i < variables.size(); ++i) columns[variables[i].id].push_back(static_cast<int>(i));

  const ForwardSweep sweep(*functions.front().graph, ids_of(functions), variable_ids);
  for (std::size_t row = 0; row < functions.size(); ++row) {
    const std::size_t first = entries.size();
    for (const Column& column : sweep.row(functions[row].id)) {
      for (const int j : columns.at(column.variable)) entries.push_back({static_cast<int>(row), j, column.value});
    }
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(first), entries.end(),
              [](const Entry& a, const Entry& b) { return a.column < b.column; });
  }
  return entries;
}

Expr derivative(Expr f, Expr x) {
  const std::vector<Entry> entries = jacobian({&f, 1}, {&x, 1});
  return entries.empty() ? f.graph->constant(0) : entries.front().value;
}

Gradients::Gradients(Graph& graph, std::span<const Expr> variables) : graph_(graph), size_(variables.size()) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (!can_vary(variables[i])) continue;
    places_[variables[i].id].push_back(i);
    oldest_ = std::min(oldest_, variables[i].id);
  }
}

SparseRow Gradients::operator()(Expr f) {
  SparseRow row(graph_, size_);
  positions_.resize(graph_.size(), nowhere);
  const Region region(graph_, {&f.id, 1}, oldest_, [&](NodeId id) { return places_.contains(id); }, positions_);
  std::vector<std::pair<std::size_t, Expr>> entries;
  const auto add = [&](NodeId variable, Expr value) {
    for (const std::size_t place : places_.at(variable)) entries.emplace_back(place, value);
  };
  if (goes_forwards_only(graph_, region)) {
    std::vector<Expr> variables;
    for (const NodeId id : region.nodes) {
      if (places_.contains(id)) variables.push_back({&graph_, id});
    }
    for (const Entry& entry : jacobian({&f, 1}, variables)) add(variables[entry.column].id, entry.value);
  } else if (!region.nodes.empty()) {
    std::vector<std::vector<Expr>> shares(region.nodes.size());
    shares.back().push_back(graph_.constant(1));
    for (std::size_t i = region.nodes.size(); i-- > 0;) {
      const Expr adjoint = pass_down(graph_, region, i, shares, [&](NodeId id) { return places_.contains(id); });
      if (places_.contains(region.nodes[i])) add(region.nodes[i], adjoint);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [place, value] : entries) row.append(place, value);
  return row;
}

std::vector<Expr> gradient(Expr f, std::span<const Expr> variables) {
  return Gradients(*f.graph, variables)(f).dense();
}

std::vector<Expr> derivatives_along(std::span<const Expr> direction, std::span<const Expr> functions,
                                    std::span<const Expr> variables) {
  Graph& graph = *direction.front().graph;
  std::vector<Expr> result(functions.size(), graph.constant(0));
  const std::vector<NodeId> variable_ids = varying(variables);
  if (functions.empty() || variable_ids.empty()) return result;
  std::vector<std::uint32_t> positions(graph.size(), nowhere);
  const Region region(graph, ids_of(functions), *std::min_element(variable_ids.begin(), variable_ids.end()),
                      Members(variable_ids), positions);
  std::vector<std::optional<Expr>> changes(region.nodes.size());
  std::vector<bool> is_variable(region.nodes.size(), false);
  for (std::size_t j = 0; j < variables.size(); ++j) {
    const std::uint32_t at = region.find(variables[j].id);
    if (at == nowhere) continue;
    is_variable[at] = true;
    if (!direction[j].is_zero()) changes[at] = changes[at] ? *changes[at] + direction[j] : direction[j];
  }
  const auto change = [&](std::uint32_t operand) { return operand == nowhere ? std::nullopt : changes[operand]; };
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    if (is_variable[i]) continue;
    const Expr node{&graph, region.nodes[i]};
    const Operands operands(region, node.node());
    const auto value = tangent(node, change(operands.at[0]), change(operands.at[1]), change(operands.at[2]));
    if (value && !value->is_zero()) changes[i] = node.op() == Op::alias ? graph.alias(*value) : *value;
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (const auto value = change(region.find(functions[i].id))) result[i] = *value;
  }
  return result;
}

std::vector<Expr> weighted_gradient(Graph& graph, std::span<const Expr> weights, std::span<const Expr> functions,
                                    std::span<const Expr> variables) {
  std::vector<Expr> result(variables.size(), graph.constant(0));
  const std::vector<NodeId> variable_ids = varying(variables);
  if (functions.empty() || variable_ids.empty()) return result;
  std::vector<std::uint32_t> positions(graph.size(), nowhere);
  const Members is_variable(variable_ids);
  const Region region(graph, ids_of(functions), *std::min_element(variable_ids.begin(), variable_ids.end()),
                      is_variable, positions);
  if (goes_forwards_only(graph, region)) {
    for (const Entry& entry : jacobian(functions, variables)) {
      result[entry.column] = result[entry.column] + weights[entry.row] * entry.value;
    }
    return result;
  }
  std::vector<std::vector<Expr>> shares(region.nodes.size());
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::uint32_t at = region.find(functions[i].id);
    if (at != nowhere && !weights[i].is_zero()) shares[at].push_back(weights[i]);
  }
  std::unordered_map<NodeId, Expr> adjoints;
  for (std::size_t i = region.nodes.size(); i-- > 0;) {
    const Expr adjoint = pass_down(graph, region, i, shares, is_variable, true);
    if (is_variable(region.nodes[i])) adjoints.emplace(region.nodes[i], adjoint);
  }
  for (std::size_t j = 0; j < variables.size(); ++j) {
    if (const auto found = adjoints.find(variables[j].id); found != adjoints.end()) result[j] = found->second;
  }
  return result;
}

std::vector<Expr> dense_jacobian(Graph& graph, std::span<const Expr> functions, std::span<const Expr> variables) {
  std::vector<Expr> result(functions.size() * variables.size(), graph.constant(0));
  for (const Entry& entry : jacobian(functions, variables)) {
    result[static_cast<std::size_t>(entry.row) * variables.size() + static_cast<std::size_t>(entry.column)] =
        entry.value;
  }
  return result;
}

std::vector<Entry> hessian(Expr f, std::span<const Expr> variables) {
  const std::vector<Expr> first = gradient(f, variables);
  std::vector<Entry> entries = jacobian(first, variables);
  // Both triangles share the expressions of the lower one: half the work for whoever evaluates them.
  std::map<std::pair<int, int>, Expr> lower;
  for (const Entry& entry : entries) {
    if (entry.row >= entry.column) lower[{entry.row, entry.column}] = entry.value;
  }
  std::map<std::pair<int, int>, Expr> full = lower;
  for (const auto& [place, value] : lower) full[{place.second, place.first}] = value;
  entries.clear();
  for (const auto& [place, value] : full) entries.push_back({place.first, place.second, value});
  return entries;
}

}  // namespace noslip
