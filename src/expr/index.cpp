#include "expr/index.hpp"

#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace noslip {
namespace {

constexpr int deepest_index = 100;

class NumberReader {
 public:
  NumberReader(Tokens& in, const std::string& what, const std::function<Number(const Token&)>& value_of)
      : in_(in), what_(what), value_of_(value_of) {}

  Number sum() {
    Number value = product();
    for (;;) {
      if (in_.accept(TokenKind::plus)) {
        value = value + product();
      } else if (in_.accept(TokenKind::minus)) {
        value = value - product();
      } else {
        return value;
      }
    }
  }

 private:
  [[noreturn]] void fail(const Token& token, std::string problem, std::string remedy = {}) const {
    throw SyntaxError{{std::move(problem), std::move(remedy), token.offset}};
  }

  Number product() {
    Number value = factor();
    for (;;) {
      if (in_.accept(TokenKind::times)) {
        value = value * factor();
      } else if (in_.accept(TokenKind::divide)) {
        const Token divisor = in_.now();
        const Number by = factor();
        if (by.is_zero()) fail(divisor, fmt::format("{} is divided by zero", what_));
        value = value / by;
      } else {
        return value;
      }
    }
  }

  Number factor() {
    const Token start = in_.now();
    if (++depth_ > deepest_index)
      fail(start, fmt::format("{} is nested more than {} levels deep", what_, deepest_index));
    Number value;
    if (in_.accept(TokenKind::minus)) {
      value = -factor();
    } else if (in_.accept(TokenKind::plus)) {
      value = factor();
    } else if (in_.accept(TokenKind::number)) {
      const auto literal = Number::parse(start.text);
      if (!literal) fail(start, fmt::format("the number {} is out of range", start.text));
      value = *literal;
    } else if (in_.accept(TokenKind::name)) {
      value = value_of_(start);
    } else if (in_.accept(TokenKind::open)) {
      value = sum();
      if (!in_.accept(TokenKind::close)) fail(start, "this '(' is never closed", "add ')'");
    } else {
      fail(start, fmt::format("{} is missing", what_), "write a whole number, for example 0, n or i + 1");
    }
    --depth_;
    return value;
  }

  Tokens& in_;
  const std::string& what_;
  const std::function<Number(const Token&)>& value_of_;
  int depth_ = 0;
};

}  // namespace

Number read_number(Tokens& in, const std::string& what, const std::function<Number(const Token& name)>& value_of) {
  return NumberReader(in, what, value_of).sum();
}

std::int64_t whole(const Number& number, const std::string& what, std::size_t offset) {
  constexpr std::int64_t largest = 1'000'000'000;
  if (!number.is_integer()) {
    throw SyntaxError{{fmt::format("{} is {}, not a whole number", what, to_text(number)), {}, offset}};
  }
  if (number.numerator() > largest || number.numerator() < -largest) {
    throw SyntaxError{{fmt::format("{} is {}, which is too large", what, to_text(number)), {}, offset}};
  }
  return number.numerator();
}

ParsedNumber parse_number(std::string_view text, const std::function<std::optional<Number>(std::string_view)>& name) {
  ParsedNumber result;
  try {
    Tokens in(text);
    in.advance();
    result.value = read_number(in, "the number", [&](const Token& token) {
      if (const auto value = name(token.text)) return *value;
      throw SyntaxError{{fmt::format("'{}' is not a whole number that is known here", token.text),
                         std::string(index_remedy), token.offset}};
    });
    if (in.now().kind != TokenKind::end) {
      throw SyntaxError{{fmt::format("'{}' after '{}', where the number ends", in.now().text, in.previous().text),
                         "only + - * / and parentheses may be used", in.now().offset}};
    }
  } catch (const SyntaxError& error) {
    result.problems.push_back(error.problem);
  }
  return result;
}

std::string to_text(const Indices& indices) {
  std::string text;
  for (const auto& [name, value] : indices) text += fmt::format("{}{} = {}", text.empty() ? " (" : ", ", name, value);
  return text.empty() ? text : text + ")";
}

std::optional<Element> element_of(std::string_view name) {
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos || !name.ends_with(']')) return std::nullopt;
  const std::string_view digits = name.substr(bracket + 1, name.size() - bracket - 2);
  Element result{name.substr(0, bracket), 0};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result.index);
  const bool is_number = error == std::errc() && end == digits.data() + digits.size();
  if (!is_number || element_name(result.array, result.index) != name) return std::nullopt;
  return result;
}

std::string element_name(std::string_view array, std::int64_t index) { return fmt::format("{}[{}]", array, index); }

}  // namespace noslip
