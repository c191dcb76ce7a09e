// Text to tokens of the expression grammar.
#pragma once

#include <string>
#include <string_view>

#include <noslip/core/characters.hpp>
#include <noslip/expr/parse.hpp>

namespace noslip {

enum class TokenKind {
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  open,
  close,
  open_bracket,
  close_bracket,
  comma,
  prime,
  equals,
  below,
  at_most,
  above,
  at_least,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  std::size_t offset = 0;
};

inline constexpr std::string_view only_round_group = "only ( and ) group";

/// Ends the reading of one text. Never leaves the parser.
struct SyntaxError {
  ParseProblem problem;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();  ///< throws SyntaxError on what is no token

 private:
  Token token(TokenKind kind, std::size_t length);
  Token number();
  [[noreturn]] void reject();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The tokens of a text, one after the other. A copy goes on from the same place.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : lexer_(text) {}

  const Token& now() const { return token_; }
  const Token& previous() const { return previous_; }
  void advance() {
    previous_ = token_;
    token_ = lexer_.next();
  }
  bool accept(TokenKind kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }

 private:
  Lexer lexer_;
  Token token_, previous_;
};

inline bool is_name_start(char c) { return is_letter(c) || c == '_'; }
inline bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

/// The character at `offset`, in quotes and readable: 'x', 'θ', or byte 0x07 for what cannot be shown.
std::string shown_character(std::string_view text, std::size_t offset);

}  // namespace noslip
