// Recursive descent:
//   relation  sum ['=' sum]
//   sum       term {('+' | '-') term}
//   term      ('-' | '+') term | product            so that -a*b is -(a*b): only there does text keep every node
//   product   power {('*' | '/') signed}
//   signed    ('-' | '+') signed | power
//   power     primary ['^' signed]
//   primary   number | variable | name '(' sum {',' sum} ')' | '(' choice ')'
//             | 'sum' '(' name ',' index ',' index ',' sum ')' | 'if' '(' choice ',' sum ',' sum ')'
//   variable  name ['[' index ']'] ["'"]
//   index     a number that is known when the text is read (index.hpp)
//   choice    sum, or a condition, which is no number:
//             {'not'} (sum ('<' | '<=' | '>' | '>=') sum | '(' choice ')'), with 'and' and 'or' between such
#include <noslip/expr/parse.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "expr/parser.hpp"

namespace noslip {

constexpr std::size_t longest_text = 1'000'000;

Parsed Parser::run(Kind kind) {
  Parsed result{dummy_, {}};
  try {
    advance();
    result.expression = kind == Kind::relation     ? parse_sides()
                        : kind == Kind::expression ? parse_whole()
                                                   : parse_whole_condition();
  } catch (const SyntaxError& error) {
    problems_.push_back(error.problem);
  }
  std::stable_sort(problems_.begin(), problems_.end(),
                   [](const ParseProblem& a, const ParseProblem& b) { return a.offset < b.offset; });
  result.problems = std::move(problems_);
  return result;
}

void Parser::fail(const Token& token, std::string what, std::string remedy) {
  throw SyntaxError{{std::move(what), std::move(remedy), token.offset}};
}

Expr Parser::parse_whole() {
  if (in_.now().kind == TokenKind::end) fail(in_.now(), "the expression is empty");
  const Expr value = parse_number();
  if (in_.now().kind == TokenKind::equals) {
    fail(in_.now(), "'=' is not allowed in an expression", "only relations (constraints) have a left and a right side");
  }
  expect_end();
  return value;
}

Expr Parser::parse_sides() {
  if (in_.now().kind == TokenKind::end) fail(in_.now(), "the relation is empty", "write lhs = rhs");
  const Expr left = parse_side();
  if (!accept(TokenKind::equals)) {
    expect_end();
    return left;
  }
  const Expr right = parse_side();
  if (in_.now().kind == TokenKind::equals) fail(in_.now(), "a relation has only one '='", "write two relations");
  expect_end();
  return left - right;
}

void Parser::expect_end() {
  if (in_.now().kind == TokenKind::end) return;
  if (in_.now().kind == TokenKind::close) fail(in_.now(), "')' without a '(' before it");
  refuse_brackets(in_.now());
  if (in_.now().kind == TokenKind::comma) fail(in_.now(), "',' outside of a function call", "the decimal point is '.'");
  fail_missing_operator();
}

void Parser::refuse_brackets(const Token& token) {
  if (token.kind != TokenKind::open_bracket && token.kind != TokenKind::close_bracket) return;
  fail(token, fmt::format("'{}' is not part of the grammar", token.text), std::string(only_round_group));
}

void Parser::fail_missing_operator() {
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

Expr Parser::parse_sum() {
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

Expr Parser::parse_product() {
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

Expr Parser::parse_with_sign(Expr (Parser::*parse_unsigned)()) {
  if (++depth_ > deepest_nesting) fail_nesting();
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

void Parser::fail_nesting() {
  fail(in_.now(), fmt::format("the expression is nested more than {} levels deep", deepest_nesting),
       "name parts of it under [definitions]");
}

Expr Parser::parse_power() {
  const Expr base = parse_primary();
  if (!accept(TokenKind::power)) return base;
  return pow(base, parse_signed());
}

Expr Parser::parse_primary() {
  const Token start = in_.now(), last = in_.previous();
  Expr value = dummy_;
  bool is_condition = false;
  switch (start.kind) {
    case TokenKind::number:
      advance();
      value = literal(start);
      break;
    case TokenKind::name:
      if (is_word_of_conditions(start.text) && start.text != "if") fail_word(start);
      advance();
      value = in_.now().kind == TokenKind::open ? parse_call(start) : parse_name(element(start));
      break;
    case TokenKind::open:
      advance();
      value = parse_choice();
      is_condition = is_condition_;
      close(start);
      if (is_condition) refuse_arithmetic(last, start);
      break;
    default: fail_primary(start);
  }
  const bool follows = in_.now().kind == TokenKind::number || in_.now().kind == TokenKind::name ||
                       in_.now().kind == TokenKind::open || in_.now().kind == TokenKind::prime;
  if (follows && !is_joined()) fail_missing_operator();
  is_condition_ = is_condition;
  return value;
}

Expr Parser::literal(const Token& token) {
  const auto number = Number::parse(token.text);
  if (!number) fail(token, fmt::format("the number {} is out of range", token.text));
  return graph_.constant(*number);
}

void Parser::fail_primary(const Token& start) {
  const std::string_view before = in_.previous().text;
  if (start.kind == TokenKind::end) {
    fail(start,
         before.empty() ? std::string("the expression is empty") : fmt::format("the text ends after '{}'", before),
         "something has to follow");
  }
  refuse_brackets(start);
  fail(start, fmt::format("'{}' {}, where a number, a name or '(' is expected", start.text,
                          before.empty() ? "at the start" : fmt::format("after '{}'", before)));
}

void Parser::close(const Token& opening) {
  if (accept(TokenKind::close)) return;
  if (in_.now().kind == TokenKind::end || in_.now().kind == TokenKind::equals) {
    fail(opening, "this '(' is never closed", "add ')'");
  }
  expect_end();
}

Expr Parser::parse_call(const Token& name) {
  const Token opening = in_.now();
  advance();
  if (name.text == "if") return parse_if(opening.offset);
  if (name.text == "sum" && is_sum(name)) return parse_indexed_sum(opening);
  if (const auto value = parse_call_of_name(name, opening)) return *value;
  return call(name, parse_arguments(name, opening));
}

std::optional<Expr> Parser::parse_call_of_name(const Token& name, const Token& opening) {
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
  return std::nullopt;
}

std::vector<Expr> Parser::parse_arguments(const Token& name, const Token& opening) {
  std::vector<Expr> arguments;
  if (in_.now().kind == TokenKind::close) fail_no_argument(name);
  do {
    arguments.push_back(parse_number());
  } while (accept(TokenKind::comma));
  close(opening);
  return arguments;
}

void Parser::fail_no_argument(const Token& name) {
  const KnownFunction* function = find_function(name.text);
  fail(name, fmt::format("{}() has no argument", name.text),
       function ? fmt::format("write {}", function->usage) : std::string());
}

Expr Parser::call(const Token& name, std::span<const Expr> arguments) {
  if (const auto table = scope_.table ? scope_.table(name.text) : std::nullopt) {
    if (arguments.size() == 1) return (*table)(arguments.front());
    problems_.push_back({fmt::format("the table '{}' has one argument, not {}", name.text, arguments.size()),
                         fmt::format("write {}(t), or another argument", name.text), name.offset});
    return dummy_;
  }
  if (const KnownFunction* function = find_function(name.text)) return call(name, *function, arguments);
  return unknown(name, unknown_function(name.text), unknown_function_remedy(name));
}

Expr Parser::call(const Token& name, const KnownFunction& function, std::span<const Expr> arguments) {
  const bool any_number = function.op == Op::min || function.op == Op::max;
  const std::size_t wanted = function.arguments();
  if (arguments.size() < wanted || (arguments.size() > wanted && !any_number)) {
    problems_.push_back({fmt::format("{} takes {}{} argument{}, not {}", name.text, any_number ? "at least " : "",
                                     wanted, wanted == 1 ? "" : "s", arguments.size()),
                         fmt::format("write {}", function.usage), name.offset});
    return dummy_;
  }
  Expr value = function(arguments);
  for (std::size_t i = wanted; i < arguments.size(); ++i) value = apply(function.op, value, arguments[i], value, 0);
  return value;
}

namespace {

Parsed parse(Graph& graph, std::string_view text, const Scope& scope, Parser::Kind kind) {
  if (text.size() > longest_text) {
    return {graph.constant(0),
            {{fmt::format("the text has {} bytes, more than {}", text.size(), longest_text),
              "name parts of it under [definitions]", 0}}};
  }
  return Parser(graph, text, scope).run(kind);
}

}  // namespace

Parsed parse_expression(Graph& graph, std::string_view text, const Scope& scope) {
  return parse(graph, text, scope, Parser::Kind::expression);
}

Parsed parse_relation(Graph& graph, std::string_view text, const Scope& scope) {
  return parse(graph, text, scope, Parser::Kind::relation);
}

Parsed parse_condition(Graph& graph, std::string_view text, const Scope& scope) {
  return parse(graph, text, scope, Parser::Kind::condition);
}

}  // namespace noslip
