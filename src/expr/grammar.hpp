// The words of the expression grammar.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

struct KnownFunction {
  std::string_view name;
  Op op;  ///< if `compose` is null
  std::string_view usage;
  bool listed = true;      ///< documented; the others are what to_text writes
  bool taken = true;       ///< nothing else may have this name; the others are functions only where '(' follows
  int argument_count = 0;  ///< of `compose`
  Expr (*compose)(std::span<const Expr> arguments) = nullptr;

  std::size_t arguments() const { return static_cast<std::size_t>(compose ? argument_count : arity(op)); }
  Expr operator()(std::span<const Expr> given) const;
};

/// and, or, not, if: nothing else may have these names.
bool is_word_of_conditions(std::string_view name);

/// Null if it is not a function.
const KnownFunction* find_function(std::string_view name);

/// All functions that a user may call, for "did you mean".
std::vector<std::string> function_names();

/// What is wrong with a call of a function of this name, which does not exist, and what to do.
std::string unknown_function(std::string_view name);
std::string function_remedy(std::string_view name);

/// What people write elsewhere and what it is called here; empty for anything else.
std::string_view known_elsewhere_as(std::string_view function);

/// Has one of the constraints a name?
bool has_names(const std::vector<std::string>& constraints);
/// What is wrong with psi(7) or lambda(rol), and what to do.
std::string unknown_multiplier(std::string_view function, std::string_view argument);
std::string multiplier_remedy(bool is_name, std::string_view argument, std::vector<std::string> constraints);

}  // namespace noslip
