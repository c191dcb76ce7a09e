// Recursive descent:
//   relation  sum ['=' sum]
//   sum       term {('+' | '-') term}
//   term      ('-' | '+') term | product            so that -a*b is -(a*b): only there does text keep every node
//   product   power {('*' | '/') signed}
//   signed    ('-' | '+') signed | power
//   power     primary ['^' signed]
//   primary   number | name ["'"] | name '(' sum {',' sum} ')' | '(' sum ')'
#include <noslip/expr/parse.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "expr/grammar.hpp"
#include "expr/lexer.hpp"

namespace noslip {
namespace {

constexpr int deepest_nesting = 200;
constexpr std::size_t longest_text = 1'000'000;

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Scope& scope)
      : graph_(graph), scope_(scope), lexer_(text), dummy_(graph.constant(0)) {}

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

  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }

  bool accept(TokenKind kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }

  Expr parse_whole() {
    if (token_.kind == TokenKind::end) fail(token_, "the expression is empty");
    const Expr value = parse_sum();
    if (token_.kind == TokenKind::equals) {
      fail(token_, "'=' is not allowed in an expression", "only relations (constraints) have a left and a right side");
    }
    expect_end();
    return value;
  }

  Expr parse_sides() {
    if (token_.kind == TokenKind::end) fail(token_, "the relation is empty", "write lhs = rhs");
    const Expr left = parse_sum();
    if (!accept(TokenKind::equals)) {
      expect_end();
      return left;
    }
    const Expr right = parse_sum();
    if (token_.kind == TokenKind::equals) fail(token_, "a relation has only one '='", "write two relations");
    expect_end();
    return left - right;
  }

  void expect_end() {
    if (token_.kind == TokenKind::end) return;
    if (token_.kind == TokenKind::close) fail(token_, "')' without a '(' before it");
    if (token_.kind == TokenKind::comma) fail(token_, "',' outside of a function call", "the decimal point is '.'");
    fail_missing_operator();
  }

  /// Two operands side by side: `2x`, `x y`, `(a)(b)`.
  [[noreturn]] void fail_missing_operator() {
    if (token_.kind == TokenKind::prime) {
      if (previous_.kind == TokenKind::prime) {
        fail(token_, "second derivatives are not allowed", "only positions x and velocities x' may appear");
      }
      fail(token_, "' may only follow the name of a coordinate", "write x' for the velocity of x");
    }
    const bool plain = previous_.kind == TokenKind::number || previous_.kind == TokenKind::name;
    fail(token_, fmt::format("an operator is missing between '{}' and '{}'", previous_.text, token_.text),
         fmt::format("write {}{}*{}", plain ? "" : "...", previous_.text, token_.text));
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
      fail(token_, fmt::format("the expression is nested more than {} levels deep", deepest_nesting),
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
    const Token start = token_;
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
        value = token_.kind == TokenKind::open ? parse_call(start) : parse_name(start);
        break;
      case TokenKind::open:
        advance();
        value = parse_sum();
        close(start);
        break;
      case TokenKind::end:
        fail(start,
             previous_.text.empty() ? std::string("the expression is empty")
                                    : fmt::format("the text ends after '{}'", previous_.text),
             "something has to follow");
      default: {
        const std::string before = previous_.text.empty() ? "at the start" : fmt::format("after '{}'", previous_.text);
        fail(start, fmt::format("'{}' {}, where a number, a name or '(' is expected", start.text, before));
      }
    }
    const bool follows = token_.kind == TokenKind::number || token_.kind == TokenKind::name ||
                         token_.kind == TokenKind::open || token_.kind == TokenKind::prime;
    if (follows) fail_missing_operator();
    return value;
  }

  void close(const Token& opening) {
    if (accept(TokenKind::close)) return;
    if (token_.kind == TokenKind::end || token_.kind == TokenKind::equals) {
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
    std::string remedy;
    for (std::size_t i = 1; i < text.size() && remedy.empty(); ++i) {
      const std::string_view left = text.substr(0, i), right = text.substr(i);
      if (look_up(scope_.symbol, left) && look_up(scope_.symbol, right))
        remedy = fmt::format("write {}*{}", left, right);
    }
    if (remedy.empty()) remedy = did_you_mean(text, scope_.names);
    return unknown(name, fmt::format("unknown symbol '{}'", text), remedy);
  }

  static std::optional<Expr> look_up(const Scope::Lookup& lookup, std::string_view name) {
    return lookup ? lookup(name) : std::nullopt;
  }

  Expr parse_name(const Token& name) {
    if (accept(TokenKind::prime)) return velocity(name);
    if (name.text == "pi") return graph_.pi();
    if (name.text == "e") return exp(graph_.constant(1));
    if (const auto value = look_up(scope_.symbol, name.text)) return *value;
    if (const KnownFunction* function = find_function(name.text); function && function->listed) {
      fail(name, fmt::format("the function '{}' needs its argument in parentheses", name.text),
           fmt::format("write {}", function->usage));
    }
    return unknown_symbol(name);
  }

  Expr velocity(const Token& name) {
    if (const auto value = look_up(scope_.velocity, name.text)) return *value;
    const bool known = name.text == "pi" || name.text == "e" || look_up(scope_.symbol, name.text);
    if (!known) return unknown_symbol(name);
    return unknown(name, fmt::format("'{}' is not a coordinate and has no velocity", name.text),
                   "only coordinates may be followed by '");
  }

  Expr parse_call(const Token& name) {
    const Token opening = token_;
    advance();
    if (name.text == "dot") return velocity(sole_argument(name, opening, TokenKind::name, "dot(x)"));
    if (name.text == "p" && scope_.momentum) {
      const Token argument = sole_argument(name, opening, TokenKind::name, "p(x)");
      if (const auto value = scope_.momentum(argument.text)) return *value;
      return unknown(argument, fmt::format("there is no momentum of '{}'", argument.text),
                     did_you_mean(argument.text, scope_.names));
    }
    if (name.text == "psi" && scope_.multiplier) {
      const Token argument = sole_argument(name, opening, TokenKind::number, "psi(1)");
      if (const auto value = scope_.multiplier(argument.text)) return *value;
      return unknown(argument, fmt::format("there is no multiplier psi({})", argument.text),
                     "multipliers are numbered from 1, in the order of the constraints");
    }
    if (name.text == "last" && scope_.last) {
      const Token argument = sole_argument(name, opening, TokenKind::name, "last(I)");
      if (const auto value = scope_.last(argument.text)) return *value;
      return unknown(argument, fmt::format("there is no value '{}' at the sample before", argument.text),
                     did_you_mean(argument.text, scope_.names));
    }
    const std::vector<Expr> arguments = parse_arguments(name, opening);
    if (const KnownFunction* function = find_function(name.text)) return call(name, *function, arguments);
    return unknown(name, unknown_function(name.text), unknown_function_remedy(name.text));
  }

  Token sole_argument(const Token& name, const Token& opening, TokenKind kind, std::string_view usage) {
    const Token argument = token_;
    if (argument.kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
    if (argument.kind == kind) advance();
    if (argument.kind != kind || token_.kind != TokenKind::close) {
      fail(argument,
           fmt::format("{}(...) takes one {} and nothing else", name.text, kind == TokenKind::name ? "name" : "number"),
           fmt::format("write {}", usage));
    }
    advance();
    return argument;
  }

  std::vector<Expr> parse_arguments(const Token& name, const Token& opening) {
    std::vector<Expr> arguments;
    if (token_.kind == TokenKind::close) {
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

  std::string unknown_function(std::string_view name) const {
    if (name == "p") return "p(...), the momentum, is not available here";
    if (name == "psi") return "psi(...), a multiplier, is not available here";
    if (name == "last") return "last(...), a value at the sample before, is not available here";
    return fmt::format("unknown function '{}'", name);
  }

  std::string unknown_function_remedy(std::string_view name) const {
    if (look_up(scope_.symbol, name)) return fmt::format("to multiply, write {}*(...)", name);
    if (name == "p") return "momenta belong to systems with a hamiltonian";
    if (name == "psi") return "multipliers may be used under [nonideal]";
    if (name == "last") return "it may be used under [sampled]";
    if (const auto here = known_elsewhere_as(name); !here.empty()) return fmt::format("did you mean '{}'?", here);
    return did_you_mean(name, function_names());
  }

  Graph& graph_;
  const Scope& scope_;
  Lexer lexer_;
  Expr dummy_;
  Token token_, previous_;
  int depth_ = 0;
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
