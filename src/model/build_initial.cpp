// Initial time, positions, velocities and algebraic variables.
#include <algorithm>

#include <noslip/core/names.hpp>

#include "model/builder.hpp"

namespace noslip {
namespace {

/// How an element that a matrix holds is given.
std::string form_of(const Factor& factor) {
  return factor.columns() == 4 ? "give it as " + factor.name + " = [0, 0, 0, 0, 0, 0], the place and a rotation vector"
                               : "give it as " + factor.name + " = [0, 0, 0], a rotation vector";
}

}  // namespace

const Rule& initial_rule() {
  static const Rule rule = [] {
    Rule only_parameters;
    only_parameters.allowed = "an initial value may use the parameters only";
    only_parameters.state = only_parameters.algebraic = only_parameters.time = only_parameters.inputs = false;
    return only_parameters;
  }();
  return rule;
}

void Builder::initial_time() {
  const auto t = names_.parse(text_.t0, initial_rule());
  data_.initial.push_back({"the initial time", text_.t0, t.value_or(zero())});
}

void Builder::initial_positions(const InitialTexts& values_given) {
  std::vector<std::string> given;
  for (const Factor& factor : data_.factors) given.insert(given.end(), factor.given.begin(), factor.given.end());
  const std::size_t first = data_.initial.size();
  initial_values(values_given, given, "q");
  const std::vector<ParameterValue> values(data_.initial.begin() + static_cast<std::ptrdiff_t>(first),
                                           data_.initial.end());
  data_.initial.resize(first);
  auto next = values.begin();
  for (std::size_t f = 0; f < data_.factors.size(); ++f) {
    const auto of_factor = next;
    std::vector<Expr> numbers;
    for (std::size_t i = 0; i < data_.factors[f].given.size(); ++i) numbers.push_back((next++)->expression);
    if (data_.factors[f].is_matrix()) data_.given.insert(data_.given.end(), of_factor, next);
    const std::vector<Expr> element = initial_element(factors_[f], numbers);
    for (std::size_t i = 0; i < element.size(); ++i) {
      data_.initial.push_back(of_factor[static_cast<std::ptrdiff_t>(std::min(i, numbers.size() - 1))]);
      data_.initial.back().expression = element[i];
    }
  }
}

const Factor* Builder::matrix_named(const std::string& name) const {
  for (const Factor& factor : data_.factors) {
    if (!factor.is_matrix()) continue;
    const auto own = std::span(data_.coordinates).subspan(factor.first, factor.size);
    if (name == factor.name || std::find(own.begin(), own.end(), name) != own.end()) return &factor;
  }
  return nullptr;
}

/// An array inside of initial values stands for one element of a group.
bool Builder::is_vector_in_place(const InitialTexts& initial, const InitialTexts::Vector& vector,
                                 const std::string& letter) {
  const bool is_position = letter == "q";
  const std::string what = "initial " + letter;
  if (initial.by_name) {
    const Factor* matrix = is_position ? matrix_named(vector.name.text) : nullptr;
    if (!matrix) {
      // A name that nobody knows is the mistake, not its value.
      std::vector<std::string> known = is_position ? data_.coordinates : data_.velocity_names;
      for (const Factor& factor : data_.factors) {
        if (is_position && factor.is_matrix()) known.push_back(factor.name);
      }
      if (!data_.factors.empty() && !variable(vector.name, known)) return false;
    }
    if (!matrix || vector.name.text != matrix->name) {
      complain(what + " of '" + vector.name.text + "' has to be a number or an expression in quotes, not an array",
               vector.place, matrix ? form_of(*matrix) : "");
      return false;
    }
    if (vector.count == matrix->given.size()) return true;
    complain(what + " of '" + matrix->name + "' has " + counted(vector.count, "value", "values") + ", not " +
                 std::to_string(matrix->given.size()),
             vector.place, form_of(*matrix));
    return false;
  }
  std::size_t first = 0;
  for (const Factor& factor : data_.factors) {
    const std::size_t count = letter == "q" ? factor.given.size() : factor.dimension;
    if (first == vector.first && !factor.group.empty() && count == vector.count) return true;
    if (first == vector.first && !factor.group.empty()) {
      complain(what + " has an array of " + counted(vector.count, "value", "values") + " where an element of " +
                   factor.group + " has " + std::to_string(count),
               vector.place, factor.is_matrix() && is_position ? form_of(factor) : "");
      return false;
    }
    first += count;
  }
  complain(
      what + " has to be a number or an expression in quotes, not an array", vector.place,
      is_on_group() ? "an array inside is for an element of a group, in the place that it has in `coordinates`" : "");
  return false;
}

void Builder::initial_values(const InitialTexts& initial, const std::vector<std::string>& variables,
                             const std::string& letter) {
  const std::vector<NamedText>& values = initial.values;
  const std::size_t first = data_.initial.size();
  const std::size_t n = variables.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::string& name = variables[i];
    const std::string symbol = letter == "v" ? data_.v[i].name() : letter == "p" ? momentum_name(name) : name;
    data_.initial.push_back({"the initial value of " + symbol, Text::whole(symbol, "0"), zero()});
  }
  std::set<std::size_t> refused;
  for (const InitialTexts::Vector& vector : initial.vectors) {
    if (is_vector_in_place(initial, vector, letter)) continue;
    for (std::size_t i = 0; i < vector.count; ++i) refused.insert(vector.first + i);
  }
  if (!initial.by_name && refused.empty() && values.size() != n) {
    const bool are_velocities = is_on_group() && (letter == "v" || letter == "p");
    const std::string variable = letter == "states" ? "state" : words_.variable;
    complain("initial " + letter + " has " + counted(values.size(), "value", "values") + " for " +
                 (are_velocities  ? counted(n, "velocity", "velocities")
                  : is_on_group() && letter == "q" ? counted(n, "number", "numbers")
                                                   : counted(n, variable, variable + "s")),
             initial.place, n > 0 && n <= 12 ? "the order is " + list_of(variables) : "");
  }
  std::set<std::size_t> seen;
  const VariablePlaces places(variables);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (refused.count(i) != 0) continue;
    const auto expression = names_.parse(values[i].value, initial_rule());
    const Factor* matrix = initial.by_name && letter == "q" ? matrix_named(values[i].name.text) : nullptr;
    if (matrix) {
      const std::string& name = values[i].name.text;
      complain(name == matrix->name
                   ? "initial q of '" + name + "' is not one number"
                   : "'" + name + "' is an entry of the matrix " + matrix->name + ", which is not given by its entries",
               values[i].name.place(), form_of(*matrix));
      continue;
    }
    const auto index = initial.by_name ? variable(values[i].name, places) : std::optional<std::size_t>(i);
    if (!index || *index >= n) continue;
    if (!seen.insert(*index).second) {
      complain("'" + values[i].name.text + "' is given twice", values[i].name.place());
    }
    data_.initial[first + *index].text = values[i].value;
    data_.initial[first + *index].expression = expression.value_or(zero());
  }
}

}  // namespace noslip
