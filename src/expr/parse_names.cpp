// Names, entries of arrays, sums over indices.
#include <algorithm>

#include <fmt/format.h>

#include <noslip/core/names.hpp>

#include "expr/index.hpp"
#include "expr/parser.hpp"

namespace noslip {

constexpr std::size_t most_terms = 1'000'000;  // of all sums of a text

Expr Parser::unknown(const Token& name, std::string what, std::string remedy) {
  if (reported_.insert(what).second) problems_.push_back({std::move(what), std::move(remedy), name.offset});
  return graph_.symbol(name.text);
}

Expr Parser::unknown_symbol(const Token& name) {
  const std::string_view text = name.text;
  if (const auto entry = element_of(text)) return unknown_element(name, *entry);
  if (const auto range = range_of(text)) {
    return unknown(name, fmt::format("'{}' is an array", text),
                   fmt::format("write one of its entries, {}[{}] to {}[{}]", text, range->first, text, range->second));
  }
  std::string remedy;
  for (std::size_t i = 1; i < std::min<std::size_t>(text.size(), 64) && remedy.empty(); ++i) {
    const std::string_view left = text.substr(0, i), right = text.substr(i);
    if (look_up(scope_.symbol, {left, name.offset}) && look_up(scope_.symbol, {right, name.offset + i}))
      remedy = fmt::format("write {}*{}", left, right);
  }
  if (const std::string velocity = written_velocity(name); !velocity.empty()) {
    remedy = fmt::format("the velocity of {} is written {}'{}", velocity, velocity,
                         remedy.empty() ? "" : "; for a product " + remedy);
  }
  if (remedy.empty()) remedy = did_you_mean(text, scope_.names);
  return unknown(name, fmt::format("unknown symbol '{}'", text), remedy);
}

/// Of what xdot, x_dot, dxdt, dx_dt, x_t, dx, vx stand for elsewhere: x. Empty if there is no such coordinate.
std::string Parser::written_velocity(const Token& name) const {
  static constexpr std::pair<std::string_view, std::string_view> around[] = {
      {"", "_dot"}, {"", "dot"}, {"", "Dot"}, {"d", "_dt"}, {"d", "dt"},
      {"dot", ""},  {"d", ""},   {"D", ""},   {"v_", ""},   {"v", ""}};
  for (const auto& [before, behind] : around) {
    std::string_view rest = name.text;
    if (!rest.starts_with(before) || !rest.ends_with(behind) || rest.size() <= before.size() + behind.size()) continue;
    rest = rest.substr(before.size(), rest.size() - before.size() - behind.size());
    if (rest.starts_with('_')) rest.remove_prefix(1);
    if (!rest.empty() && look_up(scope_.velocity, {rest, name.offset})) return std::string(rest);
  }
  return {};
}

std::optional<std::pair<std::int64_t, std::int64_t>> Parser::range_of(std::string_view array) const {
  return scope_.array ? scope_.array(array) : std::nullopt;
}

Number Parser::known_number(const std::string& what) {
  return read_number(in_, what, [this](const Token& name) {
    if (const std::int64_t* index = index_named(name.text)) return Number(*index);
    const auto size = scope_.size ? scope_.size(name.text) : std::nullopt;
    if (size) return *size;
    const std::string guess = look_up(scope_.symbol, at(name)) ? "" : did_you_mean(name.text, scope_.names);
    fail(name, fmt::format("'{}' is not a whole number that is known here", name.text),
         guess.empty() ? std::string(index_remedy) : guess);
  });
}

std::int64_t Parser::whole_number(const std::string& what) {
  const std::size_t offset = in_.now().offset;
  return whole(known_number(what), what, offset);
}

Token Parser::element(const Token& name) {
  const Token bracket = in_.now();
  if (bracket.kind != TokenKind::open_bracket) return name;
  const KnownFunction* function = find_function(name.text);
  if (name.text == "pi" || name.text == "e" || name.text == "dot" || (function && function->taken)) {
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

Expr Parser::unknown_element(const Token& name, const Element& entry) {
  if (const auto range = range_of(entry.array)) {
    return unknown(name, fmt::format("there is no {}{}", name.text, to_text(indices_)),
                   fmt::format("the indices of {} are {} to {}", entry.array, range->first, range->second));
  }
  if (index_named(entry.array) || look_up(scope_.symbol, {entry.array, name.offset})) {
    return unknown(name, fmt::format("'{}' is not an array", entry.array), fmt::format("write {}", entry.array));
  }
  return unknown(name, fmt::format("unknown array '{}'", entry.array), did_you_mean(entry.array, scope_.names));
}

Expr Parser::parse_name(const Token& name) {
  if (accept(TokenKind::prime)) return velocity(name);
  if (name.text == "if") fail(name, "'if' needs a condition and two values", "write if(x > 0, a, b)");
  if (name.text == "pi") return graph_.pi();
  if (name.text == "e") return exp(graph_.constant(1));
  if (const std::int64_t* index = index_named(name.text)) return graph_.constant(*index);
  if (const auto value = look_up(scope_.symbol, at(name))) return *value;
  if (scope_.table && scope_.table(name.text)) {
    fail(name, fmt::format("the table '{}' needs its argument in parentheses", name.text),
         fmt::format("write {}(t), or another argument", name.text));
  }
  if (const KnownFunction* function = find_function(name.text); function && function->listed) {
    fail(name, fmt::format("the function '{}' needs its argument in parentheses", name.text),
         fmt::format("write {}", function->usage));
  }
  return unknown_symbol(name);
}

Expr Parser::velocity(const Token& name) {
  if (!index_named(name.text)) {
    if (const auto value = look_up(scope_.velocity, at(name))) return *value;
  }
  const bool known =
      name.text == "pi" || name.text == "e" || index_named(name.text) || look_up(scope_.symbol, at(name));
  if (!known) return unknown_symbol(name);
  return unknown(name, fmt::format("'{}' is not a coordinate and has no velocity", name.text),
                 "only coordinates, and definitions in t and positions, may be followed by '");
}

Token Parser::sole_argument(const Token& name, const Token& opening, TokenKind kind, std::string_view usage) {
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

Expr Parser::multiplier(const Token& name, const Token& opening, const Scope::Lookup& meaning) {
  const bool is_name = name.text == "lambda" || (has_names(scope_.constraints) &&
                                                 in_.now().kind == TokenKind::name && !is_size(in_.now().text));
  const Token argument = sole_argument(name, opening, is_name ? TokenKind::name : TokenKind::number,
                                       name.text == "lambda" ? "lambda(roll)" : "psi(1)");
  if (const auto value = meaning(at(argument))) return *value;
  return unknown(argument, unknown_multiplier(name.text, argument.text),
                 multiplier_remedy(is_name, argument.text, scope_.constraints));
}

bool Parser::is_size(std::string_view name) const {
  return index_named(name) || (scope_.size && scope_.size(name).has_value());
}

bool Parser::is_sum(const Token& name) const {
  Tokens ahead = in_;
  if (ahead.accept(TokenKind::name) && ahead.now().kind == TokenKind::comma) return true;
  return !look_up(scope_.symbol, at(name));
}

Expr Parser::parse_indexed_sum(const Token& opening) {
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
    terms.push_back(parse_number());
  }
  indices_.pop_back();
  if (in_.now().kind == TokenKind::comma) fail_sum(in_.now(), opening);
  close(opening);
  return sum(graph_, terms);
}

void Parser::fail_sum(const Token& token, const Token& opening) {
  if (token.kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
  fail(token, "a sum has the name of an index, its first and last value, and an expression",
       "write sum(i, 0, 9, q[i])");
}

void Parser::refuse_index(const Token& name) {
  const std::string reason = why_not_a_name(name.text);
  const bool is_taken = index_named(name.text) || range_of(name.text) || look_up(scope_.symbol, at(name));
  if (reason.empty() && !is_taken) return;
  fail(name,
       reason.empty() ? fmt::format("the index '{}' has a name that means something else here", name.text) : reason,
       "choose another name for the index");
}

Expr Parser::skip_term(const Token& opening) {
  for (int depth = 0; depth > 0 || in_.now().kind != TokenKind::close; advance()) {
    if (in_.now().kind == TokenKind::end) fail(opening, "this '(' is never closed", "add ')'");
    if (in_.now().kind == TokenKind::comma && depth == 0) fail_sum(in_.now(), opening);
    depth += in_.now().kind == TokenKind::open ? 1 : in_.now().kind == TokenKind::close ? -1 : 0;
  }
  advance();
  return graph_.constant(0);
}

std::string Parser::unknown_function_remedy(const Token& name) const {
  if (look_up(scope_.symbol, at(name))) return fmt::format("to multiply, write {}*(...)", name.text);
  return function_remedy(name.text);
}

}  // namespace noslip
