#include "expr/grammar.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <noslip/core/names.hpp>
#include <noslip/expr/parse.hpp>

#include "expr/lexer.hpp"

namespace noslip {
namespace {

constexpr auto functions = std::to_array<KnownFunction>({
    {"sin", Op::sin, "sin(x)"},
    {"cos", Op::cos, "cos(x)"},
    {"tan", Op::tan, "tan(x)"},
    {"asin", Op::asin, "asin(x)"},
    {"acos", Op::acos, "acos(x)"},
    {"atan", Op::atan, "atan(x)"},
    {"atan2", Op::atan2, "atan2(y, x)"},
    {"sinh", Op::sinh, "sinh(x)"},
    {"cosh", Op::cosh, "cosh(x)"},
    {"tanh", Op::tanh, "tanh(x)"},
    {"exp", Op::exp, "exp(x)"},
    {"log", Op::log, "log(x)"},
    {"sqrt", Op::sqrt, "sqrt(x)"},
    {"abs", Op::abs, "abs(x)"},
    {"pow", Op::pow, "pow(x, y)"},
    {"min", Op::min, "min(x, y)"},
    {"max", Op::max, "max(x, y)"},
    {"sign", Op::sign, "sign(x)"},
    {"floor", Op::floor, "floor(x)", true, false},
    {"mod", Op::call, "mod(a, b)", true, false, 2, [](std::span<const Expr> a) { return mod(a[0], a[1]); }},
    {"clamp", Op::call, "clamp(x, low, high)", true, false, 3,
     [](std::span<const Expr> a) { return clamp(a[0], a[1], a[2]); }},
    {"step", Op::call, "step(x)", true, false, 1, [](std::span<const Expr> a) { return step(a[0]); }},
    {"less", Op::less, "less(x, y)", false, false},
    {"select", Op::select, "select(condition, x, y)", false, false},
});

}  // namespace

Expr KnownFunction::operator()(std::span<const Expr> given) const {
  if (compose) return compose(given);
  return apply(op, given[0], given[arguments() > 1 ? 1 : 0], given[arguments() > 2 ? 2 : 0], 0);
}

bool is_word_of_conditions(std::string_view name) {
  return name == "and" || name == "or" || name == "not" || name == "if";
}

const KnownFunction* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const KnownFunction& function : functions) {
    if (function.listed) names.emplace_back(function.name);
  }
  names.emplace_back("if");
  names.emplace_back("dot");
  names.emplace_back("sum");
  return names;
}

std::string_view known_elsewhere_as(std::string_view function) {
  static constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"ln", "log"},         {"arcsin", "asin"},   {"arccos", "acos"}, {"arctan", "atan"},  {"arctan2", "atan2"},
      {"fabs", "abs"},       {"sgn", "sign"},      {"signum", "sign"}, {"power", "pow"},    {"heaviside", "step"},
      {"Heaviside", "step"}, {"unitstep", "step"}, {"fmod", "mod"},    {"modulo", "mod"},   {"rem", "mod"},
      {"saturate", "clamp"}, {"sat", "clamp"},     {"clip", "clamp"},  {"limit", "clamp"},  {"ifelse", "if"},
      {"ite", "if"},         {"where", "if"},      {"iif", "if"},      {"piecewise", "if"}, {"cond", "if"},
      {"fmin", "min"},       {"fmax", "max"},      {"trunc", "floor"}, {"sqr", "pow"}};
  for (const auto& [name, here] : others) {
    if (name == function) return here;
  }
  return {};
}

/// What to write for functions that are put together here; empty for anything else.
std::string_view composed_here_as(std::string_view function) {
  static constexpr std::pair<std::string_view, std::string_view> others[] = {
      {"ceil", "write -floor(-x)"},
      {"ceiling", "write -floor(-x)"},
      {"round", "write floor(x + 1/2)"},
      {"frac", "write mod(x, 1)"},
      {"log10", "write log(x)/log(10)"},
      {"log2", "write log(x)/log(2)"},
      {"cbrt", "write sign(x)*abs(x)^(1/3)"},
      {"hypot", "write sqrt(x^2 + y^2)"},
      {"square", "write x^2"},
      {"cot", "write 1/tan(x)"},
      {"sec", "write 1/cos(x)"},
      {"csc", "write 1/sin(x)"},
      {"asinh", "write log(x + sqrt(x^2 + 1))"},
      {"acosh", "write log(x + sqrt(x^2 - 1))"},
      {"atanh", "write log((1 + x)/(1 - x))/2"},
      {"interp", "a table of numbers is written under [tables]"},
      {"interp1", "a table of numbers is written under [tables]"},
      {"lookup", "a table of numbers is written under [tables]"},
      {"spline", "a table of numbers is written under [tables]"},
      {"pulse", "write if(a < t and t < b, 1, 0)"},
      {"integral", "its value over time is a state, under [states]"}};
  for (const auto& [name, here] : others) {
    if (name == function) return here;
  }
  for (const std::string_view derivative : {"ddt", "der", "diff", "D", "d", "dt", "derivative", "Derivative"}) {
    if (function == derivative) return "the velocity of x is written x'";
  }
  return {};
}

std::string unknown_function(std::string_view name) {
  if (name == "p") return "p(...), the momentum, is not available here";
  if (name == "psi") return "psi(...), a multiplier, is not available here";
  if (name == "lambda") return "lambda(...), the multiplier of a constraint, is not available here";
  if (name == "last") return "last(...), a value at the sample before, is not available here";
  return fmt::format("unknown function '{}'", name);
}

std::string function_remedy(std::string_view name) {
  if (name == "p") return "momenta belong to systems with a hamiltonian";
  if (name == "psi") return "multipliers may be used under [nonideal]";
  if (name == "lambda") return "multipliers may be used under [outputs], in guards, events and columns";
  if (name == "last") return "it may be used under [sampled]";
  if (const auto here = composed_here_as(name); !here.empty()) return std::string(here);
  if (const auto here = known_elsewhere_as(name); !here.empty()) return fmt::format("did you mean '{}'?", here);
  return did_you_mean(name, function_names());
}

bool has_names(const std::vector<std::string>& constraints) {
  return std::any_of(constraints.begin(), constraints.end(), [](const auto& name) { return !name.empty(); });
}

std::string unknown_multiplier(std::string_view function, std::string_view argument) {
  return function == "psi" ? fmt::format("there is no multiplier psi({})", argument)
                           : fmt::format("no constraint has the name '{}'", argument);
}

std::string multiplier_remedy(bool is_name, std::string_view argument, std::vector<std::string> constraints) {
  if (!is_name) return "multipliers are numbered from 1, in the order of the constraints";
  std::erase(constraints, "");
  if (constraints.empty()) return "name it, constraints = { roll = \"...\" }, or write lambda1, lambda2, ...";
  const std::string guess = did_you_mean(argument, constraints);
  return guess.empty() ? "the names are " + list_of(constraints) : guess;
}

std::string why_not_a_name(std::string_view name) {
  if (name.empty()) return "a name must not be empty";
  if (is_digit(name.front())) return fmt::format("the name '{}' starts with a digit", name);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_name_part(name[i])) {
      return fmt::format("the name '{}' contains the {}; letters, digits and underscores are allowed", name,
                         shown_character(name, i));
    }
  }
  if (name == "t") return "'t' is the time";
  if (name == "pi" || name == "e") return fmt::format("'{}' is a constant", name);
  const KnownFunction* function = find_function(name);
  if (is_word_of_conditions(name)) return fmt::format("'{}' is a word of conditions", name);
  if (name == "dot" || (function && function->taken)) return fmt::format("'{}' is a function", name);
  return {};
}

std::string why_not_a_name_or_element(std::string_view name) {
  const auto element = element_of(name);
  return why_not_a_name(element ? element->array : name);
}

}  // namespace noslip
