// Every node of the equations is evaluated; operands come before what is made of them, so that the first value that is
// not finite is the one to blame.
#include "run/domain.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <noslip/exec/function.hpp>

#include "expr/reach.hpp"
#include "model/written_functions.hpp"

namespace noslip {

namespace {

template <class T>
std::string blame(Expr node, T a, T b) {
  const std::string left = to_short_text(static_cast<double>(a)), right = to_short_text(static_cast<double>(b));
  switch (node.op()) {
    case Op::div:
      if (b == 0) return fmt::format("{}/0 is not finite", left);
      break;
    case Op::sqrt:
    case Op::log:
    case Op::asin:
    case Op::acos:
    case Op::tan: return fmt::format("{}({}) has no value", to_text(node.op()), left);
    case Op::exp:
    case Op::sinh:
    case Op::cosh: return fmt::format("{}({}) is beyond the largest number", to_text(node.op()), left);
    case Op::table: {
      const Table& table = node.table();
      return fmt::format("{}({}) has no value: the table goes from {} to {}", table.name(), left,
                         to_short_text(static_cast<double>(table.x(0))),
                         to_short_text(static_cast<double>(table.x(table.size() - 1))));
    }
    case Op::pow: return fmt::format("({})^({}) has no value", left, right);
    default: break;
  }
  return "a value is beyond the largest number";
}

/// Equations and increments of the step, in symbols that the workspace has values for.
std::vector<Expr> everything_in(const StepRecipe& recipe, Graph& graph) {
  std::vector<std::pair<Expr, Expr>> known;
  const auto put = [&](Expr expression) {
    Substitution meanings(graph);
    for (const auto& [symbol, value] : known) meanings.replace(symbol, value);
    return meanings(expression);
  };
  std::vector<Expr> all;
  for (const Solve& solve : recipe.solves) {
    for (const Definition& definition : solve.before) known.emplace_back(definition.symbol, put(definition.value));
    for (const Definition& definition : solve.held_in_matrix)
      known.emplace_back(definition.symbol, put(definition.value));
    for (const Expr& residual : solve.residuals) all.push_back(put(residual));
  }
  for (const StateVariable& variable : recipe.state) {
    for (const Expr& part : {variable.increment, variable.added_last, variable.value}) {
      if (part.graph != nullptr) all.push_back(put(part));
    }
  }
  return all;
}

/// Symbols and their values.
template <class T>
struct KnownSymbols {
  std::vector<Expr> symbols;
  std::vector<T> values;

  void add(Expr symbol, T value) {
    symbols.push_back(symbol);
    values.push_back(value);
  }
};

/// `blames(op)`: may this operation be the one?
template <class T, class Blames>
std::string first_without_value(std::span<const Expr> expressions, const KnownSymbols<T>& known, Blames blames) {
  if (expressions.empty()) return {};
  Graph& graph = *expressions.front().graph;
  const std::vector<NodeId> nodes = reachable_nodes(graph, ids_of(expressions));
  std::vector<Expr> outputs;
  std::vector<std::size_t> place(graph.size(), 0);
  for (const NodeId id : nodes) {
    place[id] = outputs.size();
    outputs.push_back({&graph, id});
  }
  const Evaluation<T> all = Function<T>({known.symbols}, {outputs})({known.values});
  const std::span<const T> values = all.output(0);
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    const int operands = arity(node.op);
    if (is_finite(values[place[id]]) || operands == 0) continue;
    const T a = values[place[node.a]], b = operands > 1 ? values[place[node.b]] : T(0);
    if (blames(node.op) && is_finite(a) && is_finite(b)) return blame(Expr{&graph, id}, a, b);
  }
  return {};
}

bool has_domain(Op op) {
  return op == Op::sqrt || op == Op::log || op == Op::asin || op == Op::acos || op == Op::pow ||
         op == Op::table;
}

}  // namespace

template <class T>
std::string function_without_value(const System& system, std::span<const T> parameters, T t, T h,
                                   std::span<const T> state) {
  const std::vector<Expr> written = written_functions(system);
  const std::size_t q = system.q().size(), v = system.v().size(), z = system.z().size();
  const std::vector<Parameter> constants = system.step_constants();
  const bool is_plain = system.offers().lagrangian && !system.is_on_group();
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    KnownSymbols<T> known;
    const auto read = [&known](Expr symbol, T value) { known.add(symbol, value); };
    read(system.t(), t + T(part) * h);
    for (std::size_t i = 0; i < q; ++i) read(system.q()[i], state[i] + (is_plain && i < v ? T(part) * h * state[q + i] : T(0)));
    for (std::size_t i = 0; i < v; ++i) read(system.v()[i], state[q + i]);
    for (std::size_t i = 0; i < z; ++i) read(system.z()[i], q + v + i < state.size() ? state[q + v + i] : T(0));
    for (const Expr& psi : system.psi()) read(psi, T(0));
    for (std::size_t i = 0; i < constants.size(); ++i) read(constants[i].symbol, parameters[i]);
    const std::string function =
        first_without_value<T>(written, known, [](Op op) { return has_domain(op) || op == Op::div; });
    if (!function.empty()) return function;
  }
  return {};
}

template <class T>
std::string function_without_value(const StepRecipe& recipe, const StepLayout& layout, const T* workspace) {
  Graph graph;
  const std::vector<Expr> all = everything_in(recipe, graph);
  KnownSymbols<T> known;
  const auto read = [&](Expr symbol, int slot) { known.add(graph.symbol(symbol.name()), workspace[slot]); };
  const auto read_all = [&](const std::vector<Expr>& symbols, int first) {
    for (std::size_t i = 0; i < symbols.size(); ++i) read(symbols[i], first + static_cast<int>(i));
  };
  read_all(recipe.parameters, layout.parameters);
  read(recipe.t, layout.t);
  read(recipe.h, layout.h);
  for (std::size_t i = 0; i < recipe.state.size(); ++i) {
    read(recipe.state[i].symbol, layout.state + static_cast<int>(i));
    read(recipe.state[i].low, layout.compensation + static_cast<int>(i));
  }
  int slot = layout.unknowns;
  for (const Solve& solve : recipe.solves) {
    for (const Unknown& unknown : solve.unknowns) read(unknown.symbol, slot++);
  }
  read_all(recipe.accelerations, layout.accelerations);
  read_all(recipe.multipliers, layout.multipliers);
  return first_without_value<T>(all, known, has_domain);
}

#define NOSLIP_INSTANTIATE(T)                                                                               \
  template std::string function_without_value(const System&, std::span<const T>, T, T, std::span<const T>); \
  template std::string function_without_value(const StepRecipe&, const StepLayout&, const T*);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
