#include "expr/grammar.hpp"

#include <algorithm>
#include <array>

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
    {"less", Op::less, "less(x, y)", false},
    {"select", Op::select, "select(condition, x, y)", false},
});

}  // namespace

const KnownFunction* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const KnownFunction& function : functions) {
    if (function.listed) names.emplace_back(function.name);
  }
  names.emplace_back("dot");
  names.emplace_back("sum");
  return names;
}

std::string_view known_elsewhere_as(std::string_view function) {
  if (function == "ln") return "log";
  if (function == "arcsin") return "asin";
  if (function == "arccos") return "acos";
  if (function == "arctan") return "atan";
  if (function == "fabs") return "abs";
  if (function == "sgn") return "sign";
  if (function == "power") return "pow";
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
  if (name == "dot" || (function && function->listed)) return fmt::format("'{}' is a function", name);
  return {};
}

std::string why_not_a_name_or_element(std::string_view name) {
  const auto element = element_of(name);
  return why_not_a_name(element ? element->array : name);
}

}  // namespace noslip
