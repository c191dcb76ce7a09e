// One text that is being read: the grammar (parse.cpp), names and sums (parse_names.cpp), conditions
// (parse_conditions.cpp).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include <noslip/expr/parse.hpp>

#include "expr/grammar.hpp"
#include "expr/lexer.hpp"

namespace noslip {

inline constexpr int deepest_nesting = 200;

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope)
      : graph_(graph), scope_(scope), in_(text), dummy_(graph.constant(0)), indices_(scope.indices) {}

  enum class Kind { expression, relation, condition };
  Parsed run(Kind kind);

 private:
  [[noreturn, gnu::noinline]] void fail(const Token& token, std::string what, std::string remedy = {});

  void advance() { in_.advance(); }
  bool accept(TokenKind kind) { return in_.accept(kind); }

  Expr parse_whole();

  Expr parse_sides();

  Expr parse_whole_condition();

  void expect_end();

  /// They stand behind the name of an array and nowhere else.
  void refuse_brackets(const Token& token);

  /// Two operands side by side: `2x`, `x y`, `(a)(b)`.
  [[noreturn, gnu::noinline]] void fail_missing_operator();

  Expr parse_sum();

  /// A sum, or a condition; is_condition_ says which.
  Expr parse_choice();
  /// From the first number or condition on, which begins at `offset`; without one, at the first `not`.
  [[gnu::noinline]] Expr parse_rest_of_condition(std::optional<Expr> first, std::size_t offset);

  bool is_word(std::string_view word) const;
  bool accept_word(std::string_view word);
  /// Is there an odd number of them?
  bool skip_negations();

  static bool is_comparison(TokenKind kind) { return kind >= TokenKind::below && kind <= TokenKind::at_least; }

  /// From the sign on.
  [[gnu::noinline]] Expr parse_comparison(Expr left, std::size_t offset);
  [[noreturn, gnu::noinline]] void fail_comparison(std::string_view where, const Token& sign, std::size_t offset);

  Expr parse_number();

  Expr parse_side();

  [[gnu::noinline]] Expr parse_if(std::size_t opening);
  [[noreturn, gnu::noinline]] void fail_branches(std::size_t count, std::size_t opening);
  [[noreturn, gnu::noinline]] static void fail_at(std::size_t offset, std::string_view what, std::string_view remedy);

  Expr parse_term() { return parse_with_sign(&Parser::parse_product); }
  Expr parse_signed() { return parse_with_sign(&Parser::parse_power); }

  Expr parse_product();

  /// Every way into a deeper level of nesting passes here.
  Expr parse_with_sign(Expr (Parser::*parse_unsigned)());

  [[noreturn, gnu::noinline]] void fail_nesting();

  Expr parse_power();

  Expr parse_primary();
  [[gnu::noinline]] Expr literal(const Token& token);
  [[noreturn, gnu::noinline]] void fail_primary(const Token& start);

  /// By the next word, as in (a) and b?
  bool is_joined() const;

  [[noreturn, gnu::noinline]] void fail_equals();

  [[noreturn, gnu::noinline]] void fail_word(const Token& word);

  /// A condition in parentheses may stand among conditions only.
  [[gnu::noinline]] void refuse_arithmetic(const Token& before, const Token& opening);

  [[gnu::noinline]] void close(const Token& opening);

  /// Reports each wrong name once; reading goes on, so that all of them are found.
  Expr unknown(const Token& name, std::string what, std::string remedy);

  Expr unknown_symbol(const Token& name);

  std::string written_velocity(const Token& name) const;

  static std::optional<Expr> look_up(const Scope::Lookup& lookup, NameAt name) {
    return lookup ? lookup(name) : std::nullopt;
  }

  std::optional<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view array) const;

  const std::int64_t* index_named(std::string_view name) const {
    for (auto index = indices_.rbegin(); index != indices_.rend(); ++index) {
      if (index->first == name) return &index->second;
    }
    return nullptr;
  }

  /// A number that is known now, for an index or a bound.
  Number known_number(const std::string& what);

  std::int64_t whole_number(const std::string& what);

  /// The name, or q[4] where an index follows.
  [[gnu::noinline]] Token element(const Token& name);

  Expr unknown_element(const Token& name, const Element& entry);

  static NameAt at(const Token& name) { return {name.text, name.offset}; }

  [[gnu::noinline]] Expr parse_name(const Token& name);

  Expr velocity(const Token& name);

  Expr parse_call(const Token& name);
  /// dot(x), p(x), psi(1), last(I); nothing for others.
  [[gnu::noinline]] std::optional<Expr> parse_call_of_name(const Token& name, const Token& opening);
  [[gnu::noinline]] Expr call(const Token& name, std::span<const Expr> arguments);

  Token sole_argument(const Token& name, const Token& opening, TokenKind kind, std::string_view usage);

  bool is_size(std::string_view name) const;
  Expr multiplier(const Token& name, const Token& opening, const Scope::Lookup& meaning);  ///< psi(1), lambda(roll)

  /// Not a name `sum` before a forgotten '*'?
  bool is_sum(const Token& name) const;

  /// sum(i, 0, n, expression), behind the parenthesis. The expression is read again for each value of the index.
  [[gnu::noinline]] Expr parse_indexed_sum(const Token& opening);

  [[noreturn]] void fail_sum(const Token& token, const Token& opening);

  void refuse_index(const Token& name);

  /// The expression of a sum without terms has no meaning: no index has a value.
  Expr skip_term(const Token& opening);

  [[noreturn, gnu::noinline]] void fail_no_argument(const Token& name);
  std::vector<Expr> parse_arguments(const Token& name, const Token& opening);

  Expr call(const Token& name, const KnownFunction& function, std::span<const Expr> arguments);

  std::string unknown_function_remedy(const Token& name) const;

  Graph& graph_;
  const Scope& scope_;
  Tokens in_;
  Expr dummy_;
  Indices indices_;  // that have a value here
  std::size_t terms_ = 0;
  int depth_ = 0;
  bool is_condition_ = false;  // what has just been read is one
  std::unordered_set<std::string> elements_;
  std::vector<ParseProblem> problems_;
  std::set<std::string> reported_;
};

}  // namespace noslip
