#include "ensemble/lane_functions.hpp"

#include <algorithm>

#include "run/monitor_functions.hpp"
#include "run/start_margins.hpp"

namespace noslip {

namespace {

/// Sum of |p v|/2: a size of the kinetic energy that does not cancel.
Expr kinetic_size(const System& system, Graph& graph) {
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < system.momenta().size() && i < system.v().size(); ++i) {
    terms.push_back(abs(graph.counterpart(system.momenta()[i]) * graph.counterpart(system.v()[i])));
  }
  return terms.empty() ? graph.constant(0) : sum(graph, terms) / Number(2);
}

/// The functions among the columns.
std::vector<Expr> functions_of(const EnsemblePlan& plan, Graph& graph) {
  std::vector<Expr> functions;
  for (const Column& column : plan.table.columns) {
    if (column.kind == ColumnKind::expression) functions.push_back(plan.system.expression(graph, column.text, "column"));
  }
  return functions;
}

}  // namespace

std::size_t state_size(const System& system) { return system.q().size() + system.v().size() + system.z().size(); }

LaneFunctions::LaneFunctions(const EnsemblePlan& plan, const ProgramData<double>& program) {
  const System& system = plan.system;
  const StepLayout& layout = program.layout();
  const std::vector<PlacedBlock> in_workspace = inputs_of(system, layout);
  const Backend backend = program.steps->is_machine_code ? Backend::automatic : Backend::interpreter;

  StartConditions conditions(system);
  std::vector<Expr> margin_values;
  if (!program.carries_multipliers()) margin_values = start_margins(system, conditions);
  margin_count = margin_values.size();

  kinetic_slot = static_cast<std::size_t>(layout.size) + program.monitored.slots();
  whole_slot = kinetic_slot + 1;
  margin_slot = whole_slot + state_size(system);
  const std::size_t outputs = margin_slot + margin_count;
  extra_slots = outputs + plan.table.columns.size() - kinetic_slot;

  Graph graph(system.graph());
  const std::vector<PlacedBlock> size{{{kinetic_size(system, graph)}, kinetic_slot}};
  kinetic = Function<double>(in_workspace, size, backend, plan.lanes);
  if (margin_count > 0) {
    margins = Function<double>(in_workspace, std::vector<PlacedBlock>{{margin_values, margin_slot}}, backend, plan.lanes);
  }
  const std::vector<Expr> values = functions_of(plan, graph);
  has_functions = !values.empty();
  if (has_functions) {
    std::vector<PlacedBlock> inputs = in_workspace;
    inputs.back().slot = whole_slot;
    functions = Function<double>(inputs, std::vector<PlacedBlock>{{values, outputs}}, backend, plan.lanes);
  }
  scratch_size = std::max({program.monitored.in_workspace.scratch_size(), kinetic.scratch_size(),
                           margins.scratch_size(), functions.scratch_size()});
  find_sources(plan, layout, outputs);
}

void LaneFunctions::find_sources(const EnsemblePlan& plan, const StepLayout& layout, std::size_t next_output) {
  using Kind = Source::Kind;
  const System& system = plan.system;
  for (const Column& column : plan.table.columns) {
    switch (column.kind) {
      case ColumnKind::time: sources.push_back({Kind::time}); break;
      case ColumnKind::coordinate:
      case ColumnKind::state: sources.push_back({Kind::state, column.index}); break;
      case ColumnKind::velocity: sources.push_back({Kind::state, system.q().size() + column.index}); break;
      case ColumnKind::energy: sources.push_back({Kind::energy}); break;
      case ColumnKind::work: sources.push_back({Kind::workspace, static_cast<std::size_t>(layout.work())}); break;
      case ColumnKind::input:
        sources.push_back({Kind::workspace, static_cast<std::size_t>(layout.parameters) +
                                                system.parameters().size() + column.index});
        break;
      default: sources.push_back({Kind::workspace, next_output++}); break;
    }
  }
}

}  // namespace noslip
