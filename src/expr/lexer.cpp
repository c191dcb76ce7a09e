#include "expr/lexer.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace noslip {
namespace {

/// Bytes of the UTF-8 character at `offset`; 0 if the bytes are no UTF-8.
std::size_t character_length(std::string_view text, std::size_t offset) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(offset);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (offset + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(offset + i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

struct Replacement {
  std::string_view seen;
  std::string_view write;
};

// What editors, papers and other languages put in place of plain ASCII.
constexpr auto replacements = std::to_array<Replacement>({
    {"·", "*"},     {"×", "*"},     {"⋅", "*"},     {"∗", "*"},      {"÷", "/"},       {"−", "-"},     {"–", "-"},
    {"²", "^2"},    {"³", "^3"},    {"½", "1/2"},   {"√", "sqrt()"}, {"’", "'"},       {"′", "'"},     {"‘", "'"},
    {"α", "alpha"}, {"β", "beta"},  {"γ", "gamma"}, {"δ", "delta"},  {"ε", "epsilon"}, {"ζ", "zeta"},  {"η", "eta"},
    {"θ", "theta"}, {"ϑ", "theta"}, {"κ", "kappa"}, {"λ", "lambda"}, {"μ", "mu"},      {"ν", "nu"},    {"ξ", "xi"},
    {"π", "pi"},    {"ρ", "rho"},   {"σ", "sigma"}, {"τ", "tau"},    {"φ", "phi"},     {"ϕ", "phi"},   {"χ", "chi"},
    {"ψ", "psi"},   {"ω", "omega"}, {"Ω", "Omega"}, {"Φ", "Phi"},    {"Ψ", "Psi"},     {"Θ", "Theta"}, {"Δ", "Delta"},
});

/// Operators that other languages have and this one has not. Longer ones first.
constexpr std::string_view no_equality =
    "a relation has a single =; a condition compares with < <= > >=, since computed numbers are hardly ever equal";
constexpr std::string_view use_prime = "a velocity is written x' (or dot(x))";

constexpr auto foreign = std::to_array<Replacement>({
    {"===", no_equality},
    {"==", no_equality},
    {"=<", "write <="},
    {"=>", "write >="},
    {"<>", no_equality},
    {"!=", no_equality},
    {"~=", no_equality},
    {"**", "use ^ for powers"},
    {"//", "use a single / to divide"},
    {"&&", "write and"},
    {"||", "write or"},
    {"&", "write and"},
    {"|", "write or; the absolute value of x is abs(x)"},
    {"!", "write not"},
    {"~", "write not"},
    {"?", "write if(condition, a, b)"},
    {"%", "write mod(a, b)"},
    {"{", only_round_group},
    {"}", only_round_group},
    {";", "write one expression; separate arguments by ,"},
    {"\"", use_prime},
    {"`", use_prime},
    {".", "a number needs a digit, for example 0.5"},
});

}  // namespace

std::string shown_character(std::string_view text, std::size_t offset) {
  const std::size_t length = character_length(text, offset);
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (length == 0 || byte < 0x20 || byte == 0x7F) return fmt::format("byte 0x{:02x}", byte);
  return fmt::format("character '{}'", text.substr(offset, length));
}

Token Lexer::token(TokenKind kind, std::size_t length) {
  const Token result{kind, text_.substr(at_, length), at_};
  at_ += length;
  return result;
}

Token Lexer::number() {
  const auto digits = [&](std::size_t i) {
    while (i < text_.size() && is_digit(text_[i])) ++i;
    return i;
  };
  std::size_t end = digits(at_);
  if (end < text_.size() && text_[end] == '.') end = digits(end + 1);
  if (end < text_.size() && text_[end] == '.') {
    throw SyntaxError{{fmt::format("malformed number '{}'", text_.substr(at_, digits(end + 1) - at_)),
                       "a number has one decimal point", at_}};
  }
  if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
    std::size_t exponent = end + 1;
    if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
    // Without digits it is not an exponent but the number e (or a name) that follows.
    if (const std::size_t after = digits(exponent); after > exponent) end = after;
  }
  return token(TokenKind::number, end - at_);
}

void Lexer::reject() {
  const std::string_view rest = text_.substr(at_);
  for (const Replacement& entry : foreign) {
    if (!rest.starts_with(entry.seen)) continue;
    throw SyntaxError{{fmt::format("'{}' is not part of the grammar", entry.seen), std::string(entry.write), at_}};
  }
  std::string remedy;
  for (const Replacement& entry : replacements) {
    if (rest.starts_with(entry.seen)) remedy = fmt::format("write {}", entry.write);
  }
  if (rest.starts_with(':')) remedy = "ranges are for names; to add up entries of an array, write sum(i, 0, 9, q[i])";
  throw SyntaxError{{shown_character(text_, at_) + " is not allowed", remedy, at_}};
}

Token Lexer::next() {
  while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  if (at_ == text_.size()) return token(TokenKind::end, 0);
  const char c = text_[at_];
  const char following = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  if (is_digit(c) || (c == '.' && is_digit(following))) return number();
  if (is_name_start(c)) {
    std::size_t end = at_;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    return token(TokenKind::name, end - at_);
  }
  if ((c == '*' || c == '/' || c == '=') && following == c) reject();
  if ((c == '=' && (following == '<' || following == '>')) || (c == '<' && following == '>')) reject();
  const bool has_equals = following == '=';
  switch (c) {
    case '+': return token(TokenKind::plus, 1);
    case '-': return token(TokenKind::minus, 1);
    case '*': return token(TokenKind::times, 1);
    case '/': return token(TokenKind::divide, 1);
    case '^': return token(TokenKind::power, 1);
    case '(': return token(TokenKind::open, 1);
    case ')': return token(TokenKind::close, 1);
    case '[': return token(TokenKind::open_bracket, 1);
    case ']': return token(TokenKind::close_bracket, 1);
    case ',': return token(TokenKind::comma, 1);
    case '\'': return token(TokenKind::prime, 1);
    case '=': return token(TokenKind::equals, 1);
    case '<': return has_equals ? token(TokenKind::at_most, 2) : token(TokenKind::below, 1);
    case '>': return has_equals ? token(TokenKind::at_least, 2) : token(TokenKind::above, 1);
    default: reject();
  }
}

}  // namespace noslip
