// Recursive descent:
//   relation  sum ['=' sum]
//   sum       term {('+' | '-') term}
//   term      ('-' | '+') term | product            so that -a*b is -(a*b): only there does text keep every node
//   product   power {('*' | '/') signed}
//   signed    ('-' | '+') signed | power
//   power     primary ['^' signed]
//   primary   number | variable | name '(' sum {',' sum} ')' | '(' sum ')' | 'sum' '(' name ',' index ',' index ',' sum
//   ')' variable  name ['[' index ']'] ["'"] index     a number that is known when the text is read (index.hpp)
#include <noslip/expr/parse.hpp>

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "expr/grammar.hpp"
#include "expr/index.hpp"

namespace noslip {
namespace {

constexpr int deepest_nesting = 200;
constexpr std::size_t longest_text = 1'000'000;
constexpr std::size_t most_terms = 1'000'000;  // of all sums of a text

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope)
      : graph_(graph), scope_(scope), in_(text), dummy_(graph.constant(0)), indices_(scope.indices) {}

  Parsed run(bool relation) {
    Parsed result{dummy_, {}};
    try {
      advance();
      result.expression = relation ? parse_sides() : parse_whole();
    } catch (const SyntaxError& error) {
      problems_.push_back(error.problem);
    }
    std::stable_sort(problems_.begin(), problems_.end(),
                     [](const ParseProblem& a, const ParseProblem& b) { return a.offset < b.offset; });
    result.problems = std::move(problems_);
    return result;
  }

 private:
  [[noreturn]] void fail(const Token& token, std::string what, std::string remedy = {}) {
    throw SyntaxError{{std::move(what), std::move(remedy), token.offset}};
  }

  void advance() { in_.advance(); }
  bool accept(TokenKind kind) { return in_.accept(kind); }

  Expr parse_whole() {
    if (in_.now().kind == TokenKind::end) fail(in_.now(), "the expression is empty");
    const Expr value = parse_sum();
    if (in_.now().kind == TokenKind::equals) {
      fail(in_.now(), "'=' is not allowed in an expression",
           "only relations (constraints) have a left and a right side");
    }
    expect_end();
    return value;
  }

  Expr parse_sides() {
    if (in_.now().kind == TokenKind::end) fail(in_.now(), "the relation is empty", "write lhs = rhs");
    const Expr left = parse_sum();
    if (!accept(TokenKind::equals)) {
      expect_end();
      return left;
    }
    const Expr right = parse_sum();
    if (in_.now().kind == TokenKind::equals) fail(in_.now(), "a relation has only one '='", "write two relations");
    expect_end();
    return left - right;
  }

  void expect_end() {
    if (in_.now().kind == TokenKind::end) return;
    if (in_.now().kind == TokenKind::close) fail(in_.now(), "')' without a '(' before it");
    refuse_brackets(in_.now());
    if (in_.now().kind == TokenKind::comma)
      fail(in_.now(), "',' outside of a function call", "the decimal point is '.'");
    fail_missing_operator();
  }

  /// They stand behind the name of an array and nowhere else.
  void refuse_brackets(const Token& token) {
    if (token.kind != TokenKind::open_bracket && token.kind != TokenKind::close_bracket) return;
    fail(token, fmt::format("'{}' is not part of the grammar", token.text), std::string(only_round_group));
  }

  /// Two operands side by side: `2x`, `x y`, `(a)(b)`.
  [[noreturn]] void fail_missing_operator() {
    if (in_.now().kind == TokenKind::prime) {
      if (in_.previous().kind == TokenKind::prime) {
        fail(in_.now(), "second derivatives are not allowed", "only positions x and velocities x' may appear");
      }
      fail(in_.now(), "' may only follow the name of a coordinate", "write x' for the velocity of x");
    }
    const bool plain = in_.previous().kind == TokenKind::number || in_.previous().kind == TokenKind::name;
    fail(in_.now(), fmt::format("an operator is missing between '{}' and '{}'", in_.previous().text, in_.now().text),
         fmt::format("write {}{}*{}", plain ? "" : "...", in_.previous().text, in_.now().text));
  }

  Expr parse_sum() {
    Expr value = parse_term();
    for (;;) {
      if (accept(TokenKind::plus)) {
        value = value + parse_term();
      } else if (accept(TokenKind::minus)) {
        value = value - parse_term();
      } else {
        return value;
      }
    }
  }

  Expr parse_term() { return parse_with_sign(&Parser::parse_product); }
  Expr parse_signed() { return parse_with_sign(&Parser::parse_power); }

  Expr parse_product() {
    Expr value = parse_power();
    for (;;) {
      if (accept(TokenKind::times)) {
        value = value * parse_signed();
      } else if (accept(TokenKind::divide)) {
        value = value / parse_signed();
      } else {
        return value;
      }
    }
  }

  /// Every way into a deeper level of nesting passes here.
  Expr parse_with_sign(Expr (Parser::*parse_unsigned)()) {
    if (++depth_ > deepest_nesting) {
      fail(in_.now(), fmt::format("the expression is nested more than {} levels deep", deepest_nesting),
           "name parts of it under [definitions]");
    }
    Expr value = dummy_;
    if (accept(TokenKind::minus)) {
      value = -parse_with_sign(parse_unsigned);
    } else if (accept(TokenKind::plus)) {
      value = parse_with_sign(parse_unsigned);
    } else {
      value = (this->*parse_unsigned)();
    }
    --depth_;
    return value;
  }

  Expr parse_power() {
    const Expr base = parse_primary();
    if (!accept(TokenKind::power)) return base;
    return pow(base, parse_signed());
  }

  Expr parse_primary() {
    const Token start = in_.now();
    Expr value = dummy_;
    switch (start.kind) {
      case TokenKind::number: {
        advance();
        const auto literal = Number::parse(start.text);
        if (!literal) fail(start, fmt::format("the number {} is out of range", start.text));
        value = graph_.constant(*literal);
        break;
      }
      case TokenKind::name:
        advance();
        value = in_.now().kind == TokenKind::open ? parse_call(start) : parse_name(element(start));
        break;
      case TokenKind::open:
        advance();
        value = parse_sum();
        close(start);
        break;
      case TokenKind::end:
        fail(start,
             in_.previous().text.empty() ? std::string("the expression is empty")
                                         : fmt::format("the text ends after '{}'", in_.previous().text),
             "something has to follow");
      default: {
        refuse_brackets(start);
        const std::string before =
            in_.previous().text.empty() ? "at the start" : fmt::format("after '{}'", in_.previous().text);
        fail(start, fmt::format("'{}' {}, where a number, a name or '(' is expected", start.text, before));
      }
    }
    const bool follows = in_.now().kind == TokenKind::number || in_.now().kind == TokenKind::name ||
                         in_.now().kind == TokenKind::open || in_.now().kind == TokenKind::prime;
    if (follows) fail_missing_operator();
    return value;
  }

  void close(const Token& opening) {
    if (accept(TokenKind::close)) return;
    if (in_.now().kind == TokenKind::end || in_.now().kind == TokenKind::equals) {
      fail(opening, "this '(' is never closed", "add ')'");
    }
    expect_end();
  }

  /// Reports each wrong name once; reading goes on, so that all of them are found.
  Expr unknown(const Token& name, std::string what, std::string remedy) {
    if (reported_.insert(what).second) problems_.push_back({std::move(what), std::move(remedy), name.offset});
    return graph_.symbol(name.text);
  }

  Expr unknown_symbol(const Token& name) {
    const std::string_view text = name.text;
    if (const auto entry = element_of(text)) return unknown_element(name, *entry);
    if (const auto range = range_of(text)) {
      return unknown(
          name, fmt::format("'{}' is an array", text),
          fmt::format("write one of its entries, {}[{}] to {}[{}]", text, range->first, text, range->second));
    }
    std::string remedy;
    for (std::size_t i = 1; i < std::min<std::size_t>(text.size(), 64) && remedy.empty(); ++i) {
      const std::string_view left = text.substr(0, i), right = text.substr(i);
      if (look_up(scope_.symbol, {left, name.offset}) && look_up(scope_.symbol, {right, name.offset + i}))
        remedy = fmt::format("write {}*{}", left, right);
    }
    if (remedy.empty()) remedy = did_you_mean(text, scope_.names);
    return unknown(name, fmt::format("unknown symbol '{}'", text), remedy);
  }

  static std::optional<Expr> look_up(const Scope::Lookup& lookup, NameAt name) {
    return lookup ? lookup(name) : std::nullopt;
  }

  std::optional<std::pair<std::int64_t, std::int64_t>> range_of(std::string_view array) const {
    return scope_.array ? scope_.array(array) : std::nullopt;
  }

  const std::int64_t* index_named(std::string_view name) const {
    for (auto index = indices_.rbegin(); index != indices_.rend(); ++index) {
      if (index->first == name) return &index->second;
    }
    return nullptr;
  }

  /// A number that is known now, for an index or a bound.
  Number known_number(const std::string& what) {
    return read_number(in_, what, [this](const Token& name) {
      if (const std::int64_t* index = index_named(name.text)) return Number(*index);
      const auto size = scope_.size ? scope_.size(name.text) : std::nullopt;
      if (size) return *size;
      const std::string guess = look_up(scope_.symbol, at(name)) ? "" : did_you_mean(name.text, scope_.names);
      fail(name, fmt::format("'{}' is not a whole number that is known here", name.text),
           guess.empty() ? std::string(index_remedy) : guess);
    });
  }

  std::int64_t whole_number(const std::string& what) {
    const std::size_t offset = in_.now().offset;
    return whole(known_number(what), what, offset);
  }

  /// The name, or q[4] where an index follows.
  Token element(const Token& name) {
    const Token bracket = in_.now();
    if (bracket.kind != TokenKind::open_bracket) return name;
    const KnownFunction* function = find_function(name.text);
    if (name.text == "pi" || name.text == "e" || name.text == "dot" || (function && function->listed)) {
      refuse_brackets(bracket);
    }
    advance();
    const std::int64_t index = whole_number("the index");
    if (!accept(TokenKind::close_bracket)) {
      if (in_.now().kind == TokenKind::end) fail(bracket, "this '[' is never closed", "add ']'");
      fail(in_.now(), fmt::format("'{}' in an index", in_.now().text), "only + - * / and parentheses may be used");
    }
    return {TokenKind::name, *elements_.insert(element_name(name.text, index)).first, name.offset};
  }

  Expr unknown_element(const Token& name, const Element& entry) {
    if (const auto range = range_of(entry.array)) {
      return unknown(name, fmt::format("there is no {}{}", name.text, to_text(indices_)),
                     fmt::format("the indices of {} are {} to {}", entry.array, range->first, range->second));
    }
    if (index_named(entry.array) || look_up(scope_.symbol, {entry.array, name.offset})) {
      return unknown(name, fmt::format("'{}' is not an array", entry.array), fmt::format("write {}", entry.array));
    }
    return unknown(name, fmt::format("unknown array '{}'", entry.array), did_you_mean(entry.array, scope_.names));
  }

  static NameAt at(const Token& name) { return {name.text, name.offset}; }

  Expr parse_name(const Token& name) {
    if (accept(TokenKind::prime)) return velocity(name);
    if (name.text == "pi") return graph_.pi();
    if (name.text == "e") return exp(graph_.constant(1));
    if (const std::int64_t* index = index_named(name.text)) return graph_.constant(*index);
    if (const auto value = look_up(scope_.symbol, at(name))) return *value;
    if (const KnownFunction* function = find_function(name.text); function && function->listed) {
      fail(name, fmt::format("the function '{}' needs its argument in parentheses", name.text),
           fmt::format("write {}", function->usage));
    }
    return unknown_symbol(name);
  }

  Expr velocity(const Token& name) {
    if (!index_named(name.text)) {
      if (const auto value = look_up(scope_.velocity, at(name))) return *value;
    }
    const bool known =
        name.text == "pi" || name.text == "e" || index_named(name.text) || look_up(scope_.symbol, at(name));
    if (!known) return unknown_symbol(name);
    return unknown(name, fmt::format("'{}' is not a coordinate and has no velocity", name.text),
                   "only coordinates, and definitions in t and positions, may be followed by '");
  }

  Expr parse_call(const Token& name) {
    const Token opening = in_.now();
    advance();
    if (name.text == "sum" && is_sum(name)) return parse_indexed_sum(opening);
    if (name.text == "dot") return velocity(sole_argument(name, opening, TokenKind::name, "dot(x)"));
    if (name.text == "p" && scope_.momentum) {
      const Token argument = sole_argument(name, opening, TokenKind::name, "p(x)");
      if (const auto value = scope_.momentum(at(argument))) return *value;
      return unknown(argument, fmt::format("there is no momentum of '{}'", argument.text),
                     did_you_mean(argument.text, scope_.names));
    }
    if (name.text == "psi" && scope_.multiplier) return multiplier(name, opening, scope_.multiplier);
    if (name.text == "lambda" && scope_.reaction) return multiplier(name, opening, scope_.reaction);
    if (name.text == "last" && scope_.last) {
      const Token argument = sole_argument(name, opening, TokenKind::name, "last(I)");
      if (const auto value = scope_.last(at(argument))) return *value;
      return unknown(argument, fmt::format("there is no value '{}' at the sample before", argument.text),
                     did_you_mean(argument.text, scope_.names));
    }
    const std::vector<Expr> arguments = parse_arguments(name, opening);
    if (const KnownFunction* function = find_function(name.text)) return call(name, *function, arguments);
    const bool is_symbol = look_up(scope_.symbol, at(name)).has_value();
    return unknown(name, unknown_function(name.text),
                   is_symbol ? fmt::format("to multiply, write {}*(...)", name.text) : function_remedy(name.text));
  }

  Token sole_argument(const Token& name, const Token& opening, TokenKind kind, std::string_view usage) {
    Token argument = in_.now();
    if (argument.kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
    if (kind == TokenKind::number && argument.kind == TokenKind::name && is_size(argument.text)) {
      argument = {kind, *elements_.insert(std::to_string(whole_number("the number"))).first, argument.offset};
    } else if (argument.kind == kind) {
      advance();
      if (kind == TokenKind::name) argument = element(argument);
    }
    if (argument.kind != kind || in_.now().kind != TokenKind::close) {
      fail(argument,
           fmt::format("{}(...) takes one {} and nothing else", name.text, kind == TokenKind::name ? "name" : "number"),
           fmt::format("write {}", usage));
    }
    advance();
    return argument;
  }

  Expr multiplier(const Token& name, const Token& opening, const Scope::Lookup& meaning) {
    const bool is_name = name.text == "lambda" || (has_names(scope_.constraints) &&
                                                   in_.now().kind == TokenKind::name && !is_size(in_.now().text));
    const Token argument = sole_argument(name, opening, is_name ? TokenKind::name : TokenKind::number,
                                         name.text == "lambda" ? "lambda(roll)" : "psi(1)");
    if (const auto value = meaning(at(argument))) return *value;
    return unknown(argument, unknown_multiplier(name.text, argument.text),
                   multiplier_remedy(is_name, argument.text, scope_.constraints));
  }

  bool is_size(std::string_view name) const {
    return index_named(name) || (scope_.size && scope_.size(name).has_value());
  }

  /// Not a name `sum` before a forgotten '*'?
  bool is_sum(const Token& name) const {
    Tokens ahead = in_;
    if (ahead.accept(TokenKind::name) && ahead.now().kind == TokenKind::comma) return true;
    return !look_up(scope_.symbol, at(name));
  }

  /// sum(i, 0, n, expression), behind the parenthesis. The expression is read again for each value of the index.
  Expr parse_indexed_sum(const Token& opening) {
    const Token name = in_.now();
    if (!accept(TokenKind::name) || in_.now().kind != TokenKind::comma) fail_sum(name, opening);
    refuse_index(name);
    advance();
    const std::int64_t first = whole_number("the first index");
    if (!accept(TokenKind::comma)) fail_sum(in_.now(), opening);
    const Token bound = in_.now();
    const std::int64_t last = whole_number("the last index");
    if (!accept(TokenKind::comma)) fail_sum(in_.now(), opening);
    if (last - first >= most_entries) {
      fail(bound, fmt::format("a sum of {} terms is too long", last - first + 1),
           fmt::format("at most {} are accepted", most_entries));
    }
    if (last < first) return skip_term(opening);
    const Tokens term = in_;
    const std::size_t before = problems_.size();
    std::vector<Expr> terms;
    indices_.emplace_back(name.text, first);
    for (std::int64_t i = first; i <= last && problems_.size() == before; ++i) {
      if (++terms_ > most_terms) fail(name, fmt::format("the sums have more than {} terms", most_terms));
      indices_.back().second = i;
      in_ = term;
      terms.push_back(parse_sum());
    }
    indices_.pop_back();
    if (in_.now().kind == TokenKind::comma) fail_sum(in_.now(), opening);
    close(opening);
    return sum(graph_, terms);
  }

  [[noreturn]] void fail_sum(const Token& token, const Token& opening) {
    if (token.kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
    fail(token, "a sum has the name of an index, its first and last value, and an expression",
         "write sum(i, 0, 9, q[i])");
  }

  void refuse_index(const Token& name) {
    const std::string reason = why_not_a_name(name.text);
    const bool is_taken = index_named(name.text) || range_of(name.text) || look_up(scope_.symbol, at(name));
    if (reason.empty() && !is_taken) return;
    fail(name,
         reason.empty() ? fmt::format("the index '{}' has a name that means something else here", name.text) : reason,
         "choose another name for the index");
  }

  /// The expression of a sum without terms has no meaning: no index has a value.
  Expr skip_term(const Token& opening) {
    for (int depth = 0; depth > 0 || in_.now().kind != TokenKind::close; advance()) {
      if (in_.now().kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
      if (in_.now().kind == TokenKind::comma && depth == 0) fail_sum(in_.now(), opening);
      depth += in_.now().kind == TokenKind::open ? 1 : in_.now().kind == TokenKind::close ? -1 : 0;
    }
    advance();
    return graph_.constant(0);
  }

  std::vector<Expr> parse_arguments(const Token& name, const Token& opening) {
    std::vector<Expr> arguments;
    if (in_.now().kind == TokenKind::close) {
      const KnownFunction* function = find_function(name.text);
      fail(name, fmt::format("{}() has no argument", name.text),
           function ? fmt::format("write {}", function->usage) : std::string());
    }
    do {
      arguments.push_back(parse_sum());
    } while (accept(TokenKind::comma));
    close(opening);
    return arguments;
  }

  Expr call(const Token& name, const KnownFunction& function, std::span<const Expr> arguments) {
    const bool any_number = function.op == Op::min || function.op == Op::max;
    const auto wanted = static_cast<std::size_t>(arity(function.op));
    if (arguments.size() < wanted || (arguments.size() > wanted && !any_number)) {
      problems_.push_back({fmt::format("{} takes {}{} argument{}, not {}", name.text, any_number ? "at least " : "",
                                       wanted, wanted == 1 ? "" : "s", arguments.size()),
                           fmt::format("write {}", function.usage), name.offset});
      return dummy_;
    }
    Expr value = apply(function.op, arguments[0], arguments[wanted > 1 ? 1 : 0], arguments[wanted > 2 ? 2 : 0], 0);
    for (std::size_t i = wanted; i < arguments.size(); ++i) value = apply(function.op, value, arguments[i], value, 0);
    return value;
  }

  Graph& graph_;
  const Scope& scope_;
  Tokens in_;
  Expr dummy_;
  Indices indices_;  // that have a value here
  std::size_t terms_ = 0;
  int depth_ = 0;
  std::unordered_set<std::string> elements_;
  std::vector<ParseProblem> problems_;
  std::set<std::string> reported_;
};

Parsed parse(Graph& graph, std::string_view text, const Scope& scope, bool relation) {
  if (text.size() > longest_text) {
    return {graph.constant(0),
            {{fmt::format("the text has {} bytes, more than {}", text.size(), longest_text),
              "name parts of it under [definitions]", 0}}};
  }
  return Parser(graph, text, scope).run(relation);
}

}  // namespace

Parsed parse_expression(Graph& graph, std::string_view text, const Scope& scope) {
  return parse(graph, text, scope, false);
}

Parsed parse_relation(Graph& graph, std::string_view text, const Scope& scope) {
  return parse(graph, text, scope, true);
}

}  // namespace noslip
