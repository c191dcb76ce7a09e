// Conditions: comparisons with and, or, not between them; and if(condition, a, b).
#include <fmt/format.h>

#include "expr/parser.hpp"

namespace noslip {

constexpr std::string_view use_if = "write if(x > 0, a, b)";

Expr Parser::parse_choice() {
  std::optional<Expr> either, both;
  for (;;) {
    const Token start = in_.now();
    const bool is_negated = skip_negations();
    Expr value = parse_sum();
    const bool has_sign = is_comparison(in_.now().kind);
    if (has_sign) value = parse_comparison(value, start);
    if (!has_sign && !is_condition_) {
      if (!either && !both && start.text != "not" && !is_joined()) return value;
      fail(start, "a number where a condition is expected", "compare it, for example x > 0");
    }
    if (is_negated) value = 1 - value;
    both = both ? min(*both, value) : value;
    if (accept_word("and")) continue;
    either = either ? max(*either, *both) : *both;
    both.reset();
    if (accept_word("or")) continue;
    is_condition_ = true;
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

Expr Parser::parse_comparison(Expr left, const Token& start) {
  const Token sign = in_.now();
  if (is_condition_) fail(start, fmt::format("a condition before '{}'", sign.text), "compare numbers");
  advance();
  const Expr right = parse_sum();
  if (is_condition_) fail(sign, fmt::format("a condition after '{}'", sign.text), "compare numbers");
  if (is_comparison(in_.now().kind)) {
    fail(in_.now(), "two comparisons in a row", "write a < b and b < c");
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

Expr Parser::parse_number() {
  const Token start = in_.now();
  const Expr value = parse_choice();
  if (is_condition_) fail(start, "a condition where a number is expected", "write if(condition, 1, 0)");
  return value;
}

Expr Parser::parse_side() {
  const Token start = in_.now();
  const Expr value = parse_choice();
  if (is_condition_) {
    fail(start, "a condition where an equation is expected", "write lhs = rhs; a case is written if(condition, a, b)");
  }
  return value;
}

Expr Parser::parse_if(const Token& opening) {
  const Token start = in_.now();
  if (start.kind == TokenKind::close) fail(start, "if() has no condition", std::string(use_if));
  const Expr condition = parse_choice();
  if (in_.now().kind == TokenKind::equals) fail_equals();
  if (!is_condition_) fail(start, "the first argument of if is not a condition", std::string(use_if));
  std::vector<Expr> branches;
  while (accept(TokenKind::comma)) branches.push_back(parse_number());
  close(opening);
  if (branches.size() != 2) {
    fail(opening, fmt::format("if takes a condition and two values, not {}", branches.size()), std::string(use_if));
  }
  return select(condition, branches[0], branches[1]);
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
