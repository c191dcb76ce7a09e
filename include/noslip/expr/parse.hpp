// Text to expression. The grammar is the one of the system files (docs/system-files.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// What names mean. Each look-up returns nothing for a name that it does not know.
struct Scope {
  using Lookup = std::function<std::optional<Expr>(std::string_view name)>;
  Lookup symbol;                   ///< x, t, m, a definition
  Lookup velocity;                 ///< x' and dot(x)
  Lookup momentum;                 ///< p(x); may be empty
  Lookup multiplier;               ///< psi(1): the name is "1"; may be empty
  Lookup last;                     ///< last(I), the value at the sample before; may be empty
  std::vector<std::string> names;  ///< all known names, for "did you mean"
};

struct ParseProblem {
  std::string what;
  std::string remedy;
  std::size_t offset;  ///< byte offset in the text where the offending token starts
};

struct Parsed {
  Expr expression;                     ///< usable only if there are no problems
  std::vector<ParseProblem> problems;  ///< all unknown symbols, or the first syntax error
};

/// One expression. `pi` and `e` are known; `^` is right-associative and binds tighter than a sign (-x^2 = -(x^2));
/// numbers are exact; `x'` is a velocity; functions as in docs/system-files.md. Nesting is limited (an error, no
/// crash).
Parsed parse_expression(Graph& graph, std::string_view text, const Scope& scope);

/// A relation `lhs = rhs`, as lhs - rhs; without `=` the text itself.
Parsed parse_relation(Graph& graph, std::string_view text, const Scope& scope);

/// A name that may be used for coordinates, parameters and definitions: a letter or underscore, then letters, digits
/// and underscores; not a function, not `t`, `pi`, `e`, `dot`. (`p`, `psi` and `last` are names unless `(` follows.)
/// Returns what is wrong with the name, empty if nothing.
std::string why_not_a_name(std::string_view name);

}  // namespace noslip
