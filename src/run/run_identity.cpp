// Texts of what has to be the same.
#include "run/run_identity.hpp"

#include <algorithm>
#include <type_traits>
#include <unordered_map>

#include <fmt/format.h>

#include <noslip/core/options.hpp>
#include <noslip/exec/processor.hpp>
#include <noslip/expr/graph.hpp>
#include <noslip/model/sampled.hpp>

#include "expr/reach.hpp"

namespace noslip {

namespace {

/// Of names and texts, one after the other.
class Digest {
 public:
  Digest& add(std::string_view text) {
    all_.append(text).push_back('\n');
    return *this;
  }
  template <class T>
  Digest& add_numbers(const std::vector<T>& numbers) {
    for (const T& number : numbers) add(to_text(number));
    return *this;
  }
  std::string text() const { return fmt::format("{:016x}", checksum(all_)); }

 private:
  std::string all_;
};

/// Of all that an expression is made of. Its text may be endless, because its parts share so much.
std::string expression_text(Expr expression) {
  const Graph& graph = *expression.graph;
  std::vector<NodeId> nodes;
  visit_reachable(graph, std::span(&expression.id, 1), [&](NodeId id) {
    nodes.push_back(id);
    return true;
  });
  std::sort(nodes.begin(), nodes.end());  // operands come before what is made of them
  std::unordered_map<NodeId, std::string> texts;
  for (const NodeId id : nodes) {
    const Expr part{expression.graph, id};
    const Node& node = part.node();
    Digest digest;
    digest.add(to_text(node.op));
    const int operands = arity(node.op);
    if (operands > 0) digest.add(texts.at(node.a));
    if (operands > 1) digest.add(texts.at(node.b));
    if (operands > 2) digest.add(texts.at(node.c));
    if (node.op == Op::constant) digest.add(to_text(part.number()));
    if (node.op == Op::symbol) digest.add(part.name());
    if (node.op == Op::powi) digest.add(fmt::format("{}", part.exponent()));
    if (node.op == Op::table) digest.add(fmt::format("{} {}", part.table().fingerprint(), part.table_derivative()));
    if (node.op == Op::call) {
      digest.add(part.called().function.name()).add(fmt::format("{}", fmt::join(part.called().by, ",")));
    }
    texts.emplace(id, digest.text());
  }
  return texts.at(expression.id);
}

/// Variables, constants, constraints, invariants, controller; the equations are those of the tapes.
template <class T>
std::string parts_of(const System& system, const ProgramData<T>& program) {
  Digest digest;
  for (const StateVariable& variable : program.recipe.state) digest.add(variable.symbol.name());
  for (const std::string& name : system.multiplier_names()) digest.add(name);
  for (const Parameter& constant : system.step_constants()) digest.add(constant.name);
  for (const auto& constraint : system.constraints()) digest.add(constraint.text);
  for (const auto& constraint : system.holonomic()) digest.add(constraint.text);
  for (const auto& [name, expression] : system.invariants()) digest.add(name).add(expression_text(expression));
  for (const Table& table : system.tables()) digest.add(fmt::format("{}", table.fingerprint()));
  for (const std::string& name : program.monitored.names) digest.add(name);
  for (const auto& [name, expression] : system.outputs()) digest.add(name).add(expression_text(expression));
  for (const Guard& guard : system.guards()) digest.add(guard.text).add(expression_text(guard.margin));
  for (const FirstOrderState& state : system.states()) digest.add(state.name).add(expression_text(state.rate));
  if (const Sampled* const sampled = system.sampled()) {
    digest.add(expression_text(sampled->every)).add(expression_text(sampled->delay));
    for (const Sampled::Value& value : sampled->values) digest.add(value.name).add(value.text);
  }
  return digest.text();
}

std::string control_of(const Control& control) {
  Digest digest;
  for (const InputSeries& series : control.series) {
    digest.add(series.input).add(series.is_linear ? "linear" : "held");
    digest.add_numbers(series.times).add_numbers(series.values);
  }
  for (const Controller& controller : control.controllers) {
    digest.add_numbers(std::vector{controller.every, controller.delay});
    for (const std::string& input : controller.inputs) digest.add(input);
  }
  return fmt::format("{} series and {} controllers, {}", control.series.size(), control.controllers.size(),
                     digest.text());
}

std::string events_of(const std::vector<Event>& events) {
  std::vector<std::string> texts;
  for (const Event& event : events) {
    texts.push_back(fmt::format("'{}' {} {}{}", event.when, to_text(event.direction), event.stop_after,
                                event.act ? " acting" : ""));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

template <class T>
std::vector<RunTrait> identity_of(const System& system, const ProgramData<T>& program, const Start<T>& start,
                                  const RunOptions& options) {
  std::vector<T> first = start.parameters;
  first.insert(first.end(), start.state.begin(), start.state.end());
  return {
      {"version of noslip", NOSLIP_VERSION},
      {"system", system.name()},
      {"variables and constraints of the system", parts_of(system, program)},
      {"method", options.method},
      {"precision", to_text(precision_of<T>)},
      {"back end", to_text(program.steps->backend())},
      {"elementary functions", std::is_same_v<T, double> ? elementary_functions() : "of this precision"},
      {"tolerance", to_text(options.tolerance)},
      {"equations of a step", fmt::format("{:016x}", program.steps->fingerprint)},
      {"step", to_text(options.step)},
      {"initial time", to_text(start.t)},
      {"initial state and parameters", Digest().add_numbers(first).text()},
      {"inputs over time", control_of(options.control)},
      {"rows", fmt::format("every {} steps", options.every)},
      {"times between the steps", Digest().add_numbers(options.at).text()},
      {"events", events_of(options.events)},
      {"steps end at events", options.land ? "yes" : "no"},
      {"event checks per step", fmt::format("{}", options.looks_per_step)},
      {"way to states between the steps", choice_name("between", options.between)},
      {"dense output", options.dense ? "yes" : "no"},
      {"stop at guards", options.strict ? "yes" : "no"},
  };
}

void require_same_run(const std::vector<RunTrait>& saved, const std::vector<RunTrait>& here) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < std::min(saved.size(), here.size()); ++i) {
    if (saved[i] == here[i]) continue;
    const bool is_other_list = saved[i].what != here[i].what;
    problems.push_back({is_other_list ? "the checkpoint was written by another version of noslip"
                                      : fmt::format("the checkpoint belongs to another run: {} {}", saved[i].what,
                                                    saved[i].value.empty() ? "(none)" : saved[i].value),
                        {},
                        is_other_list ? "go on with the version that wrote it"
                                      : fmt::format("here it is {}", here[i].value.empty() ? "(none)" : here[i].value)});
    if (is_other_list || i == 0) break;  // everything else follows from that
  }
  if (problems.empty() && saved.size() != here.size()) {
    problems.push_back({"the checkpoint was written by another version of noslip", {}, "go on with that version"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

#define NOSLIP_INSTANTIATE(T)                                                                             \
  template std::vector<RunTrait> identity_of<T>(const System&, const ProgramData<T>&, const Start<T>&,     \
                                                const RunOptions&);
NOSLIP_INSTANTIATE(double)
NOSLIP_INSTANTIATE(long double)
NOSLIP_INSTANTIATE(quad)
#undef NOSLIP_INSTANTIATE

}  // namespace noslip
