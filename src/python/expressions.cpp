// Expressions with Python operators, from which systems are made.
//
// An expression has a graph of its own, or shares one: where two meet, the smaller graph's is copied into the larger one.
// Everything happens under the GIL, which graphs need.
#include <memory>

#include <fmt/format.h>

#include <noslip/expr/parse.hpp>
#include <noslip/expr/print.hpp>
#include <noslip/expr/shared.hpp>
#include <noslip/model/symbols.hpp>

#include "common.hpp"
#include "values.hpp"

namespace noslip::python {
namespace {

constexpr std::size_t longest_text = 10'000;  // of an expression; then its parts get names

struct Expression {
  std::shared_ptr<Graph> graph;
  Expr expr;
};

/// A number as expressions have it: ints and Fractions are exact, a float means that double.
std::optional<Number> exact(const py::object& value) {
  if (PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr())) return std::nullopt;
  if (PyFloat_Check(value.ptr())) return Number(PyFloat_AS_DOUBLE(value.ptr()));
  std::vector<Problem> problems;
  const auto number = number_of(value, "expression", problems);
  if (!number || !problems.empty()) return std::nullopt;
  if (!PyIndex_Check(value.ptr()) && py::hasattr(value, "numerator")) {
    const auto above = exact(value.attr("numerator")), below = exact(value.attr("denominator"));
    if (above && below) return *above / *below;
  }
  return Number::real(*number);
}

Expression number_in(const std::shared_ptr<Graph>& graph, const Number& number) { return {graph, graph->constant(number)}; }

/// Both in one graph.
void join(Expression& a, Expression& b) {
  if (a.graph == b.graph) return;
  Expression& small = a.graph->size() < b.graph->size() ? a : b;
  const Expression& large = &small == &a ? b : a;
  const Expr copy = Substitution(*large.graph)(small.expr);
  small = {large.graph, copy};
}

/// An operand: an expression, or a number in the same graph.
std::optional<Expression> operand(const py::object& value, const std::shared_ptr<Graph>& graph) {
  if (py::isinstance<Expression>(value)) return value.cast<Expression>();
  if (const auto number = exact(value)) return number_in(graph, *number);
  return std::nullopt;
}

template <class Operation>
auto binary(Operation operation, bool is_reversed = false) {
  return [operation, is_reversed](const Expression& self, const py::object& other) -> py::object {
    auto right = operand(other, self.graph);
    if (!right) return py::reinterpret_borrow<py::object>(Py_NotImplemented);
    Expression left = self;
    join(left, *right);
    const Expr made = is_reversed ? operation(right->expr, left.expr) : operation(left.expr, right->expr);
    return py::cast(Expression{left.graph, made});
  };
}

/// A function of expressions and numbers.
template <class Operation>
void bind_function(py::module_& module, const char* name, Operation operation) {
  module.def(name, [=](const py::object& of) {
    const auto x = operand(of, std::make_shared<Graph>());
    if (!x) throw InputError(fmt::format("{}({}): that is neither an expression nor a number", name, shown(of)));
    return Expression{x->graph, operation(x->expr)};
  });
}
template <class Operation>
void bind_function_of_two(py::module_& module, const char* name, Operation operation) {
  module.def(name, [=](const py::object& first, const py::object& second) {
    auto a = operand(first, std::make_shared<Graph>()), b = operand(second, std::make_shared<Graph>());
    if (!a || !b) throw InputError(fmt::format("{}({}, {}): these are neither expressions nor numbers", name, shown(first), shown(second)));
    join(*a, *b);
    return Expression{a->graph, operation(a->expr, b->expr)};
  });
}

Expression symbol(const std::shared_ptr<Graph>& graph, const std::string& name) {
  if (name != "t") {
    if (const std::string wrong = why_not_a_name_or_element(name); !wrong.empty()) throw InputError(fmt::format("'{}': {}", name, wrong));
  }
  return {graph, graph->symbol(name)};
}

/// Texts of expressions, and definitions of what they share if they are long.
py::tuple texts(const std::vector<Expression>& expressions, const std::vector<std::string>& taken) {
  const auto graph = std::make_shared<Graph>();
  std::vector<Expr> copies;
  for (const Expression& one : expressions) copies.push_back(Substitution(*graph)(one.expr));
  const SharedParts shared(copies, longest_text, taken);
  py::list result, definitions;
  for (const Expr copy : copies) result.append(to_text(shared(copy)));
  for (const SharedParts::Definition& definition : shared.definitions()) {
    definitions.append(py::make_tuple(definition.name, to_text(definition.value)));
  }
  return py::make_tuple(result, definitions);
}

std::string number_text(const py::object& value) {
  const auto number = exact(value);
  if (!number) throw InputError(shown(value) + " is neither an expression, a text nor a number");
  return to_text(*number);
}

}  // namespace

void bind_expressions(py::module_& module) {
  py::class_<Expression> expression(module, "Expression", "What a text of a system file says, made with operators.");
  expression.def(py::init([](const std::string& name) { return symbol(std::make_shared<Graph>(), name); }), py::arg("name"))
      .def("__add__", binary([](Expr a, Expr b) { return a + b; }))
      .def("__radd__", binary([](Expr a, Expr b) { return a + b; }, true))
      .def("__sub__", binary([](Expr a, Expr b) { return a - b; }))
      .def("__rsub__", binary([](Expr a, Expr b) { return a - b; }, true))
      .def("__mul__", binary([](Expr a, Expr b) { return a * b; }))
      .def("__rmul__", binary([](Expr a, Expr b) { return a * b; }, true))
      .def("__truediv__", binary([](Expr a, Expr b) { return a / b; }))
      .def("__rtruediv__", binary([](Expr a, Expr b) { return a / b; }, true))
      .def("__pow__", binary([](Expr a, Expr b) { return pow(a, b); }))
      .def("__rpow__", binary([](Expr a, Expr b) { return pow(a, b); }, true))
      .def("__neg__", [](const Expression& self) { return Expression{self.graph, -self.expr}; })
      .def("__pos__", [](const Expression& self) { return self; })
      .def("__abs__", [](const Expression& self) { return Expression{self.graph, abs(self.expr)}; })
      .def_property_readonly("dot", [](const Expression& self) { return Expression{self.graph, dot(self.expr)}; },
                             "The velocity of a coordinate.")
      .def_property_readonly("momentum", [](const Expression& self) { return Expression{self.graph, momentum(self.expr)}; },
                             "The momentum of a coordinate, with a Hamiltonian.")
      .def("__eq__", [](const Expression& self, const py::object& other) {
        if (!py::isinstance<Expression>(other)) return false;
        const auto& right = other.cast<const Expression&>();
        return self.graph == right.graph ? self.expr == right.expr : to_text(self.expr, 10'000) == to_text(right.expr, 10'000);
      })
      .def("__hash__", [](const Expression& self) { return py::hash(py::str(to_text(self.expr, 200))); })
      .def("__bool__", [](const Expression&) -> bool {
        throw InputError("an expression is neither true nor false", "write a relation as noslip.equal(left, right)");
      })
      .def("__str__", [](const Expression& self) { return to_text(self.expr, longest_text); })
      .def("__repr__", [](const Expression& self) { return to_text(self.expr, 200); })
      .def("_repr_latex_", [](const Expression& self) { return "$" + to_latex(self.expr) + "$"; })
      .def("__reduce__", [](const Expression& self) {
        return py::make_tuple(py::module_::import("noslip.expressions").attr("expression"), py::make_tuple(to_text(self.expr)));
      });
  module.def("_symbols", [](const std::vector<std::string>& names) {
    const auto graph = std::make_shared<Graph>();
    py::list result;
    for (const std::string& name : names) result.append(symbol(graph, name));
    return py::tuple(result);
  });
  module.def("_parse", [](const std::string& text) {
    const auto graph = std::make_shared<Graph>();
    Scope scope;
    scope.symbol = [&](std::string_view name) { return std::optional(graph->symbol(name)); };
    scope.velocity = [&](std::string_view name) { return std::optional(dot(graph->symbol(name))); };
    scope.momentum = [&](std::string_view name) { return std::optional(momentum(graph->symbol(name))); };
    scope.multiplier = [](std::string_view) { return std::optional<Expr>(); };
    const Parsed parsed = parse_relation(*graph, text, scope);
    std::vector<Problem> problems;
    for (const ParseProblem& problem : parsed.problems) {
      problems.push_back({problem.what, {"expression", 1, static_cast<int>(problem.offset) + 1, text}, problem.remedy});
    }
    refuse_all(std::move(problems));
    return Expression{graph, parsed.expression};
  });
  module.def("_texts", &texts);
  module.def("_number_text", &number_text);
  module.def("_pi", [] {
    const auto graph = std::make_shared<Graph>();
    return Expression{graph, graph->pi()};
  });

  bind_function(module, "sqrt", [](Expr x) { return sqrt(x); });
  bind_function(module, "sign", [](Expr x) { return sign(x); });
  bind_function(module, "sin", [](Expr x) { return sin(x); });
  bind_function(module, "cos", [](Expr x) { return cos(x); });
  bind_function(module, "tan", [](Expr x) { return tan(x); });
  bind_function(module, "asin", [](Expr x) { return asin(x); });
  bind_function(module, "acos", [](Expr x) { return acos(x); });
  bind_function(module, "atan", [](Expr x) { return atan(x); });
  bind_function(module, "sinh", [](Expr x) { return sinh(x); });
  bind_function(module, "cosh", [](Expr x) { return cosh(x); });
  bind_function(module, "tanh", [](Expr x) { return tanh(x); });
  bind_function(module, "exp", [](Expr x) { return exp(x); });
  bind_function(module, "log", [](Expr x) { return log(x); });
  bind_function_of_two(module, "atan2", [](Expr y, Expr x) { return atan2(y, x); });
  bind_function_of_two(module, "minimum", [](Expr a, Expr b) { return min(a, b); });
  bind_function_of_two(module, "maximum", [](Expr a, Expr b) { return max(a, b); });
  bind_function_of_two(module, "equal", [](Expr a, Expr b) { return a - b; });
}

}  // namespace noslip::python
