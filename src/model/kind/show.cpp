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
  for (const Expr expression : expressions) list.push_back({to_text(expression)});
  return {std::move(list)};
}

ShownValue text_rows(const std::vector<std::vector<Expr>>& rows) {
  ShownValue::List list;
  for (const std::vector<Expr>& row : rows) list.push_back(text_list(row));
  return {std::move(list)};
}

ShownValue texts_by_name(const std::vector<std::string>& names, const std::vector<Expr>& expressions) {
  ShownValue::Object object;
  for (std::size_t i = 0; i < expressions.size(); ++i) object.push_back({names[i], {to_text(expressions[i])}});
  return {std::move(object)};
}

ShownValue names_as_list(const std::vector<std::string>& names) {
  ShownValue::List list;
  for (const std::string& name : names) list.push_back({name});
  return {std::move(list)};
}

ShownValue equation_texts(const std::vector<Equation>& equations) {
  ShownValue::List list;
  for (const Equation& equation : equations) list.push_back({equation.left + " = " + equation.right});
  return {std::move(list)};
}

}  // namespace noslip
