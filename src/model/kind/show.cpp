// Pieces of what a system shows.
#include "model/kind/show.hpp"

#include <noslip/expr/print.hpp>

namespace noslip {

void add_section(Shown& shown, std::string title, const System& system,
                 std::vector<Equation> (*equations)(const System&, Notation)) {
  shown.sections.push_back({std::move(title), equations(system, Notation::text), equations(system, Notation::latex)});
}

ShownValue text_list(const std::vector<Expr>& expressions) {
  ShownValue::List list;
  for (const Expr expression : expressions) list.emplace_back(to_text(expression));
  return list;
}

ShownValue text_rows(const std::vector<std::vector<Expr>>& rows) {
  ShownValue::List list;
  for (const std::vector<Expr>& row : rows) list.push_back(text_list(row));
  return list;
}

ShownValue texts_by_name(const std::vector<std::string>& names, const std::vector<Expr>& expressions) {
  ShownValue::List texts;
  for (const Expr expression : expressions) texts.emplace_back(to_text(expression));
  return {{names.begin(), names.begin() + static_cast<std::ptrdiff_t>(texts.size())}, std::move(texts)};
}

ShownValue names_as_list(const std::vector<std::string>& names) {
  ShownValue::List list;
  for (const std::string& name : names) list.emplace_back(name);
  return list;
}

ShownValue equation_texts(const std::vector<Equation>& equations) {
  ShownValue::List list;
  for (const Equation& equation : equations) list.emplace_back(equation.left + " = " + equation.right);
  return list;
}

}  // namespace noslip
