// Conditions: comparisons with and, or, not between them; and if(condition, a, b).
#include <utility>

#include <fmt/format.h>

#include "expr/parser.hpp"

namespace noslip {

constexpr int levels_of_condition = 3;  // of nesting: it takes as much of the stack
constexpr std::string_view use_if = "write if(x > 0, a, b)";

// What recurses has small frames: texts of messages are made in functions of their own.

Expr Parser::parse_choice() {
  const std::size_t offset = in_.now().offset;
  if (is_word("not")) return parse_rest_of_condition(std::nullopt, offset);
  const Expr value = parse_sum();
  if (!is_condition_ && !is_comparison(in_.now().kind) && !is_joined()) return value;
  return parse_rest_of_condition(value, offset);
}

Expr Parser::parse_rest_of_condition(std::optional<Expr> first, std::size_t offset) {
  if ((depth_ += levels_of_condition) > deepest_nesting) fail_nesting();
  std::optional<Expr> either, both;
  for (;;) {
    bool is_negated = false;
    if (!first) {
      offset = in_.now().offset;
      is_negated = skip_negations();
      first = parse_sum();
    }
    Expr value = *std::exchange(first, std::nullopt);
    if (is_comparison(in_.now().kind)) {
      value = parse_comparison(value, offset);
    } else if (!is_condition_) {
      fail_at(offset, "a number where a condition is expected", "compare it, for example x > 0");
    }
    if (is_negated) value = 1 - value;
    both = both ? min(*both, value) : value;
    if (accept_word("and")) continue;
    either = either ? max(*either, *both) : *both;
    both.reset();
    if (accept_word("or")) continue;
    is_condition_ = true;
    depth_ -= levels_of_condition;
    return *either;
  }
}

bool Parser::is_word(std::string_view word) const {
  return in_.now().kind == TokenKind::name && in_.now().text == word;
}

bool Parser::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  advance();
  return true;
}

bool Parser::skip_negations() {
  bool is_negated = false;
  while (accept_word("not")) is_negated = !is_negated;
  return is_negated;
}

Expr Parser::parse_comparison(Expr left, std::size_t offset) {
  const Token sign = in_.now();
  if (is_condition_) fail_comparison("before", sign, offset);
  advance();
  const Expr right = parse_sum();
  if (is_condition_) fail_comparison("after", sign, sign.offset);
  if (is_comparison(in_.now().kind)) {
    fail_at(in_.now().offset, "two comparisons in a row", "write a < b and b < c");
  }
  switch (sign.kind) {
    case TokenKind::below: return less(left, right);
    case TokenKind::above: return less(right, left);
    case TokenKind::at_most: return 1 - less(right, left);
    default: return 1 - less(left, right);
  }
}

Expr Parser::parse_whole_condition() {
  const Token start = in_.now();
  if (start.kind == TokenKind::end) fail(start, "the condition is empty", "write one, for example x > 0");
  const Expr value = parse_choice();
  if (in_.now().kind == TokenKind::equals) fail_equals();
  expect_end();
  if (!is_condition_) fail(start, "a number where a condition is expected", "compare it, for example x > 0");
  return value;
}

void Parser::fail_equals() {
  fail(in_.now(), "'=' in a condition", "compare with < <= > >=; computed numbers are hardly ever equal");
}

void Parser::fail_comparison(std::string_view where, const Token& sign, std::size_t offset) {
  throw SyntaxError{{fmt::format("a condition {} '{}'", where, sign.text), "compare numbers", offset}};
}

Expr Parser::parse_number() {
  const std::size_t offset = in_.now().offset;
  const Expr value = parse_choice();
  if (is_condition_) fail_at(offset, "a condition where a number is expected", "write if(condition, 1, 0)");
  return value;
}

Expr Parser::parse_side() {
  const std::size_t offset = in_.now().offset;
  const Expr value = parse_choice();
  if (is_condition_) {
    fail_at(offset, "a condition where an equation is expected",
            "write lhs = rhs; a case is written if(condition, a, b)");
  }
  return value;
}

Expr Parser::parse_if(std::size_t opening) {
  const std::size_t offset = in_.now().offset;
  if (in_.now().kind == TokenKind::close) fail_at(offset, "if() has no condition", use_if);
  const Expr condition = parse_choice();
  if (in_.now().kind == TokenKind::equals) fail_equals();
  if (!is_condition_) fail_at(offset, "the first argument of if is not a condition", use_if);
  Expr branches[2] = {condition, condition};
  std::size_t count = 0;
  while (accept(TokenKind::comma)) {
    const Expr value = parse_number();
    if (count < 2) branches[count] = value;
    ++count;
  }
  close({TokenKind::open, "(", opening});
  if (count != 2) fail_branches(count, opening);
  return select(condition, branches[0], branches[1]);
}

void Parser::fail_branches(std::size_t count, std::size_t opening) {
  throw SyntaxError{{fmt::format("if takes a condition and two values, not {}", count), std::string(use_if), opening}};
}

void Parser::fail_at(std::size_t offset, std::string_view what, std::string_view remedy) {
  throw SyntaxError{{std::string(what), std::string(remedy), offset}};
}

bool Parser::is_joined() const { return is_word("and") || is_word("or"); }

void Parser::fail_word(const Token& word) {
  if (word.text == "not") fail(word, "'not' where a number is expected", "not stands before a condition");
  fail(word, fmt::format("'{}' without a condition before it", word.text), "write a < b and c < d");
}

void Parser::refuse_arithmetic(const Token& before, const Token& opening) {
  const auto computes = [](TokenKind kind) { return kind >= TokenKind::plus && kind <= TokenKind::power; };
  if (!computes(before.kind) && !computes(in_.now().kind)) return;
  fail(opening, "a condition is not a number", "write if(condition, 1, 0)");
}

}  // namespace noslip
