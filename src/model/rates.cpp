#include "model/rates.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "expr/tangent.hpp"

namespace noslip {

std::optional<Expr> Rates::rate_of(NodeId operand) const {
  const auto found = rates_.find(operand);
  return found == rates_.end() ? std::nullopt : found->second;
}

Expr Rates::operator()(Expr f) {
  std::vector<NodeId> open;
  const auto reach = [&](NodeId id) {
    if (rates_.try_emplace(id, std::nullopt).second) open.push_back(id);
  };
  reach(f.id);
  for (std::size_t next = 0; next < open.size(); ++next) {
    const Node node = graph_.node(open[next]);
    const int operands = arity(node.op);
    if (operands > 0) reach(node.a);
    if (operands > 1) reach(node.b);
    if (operands > 2) reach(node.c);
  }
  std::sort(open.begin(), open.end());  // operands come first
  for (const NodeId id : open) {
    const Node node = graph_.node(id);
    const int operands = arity(node.op);
    const auto rate = [&](int place, NodeId operand) { return operands > place ? rate_of(operand) : std::nullopt; };
    const auto value = tangent({&graph_, id}, rate(0, node.a), rate(1, node.b), rate(2, node.c));
    if (value && !value->is_zero()) rates_[id] = value;
  }
  return rate_of(f.id).value_or(graph_.constant(0));
}

std::string described(const std::string& symbol, const std::string& noun) {
  const char* known = symbol.ends_with('\'')       ? "velocity"
                      : symbol.starts_with("psi(") ? "multiplier"
                      : symbol.ends_with(')')      ? "momentum"
                                                   : noun.c_str();
  return fmt::format("the {} {}", known, symbol);
}

std::string no_rate(std::string_view definition, const std::string& contained) {
  return fmt::format("definition '{}' contains {} and has no velocity", definition, contained);
}

}  // namespace noslip
