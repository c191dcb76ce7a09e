// Text to expression. The grammar is the one of the system files (docs/system-files.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <noslip/expr/graph.hpp>

namespace noslip {

/// Names of indices and their values: i = 3. Later ones are inside of earlier ones.
using Indices = std::vector<std::pair<std::string, std::int64_t>>;

/// A name that is looked up. It need not be part of the text: q[i + 1] is looked up as q[4].
struct NameAt {
  std::string_view text;
  std::size_t offset = 0;  ///< byte of the text where it is written

  operator std::string_view() const { return text; }  // NOLINT: most look-ups need the name alone
};

/// What names mean. Each look-up returns nothing for a name that it does not know.
struct Scope {
  using Lookup = std::function<std::optional<Expr>(NameAt name)>;
  Lookup symbol;                   ///< x, t, m, a definition, q[4]
  Lookup velocity;                 ///< x' and dot(x)
  Lookup momentum;                 ///< p(x); may be empty
  Lookup multiplier;               ///< psi(1), psi(roll): the name is "1" or "roll"; may be empty
  Lookup reaction;                 ///< lambda(roll), the multiplier of a constraint with a name; may be empty
  Lookup last;                     ///< last(I), the value at the sample before; may be empty
  std::function<std::optional<Table>(std::string_view name)> table;  ///< may be empty
  std::vector<std::string> names;  ///< all known names, for "did you mean"; of arrays without an index

  /// First and last index of an array; may be empty.
  std::function<std::optional<std::pair<std::int64_t, std::int64_t>>(std::string_view name)> array;
  /// Value of a name that indices and bounds of sums may use; may be empty.
  std::function<std::optional<Number>(std::string_view name)> size;
  Indices indices;  ///< that have a value all over the text
  std::vector<std::string> constraints = {};  ///< their names, for "did you mean"; empty for one that has none
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
/// crash). `q[i + 1]` is an entry of an array. `sum(i, 0, 9, q[i])` is read once for each value of the index and added
/// up in a balanced way; its terms are limited, too.
Parsed parse_expression(Graph& graph, std::string_view text, const Scope& scope);

/// A relation `lhs = rhs`, as lhs - rhs; without `=` the text itself.
Parsed parse_relation(Graph& graph, std::string_view text, const Scope& scope);

/// A condition: 1 where it holds, else 0. `a < b`, `<=`, `>`, `>=`, with `and`, `or`, `not` and parentheses.
Parsed parse_condition(Graph& graph, std::string_view text, const Scope& scope);

/// A number that is known when the text is read: numbers, indices and sizes with + - * / and parentheses.
struct ParsedNumber {
  Number value;                        ///< usable only if there are no problems
  std::vector<ParseProblem> problems;  ///< at most one
};
ParsedNumber parse_number(std::string_view text, const std::function<std::optional<Number>(std::string_view)>& name);

/// " (i = 3, j = 1)"; empty without indices.
std::string to_text(const Indices& indices);

/// An entry of an array as it is named: q[4], q[-1].
struct Element {
  std::string_view array;
  std::int64_t index = 0;
};
/// Nothing for a name that is not of this form.
std::optional<Element> element_of(std::string_view name);
std::string element_name(std::string_view array, std::int64_t index);

/// More entries of an array, or terms of a sum, are a mistake.
inline constexpr std::int64_t most_entries = 100'000;

/// A name that may be used for coordinates, parameters and definitions: a letter or underscore, then letters, digits
/// and underscores; not a function, not `t`, `pi`, `e`, `dot`. (`p`, `psi`, `lambda` and `last` are names unless `(` follows.)
/// Returns what is wrong with the name, empty if nothing.
std::string why_not_a_name(std::string_view name);
/// The same of a name that may also be an entry of an array, q[4].
std::string why_not_a_name_or_element(std::string_view name);

}  // namespace noslip
