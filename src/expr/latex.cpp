// Expressions as LaTeX: what `noslip show --latex` prints.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <noslip/expr/print.hpp>

#include "expr/lexer.hpp"
#include "expr/writer.hpp"

namespace noslip {
namespace {

enum Level { anything, sum_level, sign_level, product_level, power_level, atom_level };

constexpr auto greek = std::to_array<std::string_view>(
    {"alpha",   "beta", "gamma", "delta", "epsilon", "zeta",     "eta",       "theta", "iota",    "kappa",
     "lambda",  "mu",   "nu",    "xi",    "pi",      "rho",      "sigma",     "tau",   "upsilon", "phi",
     "chi",     "psi",  "omega", "Gamma", "Delta",   "Theta",    "Lambda",    "Xi",    "Pi",      "Sigma",
     "Upsilon", "Phi",  "Psi",   "Omega", "varphi",  "vartheta", "varepsilon"});

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '_') result += '\\';
    result += c;
  }
  return result;
}

/// One part of a name, before or after an underscore: a Greek letter, a single letter, digits, or an upright word.
std::string word(std::string_view text) {
  if (std::find(greek.begin(), greek.end(), text) != greek.end()) return fmt::format("\\{}", text);
  const bool digits = std::all_of(text.begin(), text.end(), is_digit);
  return text.size() == 1 || digits ? std::string(text) : fmt::format("\\mathrm{{{}}}", escaped(text));
}

/// x1 is x_{1}, theta_l2 is \theta_{l2}, x[3] is x_{3}, x' is \dot{x}, p(x) is p_{x}.
std::string name_text(std::string_view name) {
  if (name.ends_with(')')) {
    const std::size_t open = name.find('(');
    return fmt::format("{}_{{{}}}", word(name.substr(0, open)),
                       name_text(name.substr(open + 1, name.size() - open - 2)));
  }
  const bool dotted = name.ends_with('\'');
  if (dotted) name.remove_suffix(1);
  const auto element = element_of(name);
  if (element) name = element->array;
  std::size_t end = name.find('_', 1);
  std::string subscript;
  if (end != std::string_view::npos && end + 1 < name.size()) {
    subscript = word(name.substr(end + 1));
  } else {
    end = name.size();
  }
  std::string_view head = name.substr(0, end);
  std::size_t letters = head.size();
  while (letters > 1 && is_digit(head[letters - 1])) --letters;
  if (letters < head.size()) {
    subscript = std::string(head.substr(letters)) + (subscript.empty() ? "" : "," + subscript);
    head = head.substr(0, letters);
  }
  if (element) subscript += fmt::format("{}{}", subscript.empty() ? "" : ",", element->index);
  std::string text = word(head);
  if (dotted) text = fmt::format("\\dot{{{}}}", text);
  return subscript.empty() ? text : fmt::format("{}_{{{}}}", text, subscript);
}

/// A number without its sign.
std::string magnitude_text(const Number& number) {
  const Number positive = number.is_negative() ? -number : number;
  const std::string text = positive.is_rational() ? to_text(positive) : to_text(static_cast<double>(positive.value()));
  if (const std::size_t bar = text.find('/'); bar != std::string::npos) {
    return fmt::format("\\frac{{{}}}{{{}}}", text.substr(0, bar), text.substr(bar + 1));
  }
  if (text == "inf") return "\\infty";
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string_view exponent = std::string_view(text).substr(e + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  return fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), exponent);
}

std::string number_text(const Number& number) {
  return fmt::format("{}{}", number.is_negative() ? "-" : "", magnitude_text(number));
}

/// How a function is called in front of its argument; empty for what has a notation of its own.
std::string function_text(Op op) {
  switch (op) {
    case Op::asin: return "\\arcsin";
    case Op::acos: return "\\arccos";
    case Op::atan: return "\\arctan";
    case Op::sign:
    case Op::atan2: return fmt::format("\\operatorname{{{}}}", to_text(op));
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::log:
    case Op::min:
    case Op::max: return fmt::format("\\{}", to_text(op));
    default: return {};
  }
}

int level_of(Expr e) {
  switch (e.op()) {
    case Op::constant:
      if (e.number().is_negative()) return sign_level;
      return is_digit(magnitude_text(e.number()).back()) ? atom_level : product_level;
    case Op::add:
    case Op::sub:
    case Op::less:
    case Op::select: return sum_level;
    case Op::neg: return sign_level;
    case Op::mul: return e.a().is_constant() && e.a().number().is_negative() ? sign_level : product_level;
    case Op::div: return product_level;
    case Op::powi:
    case Op::pow:
    case Op::exp: return power_level;
    case Op::call: return e.called().by.empty() ? atom_level : product_level;
    default: return atom_level;
  }
}

bool starts_with_digit(Expr e) {
  for (;;) {
    e = meaning_of(e);
    if (e.op() == Op::constant) return true;
    const bool goes_on = e.op() == Op::mul ||
                         ((e.op() == Op::pow || e.op() == Op::powi) && function_text(meaning_of(e.a()).op()).empty());
    if (!goes_on) return false;
    e = e.a();
  }
}

std::vector<Piece> pieces_of_product(Expr a, Expr b) {
  if (a.is_constant()) {
    const Number c = a.number();
    if (b.op() == Op::div && b.a().is_one() && c.is_integer()) {
      return {c.is_negative() ? "-" : "", "\\frac{" + magnitude_text(c) + "}{", {b.b(), anything}, "}"};
    }
    return {number_text(c), starts_with_digit(b) ? " \\cdot " : " ", {b, product_level}};
  }
  return {{a, product_level}, starts_with_digit(b) ? " \\cdot " : " ", {b, product_level}};
}

std::vector<Piece> pieces_of_power(Expr base, Piece exponent) {
  const Expr inner = meaning_of(base);
  const std::string function = function_text(inner.op());
  if (!function.empty() && arity(inner.op()) == 1 && exponent.expression.graph == nullptr) {
    return {function, "^{", std::move(exponent), "}\\left(", {inner.a(), anything}, "\\right)"};
  }
  return {{base, atom_level}, "^{", std::move(exponent), "}"};
}

std::vector<Piece> pieces_of_call(Expr e) {
  std::vector<Piece> pieces{function_text(e.op()), "\\left(", {e.a(), anything}};
  if (arity(e.op()) > 1) pieces.insert(pieces.end(), {", ", {e.b(), anything}});
  pieces.emplace_back("\\right)");
  return pieces;
}

std::vector<Piece> pieces_of_external(Expr e) {
  const Call& called = e.called();
  std::string head;
  for (const std::uint32_t by : called.by) head += fmt::format("\\partial_{{{}}} ", by + 1);
  std::vector<Piece> pieces{head + fmt::format("\\operatorname{{{}}}\\left(", escaped(called.function.name()))};
  for (const Expr& argument : arguments_of(e)) {
    if (pieces.size() > 1) pieces.emplace_back(", ");
    pieces.emplace_back(argument, anything);
  }
  pieces.emplace_back("\\right)");
  return pieces;
}

std::vector<Piece> pieces_of_cases(Expr condition, Expr positive, Expr otherwise) {
  static constexpr ConditionWords words = {" < ",           " \\le ",  " \\text{ and } ", " \\text{ or } ",
                                           "\\text{not } ", "\\left(", "\\right)",        sum_level};
  std::vector<Piece> pieces{"\\begin{cases} ", {positive, anything}, " & \\text{if } "};
  append_condition(pieces, condition, words, true);
  pieces.insert(pieces.end(), {" \\\\ ", {otherwise, anything}, " & \\text{otherwise} \\end{cases}"});
  return pieces;
}

std::vector<Piece> pieces_of(Expr e) {
  switch (e.op()) {
    case Op::constant: return {number_text(e.number())};
    case Op::pi: return {"\\pi"};
    case Op::symbol: return {name_text(e.name())};
    case Op::neg: return {"-", {e.a(), product_level}};
    case Op::add:
      if (e.b().is_constant() && e.b().number().is_negative()) {
        return {{e.a(), sum_level}, " - ", magnitude_text(e.b().number())};
      }
      return {{e.a(), sum_level}, " + ", {e.b(), product_level}};
    case Op::sub: return {{e.a(), sum_level}, " - ", {e.b(), product_level}};
    case Op::mul: return pieces_of_product(e.a(), e.b());
    case Op::div: return {"\\frac{", {e.a(), anything}, "}{", {e.b(), anything}, "}"};
    case Op::powi: return pieces_of_power(e.a(), std::to_string(e.exponent()));
    case Op::pow: return pieces_of_power(e.a(), {e.b(), anything});
    case Op::sqrt: return {"\\sqrt{", {e.a(), anything}, "}"};
    case Op::exp:
      if (e.a().is_one()) return {"e"};
      return {"e^{", {e.a(), anything}, "}"};
    case Op::floor: return {"\\left\\lfloor ", {e.a(), anything}, " \\right\\rfloor"};
    case Op::abs: return {"\\left|", {e.a(), anything}, "\\right|"};
    case Op::less: return {{e.a(), sum_level}, " < ", {e.b(), sum_level}};
    case Op::select: return pieces_of_cases(e.a(), e.b(), e.c());
    case Op::call: return pieces_of_external(e);
    case Op::table:
      return {fmt::format("\\operatorname{{{}}}{}\\left(", escaped(e.table().name()),
                          std::string(static_cast<std::size_t>(e.table_derivative()), '\'')),
              {e.a(), anything},
              "\\right)"};
    default: return pieces_of_call(e);
  }
}

}  // namespace

std::string to_latex(Expr expression) { return write(expression, {"\\left(", "\\right)"}, pieces_of, level_of); }

}  // namespace noslip
