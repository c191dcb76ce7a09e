// Changes along a motion: what x1' means where x1 is an expression in t and the positions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// The rates of expressions by the chain rule, f' = f_t + f_q q', in one sweep over their nodes. What was asked for is
/// kept: a chain of definitions takes the time of its nodes, and each rate is written with the one before it.
class Rates {
 public:
  explicit Rates(Graph& graph) : graph_(graph) {}

  /// The rate of a symbol. All are named before the first question; other symbols are constants.
  void set(Expr symbol, Expr rate) { rates_.insert_or_assign(symbol.id, rate); }
  Expr operator()(Expr f);

 private:
  std::optional<Expr> rate_of(NodeId operand) const;

  Graph& graph_;
  std::unordered_map<NodeId, std::optional<Expr>> rates_;  // nothing for what does not change
};

/// A symbol in words: "the velocity x'", "the momentum p(x)"; with the noun for those that their name does not tell.
std::string described(const std::string& symbol, const std::string& noun);

/// What is wrong with x1' where the definition contains such a symbol, and what to do.
std::string no_rate(std::string_view definition, const std::string& contained);
inline constexpr const char* no_rate_remedy =
    "a definition has a velocity if it contains t, positions and parameters only";

}  // namespace noslip
