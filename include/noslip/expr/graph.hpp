// Expressions as one graph of nodes that exist once each (hash-consed): equal subexpressions have equal ids.
//
// A Graph only grows. An Expr is a node of it: cheap to copy, valid as long as the graph lives (model/symbols.hpp says
// who owns it where a system is written in C++). The constructors (`a + b`, `sin(a)`, ...) simplify on the way in:
// constants fold exactly, neutral elements vanish, signs and constant factors move outwards, like terms meet, so that
// for example the derivative of `m/2*x'^2` is `m*x'`, and a derivative that is zero is the constant zero. What they
// keep: the value wherever the unsimplified text has one.
// Building is single-threaded. A finished graph is frozen (a System's is): any number of threads may read it, and
// whoever wants to add to it adds to a copy.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <noslip/expr/external.hpp>
#include <noslip/expr/number.hpp>
#include <noslip/expr/table.hpp>

namespace noslip {

enum class Op : std::uint8_t {
  constant,  // payload: index of the Number
  pi,        // the number pi, kept as such
  symbol,    // payload: index of the name; two symbols of one name are the same node
  alias,     // a: the meaning. Differentiation goes through it by the chain rule, so that what depends on it is
             // differentiated once with respect to it (stage values of a method); evaluation just reads `a`.
  neg, add, sub, mul, div,
  powi,      // a to the integer power `payload` (as std::int32_t, 2 or more: a^-n is the division 1/a^n)
  sqrt, abs, sign,
  floor,     // the largest whole number that is not above a
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, log,
  atan2, pow, min, max,
  less,      // 1 where a < b, else 0
  select,    // b where a > 0, else c
  arguments,  // of a call, no number by itself: a: all before the last one (the first, or arguments), b: the last one
  call,      // of a function written in C++; a: the argument, or arguments; payload: index of the Call
  table      // a: the argument; payload: 8 times the index of the Table, and which derivative (or Graph::interval)
};

/// How many operands a node has (0 for constant, pi and symbol).
int arity(Op op);
/// Name as the user writes it ("sin", "atan2"); the operator character for neg, add, ...
const char* to_text(Op op);

using NodeId = std::uint32_t;

struct Node {
  Op op;
  NodeId a = 0, b = 0, c = 0;
  std::uint32_t payload = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

class Graph;

struct Expr {
  Graph* graph = nullptr;
  NodeId id = 0;

  const Node& node() const;
  Op op() const { return node().op; }
  Expr a() const { return {graph, node().a}; }
  Expr b() const { return {graph, node().b}; }
  Expr c() const { return {graph, node().c}; }
  bool is_constant() const { return op() == Op::constant; }  ///< a Number (pi is not)
  const Number& number() const;                              ///< of a constant
  const std::string& name() const;                           ///< of a symbol
  const Call& called() const;                                ///< of a call
  const Table& table() const;                                ///< of a table
  int table_derivative() const { return static_cast<int>(node().payload % 8); }
  int exponent() const { return static_cast<std::int32_t>(node().payload); }  ///< of a powi
  bool is_zero() const { return is_constant() && number().is_zero(); }
  bool is_one() const { return is_constant() && number().is_one(); }

  friend bool operator==(const Expr&, const Expr&) = default;  ///< the same node
};

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  Graph() = default;
  /// A copy to add to: what is in the original has the same ids here (`counterpart`). It is not frozen.
  explicit Graph(const Graph& original);
  Graph& operator=(const Graph&) = delete;

  /// From now on a constructor that would add a node throws std::logic_error; nodes that exist are still found.
  void freeze();
  bool is_frozen() const { return is_frozen_; }

  /// The same expression in this copy of its graph.
  Expr counterpart(Expr original) { return {this, original.id}; }
  std::vector<Expr> counterparts(std::span<const Expr> originals);
  /// Does everything of `other` have the same id here? True for a copy, whatever was added to it.
  bool extends(const Graph& other) const;

  Expr constant(const Number& value);
  Expr pi();
  Expr symbol(std::string_view name);
  Expr alias(Expr meaning);  ///< constants and symbols are returned as they are

  std::size_t size() const { return nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const Table& table(std::uint32_t index) const { return tables_[index]; }
  const std::vector<Table>& tables() const { return tables_; }  ///< all that were ever used
  std::uint32_t index_of(const Table& table);
  /// In the place of a derivative of a table: the number of the interval.
  static constexpr int interval = 7;
  const Number& number(std::uint32_t index) const { return numbers_[index]; }
  const std::string& name(std::uint32_t index) const { return names_[index]; }
  const Call& call(std::uint32_t index) const { return calls_[index]; }
  const std::vector<Call>& calls() const { return calls_; }  ///< all that were ever made
  /// Where it is among the calls of this graph, new or not.
  std::uint32_t index_of(Call call);

  /// The node as it is, without simplification (used by the constructors below).
  Expr intern(Node node);

 private:
  void grow_table();
  void grow_number_table();
  std::size_t number_slot(const Number& value) const;  ///< the slot of the number, or the free one where it belongs
  void require_not_frozen() const;

  std::vector<Node> nodes_;
  std::vector<Number> numbers_;
  std::vector<NodeId> number_nodes_;  // the constant of each number
  std::vector<std::string> names_;
  std::vector<Call> calls_;
  std::vector<Table> tables_;
  struct Slot {
    std::uint32_t hash;  // of the node: most others are told apart without a look at them
    NodeId id;
  };
  std::size_t slot_of(const Node& node, std::uint32_t hash) const;  ///< as number_slot

  std::vector<Slot> table_;                  // open addressing by the hash of the node; at most half full
  std::vector<std::uint32_t> number_table_;  // the same for numbers
  std::unordered_map<std::string, std::uint32_t> name_ids_;
  bool is_frozen_ = false;
};

inline const Node& Expr::node() const { return graph->node(id); }
inline const Number& Expr::number() const { return graph->number(node().payload); }
inline const std::string& Expr::name() const { return graph->name(node().payload); }
inline const Call& Expr::called() const { return graph->call(node().payload); }
inline const Table& Expr::table() const { return graph->table(node().payload / 8); }

/// Of expressions of two graphs an InputError, as all that combines expressions.
Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);  ///< a division by the constant zero stays a division (its value is not finite)
Expr operator-(Expr a);
Expr operator+(Expr a, const Number& b);
Expr operator+(const Number& a, Expr b);
Expr operator-(Expr a, const Number& b);
Expr operator-(const Number& a, Expr b);
Expr operator*(Expr a, const Number& b);
Expr operator*(const Number& a, Expr b);
Expr operator/(Expr a, const Number& b);
Expr operator/(const Number& a, Expr b);
// `b` is an expression or a number.
template <class B>
Expr& operator+=(Expr& a, const B& b) {
  return a = a + b;
}
template <class B>
Expr& operator-=(Expr& a, const B& b) {
  return a = a - b;
}
template <class B>
Expr& operator*=(Expr& a, const B& b) {
  return a = a * b;
}
template <class B>
Expr& operator/=(Expr& a, const B& b) {
  return a = a / b;
}

Expr powi(Expr a, int exponent);
Expr sqrt(Expr a);
Expr abs(Expr a);
Expr sign(Expr a);
Expr floor(Expr a);
Expr sin(Expr a);
Expr cos(Expr a);
Expr tan(Expr a);
Expr asin(Expr a);
Expr acos(Expr a);
Expr atan(Expr a);
Expr sinh(Expr a);
Expr cosh(Expr a);
Expr tanh(Expr a);
Expr exp(Expr a);
Expr log(Expr a);
Expr atan2(Expr y, Expr x);
Expr pow(Expr base, Expr exponent);  ///< integer and half-integer constant exponents become powi and sqrt
Expr min(Expr a, Expr b);
Expr max(Expr a, Expr b);
Expr less(Expr a, Expr b);
/// Is it made of comparisons, so that it is 1 where it holds and else 0: a < b, c and d (their minimum), c or d (their
/// maximum), not c (1 - c)? Of more than a few hundred comparisons nobody asks: false.
bool is_condition(Expr e);
Expr select(Expr condition, Expr positive, Expr otherwise);
Expr mod(Expr a, Expr b);  ///< a - b*floor(a/b): from 0 to b
Expr clamp(Expr x, Expr low, Expr high);
Expr step(Expr x);  ///< 0 for x < 0, else 1
Expr pow(Expr base, const Number& exponent);
Expr atan2(Expr y, const Number& x);
Expr atan2(const Number& y, Expr x);
Expr min(Expr a, const Number& b);
Expr max(Expr a, const Number& b);

/// A call of a function that was written in C++. InputError for a wrong number of arguments.
Expr call(const ExternalFunction& function, std::span<const Expr> arguments);
inline Expr call(const ExternalFunction& function, std::initializer_list<Expr> arguments) {
  return call(function, std::span(arguments.begin(), arguments.size()));
}
/// Of a call.
std::vector<Expr> arguments_of(Expr call);

/// The value of a table, one of its derivatives, or the number of the interval (Graph::interval).
Expr look_up(const Table& table, Expr argument, int derivative = 0);

/// Any operation by its code; the simplifying constructor is used. Operands beyond the arity are ignored.
Expr apply(Op op, Expr a, Expr b, Expr c, std::uint32_t payload);

/// Sum of the terms, balanced (short dependency chains); needs the graph for the empty sum.
Expr sum(Graph& graph, std::span<const Expr> terms);
/// Scalar product, balanced.
Expr dot(Graph& graph, std::span<const Expr> a, std::span<const Expr> b);

/// Does the value of `f` depend on the symbol or alias `x`? (Through aliases too.)
bool depends_on(Expr f, Expr x);
/// Every symbol that is reachable from the roots, in order of creation.
std::vector<Expr> symbols_of(std::span<const Expr> roots);
/// For each expression: does it contain one of the symbols? Does it contain no symbol but these? One sweep for all.
std::vector<bool> contain_any(std::span<const Expr> expressions, std::span<const Expr> symbols);
std::vector<bool> contain_only(std::span<const Expr> expressions, std::span<const Expr> symbols);

/// Copies expressions into another graph (or the same) with symbols replaced. Memoised: shared stays shared, and all
/// replacements have to be named before the first copy. All sources belong to one graph.
class Substitution {
 public:
  explicit Substitution(Graph& target) : target_(&target) {}
  void replace(Expr source_symbol, Expr target_expression);
  /// Asked for the replacement of every other symbol, once, when the copy comes to it. Without it, such a symbol
  /// becomes the one of the same name in the target.
  void ask(std::function<Expr(Expr source_symbol)> replacement) { ask_ = std::move(replacement); }
  Expr operator()(Expr source);
  std::vector<Expr> operator()(std::span<const Expr> source);

 private:
  struct Image {
    NodeId source, target;
  };
  Expr image_of(Expr source);   ///< whose operands are done
  bool enter(NodeId source);    ///< a place for its image; false if it has one
  Image& image(NodeId source);  ///< of what has been entered
  std::size_t slot_of(NodeId source) const;
  void rehash(std::size_t size);
  void forget_pending();

  Graph* target_;
  std::function<Expr(Expr)> ask_;
  std::vector<Image> images_;  // open addressing by the source; at most half full
  std::size_t count_ = 0;
};

}  // namespace noslip
