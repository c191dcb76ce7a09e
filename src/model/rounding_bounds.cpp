#include "model/rounding_bounds.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <unordered_map>

namespace noslip {
namespace {

constexpr double unit = RoundingBounds::unit;

/// A value, and how far it may be off.
struct Rounded {
  double value = 0, error = 0;
};

/// |slope| * error; what is exact stays so, however steep the function is.
double carried(double slope, Rounded of) { return of.error == 0 ? 0 : std::abs(slope) * of.error; }

/// Of a function that is steep where its argument ends: error / (2 sqrt(rest)), at most sqrt(error).
double carried_by_root(double rest, double error) {
  if (error == 0) return 0;
  return rest > error ? error / (2 * std::sqrt(rest)) : std::sqrt(error);
}

Rounded whole_power(Rounded a, int exponent) {
  double less_one = 1;  // a^(exponent - 1)
  for (int i = 1; i < exponent; ++i) less_one *= a.value;
  return {less_one * a.value, carried(exponent * less_one, a)};
}

Rounded power(Rounded a, double exponent) {
  const double value = std::pow(a.value, exponent);
  return {value, carried(exponent * std::pow(a.value, exponent - 1), a)};
}

/// Value and carried error; the rounding of the operation itself comes on top.
Rounded apply_one(Op op, Rounded a) {
  const double x = a.value;
  switch (op) {
    case Op::sqrt: return {std::sqrt(x), carried_by_root(x, a.error)};
    case Op::sin: return {std::sin(x), carried(std::cos(x), a)};
    case Op::cos: return {std::cos(x), carried(std::sin(x), a)};
    case Op::tan: return {std::tan(x), carried(1 + std::tan(x) * std::tan(x), a)};
    case Op::asin: return {std::asin(x), 2 * carried_by_root(1 - x * x, a.error)};
    case Op::acos: return {std::acos(x), 2 * carried_by_root(1 - x * x, a.error)};
    case Op::atan: return {std::atan(x), carried(1 / (1 + x * x), a)};
    case Op::sinh: return {std::sinh(x), carried(std::cosh(x), a)};
    case Op::cosh: return {std::cosh(x), carried(std::sinh(x), a)};
    case Op::tanh: return {std::tanh(x), carried(1 - std::tanh(x) * std::tanh(x), a)};
    case Op::exp: return {std::exp(x), carried(std::exp(x), a)};
    default: assert(op == Op::log); return {std::log(x), carried(1 / x, a)};
  }
}

Rounded quotient(Rounded a, Rounded b) {
  const double value = a.value / b.value;
  return {value, carried(1 / b.value, a) + carried(value / b.value, b)};
}

Rounded angle(Rounded y, Rounded x) {
  const double square = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value), carried(x.value / square, y) + carried(y.value / square, x)};
}

Rounded general_power(Rounded a, Rounded b) {
  Rounded result = power(a, b.value);
  result.error += carried(result.value == 0 ? 0 : result.value * std::log(a.value), b);
  return result;
}

Rounded external(const Call& call, std::span<const Rounded> arguments) {
  const ExternalFunction& function = call.function;
  std::vector<double> numbers;
  for (const Rounded& argument : arguments) numbers.push_back(argument.value);
  const auto value = [&](std::span<const std::uint32_t> by) { return function.evaluate<double>(by, numbers); };
  Rounded result{value(call.by), 0};
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].error == 0) continue;
    std::vector<std::uint32_t> by = call.by;
    by.push_back(i);
    result.error += carried(value(by), arguments[i]);
  }
  // What cancels in differences, and what they leave out.
  const std::size_t differences = function.differences(call.by.size());
  if (differences == 0) return result;
  const double fraction = ExternalFunction::step_fraction(differences);
  double cancelled = std::abs(value(std::span(call.by).subspan(differences)));
  for (std::size_t k = 0; k < differences; ++k) {
    const std::uint32_t by = call.by[k];
    cancelled /= fraction * std::max(std::abs(numbers[by]), function.size(by));
  }
  result.error += unit * cancelled + fraction * fraction * std::abs(result.value);
  return result;
}

Rounded looked_up(const Table& table, int derivative, Rounded a) {
  if (derivative == Graph::interval) return {table.interval(a.value), 0};
  return {table.value(a.value, derivative), carried(table.value(a.value, derivative + 1), a)};
}

}  // namespace

RoundingBounds::RoundingBounds(std::span<const Expr> functions, std::span<const Expr> inputs) {
  if (functions.empty()) return;
  const auto data = std::make_shared<Data>();
  const Graph& graph = *functions.front().graph;
  // Operands are older than what they are used in.
  std::vector<NodeId> nodes, open;
  std::unordered_map<NodeId, std::uint32_t> place;
  for (const Expr f : functions) open.push_back(f.id);
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!place.emplace(id, 0).second) continue;
    nodes.push_back(id);
    const Node& node = graph.node(id);
    const int count = node.op == Op::alias ? 1 : arity(node.op);
    if (count > 0) open.push_back(node.a);
    if (count > 1) open.push_back(node.b);
    if (count > 2) open.push_back(node.c);
  }
  std::sort(nodes.begin(), nodes.end());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
  std::unordered_map<NodeId, std::uint32_t> input;
  for (std::uint32_t i = 0; i < inputs.size(); ++i) input[inputs[i].id] = i;

  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    Step step;
    step.op = node.op;
    const int count = node.op == Op::alias ? 1 : arity(node.op);
    if (count > 0) step.a = place[node.a];
    if (count > 1) step.b = place[node.b];
    if (count > 2) step.c = place[node.c];
    if (node.op == Op::constant) step.constant = static_cast<double>(graph.number(node.payload).value());
    if (node.op == Op::powi) step.number = static_cast<std::int32_t>(node.payload);
    if (node.op == Op::symbol) {
      assert(input.count(id) != 0);
      step.number = static_cast<int>(input[id]);
    }
    if (node.op == Op::table) {
      const Expr looked{functions.front().graph, id};
      step.number = static_cast<int>(data->tables.size());
      data->tables.emplace_back(looked.table(), looked.table_derivative());
    }
    if (node.op == Op::call) {
      step.number = static_cast<int>(data->calls.size());
      const Expr call{functions.front().graph, id};
      data->calls.push_back({call.called(), {}});
      for (const Expr argument : arguments_of(call)) data->calls.back().arguments.push_back(place[argument.id]);
    }
    data->steps.push_back(step);
  }
  for (const Expr f : functions) data->functions.push_back(place[f.id]);
  data_ = data;
}

Eigen::VectorXd RoundingBounds::operator()(std::span<const double> values, std::span<const double> errors) const {
  std::vector<Rounded> found(data_->steps.size());
  for (std::size_t i = 0; i < data_->steps.size(); ++i) {
    const Step& step = data_->steps[i];
    const Rounded a = found[step.a], b = found[step.b], c = found[step.c];
    Rounded& result = found[i];
    bool rounds = true;
    switch (step.op) {
      case Op::symbol:
        result = {values[static_cast<std::size_t>(step.number)], errors[static_cast<std::size_t>(step.number)]};
        rounds = false;
        break;
      case Op::constant: result = {step.constant, 0}; break;
      case Op::pi: result = {std::acos(-1.0), 0}; break;
      case Op::alias:
      case Op::neg:
      case Op::abs:
        result = {step.op == Op::neg ? -a.value : step.op == Op::abs ? std::abs(a.value) : a.value, a.error};
        rounds = false;
        break;
      case Op::sign: result = {a.value > 0 ? 1.0 : a.value < 0 ? -1.0 : 0.0, 0}; break;
      case Op::floor: result = {std::floor(a.value), 0}; break;
      case Op::add: result = {a.value + b.value, a.error + b.error}; break;
      case Op::sub: result = {a.value - b.value, a.error + b.error}; break;
      case Op::mul: result = {a.value * b.value, carried(a.value, b) + carried(b.value, a)}; break;
      case Op::div: result = quotient(a, b); break;
      case Op::powi: result = whole_power(a, step.number); break;
      case Op::pow: result = general_power(a, b); break;
      case Op::atan2: result = angle(a, b); break;
      case Op::min: result = a.value < b.value ? a : b; break;
      case Op::max: result = a.value > b.value ? a : b; break;
      case Op::less: result = {a.value < b.value ? 1.0 : 0.0, 0}; break;
      case Op::select: result = a.value > 0 ? b : c; break;
      case Op::table: {
        const auto& [table, derivative] = data_->tables[static_cast<std::size_t>(step.number)];
        result = looked_up(table, derivative, a);
        break;
      }
      case Op::arguments: rounds = false; break;  // read by the call
      case Op::call: {
        const auto& [call, arguments] = data_->calls[static_cast<std::size_t>(step.number)];
        std::vector<Rounded> given;
        for (const std::uint32_t argument : arguments) given.push_back(found[argument]);
        result = external(call, given);
        break;
      }
      default: result = apply_one(step.op, a); break;
    }
    if (rounds) result.error += unit * std::abs(result.value);
  }
  Eigen::VectorXd bounds(static_cast<Eigen::Index>(data_->functions.size()));
  for (std::size_t i = 0; i < data_->functions.size(); ++i) {
    bounds[static_cast<Eigen::Index>(i)] = margin * found[data_->functions[i]].error;
  }
  return bounds;
}

}  // namespace noslip
